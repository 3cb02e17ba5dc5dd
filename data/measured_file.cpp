#include "data/measured_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "data/whole_file.hpp"
#include "model/unit.hpp"
#include "topologies/input_error.hpp"
#include "topologies/shape.hpp"

namespace narrows {
namespace {

std::string value_of(const std::string& text, const std::string& key) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.starts_with(key + "=")) return line.substr(key.size() + 1);
    }
    return "";
}

Rate positive_gups(const std::string& text) {
    const Measure measure = parse_measure(text);
    const bool bare = measure.dimension == Dimension::number;
    if ((!bare && measure.dimension != Dimension::frequency) || measure.value <= 0) {
        throw InputError(fmt::format("'{}' is not an update rate above zero, such as '1.08' (GUPS)", text));
    }
    return Rate(bare ? measure.value * 1e9 : measure.value);
}

MeasuredFile hpcc_output(const std::string& text, const std::string& file) {
    const std::string ranks = value_of(text, "CommWorldProcs");
    const std::string gups = value_of(text, "MPIRandomAccess_GUPs");
    if (ranks.empty() || gups.empty()) {
        throw InputError(file, 0, 0, "", "an hpccoutf.txt needs the lines CommWorldProcs= and MPIRandomAccess_GUPs=");
    }
    return Origin{file}.located([&]() -> MeasuredFile {
        return {{{parse_count(ranks, "CommWorldProcs", 1, node_limit), positive_gups(gups)}}, true};
    });
}

}  // namespace

MeasuredFile read_measured(const std::string& file) {
    const std::string text = read_whole_file(file);
    if (text.find("CommWorldProcs=") != std::string::npos) return hpcc_output(text, file);
    std::map<std::int64_t, Rate> measured;
    std::istringstream lines(text);
    int number = 0;
    bool first = true;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        const bool header = first && std::isalpha(static_cast<unsigned char>(line[0])) != 0;
        first = false;
        if (header) continue;
        const auto comma = line.find(',');
        Origin{file, number, 1, line}.located([&] {
            if (comma == std::string::npos) throw InputError("expected 'N,value', such as '32,0.062'");
            const std::string value = line.substr(comma + 1, line.find(',', comma + 1) - comma - 1);
            const std::int64_t nodes = parse_count(line.substr(0, comma), "N", 1, node_limit);
            if (!measured.emplace(nodes, positive_gups(value)).second) {
                throw InputError(fmt::format("{} has a value already: give one for each N", nodes));
            }
        });
    }
    if (measured.empty()) throw InputError(file, 0, 0, "", "no line 'N,value' in this file");
    return {measured, false};
}

}  // namespace narrows
