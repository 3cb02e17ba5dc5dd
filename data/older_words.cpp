#include "data/older_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/framing.hpp"
#include "model/read_costs.hpp"
#include "model/schema.hpp"

namespace narrows {
namespace {

constexpr std::string_view paths = "paths.";

Parameter made(std::string path, const Measure& measure, const std::string& source) {
    Parameter parameter;
    parameter.path = std::move(path);
    parameter.measure = measure;
    parameter.source = source;
    return parameter;
}

class Converter {
  public:
    explicit Converter(Machine machine) : old_(std::move(machine)), now_(old_) { now_.parameters.clear(); }

    Machine run() {
        for (const Parameter& parameter : old_.parameters) {
            if (const auto place = newer_place(parameter.path)) {
                move(parameter, *place);
            } else {
                now_.parameters.push_back(parameter);
            }
        }
        for (const std::string& layer : names_below(old_, "messaging")) add_layer(layer);
        const auto levels = names_below(old_, "levels");
        for (const std::string& level : levels) add_level(level, level == levels.back());
        const auto first = names_below(old_, "protocols").empty() ? added_.end() : added_.begin();
        if (first != added_.end()) {
            now_.parameters.push_back(made("compute.gups.protocol", {}, ""));
            now_.parameters.back().text = *first;
        }
        return std::move(now_);
    }

  private:
    // What is of a path waits until its stages are put in order. A level says in its place what it goes by.
    void move(Parameter parameter, const std::string& place) {
        const std::string level = parameter.path.substr(0, parameter.path.rfind('.')) + ".protocol";
        if (level.starts_with("levels.") && find(old_, level) == nullptr && find(now_, level) == nullptr) {
            now_.parameters.push_back(made(level, {}, ""));
            now_.parameters.back().text = place.substr(paths.size(), place.find('.', paths.size()) - paths.size());
        }
        parameter.path = place;
        if (const auto other = newer_place(parameter.correlated_with)) parameter.correlated_with = *other;
        if (place.starts_with(paths) && !place.ends_with("-gateway.gateway.overhead")) {
            moved_.push_back(std::move(parameter));
        } else if (!place.empty() && find(now_, place) == nullptr && find(old_, place) == nullptr) {
            now_.parameters.push_back(std::move(parameter));
        }
    }

    bool has_moved(const std::string& section) const {
        return std::ranges::any_of(moved_,
                                   [&](const Parameter& parameter) { return is_below(parameter.path, section); });
    }

    void add_layer(const std::string& layer) {
        if (has(old_, "protocols." + layer) || !has_moved("paths." + layer)) return;
        const std::string own = fmt::format("messaging.{}.framing", layer);
        const bool is_framed = has(old_, own);
        const Data spared = free_payload(read_framing(old_, is_framed ? own : "network.link.framing"));
        const auto add_call = [&](const char* stage) {
            add_stage(layer, stage, false);
            const std::string call = fmt::format("paths.{}.{}", path_name(layer), stage);
            if (spared.si() <= 0 || find(now_, call + ".per_byte") == nullptr) return;
            now_.parameters.push_back(made(call + ".spared", {spared.si(), Dimension::data, "B"},
                                           "derived: what the smallest packet has room for"));
        };
        add_call("send");
        add_call("other");
        for (const char* server : {"host_interface", "network_interface"}) add_stage(layer, server, has(old_, server));
        add_stage(layer, "link", has(old_, "network.link"));
        add_call("receive");
        add_protocol(layer);
        added_.push_back(layer);
    }

    // Gateways and the wire between them are of the last level's path.
    void add_level(const std::string& level, bool is_last) {
        const std::string protocol = "level-" + level;
        if (!has_moved("paths." + protocol) || has(old_, fmt::format("levels.{}.protocol", level))) return;
        const bool through_gateways = is_last && has(old_, "gateways");
        for (const char* stage : {"request", "send"}) add_stage(protocol, stage, false);
        if (through_gateways) {
            add_gateway(protocol, "gateway.overhead");
            now_.parameters.push_back(
                made(fmt::format("paths.{}.gateway.times", path_name(protocol)), {2, Dimension::number, ""}, ""));
        }
        add_stage(protocol, "flight", true);
        if (through_gateways && find(old_, "gateways.wire") != nullptr) {
            add_gateway(protocol, "link.latency");
            now_.parameters.push_back(made(fmt::format("paths.{}.link.per_byte", path_name(protocol)),
                                           {0, Dimension::time_per_byte, "ns/B"}, ""));
        }
        add_stage(protocol, "receive", false);
        add_protocol(protocol);
    }

    void add_gateway(const std::string& protocol, const std::string& what) {
        for (Parameter parameter : moved_) {
            if (parameter.path != "paths.*." + what) continue;
            parameter.path = fmt::format("paths.{}.{}", path_name(protocol), what);
            now_.parameters.push_back(std::move(parameter));
        }
    }

    // A path of this name that another protocol takes keeps it, and this one gets another.
    std::string path_name(const std::string& protocol) const {
        return has(old_, "paths." + protocol) ? protocol + "-layer" : protocol;
    }

    void add_protocol(const std::string& protocol) {
        now_.parameters.push_back(
            made(fmt::format("protocols.{}.{}", protocol, path_name(protocol)), {1, Dimension::number, ""}, ""));
    }

    // What has moved to this stage; or, where it is passed all the same, that it is.
    void add_stage(const std::string& protocol, const std::string& stage, bool is_passed) {
        const std::string from = fmt::format("paths.{}.{}.", protocol, stage);
        const std::string to = fmt::format("paths.{}.{}.", path_name(protocol), stage);
        for (Parameter parameter : moved_) {
            if (!parameter.path.starts_with(from)) continue;
            parameter.path = to + parameter.path.substr(from.size());
            now_.parameters.push_back(std::move(parameter));
            is_passed = false;
        }
        if (is_passed) now_.parameters.push_back(made(to + "times", {1, Dimension::number, ""}, ""));
    }

    Machine old_;
    Machine now_;
    std::vector<Parameter> moved_;
    std::vector<std::string> added_;  // protocols of layers
};

}  // namespace

Machine with_paths(Machine machine) {
    return Converter(std::move(machine)).run();
}

}  // namespace narrows
