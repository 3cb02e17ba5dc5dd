#include <fmt/format.h>
#include <fmt/ranges.h>

#include <catch2/catch.hpp>

#include "calibrate/kernels/messages/tcp_part.hpp"
#include "calibrate/ranks/sanitizer.hpp"
#include "calibrate/study/break_search.hpp"
#include "calibrate/transport/processes.hpp"
#include "calibrate/transport/tcp_socket.hpp"
#include "calibrate/transport/transport_error.hpp"
#include "tests/calibrate/switching_protocol.hpp"
#include "tests/patience.hpp"

using namespace narrows;

namespace {

/// Ranks over loopback that know each other.
struct LoopbackRanks {
    int ranks;
    double join_seconds = patience;
    JobSecret secret = JobSecret::random();
    HostPort rendezvous = local_address(listen_at({"127.0.0.1", 0}));  // free a moment ago

    Launch launch(int rank) const { return tcp_launch({{rank, ranks}, rendezvous, join_seconds}, secret); }
};

}  // namespace

TEST_CASE("launch over TCP: all ranks search for breaks at the sizes that rank 0 finds") {
    const LoopbackRanks job{3};
    const MessageOptions options = sends_of_powers();
    const auto outcomes = run_processes(job.ranks, [&](int rank) {
        SwitchingProtocol protocol{12345, rank};
        const MessageRun run = find_breaks(protocol(options), options, {}, measuring(protocol, job.launch(rank)));
        return fmt::format("{} {}", protocol.asked, run.points.size());
    });
    SwitchingProtocol alone{12345};
    find_breaks(alone(options), options, {}, measuring(alone, launch_here()));
    REQUIRE(alone.asked.size() == 5);
    CHECK(outcomes[0].text == fmt::format("{} {}", alone.asked, options.sizes.size() + 4));
    CHECK(outcomes[1].text == fmt::format("{} 0", alone.asked));
    CHECK(outcomes[2].text == outcomes[1].text);
}

TEST_CASE("launch over TCP: messages are measured again and again, until rank 0 says that it is done") {
    const LoopbackRanks job{2};
    const auto outcomes = run_processes(job.ranks, [&](int rank) {
        const Launch launch = job.launch(rank);
        MessageOptions options;
        options.transport = Transport::tcp;
        options.messages = 10;
        std::string measured;
        for (std::size_t bytes = 8; launch.first_agrees(bytes < 32); bytes += 8) {
            options.sizes = launch.first_says({rank == 0 ? bytes : 0});
            const MessageRun run = launch.measure(options);
            measured += fmt::format("{} of {} B, ", run.points.size(), options.sizes.front());
        }
        return measured;
    });
    CHECK(outcomes[0].text == "1 of 8 B, 1 of 16 B, 1 of 24 B, ");
    CHECK(outcomes[1].text == "0 of 8 B, 0 of 16 B, 0 of 24 B, ");
}

TEST_CASE("launch over TCP: more sizes than can be meant are refused") {
    const LoopbackRanks job{2};
    const auto outcomes = run_processes(job.ranks, [&](int rank) -> std::string {
        try {
            job.launch(rank).first_says(Launch::Numbers(rank == 0 ? 5000 : 0, 8));
        } catch (const TransportError& error) {
            return error.what();
        }
        return "said";
    });
    CHECK(outcomes[0].text == "said");
    CHECK_THAT(outcomes[1].text, Catch::Contains("5000 sizes to measure next, of at most 4096"));
}

TEST_CASE("launch over TCP: a rank that is gone is missed by the others") {
    const LoopbackRanks job{2, 0.5};
    const auto outcomes = run_processes(job.ranks, [&](int rank) -> std::string {
        if (rank == 1) return "left";
        try {
            job.launch(rank).first_says({8});
        } catch (const TransportError& error) {
            return error.what();
        }
        return "told nobody";
    });
    CHECK_THAT(outcomes[0].text, Catch::Contains("rank 1"));
}

TEST_CASE("launch over TCP: a rank that is gone after all have met is missed within five seconds, and named so") {
    const int leaver = GENERATE(0, 2);
    const double soon = sanitized ? patience : 5;
    const LoopbackRanks job{3};
    const auto outcomes = run_processes(job.ranks, [&](int rank) -> std::string {
        const Launch launch = job.launch(rank);
        launch.first_says({8});
        if (rank == leaver) return "left";
        const double begin = wall_seconds();
        try {
            launch.first_says({16});
        } catch (const TransportError& error) {
            return fmt::format("{} {}", wall_seconds() - begin < soon ? "soon:" : "late:", error.what());
        }
        return "told nobody";
    });
    CHECK(outcomes[static_cast<std::size_t>(leaver)].text == "left");
    if (leaver == 0) {
        for (const int rank : {1, 2}) {
            CHECK_THAT(
                outcomes[static_cast<std::size_t>(rank)].text,
                Catch::StartsWith("soon: rank 0 at " + job.rendezvous.text() + " is gone: it had joined before"));
        }
    } else {
        CHECK(outcomes[0].text == "soon: rank 2 had joined before and did not reconnect: see what ended it there");
        CHECK_THAT(outcomes[1].text, Catch::StartsWith("soon: "));
    }
}
