#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/error_of.hpp"
#include "tests/topologies/least_numbers.hpp"
#include "topologies/distance.hpp"
#include "topologies/input_error.hpp"
#include "topologies/placement.hpp"
#include "topologies/topology.hpp"

using namespace narrows;

namespace {

std::string listing_error(const std::string& text) {
    return error_of([&] { listed_hosts(text, "hosts.txt", HostFinder(3, {"n01", "n02", "n03"})); });
}

}  // namespace

TEST_CASE("the first hosts are the first") {
    CHECK(placed_hosts("first:3", 8) == std::vector<int>{0, 1, 2});
    CHECK(placed_hosts("first:8", 8).size() == 8);
}

TEST_CASE("random hosts are sorted, unique, the same for a seed and others for another") {
    const auto hosts = placed_hosts("random:100:7", 1000);
    CHECK(hosts.size() == 100);
    CHECK(std::ranges::is_sorted(hosts));
    CHECK(std::set<int>(hosts.begin(), hosts.end()).size() == 100);
    CHECK(hosts.back() < 1000);
    CHECK(hosts == placed_hosts("random:100:7", 1000));
    CHECK(hosts != placed_hosts("random:100:8", 1000));
    CHECK(placed_hosts("random:5:1", 5) == std::vector<int>{0, 1, 2, 3, 4});
    std::vector<int> drawn(4);
    for (int seed = 0; seed < 400; ++seed) ++drawn[placed_hosts("random:1:" + std::to_string(seed), 4).front()];
    for (const int times : drawn) CHECK((times > 60 && times < 140));
}

TEST_CASE("errors in a rule name the remedy") {
    CHECK_THROWS_WITH(placed_hosts("last:3", 8), Catch::Contains("first:COUNT, random:COUNT:SEED"));
    CHECK_THROWS_WITH(placed_hosts("first:9", 8), "the number of hosts 9 is out of range: give one from 1 to 8");
    CHECK_THROWS_WITH(placed_hosts("random:4", 8), "'random:4' has no seed: give one, such as random:4:1");
    for (const auto* rule : {"first:", "first:0", "first:-1", "first:x", "random::1", "random:2:", "random:2:x", ""}) {
        CHECK_THROWS_AS(placed_hosts(rule, 8), InputError);
    }
    CHECK(is_placement_rule("random:4"));
    CHECK_FALSE(is_placement_rule("hosts.txt"));
}

TEST_CASE("hosts are listed by name or number") {
    const HostFinder hosts(3, {"n01", "n02", "n03"});
    CHECK(listed_hosts("# mine\nn03, 0\n", "hosts.txt", hosts) == std::vector<int>{0, 2});
    CHECK(listing_error("n01\nn01\n") == "hosts.txt:2:1: host 'n01' is already listed in line 1: remove one");
    CHECK(listing_error("n01 0\n") == "hosts.txt:1:5: host '0' is already listed in line 1: remove one");
    CHECK(listing_error("n01\n  n04\n").substr(0, 51) == "hosts.txt:2:3: there is no host 'n04', did you mean");
    CHECK(listing_error("# none\n") == "hosts.txt:1:1: there is no host in this file: list some by name or number");
}

TEST_CASE("hosts are listed as narrows calls them, whatever is in their names") {
    const HostFinder odd(4, {"node 1, left", "a,b", "#3", "b"});
    CHECK(listed_hosts("b, a,b node 1, left #3 # the rest\n", "hosts.txt", odd) == std::vector<int>{0, 1, 2, 3});
    CHECK(listed_hosts("\"#3\" \"node 1, left\"", "hosts.txt", odd) == std::vector<int>{0, 2});
    const HostFinder grid(6, {}, {{3, 2}, {}});
    CHECK(listed_hosts("(0,0),(2,1)\nhost 1", "hosts.txt", grid) == std::vector<int>{0, 1, 5});
    CHECK_THROWS_WITH(listed_hosts("(3,0)", "hosts.txt", grid), "there is no host '(3,0)': they are 0 to 5");
    for (const char* none : {"(0)", "(0,0,0)", "(0,)", "(,0)", "()", "(-1,0)", "host 6", "host", "host x"}) {
        CAPTURE(none);
        CHECK_THROWS_AS(listed_hosts(none, "hosts.txt", grid), InputError);
    }
}

TEST_CASE("a part's hosts are called as in the whole") {
    const HostFinder part(3, {}, {{4, 4}, {1, 6, 11, 2, 3}});
    CHECK(part.find("(2,1)") == 1);
    CHECK(part.find("host 11") == 2);
    CHECK(part.find("2") == 2);
    for (const char* gone : {"(2,0)", "host 2", "(0,0)", "host 12", "(3,3)"}) CHECK_FALSE(part.find(gone));
}

TEST_CASE("a job on a part of a ring has the path around it as its other way") {
    std::vector<int> map;
    const Network part = on_part(parse_topology("torus 6").graph(), {0, 1, 2}, &map);
    CHECK(part.hosts == 3);
    CHECK(part.switches == 3);
    CHECK(part.edges.size() == 6);
    CHECK(map == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(testing::least_numbers(part).bisection == 2);
}

TEST_CASE("what hangs on one link and is no host of the job is left out, and what hangs on that") {
    std::vector<int> map;
    const Network part = on_part(parse_topology("mesh 6").graph(), {2, 4}, &map);
    CHECK(map == std::vector<int>{2, 4, 3});
    CHECK(part.hosts == 2);
    REQUIRE(part.edges.size() == 2);
    CHECK((part.edges[0].u == 0 && part.edges[0].v == 2));
    CHECK((part.edges[1].u == 2 && part.edges[1].v == 1));

    const Network trunk{2, 1, {{0, 2, 1}, {1, 2, 1}, {2, 1, 1}}};
    CHECK(on_part(trunk, {0}).vertices() == 1);
}

TEST_CASE("a job on two leaves of a fat tree keeps these, and the spines") {
    const Network tree = parse_topology("fat-tree ports=4 levels=2").graph();
    const Network part = on_part(tree, {0, 1, 2, 3});
    CHECK(part.hosts == 4);
    CHECK(part.switches == 6);
    CHECK(part.edges.size() == 4 + 8);
    CHECK(host_distances(part)->diameter == 4);
    const Network leaf = on_part(tree, {1});
    CHECK(leaf.vertices() == 1 + tree.switches);
}

TEST_CASE("all hosts of a network are that network") {
    const Network torus = parse_topology("torus 3x3").graph();
    std::vector<int> all(9);
    std::iota(all.begin(), all.end(), 0);
    const Network part = on_part(torus, all);
    CHECK(part.hosts == 9);
    CHECK(part.switches == 0);
    CHECK(part.edges.size() == torus.edges.size());
    CHECK_THROWS_AS(on_part(torus, {2, 1}), std::logic_error);
    CHECK_THROWS_AS(on_part(torus, {9}), std::logic_error);
    CHECK_THROWS_AS(on_part(torus, {}), std::logic_error);
}
