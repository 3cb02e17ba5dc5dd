#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "data/csv.hpp"
#include "data/library.hpp"

namespace narrows {
namespace {

CsvTable published(const std::string& file) {
    return read_csv(published_directory() / file);
}

std::map<std::string, std::string> stated(const std::string& paper) {
    const CsvTable table = published(paper + "/text.csv");
    std::map<std::string, std::string> values;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const bool is_new = values.emplace(table.cell(row, "key"), table.cell(row, "value")).second;
        INFO(table.cell(row, "key"));
        CHECK(is_new);
    }
    return values;
}

double column_sum(const CsvTable& table, const std::string& column) {
    double sum = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) sum += table.number(row, column).value_or(0);
    return sum;
}

}  // namespace

TEST_CASE("every published table says which paper and item it is") {
    int tables = 0;
    for (const auto& file : std::filesystem::recursive_directory_iterator(published_directory())) {
        if (file.path().extension() != ".csv") continue;
        const CsvTable table = read_csv(file.path());
        INFO(file.path());
        CHECK(table.about("paper") == file.path().parent_path().filename().string());
        for (const char* key : {"citation", "item", "title", "units", "transcribed"})
            CHECK_FALSE(table.about(key).empty());
        CHECK_FALSE(table.rows.empty());
        ++tables;
    }
    CHECK(tables >= 13 + 1 + 2 + 2);  // a new paper is a folder, and nothing else
}

TEST_CASE("the tables of garg2006 have their rows and check sums") {
    const std::map<std::string, std::pair<std::size_t, double>> sums = {{"table1.csv:send_mean", {11, 107539}},
                                                                        {"table1.csv:receive_variance", {11, 42477}},
                                                                        {"table2.csv:face_area", {12, 3264}},
                                                                        {"table3.csv:cpu", {12, 30.7116}},
                                                                        {"table3.csv:network", {12, 58.0102}},
                                                                        {"table4.csv:receive_mean", {8, 1054}},
                                                                        {"table5.csv:cpu", {12, 526.9495}},
                                                                        {"table5.csv:network", {12, 98.3652}},
                                                                        {"table6.csv:gups", {11, 4.285}},
                                                                        {"table6.csv:cycles_per_update", {11, 736686}},
                                                                        {"table6.csv:mean_bucket_size", {11, 135.54}},
                                                                        {"table7.csv:gups", {9, 76.533}},
                                                                        {"table7.csv:cpu", {9, 144.578}},
                                                                        {"table7.csv:network", {9, 240.7395}},
                                                                        {"table7.csv:bytes_per_update", {9, 95.74}}};
    for (const auto& [name, expected] : sums) {
        INFO(name);
        const auto colon = name.find(':');
        const CsvTable table = published("garg2006/" + name.substr(0, colon));
        CHECK(table.rows.size() == expected.first);
        CHECK(column_sum(table, name.substr(colon + 1)) == Approx(expected.second).epsilon(1e-12));
    }
}

TEST_CASE("alpha of Table 2 is that of Tables 3 and 5") {
    const CsvTable cuts = published("garg2006/table2.csv");
    for (const char* file : {"garg2006/table3.csv", "garg2006/table5.csv"}) {
        const CsvTable table = published(file);
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            CHECK(table.cell(row, "nodes") == cuts.cell(row, "nodes"));
            CHECK(table.cell(row, "shape") == cuts.cell(row, "shape"));
            CHECK(table.cell(row, "alpha") == cuts.cell(row, "alpha"));
        }
    }
}

TEST_CASE("printed digits are kept") {
    CHECK(published("garg2006/table3.csv").cell(8, "cpu") == "1.9200");
    CHECK(published("garg2006/table6.csv").cell(4, "gups") == "0.190");
    CHECK(published("garg2006/table6.csv").cell(5, "send_blocking_factor") == "-");
}

TEST_CASE("the totals of the command and the message of underwood2008 are those of their fields") {
    const CsvTable command = published("underwood2008/table1.csv");
    double bits = 0;
    for (std::size_t row = 0; row < 7; ++row) bits += command.number(row, "bits").value();
    CHECK(bits == command.number(7, "bits"));
    CHECK(bits + command.number(8, "bits").value() == command.number(9, "bits"));
    const CsvTable message = published("underwood2008/table2.csv");
    double overhead = 0;
    for (std::size_t row = 0; row + 1 < message.rows.size(); ++row) overhead += message.number(row, "bytes").value();
    CHECK(std::to_string(static_cast<int>(overhead)) == stated("underwood2008").at("message_overhead"));
}

TEST_CASE("Table 1 of kumar2008 has its rows, and its text repeats two of them") {
    const CsvTable table = published("kumar2008/table1.csv");
    CHECK(table.rows.size() == 10);
    CHECK(column_sum(table, "latency") == Approx(42.6));
    CHECK(table.cell(6, "latency") == "2.0");
    const auto text = stated("kumar2008");
    CHECK(table.cell(0, "latency") == text.at("eager_dcmf"));
    CHECK(table.cell(1, "latency") == text.at("eager_mpi"));
}

TEST_CASE("the numbers that the texts state are there") {
    const auto garg = stated("garg2006");
    CHECK(garg.at("update_cycles") == "104");
    CHECK(garg.at("sequential_gups") == "0.0067");
    CHECK(garg.at("baseline_overhead_32") == "914");
    CHECK(garg.at("baseline_overhead_16384") == "8900");
    CHECK(garg.at("test_interval_gups_32") == "0.0515");
    CHECK(garg.at("virtual_node_gain_8192") == "70");
    CHECK(garg.at("sbf_65536") == "0.9");
    CHECK(garg.at("best_gups") == "35.5");
    const auto cell = stated("kumar2007");
    CHECK(cell.at("least_latency") == "0.41");
    CHECK(cell.at("peak_bandwidth") == "6.01");
    CHECK(cell.at("matvec_1024") == "7.84");
    const auto dcmf = stated("kumar2008");
    CHECK(dcmf.at("exchange_eager") == "745");
    CHECK(dcmf.at("link_achievable") == "374");
    CHECK(dcmf.at("allreduce_peak") == "816");
    const auto roadrunner = stated("pakin2009");
    CHECK(roadrunner.at("blade_latency") == "11.77");
    CHECK(roadrunner.at("legs_latency") == "9.24");
    CHECK(roadrunner.at("message_interval") == "677");
    const auto underwood = stated("underwood2008");
    CHECK(underwood.at("ht_bytes_per_message") == "27");
    CHECK(underwood.at("eregister_savings") == "12.5");
    CHECK(underwood.at("eregisters_needed") == "2048");
    CHECK(underwood.at("cycles_per_message") == "50");
    CHECK(underwood.at("latency_reduced") == "300");
    CHECK(underwood.at("random_access_share_intro") == "63");
}

TEST_CASE("every stated number has a unit, a section and a quote") {
    const std::map<std::string, std::size_t> least = {
        {"garg2006", 65}, {"kumar2007", 33}, {"kumar2008", 33}, {"pakin2009", 65}, {"underwood2008", 65}};
    for (const auto& [paper, rows] : least) {
        const CsvTable table = published(paper + "/text.csv");
        CHECK(table.rows.size() >= rows);
        for (const auto& row : table.rows) {
            INFO(row[0]);
            for (const std::string& cell : row) CHECK_FALSE(cell.empty());
            CHECK((row[3].starts_with("Section ") || row[3].starts_with("Figure ")));
        }
    }
}

}  // namespace narrows
