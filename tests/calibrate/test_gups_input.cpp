#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"
#include "tests/error_of.hpp"

using namespace narrows;

namespace {

std::string refusal(const GupsOptions& options) {
    return error_of([&] { run_gups(options); });
}

}  // namespace

TEST_CASE("options that cannot be are refused with the remedy") {
    CHECK(refusal({.ranks = -3}) == "-3 ranks cannot run: give 1 or more");
    CHECK(refusal({.workers = -1}) == "-1 worker threads cannot run: give 1 or more, or 0 for one a core");
    CHECK(refusal({.table_words = 0}) == "a table of 0 words is not possible: give a power of two");
    CHECK(refusal({.table_words = 3000}) == "a table of 3000 words is not possible: give a power of two");
    CHECK(refusal({.shape = {64, 32}, .table_words = 1024}) ==
          "a table of 1024 words is too small for 2048 ranks: give at least a word a rank");
    CHECK(refusal({.ranks = 15, .shape = {4, 4}}) ==
          "shape 4x4 does not have 15 ranks: make the product of its sizes the number of ranks");
    CHECK(refusal({.variant = GupsVariant::exchanged, .ranks = 8, .shape = {2, 2}}) ==
          "shape 2x2 does not have 8 ranks: make the product of its sizes the number of ranks");
    CHECK(refusal({.shape = {2147483647, 1}, .table_words = std::uint64_t{1} << 31})
              .starts_with("the shape's sizes add up to 2147483648"));
    CHECK(refusal({.variant = GupsVariant::exchanged, .shape = {65536}}).find("do not fit in the") !=
          std::string::npos);
    CHECK(refusal({.shape = {4, 0}}) == "a shape with the size 0 is not possible: sizes are 1 or more");
    CHECK(refusal({.shape = {4, -2}}) == "a shape with the size -2 is not possible: sizes are 1 or more");
    CHECK(refusal({.shape = {65536, 65536, 65536}}) == "the shape has too many ranks: give smaller sizes");
    CHECK(refusal({.shape = {4, 4}, .bucket = 200}) ==
          "a bucket of 200 updates is not possible: the shape needs 8 buckets, and a rank may hold 1024 updates, so "
          "give 1 to 128");
    CHECK(refusal({.bucket = -1}) ==
          "a bucket of -1 updates is not possible: the shape needs 1 buckets, and a rank may hold 1024 updates, so "
          "give 1 "
          "to 1024");
    CHECK(refusal({.in_transit = 0}) == "0 packets in transit a pair are not possible: give 1 to 64");
    CHECK(refusal({.shape = {4, 4}, .receive_buffers = 3}) ==
          "3 receive buffers are not possible: give 2, one a dimension, or 1, which may deadlock");
    CHECK(refusal({.updates = ~std::uint64_t{0}}) ==
          "18446744073709551615 updates are too many: give at most 1152921504606846976");
    CHECK(refusal({.table_words = std::uint64_t{1} << 63}) == "the table is too large: give a smaller table");
}

TEST_CASE("a table or ranks that do not fit in memory are refused before anything is taken") {
    const std::string table = refusal({.table_words = std::uint64_t{1} << 50});
    CHECK_THAT(table, Catch::StartsWith("a table of 8589934592 MiB and ") &&
                          Catch::EndsWith("MiB of memory that are free: give a smaller table"));
    const std::string ranks =
        refusal({.shape = std::vector<int>(24, 2), .table_words = std::uint64_t{1} << 24, .updates = 1});
    CHECK_THAT(ranks, Catch::EndsWith("give a smaller table and fewer ranks"));
    const std::string lanes = refusal({.variant = GupsVariant::shmem, .ranks = 1 << 19, .updates = 1});
    CHECK_THAT(lanes, Catch::EndsWith("give a smaller table and fewer ranks"));
    const std::string descriptors = refusal(
        {.variant = GupsVariant::exchanged, .ranks = 1 << 19, .updates = 1, .protocol = Protocol::receiver_initiated});
    CHECK_THAT(descriptors, Catch::EndsWith("give a smaller table and fewer ranks"));
}

TEST_CASE("options of another variant are refused") {
    CHECK(refusal({.variant = GupsVariant::sequential, .ranks = 2}) ==
          "the sequential variant has one rank, not 2: leave the ranks out");
    CHECK(refusal({.variant = GupsVariant::sequential, .workers = 2}) ==
          "the sequential variant has one worker, not 2: leave the workers out");
    CHECK(refusal({.variant = GupsVariant::local, .ranks = 4, .workers = 1}) ==
          "the local variant has a worker for each of 4 ranks, not 1 workers: leave the ranks or the workers out");
    CHECK(refusal({.variant = GupsVariant::bucketed, .shape = {2, 2}}) ==
          "only the routed and exchanged variants have a shape: leave the shape out");
    CHECK(refusal({.variant = GupsVariant::bucketed, .bucket = 5}) ==
          "only the routed and naive variants have a bucket size and receive buffers: leave them out");
    CHECK(refusal({.variant = GupsVariant::bucketed, .ranks = 70000}) ==
          "70000 ranks are too many for a bucket for each: give at most 65534, or the routed variant");
    CHECK(refusal({.variant = GupsVariant::naive, .ranks = 1025}) ==
          "1025 ranks are too many for the naive variant, where each holds an update for every other: give at "
          "most 1024, or the routed variant, whose shape may have several dimensions");
}

TEST_CASE("what was left open is chosen") {
    GupsOptions options{.shape = {4, 4, 2}, .table_words = 1 << 10};
    const GupsOptions chosen = checked(options);
    CHECK(chosen.ranks == 32);
    CHECK(chosen.updates == 4096);
    CHECK(chosen.bucket == 102);
    CHECK(chosen.receive_buffers == 3);
    CHECK(chosen.workers >= 1);
    options.shape.clear();
    options.ranks = 6;
    CHECK(checked(options).shape == std::vector<int>{6});
}
