#include <catch2/catch.hpp>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/plan.hpp"

using namespace narrows;

namespace {

constexpr MessageKernel collectives[] = {MessageKernel::allreduce,      MessageKernel::all_to_all,
                                         MessageKernel::broadcast,      MessageKernel::allgather,
                                         MessageKernel::reduce_scatter, MessageKernel::barrier};

MessageOptions collective(MessageKernel kernel, Algorithm algorithm) {
    MessageOptions options{.kernel = kernel, .algorithm = algorithm};
    if (goes_by_nodes(algorithm)) options.node_ranks = 2;
    options.sizes = {8, 1000, 4104};
    if (kernel == MessageKernel::barrier) options.sizes = {0};
    options.repeats = 2;
    options.messages = 20;
    return options;
}

void check_collective(const MessageOptions& options) {
    CAPTURE(std::string(name_of(options.kernel)), std::string(algorithm_name(options)),
            std::string(name_of(options.protocol)), options.ranks);
    const MessageRun run = measure_messages(options);
    CHECK(run.errors == 0);
    CHECK(run.verified == true);
    REQUIRE(run.points.size() == options.sizes.size());
    for (const MessagePoint& point : run.points) CHECK(point.seconds.value > 0);
}

}  // namespace

TEST_CASE("collective kernels: every algorithm and protocol brings what it has to, on any number of ranks") {
    const Protocol protocol = GENERATE(Protocol::active_message, Protocol::rendezvous, Protocol::buffered,
                                       Protocol::receiver_initiated, Protocol::command_queue);
    const int ranks = GENERATE(2, 3, 5, 8, 16);
    for (const MessageKernel kernel : collectives) {
        for (const Algorithm algorithm : algorithms_of(kernel)) {
            MessageOptions options = collective(kernel, algorithm);
            options.protocol = protocol;
            options.ranks = ranks;
            options.workers = 2;
            check_collective(options);
        }
        for (const CollectiveAlgorithm* rounds : algorithms_by_rounds(kernel)) {
            MessageOptions options = collective(kernel, algorithms_of(kernel).front());
            options.protocol = protocol;
            options.ranks = ranks;
            options.workers = 2;
            options.by_rounds = rounds;
            options.node_ranks = 4;
            check_collective(options);
        }
    }
}

TEST_CASE("collective kernels: through gateways") {
    for (const MessageKernel kernel : collectives) {
        MessageOptions options = collective(kernel, algorithms_of(kernel).front());
        options.protocol = Protocol::receiver_initiated;
        options.domain = 2;
        options.ranks = 6;
        check_collective(options);
    }
}

TEST_CASE("collective kernels: an algorithm of another kernel is an input error") {
    CHECK_THROWS_WITH(measure_messages(collective(MessageKernel::broadcast, Algorithm::bruck)),
                      "broadcast has no algorithm 'bruck' (it has: binomial, scatter-allgather, node-first)");
    CHECK_THROWS_WITH(measure_messages(collective(MessageKernel::allgather, Algorithm::pairwise)),
                      "allgather has no algorithm 'pairwise' (it has: ring, bruck, node-first)");
}

TEST_CASE("collective kernels: without an algorithm the first of the kernel is taken, and names are known both ways") {
    for (const MessageKernel kernel : collectives) {
        MessageOptions options;
        options.kernel = kernel;
        CHECK(algorithm_of(options) == algorithms_of(kernel).front());
        CHECK(message_kernel(name_of(kernel)) == kernel);
        for (const Algorithm one : algorithms_of(kernel)) {
            choose_algorithm(options, name_of(one));
            CHECK(options.algorithm == one);
        }
    }
    CHECK_FALSE(is_collective(MessageKernel::matvec));
    std::size_t by_rounds = 0;
    for (const MessageKernel kernel : collectives) by_rounds += algorithms_by_rounds(kernel).size();
    CHECK(by_rounds == 6);  // what only predictions knew: rabenseifner, linear, scatter-allgather; node-first of three
}

TEST_CASE("collective kernels: memory is counted for blocks of all ranks") {
    MessageOptions options{.kernel = MessageKernel::all_to_all, .ranks = 16, .sizes = {1024}};
    CHECK(buffer_bytes(options, 1024) == 2 * 16 * 1024);
    options.algorithm = Algorithm::bruck;
    CHECK(buffer_bytes(options, 1024) == 3 * 16 * 1024);
    options.kernel = MessageKernel::allgather;
    CHECK(buffer_bytes(options, 1024) == 2 * 16 * 1024);
    options.sizes = {std::size_t{1} << 40};
    CHECK_THROWS_WITH(check_messages(options), Catch::Contains("give fewer ranks or less bytes"));
}

TEST_CASE("collective kernels: a sample of very many ranks has messages") {
    MessageOptions options{.kernel = MessageKernel::all_to_all, .sizes = {8}};
    for (const int ranks : {46342, 65536, 1 << 20}) {
        options.ranks = ranks;
        for (const SampleOfSize& sample : message_plan(options).samples) {
            CHECK(sample.messages >= 1);
            CHECK(sample.messages <= 8);
        }
    }
}

TEST_CASE("record of several ranks: checks of all, and of a collective the slowest time") {
    RankRecord one, other;
    one.seconds = {1, 4};
    one.check(true);
    other.seconds = {3, 2};
    other.check(false);
    RankRecord all = one;
    all.add(other, true);
    CHECK(all.seconds == std::vector<double>{3, 4});
    CHECK(all.checked == 2);
    CHECK(all.errors == 1);
    all = one;
    all.add(other, false);
    CHECK(all.seconds == one.seconds);
}
