#include "model/gups/shmem.hpp"

#include <fmt/format.h>

#include "model/demand/servers.hpp"
#include "model/path/protocol.hpp"
#include "model/read_costs.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
PutInterface read_put_interface(const Machine& machine, const std::string& protocol, double background) {
    const Path path = message_path(machine, protocol, Data());
    if (path.stages.empty() || path.stages.front().site != Site::processor) {
        throw InputError(
            fmt::format("machine '{}': protocol '{}' does not begin with what a put takes of a processor: add such a "
                        "stage to its first path, as 'send: {{overhead: 50 ns}}'",
                        machine.id, protocol));
    }
    constexpr Data word = bytes(8);
    PutInterface interface;
    interface.per_message = end_times(path, Data()).send;
    interface.per_byte = (end_times(path, word).send - interface.per_message) / word;
    const auto framing = [&](std::string_view server, const char* place) {
        const Stage* stage = path.stage_of(server);
        return stage != nullptr ? stage->framing : read_framing(machine, place);
    };
    interface.alignment = data_or_zero(machine, "host_interface.alignment");
    interface.host_framing = framing("host_interface", "host_interface.framing");
    interface.link_framing = framing("link", "network.link.framing");
    interface.host_interface = bandwidth_at(machine, "host_interface.bandwidth");
    interface.link = usable_link(machine, background);
    return interface;
}

Rate host_interface_rate(const PutInterface& interface, Data size) {
    return interface.host_interface / wire_bytes(interface.host_framing, rounded_up(size, interface.alignment));
}

Rate link_rate(const PutInterface& interface, Data size) {
    return interface.link / wire_bytes(interface.link_framing, size);
}

Rate issue_rate(const PutInterface& interface, Data size) {
    return interface.cores / (interface.per_message + interface.per_byte * size);
}

Prediction shmem_gups(const ShmemGups& inputs) {
    const PutInterface& interface = inputs.interface;
    const Data size = inputs.update_size;
    const Time put = interface.per_message + interface.per_byte * size;
    const double cores = inputs.sockets * interface.cores;
    const Time barriers = inputs.barrier * (inputs.barriers / inputs.updates_per_phase);
    std::vector<Bound> bounds;
    bounds.reserve(5);
    bounds.push_back({Resource::processor,
                      processor_bound(cores, inputs.update + put + barriers),
                      "S * c / (t_apply + t_put + d * t_barrier / u)",
                      "underwood2008 (6)",
                      {{"S", "sockets", inputs.sockets},
                       {"c", "cores of a socket", interface.cores},
                       {"t_apply", "generating and applying an update (compute.gups.apply)", inputs.update},
                       {"t_put", "processor time of a put", put},
                       {"d", "barriers a phase", static_cast<double>(inputs.barriers)},
                       {"t_barrier", "time of a barrier (compute.gups.barrier)", inputs.barrier},
                       {"u", "updates of a core a phase", inputs.updates_per_phase}}});
    if (inputs.leaving > 0) {
        const double sockets = inputs.sockets / inputs.leaving;
        const auto add = [&](Resource resource, Rate rate, std::string_view source, Bandwidth bandwidth,
                             std::string_view place) {
            bounds.push_back({resource,
                              rate * sockets,
                              "S * B / (l * w)",
                              source,
                              {{"S", "sockets", inputs.sockets},
                               {"B", place, bandwidth},
                               {"l", "share of the puts that leave their socket", inputs.leaving},
                               {"w", "bytes of a put, with its framing", bandwidth / rate}}});
        };
        add(Resource::host_interface, host_interface_rate(interface, size), "underwood2008 (4)",
            interface.host_interface, "bandwidth of a socket's host interface (host_interface.bandwidth)");
        add(Resource::link, interface.link / inputs.on_link, "underwood2008 (5)", interface.link,
            "bandwidth of a socket's link (network.link.bandwidth)");
    }
    add_bounds(bounds, inputs.network, inputs.on_link, inputs.servers);

    // Between barriers the tightest of the others is kept busy; at a barrier nothing flows.
    std::vector<Bound> flowing(bounds.begin() + 1, bounds.end());
    flowing.push_back({Resource::processor, processor_bound(cores, inputs.update + put), "", ""});
    const Time busy = cores / tightest(flowing).limit;
    const Rate rate = cores / (busy + barriers);

    Prediction prediction =
        overlapped({{"update", inputs.update}, {"put", put}, {"barriers", barriers}}, cores, std::move(bounds));
    prediction.rate = rate;
    if (busy > barriers) prediction.bottleneck = name_of(tightest(flowing).resource);
    const Time wait = busy - inputs.update - put;
    std::erase_if(prediction.terms, [](const Term& term) { return term.name == "wait"; });
    if (wait.si() > 0) prediction.terms.push_back({"wait", wait});
    prediction.estimate = "phases at the tightest bound, with barriers between them in which nothing flows";
    prediction.assumptions =
        "every update is a put; all cores of a socket share its interface and one link; no overlap across barriers";
    return prediction;
}

}  // namespace narrows
