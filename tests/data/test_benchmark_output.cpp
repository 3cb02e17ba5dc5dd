#include <catch2/catch.hpp>

#include "data/benchmark_output.hpp"
#include "error_text.hpp"

using namespace narrows;
using Catch::Matchers::WithinRel;

namespace {

BenchmarkTable only_table(const std::string& text) {
    const BenchmarkOutput output = parse_benchmarks(text, "x.txt");
    REQUIRE(output.tables.size() == 1);
    return output.tables.front();
}

std::string benchmark_error(const std::string& text) {
    return error_text([&text] { parse_benchmarks(text, "x.txt"); });
}

constexpr const char* imb_pingpong =
    "# Benchmarking PingPong \n# #processes = 2 \n# ( 30 additional processes waiting in MPI_Barrier)\n#------\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         1.66         0.00\n"
    "            8         1000         1.70         4.71\n"
    "           16         1000         1.72         9.30\n";
constexpr const char* imb_end = "\n# All processes entering MPI_Finalize\n";

}  // namespace

TEST_CASE(
    "benchmark output: headers of OSU versions 3, 5 and 7 say the same, whatever a launcher printed around them") {
    for (const std::string header :
         {"# OSU MPI Latency Test v3.1.1\n# Size            Latency (us)\n",
          "mpirun: hello\n\n# OSU MPI Latency Test v5.6.2\n# Size          Latency (us)\n",
          "# OSU MPI Latency Test v7.1\n# Size          Latency (us)\n# Datatype: MPI_CHAR.\n",
          "# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"}) {
        const BenchmarkTable table = only_table(header + "0    1.20\n1    1.27\n8    1.31\r\n$ exit\n");
        CHECK(table.name == "osu_latency");
        CHECK(table.what == MessageBenchmark::one_way);
        REQUIRE(table.rows.size() == 2);  // an empty message is no size
        CHECK(table.rows[1].bytes == 8);
        CHECK_THAT(table.rows[1].value, WithinRel(1.31e-6, 1e-12));
    }
}

TEST_CASE("benchmark output: bandwidths of OSU are messages a second, in millions of bytes") {
    const BenchmarkTable one = only_table("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n8  24.00\n");
    CHECK(one.what == MessageBenchmark::stream);
    CHECK(one.pairs == 1);
    CHECK_THAT(one.rows[0].value, WithinRel(3e6, 1e-12));
    const BenchmarkTable both = only_table(
        "# OSU MPI Bi-Directional Bandwidth Test v7.5\n# Datatype: MPI_CHAR.\n# Size      Bandwidth (MB/s)        "
        "Validation\n8  24.00   Pass\n");
    CHECK(both.what == MessageBenchmark::both_ways);
    CHECK_THAT(both.rows[0].value, WithinRel(1.5e6, 1e-12));
    const BenchmarkTable many = only_table(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v7.5.2\n# [ pairs: 4 ] [ window size: 64 ]\n"
        "# Datatype: MPI_CHAR.\n# Size                  MB/s        Messages/s\n1   8.36   8361985.11\n");
    CHECK(many.pairs == 4);
    CHECK_THAT(many.rows[0].value, WithinRel(8361985.11, 1e-12));
}

TEST_CASE("benchmark output: one file of IMB has several tables, of which those of messages are read") {
    const BenchmarkOutput output = parse_benchmarks(
        imb_pingpong +
            std::string(
                "# Benchmarking Exchange \n# #processes = 2 \n"
                "  #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                "       8         1000        3.90        4.00        3.95     8.00\n"
                "# Benchmarking Exchange \n# #processes = 4 \n"
                "  #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec\n"
                "       8         1000        3.90        4.00        3.95     8.00\n"
                "# Benchmarking Biband \n# #processes = 4 \n"
                "  #bytes #repetitions   Mbytes/sec      Msg/sec\n"
                "       8         1000        32.00      4000000\n"
                "# Benchmarking Allreduce \n# #processes = 4 \n  #bytes #repetitions t_min[usec]\n  8 1000 2.1\n") +
            imb_end,
        "x.txt");
    REQUIRE(output.tables.size() == 3);
    CHECK(output.tables[0].name == "IMB PingPong");
    CHECK_THAT(output.tables[0].rows[0].value, WithinRel(1.7e-6, 1e-12));
    CHECK_THAT(output.tables[1].rows[0].value, WithinRel(5e5, 1e-12));  // two messages each way in 4 us
    CHECK(output.tables[2].pairs == 2);
    CHECK_THAT(output.tables[2].rows[0].value, WithinRel(2e6, 1e-12));
    CHECK(output.unused ==
          std::vector<std::string>{"x.txt: IMB Exchange of 4 processes, as it does not say how many share a node",
                                   "x.txt: IMB Allreduce"});
}

TEST_CASE("benchmark output: an hpccoutf.txt has its slowest ping-pong, of 8 and of 2,000,000 bytes") {
    const BenchmarkOutput output = parse_benchmarks(
        "Begin of Summary section.\nCommWorldProcs=16\nMaxPingPongLatency_usec=2\nMinPingPongBandwidth_GBytes=4\n"
        "StarRandomAccess_GUPs=0.02\nStarFFT_Gflops=-1\nEnd of Summary section.\n",
        "x.txt");
    REQUIRE(output.tables.size() == 1);
    REQUIRE(output.tables[0].rows.size() == 2);
    CHECK_THAT(output.tables[0].rows[0].value, WithinRel(2e-6, 1e-12));
    CHECK_THAT(output.tables[0].rows[1].value, WithinRel(5e-4, 1e-12));
    CHECK(output.summary.at("StarRandomAccess_GUPs") == 0.02);
    CHECK(output.summary.count("StarFFT_Gflops") == 0);
    REQUIRE(output.unused.size() == 3);
    CHECK(output.unused[2] == "x.txt: MPIRandomAccess: compare it with predictions by table gups --measured");
}

TEST_CASE("benchmark output: of the runs of hpcc in one file the last counts, beside tables of other benchmarks") {
    const BenchmarkOutput output = parse_benchmarks(
        "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n8   1.20\n########\nThis is HPC Challenge\n"
        "Begin of Summary section.\nMaxPingPongLatency_usec=1\nMinPingPongBandwidth_GBytes=9\n"
        "Begin of Summary section.\nMaxPingPongLatency_usec=2\nMinPingPongBandwidth_GBytes=4\n"
        "End of Summary section.\n",
        "x.txt");
    REQUIRE(output.tables.size() == 2);
    CHECK_THAT(output.tables[0].rows[0].value, WithinRel(1.2e-6, 1e-12));
    CHECK_THAT(output.tables[1].rows[0].value, WithinRel(2e-6, 1e-12));
    CHECK(output.unused.front() == "x.txt: the first 1 of 2 runs of hpcc that the file has");
}

TEST_CASE("benchmark output: labels and lines of launchers are no part of a table, nor is what tells no result") {
    const BenchmarkTable labelled = only_table(
        " 0: # OSU MPI Latency Test v5.9\n 0: # Size          Latency (us)\n11: 2024-01-01 12:00:00 [warn] slow\n"
        " 0: 8   1.20\n[1,0]<stdout>:16   1.21\n[0] 32   1.22\n0.02user 0.01system 0:00.05elapsed 98%CPU\n"
        "3 total processes killed\n");
    CHECK(labelled.rows.size() == 3);
    const BenchmarkTable slow =
        only_table("# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n1  0.00\n8  0.20\n32  0.80\n");
    REQUIRE(slow.rows.size() == 1);
    CHECK_THAT(slow.rows[0].value, WithinRel(25e3, 1e-12));
    const BenchmarkOutput limited =
        parse_benchmarks(imb_pingpong + std::string("   1024  time-out.; Time limit (secs_per_sample) is over\n") +
                             imb_end + "# OSU MPI Allreduce Latency Test v5.9\n# Size  Avg Latency(us)\n8 3.2\n",
                         "x.txt");
    REQUIRE(limited.tables.size() == 1);
    CHECK(limited.tables[0].rows.size() == 2);
    CHECK(limited.unused ==
          std::vector<std::string>{"x.txt: IMB PingPong of 1024 B: time-out", "x.txt: OSU MPI Allreduce Latency Test"});
}

TEST_CASE("benchmark output: what is cut short, of another benchmark or no row says where and what to do") {
    const std::string latency = "# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n";
    const std::string cut = "x.txt:4:1: cut short: this row has no whole result: run osu_latency again\n";
    CHECK(benchmark_error(latency + "1   1.20\n2     ").starts_with(cut));
    CHECK(benchmark_error(latency + "1   1.20\n2   1.").starts_with(cut));
    CHECK(benchmark_error(imb_pingpong).starts_with("x.txt:1:1: cut short: no line 'All processes entering"));
    CHECK(benchmark_error("# Benchmarking Allreduce \n  8 1000 2.1\n" + std::string(imb_end))
              .starts_with("x.txt:1:1: calibrate cannot use 'IMB Allreduce'"));
}
