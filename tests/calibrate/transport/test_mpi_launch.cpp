#include <catch2/catch.hpp>

#include "calibrate/study/break_search.hpp"
#include "calibrate/study/message_sampling.hpp"
#include "test_job.hpp"
#include "tests/calibrate/switching_protocol.hpp"
#include "tests/patience.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

TEST_CASE("launch under MPI: all ranks search for breaks at the sizes that rank 0 finds", "[launch]") {
    const MessageOptions options = sends_of_powers();
    SwitchingProtocol protocol{12345, job().rank()};
    const MessageRun run = find_breaks(protocol(options), options, {}, measuring(protocol, job().launch(complain)));
    SwitchingProtocol alone{12345};
    find_breaks(alone(options), options, {}, measuring(alone, launch_here()));
    CHECK(protocol.asked.size() == 5);
    CHECK(protocol.asked == alone.asked);
    CHECK(run.points.size() == (job().rank() == 0 ? options.sizes.size() + 4 : 0));
}

TEST_CASE("launch under MPI: all ranks sample the sizes that rank 0 has added", "[launch]") {
    const auto asked_by = [](int rank, const Launch& launch) {
        SwitchingProtocol protocol{12345, rank};
        MessageSamplingHooks hooks;
        hooks.launch = measuring(protocol, launch);
        hooks.further_sizes = sizes_at_breaks;
        MessageSamplingLimits limits;
        limits.seconds = patience;
        sample_messages({sends_of_powers()}, limits, hooks);
        return protocol.asked;
    };
    const auto asked = asked_by(job().rank(), job().launch(complain));
    CHECK(asked.back().size() == sends_of_powers().sizes.size() + 4);
    CHECK(asked == asked_by(0, launch_here()));
}

TEST_CASE("launch under MPI: what one rank cannot measure is refused by all", "[launch]") {
    MessageOptions options{.transport = Transport::mpi, .ranks = job().ranks()};
    if (job().rank() == 1) options.workers = 2;
    const Launch launch = job().launch(complain);
    CHECK_THROWS_AS(launch.measure(options), InputError);
    options.workers = 0;
    options.messages = 10;
    CHECK(launch.measure(options).points.size() == (job().rank() == 0 ? 1 : 0));
}
