#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "calibrate/transport/reliable_stream.hpp"

using namespace narrows;

namespace {

using Time = ReliableStream::Time;
using std::chrono::microseconds;

struct Faults {
    double lost = 0;
    double doubled = 0;
    double reordered = 0;
};

/// A way from one end to the other with its faults, by a clock of its own.
class FaultyWay {
  public:
    FaultyWay(Faults faults, unsigned seed) : faults_(faults), random_(seed) {}

    void send(const ReliableStream::Datagram& datagram, Time now) {
        if (chance_(random_) < faults_.lost) return;
        const int copies = chance_(random_) < faults_.doubled ? 2 : 1;
        for (int i = 0; i < copies; ++i) {
            // Behind what is sent up to 15 flights later.
            const unsigned flights =
                chance_(random_) < faults_.reordered ? 2 + static_cast<unsigned>(random_() % 14) : 1;
            under_way_.push_back(
                {now + flights * flight, datagram.header, {datagram.bytes.begin(), datagram.bytes.end()}});
        }
    }
    template <class Take>
    void arrive(Time now, const Take& take) {
        for (std::size_t i = 0; i < under_way_.size();) {
            if (under_way_[i].at > now) {
                ++i;
                continue;
            }
            const UnderWay datagram = std::move(under_way_[i]);
            under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
            take(datagram.header, datagram.bytes);
        }
    }

    static constexpr microseconds flight{50};

  private:
    struct UnderWay {
        Time at;
        DatagramHeader header;
        std::vector<std::byte> bytes;
    };
    Faults faults_;
    std::mt19937 random_;
    std::uniform_real_distribution<double> chance_{0, 1};
    std::deque<UnderWay> under_way_;
};

/// An end that sends numbers and looks that those of the other come once each, in order.
struct End {
    ReliableStream stream;
    std::uint64_t pushed = 0;
    std::uint64_t taken = 0;
    bool wrong = false;

    void push(std::uint64_t all, std::mt19937& random) {
        while (pushed < all && stream.has_credit()) {
            std::vector<std::uint64_t> numbers(std::min<std::uint64_t>(all - pushed, 1 + random() % 178));
            for (std::uint64_t& number : numbers) number = pushed++;
            stream.push(std::as_bytes(std::span(numbers)));
        }
    }
    void take(const DatagramHeader& header, std::span<const std::byte> bytes, Time now) {
        const bool good = stream.receive(header, bytes, now, [this](std::span<const std::byte> come) {
            for (std::size_t at = 0; at < come.size(); at += sizeof taken) {
                wrong = wrong || std::memcmp(&come[at], &taken, sizeof taken) != 0;
                ++taken;
            }
        });
        wrong = wrong || !good;
    }
    void send(FaultyWay& way, Time now) {
        while (const auto datagram = stream.next(now)) way.send(*datagram, now);
    }
};

/// Sends `all` numbers both ways; the seconds that it took.
double exchange(End& one, End& other, std::uint64_t all, Faults faults, unsigned seed) {
    std::mt19937 random(seed);
    FaultyWay there(faults, seed + 1), back(faults, seed + 2);
    const Time begin{};
    Time now = begin;
    const auto is_over = [&] {
        return one.taken == all && other.taken == all && one.stream.all_acknowledged() &&
               other.stream.all_acknowledged();
    };
    for (; !is_over() && now < begin + std::chrono::hours(1); now += microseconds(20)) {
        one.push(all, random);
        other.push(all, random);
        one.send(there, now);
        other.send(back, now);
        there.arrive(now, [&](const auto& header, const auto& bytes) { other.take(header, bytes, now); });
        back.arrive(now, [&](const auto& header, const auto& bytes) { one.take(header, bytes, now); });
    }
    return std::chrono::duration<double>(now - begin).count();
}

}  // namespace

TEST_CASE("reliable stream: nothing is lost and nothing comes twice, whatever datagrams do") {
    const Faults faults = GENERATE(Faults{}, Faults{.lost = 0.01}, Faults{.doubled = 0.01}, Faults{.reordered = 0.01},
                                   Faults{0.01, 0.01, 0.01}, Faults{0.2, 0.2, 0.2}, Faults{.reordered = 1});
    for (unsigned seed = 0; seed < 5; ++seed) {
        CAPTURE(faults.lost, faults.doubled, faults.reordered, seed);
        End one, other;
        constexpr std::uint64_t all = 100000;
        exchange(one, other, all, faults, seed);
        CHECK(one.taken == all);
        CHECK(other.taken == all);
        CHECK_FALSE(one.wrong);
        CHECK_FALSE(other.wrong);
        const bool perfect = faults.lost == 0 && faults.reordered == 0;
        if (perfect) CHECK(one.stream.counters().resent == 0);
        if (faults.lost != 0) CHECK(one.stream.counters().resent > 0);
    }
}

TEST_CASE("reliable stream: a lost datagram in a hundred costs little time") {
    End one, other, lossy_one, lossy_other;
    constexpr std::uint64_t all = 1000000;
    const double perfect = exchange(one, other, all, {}, 1);
    const double lossy = exchange(lossy_one, lossy_other, all, {.lost = 0.01}, 1);
    CHECK(lossy < 1.5 * perfect);
    // No more than twice what was lost.
    const DatagramCounters& counters = lossy_one.stream.counters();
    CHECK(static_cast<double>(counters.resent) < 0.02 * static_cast<double>(counters.sent));
}

// Sends as much as it may, and has all of it acknowledged after so long. Returns how much that was.
std::uint64_t fill_and_acknowledge(ReliableStream& stream, Time& now, microseconds round_trip, std::uint64_t& sent) {
    const std::array<std::byte, 8> bytes{};
    const auto ignore = [](std::span<const std::byte>) {};
    std::uint64_t under_way = 0;
    std::uint32_t heard = 0;
    for (; stream.has_credit(); ++under_way) {
        stream.push(bytes);
        const auto datagram = stream.next(now);
        REQUIRE(datagram);
        heard = static_cast<std::uint32_t>(datagram->header.number);
    }
    CHECK_THROWS_AS(stream.push(bytes), std::logic_error);
    CHECK_FALSE(stream.next(now));
    now += round_trip;
    sent += under_way;
    CHECK(stream.receive({.acknowledged = static_cast<std::uint32_t>(sent), .heard = heard}, {}, now, ignore));
    return under_way;
}

TEST_CASE("reliable stream: what is under way is bounded, more of it where answers come soon") {
    ReliableStream stream;
    Time now = Time() + microseconds(1000000);
    std::uint64_t sent = 0;
    CHECK(fill_and_acknowledge(stream, now, microseconds(100), sent) == ReliableStream::least_window);
    for (int i = 0; i < 40; ++i) fill_and_acknowledge(stream, now, microseconds(100), sent);
    CHECK(fill_and_acknowledge(stream, now, microseconds(30000), sent) == ReliableStream::window);
    for (int i = 0; i < 10; ++i) fill_and_acknowledge(stream, now, microseconds(30000), sent);
    CHECK(fill_and_acknowledge(stream, now, microseconds(30000), sent) == ReliableStream::least_window);
    stream.allow_at_least(7);
    fill_and_acknowledge(stream, now, microseconds(30000), sent);
    CHECK(fill_and_acknowledge(stream, now, microseconds(30000), sent) == 7);
    stream.allow_at_least(1000);
    fill_and_acknowledge(stream, now, microseconds(30000), sent);
    CHECK(fill_and_acknowledge(stream, now, microseconds(30000), sent) == ReliableStream::window);
    stream.allow_at_least(0);
    for (int i = 0; i < 10; ++i) fill_and_acknowledge(stream, now, microseconds(30000), sent);
    CHECK(fill_and_acknowledge(stream, now, microseconds(30000), sent) == ReliableStream::least_window);
}

TEST_CASE("reliable stream: where nobody answers it asks, ever more rarely") {
    ReliableStream stream;
    const std::array<std::byte, 8> bytes{};
    Time now{};
    stream.push(bytes);
    REQUIRE(stream.next(now));
    std::vector<double> gaps;
    for (Time last = now; gaps.size() < 8; now += microseconds(100)) {
        const auto question = stream.next(now);
        if (!question) continue;
        CHECK(question->bytes.empty());
        gaps.push_back(std::chrono::duration<double, std::milli>(now - last).count());
        last = now;
    }
    CHECK(gaps.front() == Approx(200).margin(1));
    CHECK(gaps[1] == Approx(400).margin(1));
    CHECK(gaps.back() == Approx(10000).margin(1));
    CHECK(stream.counters().resent == 0);
}

TEST_CASE("reliable stream: a question is answered at once, and what it shows missing is sent again") {
    ReliableStream sender;
    ReliableStream receiver;
    const std::array<std::byte, 8> bytes{};
    Time now{};
    const auto ignore = [](std::span<const std::byte>) {};
    sender.push(bytes);
    REQUIRE(sender.next(now));  // lost
    now += microseconds(1000000);
    const auto question = sender.next(now);
    REQUIRE(question);
    CHECK(receiver.receive(question->header, question->bytes, now, ignore));
    const auto answer = receiver.next(now);
    REQUIRE(answer);
    CHECK(answer->bytes.empty());
    CHECK_FALSE(receiver.next(now));
    CHECK(sender.receive(answer->header, answer->bytes, now, ignore));
    const auto again = sender.next(now);
    REQUIRE(again);
    CHECK(again->bytes.size() == bytes.size());
    CHECK(again->header.sequence == 0);
    CHECK(sender.counters().resent == 1);
    CHECK_FALSE(sender.next(now));
}

TEST_CASE("reliable stream: a datagram that is not full waits where bytes queue on links") {
    const std::array<std::byte, 8> bytes{};
    for (const bool slow : {false, true}) {
        ReliableStream stream;
        Time now = Time() + microseconds(1000000);
        std::uint64_t sent = 0;
        fill_and_acknowledge(stream, now, slow ? microseconds(200000) : microseconds(100), sent);
        CHECK(stream.is_worth_sending(1));
        CHECK_FALSE(stream.is_worth_sending(0));
        stream.push(bytes);
        CHECK(stream.is_worth_sending(1) == !slow);
        CHECK(stream.is_worth_sending(most_datagram_payload));
    }
}

TEST_CASE("reliable stream: one datagram is acknowledged after a while, half a window at once") {
    ReliableStream stream;
    const std::array<std::byte, 8> bytes{};
    Time now{};
    const auto ignore = [](std::span<const std::byte>) {};
    CHECK(stream.receive({.number = 0, .sequence = 0}, bytes, now, ignore));
    CHECK_FALSE(stream.next(now));
    const auto late = stream.next(now + ReliableStream::least_acknowledgement_delay);
    REQUIRE(late);
    CHECK(late->bytes.empty());
    CHECK(late->header.acknowledged == 1);
    for (std::uint32_t i = 1; i < ReliableStream::window / 2; ++i) {
        CHECK(stream.receive({.number = i, .sequence = i}, bytes, now, ignore));
        CHECK_FALSE(stream.next(now));
    }
    constexpr std::uint32_t last = ReliableStream::window / 2;
    CHECK(stream.receive({.number = last, .sequence = last}, bytes, now, ignore));
    CHECK(stream.next(now));
    CHECK(stream.counters().acknowledgements == 2);
}

TEST_CASE("reliable stream: what the other end cannot have sent is refused, and changes nothing") {
    ReliableStream stream;
    const std::array<std::byte, 8> bytes{};
    const Time now{};
    const auto never = [](std::span<const std::byte>) { FAIL("delivered"); };
    CHECK_FALSE(stream.receive({.acknowledged = 1}, {}, now, never));
    CHECK_FALSE(stream.receive({.heard = 1}, {}, now, never));
    CHECK_FALSE(stream.receive({.sequence = 16}, bytes, now, never));
    CHECK_FALSE(stream.next(now));
    std::mt19937_64 random(1);
    for (int i = 0; i < 100000; ++i) {
        std::array<std::uint64_t, 4> words{};
        for (std::uint64_t& word : words) word = random();
        stream.receive(std::bit_cast<DatagramHeader>(words), {}, now, never);
    }
}
