#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "calibrate/kernels/gups/gups.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;

namespace {

std::string refusal(const std::function<void(GupsOptions&)>& change) {
    GupsOptions options;
    change(options);
    try {
        run_gups(options);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("options that cannot be are refused with the remedy") {
    using Options = GupsOptions;
    CHECK(refusal([](Options& o) { o.ranks = -3; }) == "-3 ranks cannot run: give 1 or more");
    CHECK(refusal([](Options& o) { o.workers = -1; }) ==
          "-1 worker threads cannot run: give 1 or more, or 0 for one a core");
    CHECK(refusal([](Options& o) { o.table_words = 0; }) == "a table of 0 words is not possible: give a power of two");
    CHECK(refusal([](Options& o) { o.table_words = 3000; }) ==
          "a table of 3000 words is not possible: give a power of two");
    CHECK(refusal([](Options& o) {
              o.shape = {64, 32};
              o.table_words = 1024;
          }) == "a table of 1024 words is too small for 2048 ranks: give at least a word a rank");
    CHECK(refusal([](Options& o) {
              o.shape = {4, 4};
              o.ranks = 15;
          }) == "shape 4x4 does not have 15 ranks: make the product of its sizes the number of ranks");
    CHECK(refusal([](Options& o) {
              o.variant = GupsVariant::exchanged;
              o.shape = {2, 2};
              o.ranks = 8;
          }) == "shape 2x2 does not have 8 ranks: make the product of its sizes the number of ranks");
    CHECK(refusal([](Options& o) {
              o.shape = {2147483647, 1}, o.table_words = std::uint64_t{1} << 31;
          }).starts_with("the shape's sizes add up to 2147483648"));
    CHECK(refusal([](Options& o) {
              o.variant = GupsVariant::exchanged;
              o.shape = {65536};
          }).find("do not fit in the") != std::string::npos);
    CHECK(refusal([](Options& o) {
              o.shape = {4, 0};
          }) == "a shape with the size 0 is not possible: sizes are 1 or more");
    CHECK(refusal([](Options& o) {
              o.shape = {4, -2};
          }) == "a shape with the size -2 is not possible: sizes are 1 or more");
    CHECK(refusal([](Options& o) {
              o.shape = {65536, 65536, 65536};
          }) == "the shape has too many ranks: give smaller sizes");
    CHECK(refusal([](Options& o) {
              o.shape = {4, 4};
              o.bucket = 200;
          }) ==
          "a bucket of 200 updates is not possible: the shape needs 8 buckets, and a rank may hold 1024 updates, so "
          "give 1 to 128");
    CHECK(refusal([](Options& o) { o.bucket = -1; }) ==
          "a bucket of -1 updates is not possible: the shape needs 1 buckets, and a rank may hold 1024 updates, so "
          "give 1 "
          "to 1024");
    CHECK(refusal([](Options& o) { o.in_transit = 0; }) ==
          "0 packets in transit a pair are not possible: give 1 to 64");
    CHECK(refusal([](Options& o) {
              o.shape = {4, 4};
              o.receive_buffers = 3;
          }) == "3 receive buffers are not possible: give 2, one a dimension, or 1, which may deadlock");
    CHECK(refusal([](Options& o) { o.updates = ~std::uint64_t{0}; }) ==
          "18446744073709551615 updates are too many: give at most 1152921504606846976");
    CHECK(refusal([](Options& o) { o.table_words = std::uint64_t{1} << 63; }) ==
          "the table is too large: give a smaller table");
}

TEST_CASE("a table or ranks that do not fit in memory are refused before anything is taken") {
    const std::string table = refusal([](GupsOptions& o) { o.table_words = std::uint64_t{1} << 50; });
    CHECK_THAT(table, Catch::StartsWith("a table of 8589934592 MiB and ") &&
                          Catch::EndsWith("MiB of memory that are free: give a smaller table"));
    const std::string ranks = refusal([](GupsOptions& o) {
        o.shape = std::vector<int>(24, 2);
        o.table_words = std::uint64_t{1} << 24;
        o.updates = 1;
    });
    CHECK_THAT(ranks, Catch::EndsWith("give a smaller table and fewer ranks"));
    const std::string lanes = refusal([](GupsOptions& o) {
        o.variant = GupsVariant::shmem;
        o.ranks = 1 << 19;
        o.updates = 1;
    });
    CHECK_THAT(lanes, Catch::EndsWith("give a smaller table and fewer ranks"));
    const std::string descriptors = refusal([](GupsOptions& o) {
        o.variant = GupsVariant::exchanged;
        o.protocol = Protocol::receiver_initiated;
        o.ranks = 1 << 19;
        o.updates = 1;
    });
    CHECK_THAT(descriptors, Catch::EndsWith("give a smaller table and fewer ranks"));
}

TEST_CASE("options of another variant are refused") {
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::sequential;
              o.ranks = 2;
          }) == "the sequential variant has one rank, not 2: leave the ranks out");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::sequential;
              o.workers = 2;
          }) == "the sequential variant has one worker, not 2: leave the workers out");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::local;
              o.ranks = 4;
              o.workers = 1;
          }) ==
          "the local variant has a worker for each of 4 ranks, not 1 workers: leave the ranks or the workers out");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::bucketed;
              o.shape = {2, 2};
          }) == "only the routed and exchanged variants have a shape: leave the shape out");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::bucketed;
              o.bucket = 5;
          }) == "only the routed and naive variants have a bucket size and receive buffers: leave them out");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::bucketed;
              o.ranks = 70000;
          }) == "70000 ranks are too many for a bucket for each: give at most 65534, or the routed variant");
    CHECK(refusal([](GupsOptions& o) {
              o.variant = GupsVariant::naive;
              o.ranks = 1025;
          }) ==
          "1025 ranks are too many for the naive variant, where each holds an update for every other: give at "
          "most 1024, or the routed variant, whose shape may have several dimensions");
}

TEST_CASE("what was left open is chosen") {
    GupsOptions options;
    options.shape = {4, 4, 2};
    options.table_words = 1 << 10;
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
