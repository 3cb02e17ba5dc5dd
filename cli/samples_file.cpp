#include "cli/samples_file.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "data/whole_file.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::string line_of(const Sample& sample) {
    const nlohmann::ordered_json json = {{"case", sample.name},
                                         {"seconds", sample.seconds},
                                         {"cpu_seconds", sample.cpu_seconds},
                                         {"updates", sample.updates},
                                         {"workers", sample.workers},
                                         {"involuntary_switches", sample.involuntary_switches},
                                         {"probe_seconds", sample.probe_seconds}};
    return json.dump() + "\n";
}

std::vector<Sample> read_samples(const std::string& file) {
    const std::string text = read_whole_file(file);
    std::vector<Sample> samples;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        try {
            const auto json = nlohmann::json::parse(line);
            Sample sample;
            sample.name = json.at("case").get<std::string>();
            sample.seconds = json.at("seconds").get<double>();
            sample.cpu_seconds = json.at("cpu_seconds").get<double>();
            sample.updates = json.at("updates").get<std::uint64_t>();
            sample.workers = json.at("workers").get<int>();
            sample.involuntary_switches = json.at("involuntary_switches").get<long>();
            sample.probe_seconds = json.at("probe_seconds").get<double>();
            if (sample.seconds <= 0 || sample.updates == 0 || sample.workers < 1) throw InputError("impossible");
            samples.push_back(sample);
        } catch (const std::exception&) {
            if (lines.eof()) break;  // the line that an interruption cut off
            throw InputError(file, number, 1, line,
                             "not a sample of a calibration: remove this line, or calibrate anew");
        }
    }
    return samples;
}

}  // namespace narrows
