#include "calibrate/study/message_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "calibrate/study/break_search.hpp"
#include "calibrate/study/message_sampling.hpp"
#include "tests/calibrate/switching_protocol.hpp"
#include "tests/patience.hpp"

using namespace narrows;
using Catch::Matchers::WithinRel;

namespace {

struct Known {
    double latency, send, receive, gap, per_byte;
};

// Rounds whose middle one is exact.
std::vector<MessageSample> samples_of(const Known& known, Protocol protocol, double spread) {
    std::vector<MessageSample> samples;
    for (const double error : {-spread, 0.0, spread, -spread / 2, spread / 2, 0.0, 0.0}) {
        const auto add = [&](MessageKernel kernel, std::size_t bytes, double seconds) {
            samples.push_back({{kernel, {protocol}, bytes}, 100, seconds * (1 + error)});
        };
        const double fixed = known.latency + known.send + known.receive;
        for (std::size_t bytes = 8; bytes <= 1 << 20; bytes *= 2) {
            add(MessageKernel::ping_pong, bytes, fixed + known.per_byte * static_cast<double>(bytes - 8));
        }
        add(MessageKernel::send_overhead, 8, known.send);
        add(MessageKernel::receive_overhead, 8, known.receive);
    }
    return samples;
}

const Known eager{1e-7, 3e-8, 5e-8, 2e-8, 1e-10};

}  // namespace

TEST_CASE("message fit: the calls of both ends come back from samples made of them, each in its interval") {
    const auto fitted = fit_messages(samples_of(eager, Protocol::buffered, 0.01), 1);
    REQUIRE(fitted.size() == 1);
    REQUIRE(fitted[0].calls.has_value());
    const auto is = [](const Coefficient& one, double expected) {
        CHECK_THAT(one.value, WithinRel(expected, 1e-3));
        CHECK(one.low < expected);
        CHECK(one.high > expected);
    };
    is(fitted[0].calls->send, eager.send);
    is(fitted[0].calls->receive, eager.receive);
    REQUIRE(fitted[0].curve.segments.size() == 1);
}

TEST_CASE("message fit: calls that take as long as the message are not told apart") {
    Known fetching = eager;
    fetching.latency = -1e-8;
    const auto fitted = fit_messages(samples_of(fetching, Protocol::rendezvous, 0.01), 1);
    CHECK_FALSE(fitted.at(0).calls.has_value());
}

TEST_CASE("message fit: protocols are apart and in order and noise widens their intervals") {
    auto samples = samples_of(eager, Protocol::receiver_initiated, 0.01);
    const auto more = samples_of(eager, Protocol::buffered, 0.01);
    samples.insert(samples.end(), more.begin(), more.end());
    const auto quiet = fit_messages(samples, 1);
    const auto noisy = fit_messages(samples, 2);
    REQUIRE(quiet.size() == 2);
    CHECK(quiet[0].way.protocol == Protocol::buffered);
    CHECK(quiet[1].way.protocol == Protocol::receiver_initiated);
    const auto width = [](const Coefficient& one) { return one.high - one.low; };
    CHECK_THAT(width(noisy[0].calls->send), WithinRel(2 * width(quiet[0].calls->send), 1e-9));
    const auto slope = [](const FittedMessages& one) { return one.curve.segments.back().per_byte; };
    CHECK_THAT(width(slope(noisy[0])), WithinRel(2 * width(slope(quiet[0])), 1e-9));
}

TEST_CASE("message fit: a ping-pong alone gives a curve and no calls") {
    std::vector<MessageSample> samples = samples_of(eager, Protocol::buffered, 0.01);
    std::erase_if(samples, [](const MessageSample& one) { return one.what.kernel == MessageKernel::send_overhead; });
    const auto fitted = fit_messages(samples, 1);
    REQUIRE(fitted.size() == 1);
    CHECK_FALSE(fitted[0].calls.has_value());
    CHECK(fit_messages({}, 1).empty());
}

TEST_CASE("message fit: a gateway's service is half of what two of them add, and no protocol's time") {
    auto samples = samples_of(eager, Protocol::receiver_initiated, 0.01);
    const auto add = [&samples](int domain, double seconds) {
        for (int i = -3; i <= 3; ++i) {
            const MessageWay way{Protocol::receiver_initiated, Transport::shared, 2, domain, 1};
            samples.push_back({{MessageKernel::ping_pong, way, 8}, 100, seconds * (1 + 0.01 * i)});
        }
    };
    add(0, 4e-7);
    CHECK_FALSE(gateway_service(samples, 1));
    add(1, 1.4e-6);
    const auto service = gateway_service(samples, 1);
    REQUIRE(service);
    CHECK_THAT(service->value, WithinRel(5e-7, 1e-9));
    CHECK_THAT(service->low, WithinRel(0.5 * (1.4e-6 * 0.97 - 4e-7 * 1.03), 1e-9));
    CHECK_THAT(service->high, WithinRel(0.5 * (1.4e-6 * 1.03 - 4e-7 * 0.97), 1e-9));
    const auto fitted = fit_messages(samples, 1);
    REQUIRE(fitted.size() == 1);
    CHECK_THAT(fitted[0].curve.at(8), WithinRel(1.8e-7, 0.01));
    for (MessageSample& one : samples) {
        if (one.what.way.domain == 1) one.seconds = 3e-7;
    }
    CHECK_FALSE(gateway_service(samples, 1));
}

namespace {

MessageRun one_sample_each(const MessageOptions& options) {
    MessageRun run;
    for (const std::size_t bytes : options.sizes) run.samples.push_back({bytes, 10, 1e-6});
    return run;
}

MessageSamplingHooks counting(int& runs) {
    MessageSamplingHooks hooks;
    hooks.launch.measure = [&runs](const MessageOptions& options) {
        ++runs;
        return one_sample_each(options);
    };
    return hooks;
}

}  // namespace

TEST_CASE("message sampling: the least rounds are taken however short the time and the most however long") {
    const auto cases = message_cases(Transport::shared, 2, 1);
    int runs = 0;
    MessageSamplingLimits limits;
    limits.seconds = 0;
    const MessageSampled few = sample_messages(cases, limits, counting(runs));
    CHECK(runs == 3 * static_cast<int>(cases.size()));
    CHECK_FALSE(few.interrupted);
    limits.seconds = 1000;
    runs = 0;
    const MessageSampled all = sample_messages(cases, limits, counting(runs), few.samples);
    CHECK(runs == 12 * static_cast<int>(cases.size()));  // the three rounds count
    CHECK(all.samples.size() == 5 * few.samples.size());
}

TEST_CASE("message sampling: rank 0 decides for all when to end and a stop ends it after the round") {
    const auto cases = message_cases(Transport::shared, 2, 1);
    int runs = 0;
    MessageSamplingHooks hooks = counting(runs);
    hooks.launch.first_says = [&runs](const Launch::Numbers&) { return Launch::Numbers(runs == 0 ? 1 : 0); };
    sample_messages(cases, {}, hooks);
    CHECK(runs == static_cast<int>(cases.size()));

    std::atomic<bool> stop = false;
    runs = 0;
    hooks = counting(runs);
    hooks.stop = &stop;
    hooks.sink = [&stop](const MessageSample&) { stop = true; };
    CHECK(sample_messages(cases, {}, hooks).interrupted);
    CHECK(runs == static_cast<int>(cases.size()));
}

TEST_CASE("message sampling: wrong messages end it with the kernel and the protocol") {
    MessageSamplingHooks hooks;
    hooks.launch.measure = [](const MessageOptions&) {
        MessageRun run;
        run.errors = 1;
        return run;
    };
    std::vector<MessageOptions> cases = {message_cases(Transport::shared, 2, 1).front()};
    CHECK_THROWS_WITH(sample_messages(cases, {}, hooks),
                      "ping-pong by active-message over shared: messages arrived with other contents than were sent");
}

TEST_CASE("message cases: every octave has a power of two and a size by chance, the same ones each time") {
    const std::vector<std::size_t> sizes = message_cases(Transport::shared, 2, 1).front().sizes;
    CHECK(sizes == message_cases(Transport::mpi, 4, 40).front().sizes);
    CHECK(std::ranges::is_sorted(sizes));
    for (std::size_t power = 8; power <= 16 << 20; power *= 2) {
        CHECK(std::ranges::count(sizes, power) == 1);
        const auto between =
            std::ranges::count_if(sizes, [power](std::size_t one) { return one > power && one < 2 * power; });
        CHECK(between == (power == 8 || power == 16 << 20 ? 0 : 1));
    }
    for (const std::size_t bytes : sizes) CHECK(bytes % 8 == 0);
}

namespace {

std::set<std::size_t> sizes_in(const std::vector<MessageSample>& samples) {
    std::set<std::size_t> sizes;
    for (const MessageSample& one : samples) sizes.insert(one.what.bytes);
    return sizes;
}

}  // namespace

TEST_CASE("message sampling: sizes join where the curve breaks, however short the time, and are gone on with") {
    SwitchingProtocol protocol{12345};
    MessageSamplingHooks hooks;
    hooks.launch = measuring(protocol, launch_here());
    hooks.further_sizes = sizes_at_breaks;
    MessageSamplingLimits limits;
    limits.seconds = patience;
    const MessageSampled whole = sample_messages({sends_of_powers()}, limits, hooks);
    const auto curve = fit_messages(whole.samples, 1).front().curve;
    REQUIRE(curve.segments.size() == 2);
    CHECK(curve.segments[1].from / curve.segments[0].to < 1.06);
    CHECK(sizes_in(whole.samples).size() == sends_of_powers().sizes.size() + 4);

    for (const int rounds : {2, 5}) {
        limits.most = rounds;
        const MessageSampled begun = sample_messages({sends_of_powers()}, limits, hooks);
        CHECK(sizes_in(begun.samples).size() == sends_of_powers().sizes.size() + (rounds == 5 ? 4 : 0));
        limits.most = 15;
        const MessageSampled gone_on = sample_messages({sends_of_powers()}, limits, hooks, begun.samples);
        CHECK(sizes_in(gone_on.samples) == sizes_in(whole.samples));
        CHECK(gone_on.samples.size() == whole.samples.size());
    }
    limits.seconds = 0;
    CHECK(sizes_in(sample_messages({sends_of_powers()}, limits, hooks).samples) == sizes_in(whole.samples));
}
