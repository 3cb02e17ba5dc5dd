#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run.hpp"
#include "data/csv.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

const std::string table = "table gups -m bluegene-l --variant routed -n 32,64,..65536";

bool gnuplot_missing() {
    const bool missing = std::system("gnuplot --version >/dev/null 2>&1") != 0;
    if (missing) WARN("gnuplot is not installed: pictures are not tested");
    return missing;
}

}  // namespace

TEST_CASE("csv is a table with one row of names and as many cells in every row") {
    const CsvTable csv = parse_csv(run_narrows(table + " --format csv").out, "table.csv");
    CHECK(csv.columns == std::vector<std::string>{"N", "topology", "processor GUPS", "network GUPS", "predicted GUPS",
                                                  "low GUPS", "high GUPS", "bottleneck"});
    REQUIRE(csv.rows.size() == 12);
    CHECK(csv.rows[11][0] == "65536");
}

TEST_CASE("markdown is a table that renders") {
    const Ran ran = run_narrows("predict gups -m bluegene-l -n 65536 --format markdown");
    CHECK(
        ran.out.find("| resource | GUPS at most | source |\n| --- | --- | --- |\n| processor * | 15.36 | garg2006 (1) "
                     "|\n") != std::string::npos);
}

TEST_CASE("markdown: names of files are texts, whatever they are made of") {
    const ScratchDirectory scratch;
    write_whole_file("n.edges", "a|b *c*\n*c* _d_\n_d_ e_f\ne_f <g>`\n<g>` [h](i)\n");
    const std::string text = run_narrows("topology n.edges --traffic uniform --hottest 10 --format markdown").out;
    for (const char* name : {" a\\|b ", " \\*c\\* ", " \\_d\\_ ", " e_f ", " &lt;g>\\` ", " [h\\](i) "}) {
        CAPTURE(name);
        CHECK(text.find("|" + std::string(name) + "|") != std::string::npos);
    }
    CHECK(text.find("α = min C/\\|S\\|") != std::string::npos);
}

TEST_CASE("a file given by -o has the format of its ending, as --format prints it") {
    const ScratchDirectory scratch;
    for (const auto& [file, format] :
         {std::pair{"x.txt", "table"}, {"x.csv", "csv"}, {"x.json", "json"}, {"x.md", "markdown"}}) {
        CAPTURE(file);
        const Ran ran = run_narrows(table + " -o " + file);
        CHECK(ran.exit == 0);
        CHECK(ran.out.empty());
        CHECK(ran.err == std::string("wrote ") + file + "\n");
        CHECK(read_whole_file(file) == run_narrows(table + " --format " + format).out);
    }
    CHECK(scratch.files().size() == 4);
}

TEST_CASE("an explanation that CSV has no place for is told of, and that of other formats is not") {
    const ScratchDirectory scratch;
    const std::string explained = "predict gups -m bluegene-l -n 64 --explain";
    const std::string left_out =
        "narrows: --explain: CSV and pictures have no place for it, tables, Markdown and JSON have\n";
    CHECK(run_narrows(explained + " --format csv").err == left_out);
    CHECK(run_narrows(explained + " -o x.csv").err == left_out + "wrote x.csv\n");
    CHECK(run_narrows(explained + " --format json").err.empty());
    CHECK(run_narrows(explained + " --format csv --quiet").err.empty());
}

TEST_CASE("a file's ending and --format name the same format") {
    const ScratchDirectory scratch;
    CHECK(run_narrows(table + " -o x.csv --format csv").exit == 0);
    for (const char* file : {"x.csv", "x.svg"}) {
        CHECK(refusal_of(table + " --format json -o " + file) ==
              std::string("narrows: -o ") + file +
                  ": its ending names another format than --format json: leave one of them out\n");
    }
    CHECK(scratch.files() == std::vector<std::string>{"x.csv"});
}

TEST_CASE("x.html given by -o is one page that fetches nothing") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    REQUIRE(run_narrows(table + " -o x.html").exit == 0);
    const std::string page = read_whole_file("x.html");
    CHECK(page.starts_with("<!DOCTYPE html>\n"));
    CHECK(page.ends_with("</body></html>\n"));
    CHECK(page.find("<svg") != std::string::npos);
    CHECK(page.find(">65536</td>") != std::string::npos);
    for (const char* fetch : {"<script", "<link", "src=", "@import", "url(http"}) {
        CHECK(page.find(fetch) == std::string::npos);
    }
    REQUIRE(run_narrows("show bluegene-l -o show.html").exit == 0);  // a command without a picture
    CHECK(read_whole_file("show.html").find("N &lt;= 8192") != std::string::npos);
}

TEST_CASE("x.svg and x.png given by -o are pictures of all bounds and the result") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    REQUIRE(run_narrows(table + " -o x.svg").exit == 0);
    const std::string svg = read_whole_file("x.svg");
    CHECK((svg.starts_with("<svg") || svg.starts_with("<?xml")));
    CHECK(svg.find("</svg>") != std::string::npos);
    for (const char* text : {"predicted", "processor bound", "network bound", "nodes", "GUPS", "65536"}) {
        CAPTURE(text);
        CHECK(svg.find(text) != std::string::npos);
    }
    REQUIRE(run_narrows(table + " -o x.png").exit == 0);
    CHECK(read_whole_file("x.png").starts_with("\x89PNG\r\n"));
    CHECK(scratch.files() == std::vector<std::string>{"x.png", "x.svg"});
}

TEST_CASE("the machine beside is in the picture, as it is in the table") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    for (const char* command : {"table sweep3d -n 1,2", "predict sweep3d -n 1"}) {
        CAPTURE(command);
        REQUIRE(run_narrows(std::string(command) +
                            " -m roadrunner --cells-per-rank 5x5x40 --beside roadrunner-opterons -o x.svg")
                    .exit == 0);
        CHECK(read_whole_file("x.svg").find("on roadrunner-opterons") != std::string::npos);
    }
}

TEST_CASE(
    "a time is drawn as its terms, alone, by size and before and after a change, and as shares where times are far "
    "apart") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    const auto drawn = [](const std::string& command) {
        CAPTURE(command);
        REQUIRE(run_narrows(command + " -o x.svg").exit == 0);
        return read_whole_file("x.svg");
    };
    const auto has = [](const std::string& svg, const char* text) { return svg.find(text) != std::string::npos; };
    const std::string sweep = "sweep3d -m roadrunner --cells-per-rank 5x5x400 -n ";
    const std::string table = drawn("table " + sweep + "1,2,4");
    for (const char* text : {">computing<", ">overhead<", ">time, ms<", ">nodes<", ">4<"}) CHECK(has(table, text));
    CHECK_FALSE(has(table, ">predicted<"));
    CHECK(has(drawn("predict " + sweep + "8"), ">gateway waiting<"));
    const std::string change = drawn("what-if " + sweep + "8 --set compute.sweep3d.grind=2x");
    for (const char* text : {">before<", ">after<", ">8 nodes, compute.sweep3d.grind=2x<"}) CHECK(has(change, text));
    const std::string shares = drawn("table halo-exchange -m bluegene-p -n 512 --protocol mpi-eager --bytes 8,4MiB");
    for (const char* text : {">share of the time, %<", ">11.7\u00a0µs<", ">22.4\u00a0ms<"}) CHECK(has(shares, text));
}

TEST_CASE("lines along one variable have the other's name once, and its values by size") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("sweep gups -m bluegene-l -n 32..65536 --set "
                        "'network.link.bandwidth=0.55 GB/s,1 GB/s,0.1 GB/s' -o x.svg")
                .exit == 0);
    const std::string svg = read_whole_file("x.svg");
    std::vector<std::size_t> places;
    for (const char* text : {">network.link.bandwidth<", ">0.1 GB/s<", ">0.55 GB/s<", ">1 GB/s<"}) {
        CAPTURE(text);
        places.push_back(svg.find(text));
        REQUIRE(places.back() != std::string::npos);
    }
    CHECK(std::ranges::is_sorted(places));
}

TEST_CASE("a map has its units at the ticks, and one where a factor is 1") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    const auto drawn = [](const std::string& values) {
        REQUIRE(
            run_narrows("sweep gups -m bluegene-l -n 32..65536 --set network.link.bandwidth=" + values + " -o x.svg")
                .exit == 0);
        return read_whole_file("x.svg");
    };
    const std::string absolute = drawn("'0.1 GB/s..1 GB/s:10'");
    for (const char* text : {">network.link.bandwidth<", ">0.1 GB/s<", ">network<"}) {
        CAPTURE(text);
        CHECK(absolute.find(text) != std::string::npos);
    }
    CHECK(drawn("0.1x..10x*1.3").find(">1x<") != std::string::npos);
}

TEST_CASE("a picture has values of 0 where all are that, and sizes from 0 on") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("predict allreduce -m cluster-400g -n 1 -o zero.svg").exit == 0);
    CHECK(read_whole_file("zero.svg").find(">predicted<") != std::string::npos);
    REQUIRE(
        run_narrows("sweep allreduce -m cluster-400g -n 64 --bytes 1MiB --background 0%,10%,20%,30% -o x.svg").exit ==
        0);
    CHECK(read_whole_file("x.svg").find(">0<") != std::string::npos);
    CHECK(read_whole_file("x.svg").find(">0.3<") != std::string::npos);
    CHECK(run_narrows("report cluster-400g -o page.png").err.find("draws no picture") != std::string::npos);
}

TEST_CASE("a network without formulas is searched where it is named, and where it is not the remedy works") {
    const std::string network = "'jellyfish 24 degree=3 seed=2'";
    CHECK_THAT(refusal_of("predict gups -m torus-pod -n 24 --set network.topology=" + network),
               Catch::Contains("no formula gives the cuts of " + network));
    const Ran searched = run_narrows("predict gups -m torus-pod -n 24 --network " + network);
    CHECK(searched.exit == 0);
    CHECK(searched.out.find("GUPS, held back by") != std::string::npos);
}

TEST_CASE("a table of the usual sizes leaves those without a prediction out, one that asks for them does not") {
    const Ran usual = run_narrows("table sweep3d -m roadrunner");
    CHECK(usual.exit == 0);
    CHECK(usual.out.find("no prediction for 64, 128, 256, 512, 1024, 2048, 3060 nodes: ") != std::string::npos);
    CHECK(run_narrows("table sweep3d -m roadrunner -n 32,64").exit == 2);
}

TEST_CASE("a crossover is drawn as a line for each, or as what bounds the only one") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    const auto drawn = [](const std::string& command) {
        CAPTURE(command);
        REQUIRE(run_narrows("crossover " + command + " -o x.svg").exit == 0);
        return read_whole_file("x.svg");
    };
    const std::string several = drawn("gups -m bluegene-l -n 32..65536*2 --variant naive,bucketed");
    for (const char* text : {">naive<", ">bucketed<", ">65536<"}) CHECK(several.find(text) != std::string::npos);
    const std::string alone = drawn("gups -m bluegene-l -n 1024 --vary node.clock=0.5x..8x");
    for (const char* text : {">predicted<", ">network bound<", ">node.clock (times what it is)<", ">0.5<", ">2<"})
        CHECK(alone.find(text) != std::string::npos);
    CHECK(drawn("halo-exchange -m bluegene-p -n 512 --neighbours 4 --bytes 8..4MiB").find(">message size<") !=
          std::string::npos);
}

TEST_CASE("a run of messages is drawn with its fit, apart from what the fit did not see") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    REQUIRE(run_narrows("run ping-pong --protocol buffered --bytes 8..4KiB --repeats 2 -o x.svg").exit == 0);
    const std::string svg = read_whole_file("x.svg");
    for (const char* text : {">fit<", ">measured<", ">measured, not in the fit<", ">4 KiB<", "half trip, ns"}) {
        CAPTURE(text);
        CHECK(svg.find(text) != std::string::npos);
    }
}

TEST_CASE("sizes by a machine's clock are drawn, one alone is not") {
    if (gnuplot_missing()) return;
    const ScratchDirectory scratch;
    const std::string run = "run sweep3d --virtual-clock -m roadrunner --cells-per-rank 2x2x10 --iterations 1 --ranks ";
    CHECK(run_narrows(run + "1,4 -o x.svg").exit == 0);
    CHECK(run_narrows(run + "4 -o y.svg").err ==
          "narrows: this command draws no picture: use an output ending in .txt, .json, .csv, .md or .html\n");
    CHECK(scratch.files() == std::vector<std::string>{"x.svg"});
}

TEST_CASE("a failing command leaves no file, and the file that was there as it was") {
    const ScratchDirectory scratch;
    std::ofstream("kept.json") << "before";
    for (const char* command :
         {"predict gups -m bluegene-l -n 0 -o kept.json", "predict gups -m nowhere -o kept.json",
          "predict gups -m bluegene-l -n 0 -o new.json", "topology 'torus 4x4' -o new.svg",
          "table gups -m bluegene-l --measured nowhere.csv -o new.svg", "machines -o new.pdf", "machines -o new"}) {
        CAPTURE(command);
        CHECK(run_narrows(command).exit == 2);
    }
    CHECK(read_whole_file("kept.json") == "before");
    CHECK(scratch.files() == std::vector<std::string>{"kept.json"});
}

TEST_CASE("a result that cannot be printed whole is told of: exit 1") {
    std::ofstream full("/dev/full");
    std::ostringstream err;
    std::ostringstream progress;
    CHECK(run({"machines"}, full, err, progress) == 1);
    CHECK(err.str() == "narrows: the output cannot be written: is the disk full, or the output closed?\n");
    const ScratchDirectory scratch;
    std::filesystem::create_symlink("/dev/full", "full.json");
    const Ran ran = run_narrows("machines -o full.json");
    CHECK(ran.exit == 1);
    CHECK(ran.err == "narrows: cannot write 'full.json' (No space left on device): make room or choose another disk\n");
}

TEST_CASE("a link to a device is written into, and stays one") {
    const ScratchDirectory scratch;
    std::filesystem::create_symlink("/dev/null", "null.json");
    CHECK(run_narrows("machines -o null.json").exit == 0);
    CHECK(std::filesystem::read_symlink("null.json") == "/dev/null");
}

TEST_CASE("what cannot be written or drawn is refused before anything runs") {
    const ScratchDirectory scratch;
    const std::string long_run = "run gups --ranks 4 --updates 1000000000000 -o ";
    CHECK(run_narrows(long_run + "nowhere/x.json").err ==
          "narrows: cannot write 'nowhere/x.json' (No such file or directory): create its folder first\n");
    CHECK(run_narrows(long_run + "x.svg").err ==
          "narrows: this command draws no picture: use an output ending in .txt, .json, .csv, .md or .html\n");
    for (const char* command : {"reproduce", "tune sweep3d -m roadrunner -n 8 --cells 160x160x100"}) {
        CAPTURE(command);
        CHECK(run_narrows(std::string(command) + " -o x.png").err ==
              "narrows: this command draws no picture: use an output ending in .txt, .json, .csv, .md or .html\n");
        CHECK(run_narrows(std::string(command) + " -o nowhere/x.json").err ==
              "narrows: cannot write 'nowhere/x.json' (No such file or directory): create its folder first\n");
    }
    CHECK(run_narrows("machines -o x.pdf").err ==
          "narrows: -o x.pdf: the ending '.pdf' names no format (there are: .txt, .json, .csv, .md, .html)\n");
    const std::string before = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    for (const char* file : {"x.svg", "x.html"}) {
        CHECK(run_narrows(std::string("run ping-pong --protocol buffered --repeats 1000000 -o ") + file).err ==
              "narrows: gnuplot could not draw the picture: is it installed (apt-get install gnuplot-nox)?\n");
    }
    setenv("PATH", before.c_str(), 1);
    CHECK(scratch.files().empty());
}

TEST_CASE("missing gnuplot is told of, not a broken picture") {
    const ScratchDirectory scratch;
    const std::string before = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const Ran ran = run_narrows(table + " -o x.svg");
    setenv("PATH", before.c_str(), 1);
    CHECK(ran.exit == 2);
    CHECK(ran.err == "narrows: gnuplot could not draw the picture: is it installed (apt-get install gnuplot-nox)?\n");
    CHECK(scratch.files().empty());
}

TEST_CASE("a gnuplot that fails is quoted with the line that names the error") {
    const ScratchDirectory scratch;
    std::ofstream("gnuplot") << "#!/bin/sh\n"
                                "printf '\\nset terminal svg\\n     ^\\n\"commands\" line 1: unknown terminal\\n' >&2\n"
                                "exit 1\n";
    std::filesystem::permissions("gnuplot", std::filesystem::perms::owner_all);
    const std::string before = std::getenv("PATH");
    setenv("PATH", std::filesystem::current_path().c_str(), 1);
    const Ran ran = run_narrows(table + " -o x.svg");
    setenv("PATH", before.c_str(), 1);
    CHECK(ran.exit == 2);
    CHECK(ran.err == "narrows: gnuplot could not draw the picture: \"commands\" line 1: unknown terminal\n");
    CHECK(scratch.files() == std::vector<std::string>{"gnuplot"});
}

}  // namespace narrows
