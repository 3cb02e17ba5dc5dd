#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "cli/formats.hpp"
#include "cli/run_program.hpp"
#include "data/whole_file.hpp"
#include "run_narrows.hpp"

namespace narrows {
namespace {

bool without_gnuplot() {
    const bool missing = !run_program({"gnuplot", "--version"}, "");
    if (missing) WARN("gnuplot is not installed: pages with pictures are not tested");
    return missing;
}

std::string between(std::string text, const std::string& begin, const std::string& end) {
    text.erase(0, text.find(begin) + begin.size());
    return text.substr(0, text.find(end));
}

/// What is wrong with the text of a page: elements that are not closed in order, texts with a bare '<' or '&', names
/// that two elements have, references to none, anything that is fetched or run. Empty when nothing is.
std::vector<std::string> faults_of(const std::string& page) {
    static const std::regex part(
        R"re(<!DOCTYPE html>|<style>[^<]*</style>|<!--[^>]*-->|<(/?)([a-zA-Z][\w:]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(/?)>)re");
    static const std::regex attribute(R"re(([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'))re");
    static const std::regex entity("&(amp|lt|gt|quot|#39|#[0-9]+);");
    std::vector<std::string> faults;
    std::vector<std::string> open;
    std::set<std::string> names;
    std::set<std::string> wanted;
    std::size_t read = 0;
    const auto look_at_text = [&](const std::string& text) {
        const std::string rest = std::regex_replace(text, entity, "");
        if (rest.find_first_of("<&") != std::string::npos) faults.push_back("text: " + rest.substr(0, 200));
    };
    for (std::sregex_iterator at(page.begin(), page.end(), part), end; at != end; ++at) {
        const std::smatch& tag = *at;
        look_at_text(page.substr(read, static_cast<std::size_t>(tag.position()) - read));
        read = static_cast<std::size_t>(tag.position() + tag.length());
        const std::string name = tag[2];
        const std::string attributes = tag[3];
        const std::string whole = tag.str();
        if (whole.starts_with("<style>") && std::regex_search(whole, std::regex("url\\(|@import")))
            faults.push_back(whole);
        if (name.empty()) continue;
        if (name == "script" || name == "link" || name == "iframe" || name == "image") faults.push_back(name);
        for (std::sregex_iterator one(attributes.begin(), attributes.end(), attribute); one != end; ++one) {
            const std::string key = (*one)[1];
            const std::string value = (*one)[2].str() + (*one)[3].str();
            look_at_text(value);
            if (key == "id" && !names.insert(value).second) faults.push_back("twice: " + value);
            if (key.starts_with("on") || key == "src") faults.push_back(fmt::format("{}: {}", key, value));
            if (key.ends_with("href")) wanted.insert(value.starts_with("#") ? value.substr(1) : "fetched: " + value);
            if (value.find("url(") != std::string::npos) wanted.insert(between(value, "url(#", ")"));
        }
        if (name == "meta" || tag[4].length() > 0) continue;
        if (tag[1].length() == 0) {
            open.push_back(name);
        } else if (open.empty() || open.back() != name) {
            faults.push_back("closed out of order: " + name);
        } else {
            open.pop_back();
        }
    }
    look_at_text(page.substr(read));
    for (const std::string& name : open) faults.push_back("not closed: " + name);
    for (const std::string& name : wanted) {
        if (names.count(name) == 0) faults.push_back("no such part: " + name);
    }
    return faults;
}

const std::string hostile = "<script>alert('x')</script><b id=\"y\">&amp; & \"'";

Document hostile_document() {
    Document document;
    document.json["command"] = hostile;
    document.title = hostile;
    document.notes = {hostile};
    document.remarks = {hostile};
    document.tables = {{hostile, {hostile}, {{hostile}}}};
    document.plot = Plot{hostile,
                         hostile,
                         hostile,
                         hostile,
                         {{hostile, Look::curve, {1, 2}, {1, 2}}, {hostile, Look::points, {1, 2}, {2, 1}}}};
    Document section = document;
    section.sections = {document};
    document.sections = {section, section};
    return document;
}

}  // namespace

TEST_CASE("report: a page is well formed, fetches and runs nothing, whatever the texts are") {
    if (without_gnuplot()) return;
    const std::string page = format_html(hostile_document());
    CHECK(faults_of(page).empty());
    CHECK(page.find("<script") == std::string::npos);
    CHECK(page.find("&lt;script&gt;") != std::string::npos);
}

TEST_CASE("report: what the check of a page finds") {
    for (const std::string bad :
         {"<p>a", "<p>a</b></p>", "<p>a & b</p>", "<p>1 < 2</p>", "<p id=\"a\"></p><p id=\"a\"></p>",
          "<a href=\"#nowhere\">x</a>", "<a href=\"http://x\">x</a>", "<p onclick=\"x\">y</p>", "<script></script>",
          "<svg fill=\"url(#none)\"/>", "<style>@import 'x'</style>"}) {
        CAPTURE(bad);
        CHECK_FALSE(faults_of("<style></style>" + bad).empty());
    }
    CHECK(faults_of("<!DOCTYPE html>\n<style>p{}</style><p id=\"a\">1 &lt; 2</p><a href=\"#a\">b</a>").empty());
}

TEST_CASE("report: names and texts of files are shown as texts") {
    if (without_gnuplot()) return;
    const ScratchDirectory scratch;
    const std::string name = "a<b>&\".yaml";
    write_whole_file(name,
                     "name: \"<script>alert(1)</script>\"\nsource: \"<img src=x onerror=alert(2)>\"\n"
                     "environment: {compiler: \"<i>&quot;\"}\nnode: {clock: 1 GHz, processors: 4}\n"
                     "paths: {p: {send: {overhead: {value: 60 ns, source: \"'><svg onload=alert(3)>\"}}}}\n"
                     "protocols: {q: {p: 1}}\n");
    write_whole_file("w&<x>.yaml",
                     "name: \"</title><script>\"\noptions: {k: {default: 3, help: \"<b>\"}}\nranks: line\n"
                     "phases: [{name: \"<s>\", compute: {time: 2 ns * k}}]\n");
    const Ran ran = run_narrows("report '" + name + "' --workload ping-pong --workload './w&<x>.yaml' -o x.html");
    INFO(ran.err);
    REQUIRE(ran.exit == 0);
    const std::string page = read_whole_file("x.html");
    CHECK(faults_of(page).empty());
    CHECK(page.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
}

TEST_CASE("report: a page has what is asked of it, for every machine that is shipped", "[long]") {
    if (without_gnuplot()) return;
    const ScratchDirectory scratch;
    for (const std::string machine : {"bluegene-l", "bluegene-p", "cell-blade", "cluster-400g", "roadrunner",
                                      "roadrunner-opterons", "torus-pod", "xt3-pgas-nic"}) {
        CAPTURE(machine);
        REQUIRE(run_narrows("report " + machine + " -o x.html").exit == 0);
        const std::string page = read_whole_file("x.html");
        CHECK(faults_of(page).empty());
        for (const char* part :
             {"<meta name=\"viewport\"", "prefers-color-scheme:dark", "@media print", "<svg role=\"img\"",
              "Formula, terms and where it holds", "What to buy, and what to measure better",
              "Where every number comes from", "What was assumed", "What it could not know"}) {
            CAPTURE(part);
            CHECK(page.find(part) != std::string::npos);
        }
    }
}

TEST_CASE("report: its numbers are those of predict, table and sensitivity") {
    const nlohmann::json json = json_from("report bluegene-l --workload gups -n 16384 --variant routed");
    const std::string asked = " gups -m bluegene-l --variant routed";
    const nlohmann::json& found = json["workloads"][0];
    CHECK(found["prediction"] == answer_from("predict" + asked + " -n 16384"));
    CHECK(found["rows"] == json_from("table" + asked)["rows"]);
    CHECK(found["elasticities"] == json_from("sensitivity" + asked + " -n 16384")["elasticities"]);
    CHECK(json["parameters"] == json_from("show bluegene-l")["parameters"]);
}

TEST_CASE("report: parameters that its predictions looked at stand before the others") {
    const std::string page = run_narrows("report bluegene-l --workload ping-pong --format markdown").out;
    const auto others = page.find("parameters that no prediction of this page looked at");
    REQUIRE(others != std::string::npos);
    CHECK(page.find("| paths.mpi.send.overhead |") < others);
    CHECK(page.find("| compute.gups.update |") > others);
}

TEST_CASE("report: every workload is predicted, or told of with what is missing", "[long]") {
    const nlohmann::json json = json_from("report roadrunner");
    std::set<std::string> told;
    for (const auto& one : json["workloads"]) told.insert(one["prediction"]["workload"].get<std::string>());
    for (const auto& one : json["not_predicted"]) {
        told.insert(one["workload"].get<std::string>());
        CHECK_FALSE(one["reason"].get<std::string>().empty());
    }
    for (const char* workload : {"gups", "sweep3d", "ping-pong", "barrier", "fft-slabs", "stencil"}) {
        CAPTURE(workload);
        CHECK(told.count(workload) == 1);
    }
}

TEST_CASE("report: a composed machine is told of as not validated") {
    const Ran ran = run_narrows("report cell-blade --workload ping-pong --network cluster-400g");
    CHECK(ran.exit == 0);
    CHECK(ran.out.find("composed, not validated on hardware") != std::string::npos);
}

}  // namespace narrows
