#include "model/demand/slab_count.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "topologies/random.hpp"

namespace narrows {
namespace {

struct Message {
    int from = 0;
    int to = 0;
    std::int64_t count = 1;
};

// Over the fullest cut, each message looked at for every cut.
double enumerated(int size, bool ring, const std::vector<Message>& messages) {
    const int half = size / 2;
    double fullest = 0;
    for (int cut = ring ? 0 : 1; cut < size; ++cut) {
        const auto is_inside = [&](int place) { return ring ? (place - cut + size) % size < half : place < cut; };
        double out = 0, in = 0;
        for (const auto& [from, to, count] : messages) {
            if (is_inside(from) && !is_inside(to)) out += static_cast<double>(count);
            if (!is_inside(from) && is_inside(to)) in += static_cast<double>(count);
        }
        fullest = std::max({fullest, out, in});
    }
    return ring ? fullest / 2 : fullest;
}

}  // namespace

TEST_CASE("messages over the fullest cut of a line or ring are those that an enumeration counts") {
    std::mt19937_64 random(11);
    for (int trial = 0; trial < 400; ++trial) {
        const bool ring = random_below(random, 2) == 0;
        const int size = static_cast<int>((ring ? 3 : 2) + random_below(random, 12));
        CAPTURE(ring, size);
        SlabCount slabs(size, ring);
        std::vector<Message> messages;
        for (std::uint64_t left = random_below(random, 20); left > 0; --left) {
            const auto place = [&] { return static_cast<int>(random_below(random, static_cast<std::uint64_t>(size))); };
            const Message one{place(), place(), static_cast<std::int64_t>(1 + random_below(random, 3))};
            slabs.add(one.from, one.to, one.count);
            messages.push_back(one);
        }
        CHECK(slabs.fullest() == enumerated(size, ring, messages));
    }
}

TEST_CASE("a line of many places takes no more than its places") {
    constexpr int places = 1 << 20;
    SlabCount slabs(places, true);
    for (int place = 0; place < places; ++place) slabs.add(place, (place + 1) % places, 1);
    CHECK(slabs.fullest() == 0.5);  // each way one message over two links
}

}  // namespace narrows
