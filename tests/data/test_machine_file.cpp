#include <catch2/catch.hpp>
#include <random>

#include "data/machine_file.hpp"
#include "random_machine.hpp"

namespace narrows {
namespace {

Machine parse(const std::string& text) {
    return parse_machine(text, "x.yaml", "x");
}

const char* const small = R"(name: Small
source: garg2006
environment: {compiler: g++ 12.2, cores: 2}
node: {clock: 700 MHz, processors: 1, modes: {coprocessor: 1, virtual-node: 2}}
compute:
  gups:
    source: calibrated
    update: {32 MiB: 3 ns, 64 MiB: {value: 4 ns, low: 3.5 ns, high: 4.5 ns, source: own, note: a, }}
paths:
  mpi:
    send: {overhead: 1544 cycles}
    other: {overhead: 68 cycles, source: derived, note: both}
network:
  topology: {value: torus 4x4x2, source: assumed}
  partitions: {8: mesh 2x2x2}
)";

}  // namespace

TEST_CASE("a machine file gives every parameter its value, interval, source and note") {
    const Machine machine = parse(small);
    CHECK(machine.id == "x");
    CHECK(machine.name == "Small");
    CHECK(machine.source == "garg2006");
    const std::vector<std::pair<std::string, std::string>> facts = {{"compiler", "g++ 12.2"}, {"cores", "2"}};
    CHECK(machine.environment == facts);
    REQUIRE(machine.parameters.size() == 10);
    CHECK(machine.parameters[2].path == "node.modes.coprocessor");
    CHECK(find(machine, "node.clock")->measure == parse_measure("700 MHz"));
    CHECK(find(machine, "node.clock")->source.empty());
    CHECK(find(machine, "compute.gups.update.32 MiB")->source == "calibrated");
    const Parameter& point = *find(machine, "compute.gups.update.64 MiB");
    CHECK(point.interval == Interval{3.5e-9, 4.5e-9});
    CHECK(point.source == "own");
    CHECK(point.note == "a");
    const Parameter& other = *find(machine, "paths.mpi.other.overhead");
    CHECK(other.measure == parse_measure("68 cycles"));
    CHECK(other.source == "derived");
    CHECK(other.note == "both");
    CHECK(find(machine, "network.topology")->text == "torus 4x4x2");
    CHECK(find(machine, "network.topology")->source == "assumed");
    CHECK(find(machine, "network.partitions.8")->text == "mesh 2x2x2");
}

TEST_CASE("scalars are texts: nothing is octal, boolean or binary") {
    const Machine machine = parse("name: yes\nnode: {processors: 010, clock: 1e3 MHz}\n");
    CHECK(machine.name == "yes");
    CHECK(number_at(machine, "node.processors") == 10);
    CHECK(rate_at(machine, "node.clock") == Rate(1e9));
}

TEST_CASE("line ends, comments and a missing last line break make no difference") {
    const Machine machine = parse("name: A\nnode: {clock: 1 GHz}\n");
    CHECK(parse("name: A\r\nnode: {clock: 1 GHz}\r\n") == machine);
    CHECK(parse("# first\nname: A # so called\n\nnode: {clock: 1 GHz}") == machine);
    CHECK(parse("---\nname: 'A'\nnode:\n  clock: \"1 GHz\"\n...\n") == machine);
}

TEST_CASE("a written machine reads back the same") {
    const Machine machine = parse(small);
    const std::string text = write_machine(machine);
    CHECK(parse(text) == machine);
    CHECK(write_machine(parse(text)) == text);
}

TEST_CASE("a written machine is laid out for people") {
    CHECK(write_machine(parse(small)) == R"(name: Small
source: garg2006
environment:
  compiler: g++ 12.2
  cores: 2
node:
  clock: 700 MHz
  processors: 1
  modes:
    coprocessor: 1
    virtual-node: 2
compute:
  gups:
    update:
      32 MiB: {value: 3 ns, source: calibrated}
      64 MiB: {value: 4 ns, low: 3.5 ns, high: 4.5 ns, source: own, note: a}
paths:
  mpi:
    send:
      overhead: 1544 cycles
    other:
      source: derived
      note: both
      overhead: 68 cycles
network:
  topology: {value: torus 4x4x2, source: assumed}
  partitions:
    8: mesh 2x2x2
)");
}

TEST_CASE("random machines read back to the last bit") {
    std::mt19937_64 random(20);
    for (int i = 0; i < 300; ++i) {
        const Machine machine = random_machine(random);
        const std::string text = write_machine(machine);
        INFO(text);
        REQUIRE(parse_machine(text, "random.yaml", "random") == machine);
    }
}

TEST_CASE("what no file can say is a broken precondition of the writer") {
    Machine machine = parse(small);
    machine.parameters[0].interval = Interval{0, 1.0 / 0.0};
    CHECK_THROWS_AS(write_machine(machine), std::logic_error);
    machine = parse(small);
    machine.parameters[0].path = "node.clok";
    CHECK_THROWS_AS(write_machine(machine), std::logic_error);
    machine = parse(small);
    machine.parameters.push_back(machine.parameters[0]);
    CHECK_THROWS_AS(write_machine(machine), std::logic_error);
    machine.name.clear();
    CHECK_THROWS_AS(write_machine(machine), std::logic_error);
}

}  // namespace narrows
