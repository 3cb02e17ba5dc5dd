#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>

#include "topologies/families/finite_field.hpp"

using namespace narrows;

TEST_CASE("prime powers are recognised") {
    CHECK(prime_power(2)->exponent == 1);
    CHECK(prime_power(27)->prime == 3);
    CHECK(prime_power(27)->exponent == 3);
    CHECK(prime_power(65536)->exponent == 16);
    for (const int q : {-3, 0, 1, 6, 12, 100, 1001}) CHECK_FALSE(prime_power(q));
}

TEST_CASE("a finite field obeys the laws of a field") {
    const int q = GENERATE(2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 32);
    INFO(q);
    const FiniteField field(q);
    std::set<int> powers;
    for (int i = 0; i < q - 1; ++i) powers.insert(field.power(i));
    CHECK(static_cast<int>(powers.size()) == q - 1);
    CHECK(powers.count(0) == 0);
    for (int a = 0; a < q; ++a) {
        REQUIRE(field.sum(a, 0) == a);
        REQUIRE(field.product(a, 1) == a);
        REQUIRE(field.sum(field.difference(0, a), a) == 0);
        if (a != 0) REQUIRE(field.product(a, field.inverse(a)) == 1);
        for (int b = 0; b < q; ++b) {
            REQUIRE(field.sum(a, b) == field.sum(b, a));
            REQUIRE(field.product(a, b) == field.product(b, a));
            REQUIRE(field.difference(field.sum(a, b), b) == a);
            for (int c = 0; c < q; ++c) {
                REQUIRE(field.product(a, field.sum(b, c)) == field.sum(field.product(a, b), field.product(a, c)));
            }
        }
    }
}

TEST_CASE("the trace is linear and takes every value equally often") {
    const int q = GENERATE(4, 7, 9, 16, 27);
    const FiniteField field(q);
    std::vector<int> count(q);
    for (int a = 0; a < q; ++a) {
        const int trace = field.trace(a);
        REQUIRE(trace < field.characteristic());
        ++count[trace];
        for (int b = 0; b < q; ++b) {
            REQUIRE(field.trace(field.sum(a, b)) == (trace + field.trace(b)) % field.characteristic());
        }
    }
    for (int value = 0; value < field.characteristic(); ++value) CHECK(count[value] == q / field.characteristic());
}

TEST_CASE("a field of no prime power is refused") {
    CHECK_THROWS_AS(FiniteField(6), std::logic_error);
    CHECK_THROWS_AS(FiniteField(1), std::logic_error);
    CHECK_THROWS_AS(FiniteField(1 << 17), std::logic_error);
}
