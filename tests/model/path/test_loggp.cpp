#include "model/path/loggp.hpp"

#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "model/path/exchange.hpp"

namespace narrows {

TEST_CASE("LogGP is what the stages of a path say: calls, what lies between them, the busiest server, a byte") {
    const Machine machine = load_machine("bluegene-l");
    const LogGp raw = loggp_of(machine, "raw");
    CHECK(raw.send.value().si() == Approx((14 + 2.08) / 700e6));
    CHECK(raw.receive.value().si() == Approx(54 / 700e6));
    const double wire = (32 + 14) / 175e6;
    CHECK(raw.latency.si() == Approx(100e-9 + wire));
    CHECK(raw.gap.si() == Approx(wire));
    CHECK(raw.gap_per_byte.si() == Approx((0.25 + 0.625) / 700e6 + 270.0 / 232 / 175e6).epsilon(1e-4));
}

TEST_CASE("LogGP's parameters of a short message sum to its time, on every shipped machine") {
    for (const std::string& id : machine_ids()) {
        const Machine machine = load_machine(id);
        for (const std::string& protocol : message_protocols(machine)) {
            CAPTURE(id, protocol);
            const LogGp view = loggp_of(machine, protocol);
            const Time sum = view.latency + view.send.value_or(Time()) + view.receive.value_or(Time());
            CHECK(sum.si() == Approx(message_time(message_path(machine, protocol, bytes(8)), bytes(8)).total.si()));
            CHECK(view.latency.si() >= 0);
            CHECK(view.gap_per_byte.si() >= 0);
            CHECK(view.gap <= sum * (1 + 1e-9));
        }
    }
}

}  // namespace narrows
