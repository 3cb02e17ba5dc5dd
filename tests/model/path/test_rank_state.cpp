#include "model/path/rank_state.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace narrows {

TEST_CASE("a queue for each pair: 56 of them on a Cell processor, 240 on a blade") {
    CHECK(pairwise_state(8, 1, bytes(16)) * 8 == bytes(56 * 16));
    CHECK(pairwise_state(16, 1, bytes(16)) * 16 == bytes(240 * 16));
    CHECK(pairwise_state(16, 10, bytes(16)) == bytes(15 * 10 * 16));
    CHECK(pairwise_state(1, 10, bytes(16)) == bytes(0));
    CHECK_THROWS_AS(pairwise_state(0, 1, bytes(16)), std::logic_error);
    CHECK_THROWS_AS(pairwise_state(2, 0, bytes(16)), std::logic_error);
}

TEST_CASE("behind a gateway a rank's state stops growing with the system") {
    CHECK(gateway_state(1, 16, bytes(64)) == bytes(0));
    CHECK(gateway_state(16, 16, bytes(64)) == bytes(15 * 64));
    CHECK(gateway_state(17, 16, bytes(64)) == bytes(16 * 64));
    CHECK(gateway_state(97920, 16, bytes(64)) == gateway_state(32, 16, bytes(64)));
    for (const std::int64_t ranks : {2, 8, 16}) {
        CHECK(gateway_state(ranks, 16, bytes(64)) == pairwise_state(ranks, 1, bytes(64)));
    }
    CHECK_THROWS_AS(gateway_state(0, 1, bytes(1)), std::logic_error);
    CHECK_THROWS_AS(gateway_state(1, 0, bytes(1)), std::logic_error);
}

}  // namespace narrows
