#include <catch2/catch.hpp>
#include <thread>

#include "data/inputs.hpp"
#include "data/library.hpp"

namespace narrows {

TEST_CASE("inputs: the hash of what was read, as other programs print it") {
    InputRecord record;
    record_input("abc.txt", "abc");  // FIPS 180-4's example
    record_input("empty", "");
    const std::vector<Input> expected = {
        {"abc.txt", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"empty", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}};
    CHECK(record.inputs() == expected);
}

TEST_CASE("inputs: a file is known once, and again when its content has changed") {
    InputRecord record;
    record_input("a", "1");
    record_input("a", "1");
    record_input("a", "2");
    CHECK(record.inputs().size() == 2);
}

TEST_CASE("inputs: whatever reads files tells of them, shipped ones too") {
    InputRecord record;
    load_machine("bluegene-l");
    REQUIRE(record.inputs().size() == 1);
    CHECK(record.inputs()[0].file == (data_directory() / "machines" / "bluegene-l.yaml").string());
    CHECK(record.inputs()[0].sha256.size() == 64);
}

TEST_CASE("inputs: of two records the inner one knows, of two threads each its own, of none nobody") {
    record_input("before", "");
    InputRecord outer;
    {
        InputRecord inner;
        record_input("inner", "");
        CHECK(inner.inputs().size() == 1);
        std::jthread([] { record_input("elsewhere", ""); }).join();
    }
    record_input("outer", "");
    REQUIRE(outer.inputs().size() == 1);
    CHECK(outer.inputs()[0].file == "outer");
}

}  // namespace narrows
