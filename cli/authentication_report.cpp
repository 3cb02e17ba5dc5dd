#include "cli/authentication_report.hpp"

#include <fmt/format.h>

#include <array>

#include "calibrate/transport/frame_seal.hpp"

namespace narrows {

void add_authentication(Transport transport, bool authenticated, nlohmann::ordered_json& json) {
    if (!over_sockets(transport)) return;
    nlohmann::ordered_json costs = nlohmann::ordered_json::array();
    for (const std::size_t bytes : std::array<std::size_t, 2>{64, 8192}) {
        costs.push_back({{"bytes", bytes}, {"seconds", FrameSeal::seconds(bytes)}});
    }
    json["authentication"] = {{"on", authenticated}, {"costs", std::move(costs)}};
}

void add_authentication_remark(Document& document) {
    const auto found = document.json.find("authentication");
    if (found == document.json.end()) return;
    if (!found->at("on").get<bool>()) {
        document.remarks.emplace_back("Not authenticated (--no-authentication).");
        return;
    }
    const auto& costs = found->at("costs");
    document.remarks.push_back(
        fmt::format("Authentication: {:.2g} us a message of 64 B at both ends, {:.2g} us of 8 KiB.",
                    1e6 * costs.at(0).at("seconds").get<double>(), 1e6 * costs.at(1).at("seconds").get<double>()));
}

}  // namespace narrows
