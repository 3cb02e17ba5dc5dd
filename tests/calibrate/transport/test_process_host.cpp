#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

#include "calibrate/ranks/process_host.hpp"

using namespace narrows;

namespace {

ProcessHost host_of(std::string_view boot, int first_processor, int processors) {
    ProcessHost host;
    std::copy(boot.begin(), boot.end(), host.boot.begin());
    CPU_ZERO(&host.processors);
    for (int i = 0; i < processors; ++i) CPU_SET(first_processor + i, &host.processors);
    return host;
}

}  // namespace

TEST_CASE("process host: this process's is the same whenever it is asked for") {
    const ProcessHost one = ProcessHost::own(), again = ProcessHost::own();
    CHECK(one.boot == again.boot);
    CHECK(one.boot[0] != 0);
    CHECK(one.boot.back() == 0);
    CHECK(CPU_COUNT(&one.processors) >= 1);
}

TEST_CASE("process host: processes outnumber the processors that they may use together") {
    const ProcessHost both = host_of("a", 0, 2);
    CHECK_FALSE(outnumber_processors({both, both}, both));
    CHECK(outnumber_processors({both, both, both}, both));
    // Two others elsewhere take nothing from these.
    const ProcessHost elsewhere = host_of("b", 0, 2);
    CHECK_FALSE(outnumber_processors({both, both, elsewhere, elsewhere}, both));
    // Each bound to its own, or both to the same.
    const ProcessHost first = host_of("a", 0, 1), second = host_of("a", 1, 1);
    CHECK_FALSE(outnumber_processors({first, second}, first));
    CHECK(outnumber_processors({second, second}, second));
}
