#include "cli/samples_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "data/whole_file.hpp"
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
    if (sample.processor_timed) json["timed_by"] = "processor";
    return json.dump() + "\n";
}

SamplesFile::SamplesFile(const std::string& name, const AllSamples& earlier) : name_(name) {
    if (name.empty()) return;
    std::string text;
    for (const Sample& sample : earlier.updates) text += line_of(sample);
    for (const MessageSample& sample : earlier.messages) text += line_of(sample);
    write_whole_file(name, text);
    out_.open(name, std::ios::app);
}

void SamplesFile::append(const std::string& line) {
    if (name_.empty()) return;
    if (!(out_ << line << std::flush)) {
        throw InputError(fmt::format("cannot write the samples to '{}': make room, then go on with --resume", name_));
    }
}

namespace {

Sample update_sample(const nlohmann::json& json) {
    Sample sample;
    sample.name = json.at("case").get<std::string>();
    sample.seconds = json.at("seconds").get<double>();
    sample.cpu_seconds = json.at("cpu_seconds").get<double>();
    sample.updates = json.at("updates").get<std::uint64_t>();
    sample.workers = json.at("workers").get<int>();
    sample.involuntary_switches = json.at("involuntary_switches").get<long>();
    // Of samples with another probe, or with set-up in the time of blocks, this is missing: they cannot be mixed.
    sample.probe_seconds = json.at("routed_probe_seconds").get<double>();
    sample.processor_timed = json.value("timed_by", "") == "processor";
    if (sample.seconds <= 0 || sample.updates == 0 || sample.workers < 1) throw InputError("impossible");
    return sample;
}

MessageSample message_sample(const nlohmann::json& json) {
    MessageSample sample;
    auto& [kernel, way, bytes] = sample.what;
    kernel = message_kernel(json.at("message").get<std::string>()).value();
    way.protocol = parse_protocol(json.at("protocol").get<std::string>());
    way.transport = transport_named(json.at("transport").get<std::string>()).value();
    way.ranks = json.at("ranks").get<int>();
    way.domain = json.value("domain", 0);
    way.workers = json.value("workers", 0);
    way.distance = json.value("distance", "");
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    if (!json.at("bytes").is_number_unsigned()) throw InputError("impossible");  // not below zero, and whole
    bytes = json.at("bytes").get<std::size_t>();
    sample.messages = json.at("messages").get<int>();
    sample.seconds = json.at("seconds").get<double>();
    const bool call = kernel == MessageKernel::send_overhead || kernel == MessageKernel::receive_overhead;
    const bool timed = call ? sample.seconds >= 0 : sample.seconds > 0;  // a call may be too short to be seen
    const bool named = std::all_of(way.distance.begin(), way.distance.end(),
                                   [](unsigned char c) { return std::isalnum(c) != 0; });  // part of a protocol's name
    if (!timed || !named || way.ranks < 2 || bytes < 1 || bytes > most_bytes || sample.messages < 1)
        throw InputError("impossible");
    return sample;
}

}  // namespace

AllSamples read_samples(const std::string& file) {
    const std::string text = read_whole_file(file);
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
                samples.updates.push_back(update_sample(json));
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

}  // namespace narrows
