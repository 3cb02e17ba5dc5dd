#include "calibrate/study/sample_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "calibrate/study/message_space.hpp"
#include "topologies/input_error.hpp"

namespace narrows {

std::string line_of(const Sample& sample) {
    nlohmann::ordered_json json = {{"case", sample.name},
                                   {"seconds", sample.seconds},
                                   {"cpu_seconds", sample.cpu_seconds},
                                   {"updates", sample.updates},
                                   {"workers", sample.workers},
                                   {"involuntary_switches", sample.involuntary_switches},
                                   {"routed_probe_seconds", sample.probe_seconds}};
    if (sample.whole_seconds > 0) json["whole_seconds"] = sample.whole_seconds;
    if (sample.ended > 0) json["ended"] = sample.ended;
    if (sample.quicker_probe_seconds > 0) json["quicker_probe_seconds"] = sample.quicker_probe_seconds;
    if (sample.core_distance > 0) json["core_distance"] = sample.core_distance;
    if (sample.processor_timed) json["timed_by"] = "processor";
    return json.dump() + "\n";
}

namespace {

// A whole number from `low` to `high`; where it may be absent, `otherwise`.
template <class Number>
Number whole(const nlohmann::json& json, const char* key, Number low, Number high,
             std::optional<Number> otherwise = std::nullopt) {
    if (otherwise && !json.contains(key)) return *otherwise;
    const nlohmann::json& value = json.at(key);
    if (!value.is_number_unsigned() || value < low || value > high) throw InputError("impossible");
    return value.get<Number>();
}

constexpr int most_count = 1 << 30;                          // ranks, messages, bytes
constexpr double least_seconds = 1e-12, most_seconds = 1e6;  // of a sample

Sample update_sample(const nlohmann::json& json) {
    Sample sample;
    sample.name = json.at("case").get<std::string>();
    sample.seconds = json.at("seconds").get<double>();
    sample.cpu_seconds = json.at("cpu_seconds").get<double>();
    sample.updates = whole<std::uint64_t>(json, "updates", 1, std::uint64_t{1} << 62);
    sample.workers = whole(json, "workers", 1, most_count);
    sample.involuntary_switches = json.at("involuntary_switches").get<long>();
    // Of samples with another probe, or with set-up in the time of blocks, this is missing: they cannot be mixed.
    sample.probe_seconds = json.at("routed_probe_seconds").get<double>();
    sample.whole_seconds = json.value("whole_seconds", 0.0);
    sample.ended = json.value("ended", 0.0);
    sample.quicker_probe_seconds = json.value("quicker_probe_seconds", 0.0);
    sample.core_distance = json.value("core_distance", 0.0);
    sample.processor_timed = json.value("timed_by", "") == "processor";
    for (const double taken : {sample.seconds, sample.cpu_seconds}) {
        if (!(taken > least_seconds && taken < most_seconds)) throw InputError("impossible");
    }
    for (const double known :
         {sample.probe_seconds, sample.whole_seconds, sample.quicker_probe_seconds, sample.core_distance}) {
        if (!(known >= 0 && known < most_seconds)) throw InputError("impossible");
    }
    return sample;
}

MessageSample message_sample(const nlohmann::json& json) {
    MessageSample sample;
    auto& [kernel, way, bytes] = sample.what;
    kernel = message_kernel(json.at("message").get<std::string>()).value();
    way.protocol = parse_protocol(json.at("protocol").get<std::string>());
    way.transport = transport_named(json.at("transport").get<std::string>()).value();
    way.ranks = whole(json, "ranks", 2, most_count);
    way.domain = whole(json, "domain", 0, most_count, {0});
    way.workers = whole(json, "workers", 0, most_count, {0});
    way.distance = json.value("distance", "");
    bytes = whole<std::size_t>(json, "bytes", 1, most_count);
    sample.messages = whole(json, "messages", 1, most_count);
    sample.seconds = json.at("seconds").get<double>();
    const bool call = kernel == MessageKernel::send_overhead || kernel == MessageKernel::receive_overhead;
    const bool seen =
        call ? sample.seconds >= 0 : sample.seconds > least_seconds;  // a call may be too short to be seen
    const bool named = std::ranges::all_of(
        way.distance, [](unsigned char c) { return std::isalnum(c) != 0; });  // part of a protocol's name
    if (!seen || sample.seconds > most_seconds || !named) throw InputError("impossible");
    return sample;
}

}  // namespace

AllSamples samples_in(const std::string& text, const std::string& file) {
    AllSamples samples;
    std::istringstream lines(text);
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        try {
            const auto json = nlohmann::json::parse(line);
            if (json.contains("message")) {
                samples.messages.push_back(message_sample(json));
            } else {
                Sample sample = update_sample(json);
                auto& all = message_case_named(sample.name) ? samples.phases : samples.updates;
                all.push_back(std::move(sample));
            }
        } catch (const std::exception&) {
            if (lines.eof()) {  // an interruption cut it off
                samples.cut_line = number;
                break;
            }
            throw InputError(file, number, 1, line,
                             "not a sample of a calibration: remove this line, or calibrate anew");
        }
    }
    return samples;
}

std::string lines_of(const AllSamples& samples) {
    std::string text;
    for (const Sample& sample : samples.updates) text += line_of(sample);
    for (const MessageSample& sample : samples.messages) text += line_of(sample);
    for (const Sample& sample : samples.phases) text += line_of(sample);
    return text;
}

Calibration calibrate_from(const CalibrationChoice& choice, const AllSamples& samples, const std::string& file,
                           const std::function<void(std::size_t rare, std::size_t known)>& rare) {
    if (samples.updates.empty() && samples.messages.empty()) throw InputError("there are no samples in it");
    Calibration calibration = calibrate_from(choice, samples, rare);
    Machine& machine = calibration.machine;
    // The number of processors says nothing.
    if (machine.parameters.size() <= 1) throw InputError("its samples are of no case that calibrate knows");
    machine.id = std::filesystem::path(file).stem().stem().string();
    machine.name = machine.id;
    machine.source = "calibrated";
    std::string whence = fmt::format("{} read from {}", calibration.runs, file);
    if (samples.cut_line != 0) {
        calibration.remark = fmt::format("its line {} is cut off and left out", samples.cut_line);
        whence += "; " + calibration.remark;
    }
    machine.environment.emplace(machine.environment.begin(), "samples", std::move(whence));
    return calibration;
}

}  // namespace narrows
