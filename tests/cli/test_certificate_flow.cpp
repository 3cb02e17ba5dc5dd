#include <catch2/catch.hpp>

#include "topologies/input_error.hpp"
#include "topologies/search/certificate_text.hpp"

using namespace narrows;

namespace {

/// Three hosts in a line, with all that goes over it.
Certificate line() {
    Certificate certificate;
    certificate.network.hosts = 3;
    certificate.network.connect(0, 1);
    certificate.network.connect(1, 2);
    certificate.claims.uniform_flow = {0.5, 0.5, "", ""};
    UniformFlow flow;
    flow.length = {1, 1.0 / 3};
    flow.arcs = {{0, 0, 2}, {0, 1, 1}, {1, 0, -1}, {1, 1, 1}, {2, 1, -2}, {2, 0, -1}};
    certificate.proofs.flow = flow;
    return certificate;
}

void check_refused_instead(const std::string& honest, const std::string& other, const std::string& why) {
    std::string text = certificate_text(line());
    REQUIRE(text.find(honest) != std::string::npos);
    text.replace(text.find(honest), honest.size(), other);
    CHECK_THROWS_WITH(read_certificate(text, "line.json"),
                      Catch::Contains("the certificate is damaged") && Catch::Contains(why));
}

void check_refused(const std::string& arc, const std::string& why) {
    check_refused_instead("[2,1,-2.0]", arc, why);
}

}  // namespace

TEST_CASE("a flow that is given link by link comes back from its file as it was") {
    const Certificate certificate = line();
    const Certificate read = read_certificate(certificate_text(certificate), "line.json");
    REQUIRE(read.proofs.flow);
    CHECK(read.proofs.flow->length == certificate.proofs.flow->length);
    REQUIRE(read.proofs.flow->arcs.size() == 6);
    CHECK(read.proofs.flow->arcs[4].source == 2);
    CHECK(read.proofs.flow->arcs[4].edge == 1);
    CHECK(read.proofs.flow->arcs[4].amount == -2);
    CHECK(certificate_text(read) == certificate_text(certificate));
    for (const CheckedClaim& claim : verify(read)) {
        if (claim.claim == "t ≥") CHECK(claim.holds);
    }
}

TEST_CASE("a flow with arcs that cannot be is refused") {
    check_refused("[3,1,-2.0]", "the source of an arc is not a whole number from 0 to 2");
    check_refused("[-1,1,-2.0]", "the source of an arc is not a whole number from 0 to 2");
    check_refused("[2,2,-2.0]", "the link of an arc is not a whole number from 0 to 1");
    check_refused("[2,0.5,-2.0]", "the link of an arc is not a whole number from 0 to 1");
    check_refused("[2,1]", "arc [2,1] is not of 3 numbers");
    check_refused("7", "arc 7 is not of 3 numbers");
    check_refused("[2,1,null]", "must be number");
    check_refused("[2,1,\"two\"]", "must be number");
}

TEST_CASE("lengths and capacities that rounding would swallow are refused") {
    check_refused_instead("\"length\":[1.0", "\"length\":[5e-324", "is not from 1e-100 to 1e100");
    check_refused_instead("\"length\":[1.0", "\"length\":[1e200", "a length or weight, 1e+200, is not from");
    check_refused_instead("[0,1,1.0]", "[0,1,1e-200]", "is impossible");
}
