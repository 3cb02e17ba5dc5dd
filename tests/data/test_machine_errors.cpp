#include <catch2/catch.hpp>

#include "data/machine_file.hpp"
#include "error_text.hpp"

namespace narrows {

TEST_CASE("an unknown key is answered with the nearest one") {
    CHECK(machine_error("name: A\nnode:\n  clok: 1 GHz\n") ==
          "x.yaml:3:3: unknown key 'clok' in 'node', did you mean 'clock'?\n  clok: 1 GHz\n  ^");
    CHECK(machine_error("nmae: A\n") == "x.yaml:1:1: unknown key 'nmae', did you mean 'name'?\nnmae: A\n^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, hihg: 2 GHz}}\n") ==
          "x.yaml:2:30: unknown key 'hihg' in 'clock', did you mean 'high'?\n"
          "node: {clock: {value: 1 GHz, hihg: 2 GHz}}\n                             ^");
}

TEST_CASE("what needs another value in the file is refused without it") {
    CHECK(machine_error("name: A\nnetwork: {cut: {nodes: 64, pair_flow: 0.01}}\n")
              .starts_with("x.yaml:2:24: 'network.cut.nodes' is what a search found of a network"));
    CHECK(machine_error("name: A\ncompute:\n  flops: {value: 1 G/s, correlated: -0.9 with compute.flop}\n")
              .find("'compute.flops' is correlated with 'compute.flop', which this file does not have") !=
          std::string::npos);
}

TEST_CASE("a stage whose name is a server's but for a slip is refused") {
    const auto error = [](const std::string& stage) {
        return machine_error("name: A\nnode: {links: {ring: {bandwidth: 1 GB/s}}}\npaths:\n  wire:\n    " + stage +
                             ": {overhead: 1 ns}\n");
    };
    CHECK(error("lnik") ==
          "x.yaml:5:5: stage 'lnik' is none of the servers, and would be time of a processor: write 'link', or a name "
          "less like it\n    lnik: {overhead: 1 ns}\n    ^");
    CHECK(error("far-host-interface").find("write 'far-host_interface'") != std::string::npos);
    CHECK(error("rnig").find("write 'ring'") != std::string::npos);
    CHECK(error("Link").find("write 'link'") != std::string::npos);
    for (const char* const own : {"send", "receive", "core-0", "copy", "far-link", "ring", "route", "sink", "links"})
        CHECK(error(own) == "no error");
}

TEST_CASE("a file of a network is answered with where it goes") {
    CHECK(machine_error("name: A\nnetwork: {topology: ./fabric.dot}\n") ==
          "x.yaml:2:21: a file of a network has no place here: leave it out, and give commands '--network "
          "./fabric.dot'\nnetwork: {topology: ./fabric.dot}\n                    ^");
}

TEST_CASE("residuals of an earlier program are answered with what to do") {
    const std::string error = machine_error("name: A\nresiduals:\n  sweep3d:\n    core_distances: 1e-8 2e-8 3e-8\n");
    CHECK(error.find("unknown key 'core_distances' in 'sweep3d': calibrate anew, or leave out 'residuals'") !=
          std::string::npos);
}

TEST_CASE("an unknown key that is near none gets its home or the list") {
    CHECK(machine_error("name: A\nclock: 1 GHz\n") ==
          "x.yaml:2:1: unknown key 'clock': it belongs below 'node'\nclock: 1 GHz\n^");
    const std::string packet = machine_error("name: A\nnetwork: {link: {framing: {packet: 4 KiB}}}\n");
    CHECK(packet.find("unknown key 'packet' in 'network.link.framing': it belongs below 'paths.*.*.framing'") !=
          std::string::npos);
    CHECK(machine_error("name: A\nnetwork:\n  weather: fine\n") ==
          "x.yaml:3:3: unknown key 'weather' in 'network': expected 'link', 'injection', 'reception', "
          "'router', 'simulated_router', "
          "'topology', 'routing', 'cut', 'partitions', 'source', 'note'\n  weather: fine\n  ^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, weather: fine}}\n") ==
          "x.yaml:2:30: unknown key 'weather' in 'clock': a value takes 'value', 'low', 'high', 'correlated', "
          "'source', 'note'\n"
          "node: {clock: {value: 1 GHz, weather: fine}}\n                             ^");
    CHECK(machine_error("name: A\nnode.clock: 1 GHz\n").starts_with("x.yaml:2:1: unknown key 'node.clock'"));
}

TEST_CASE("a name has no dots") {
    CHECK(machine_error("name: A\nmessaging: {m.p: {barrier: 1 us}}\n") ==
          "x.yaml:2:13: 'm.p' cannot be a name in 'messaging': use letters, digits, '-' and '_'\n"
          "messaging: {m.p: {barrier: 1 us}}\n            ^");
}

TEST_CASE("a text with a comma in braces is explained") {
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, note: fast, but hot}}\n") ==
          "x.yaml:2:42: unknown key 'but hot' in 'clock': a text with a comma needs quotes here\n"
          "node: {clock: {value: 1 GHz, note: fast, but hot}}\n                                         ^");
}

TEST_CASE("a duplicate key is refused wherever it is") {
    CHECK(machine_error("name: A\nnode:\n  clock: 1 GHz\n  clock: 2 GHz\n") ==
          "x.yaml:4:3: duplicate key 'clock', first given in line 3: delete one of them\n  clock: 2 GHz\n  ^");
    CHECK(machine_error("name: A\nname: B\n") ==
          "x.yaml:2:1: duplicate key 'name', first given in line 1: delete one of them\nname: B\n^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, value: 2 GHz}}\n") ==
          "x.yaml:2:30: duplicate key 'value', first given in line 2: delete one of them\n"
          "node: {clock: {value: 1 GHz, value: 2 GHz}}\n                             ^");
}

TEST_CASE("units are required, known and of the right dimension") {
    CHECK(machine_error("name: A\nnode: {clock: 700}\n") ==
          "x.yaml:2:15: '700' is a number without a unit, expected a frequency such as '700 MHz'\n"
          "node: {clock: 700}\n              ^");
    CHECK(machine_error("name: A\nnode: {clock: 700 Mhz}\n") ==
          "x.yaml:2:15: unknown unit 'Mhz' in '700 Mhz', did you mean 'MHz'?\nnode: {clock: 700 Mhz}\n              ^");
    CHECK(machine_error("name: A\nnetwork:\n  link:\n    bandwidth: 5 ns\n") ==
          "x.yaml:4:16: '5 ns' is a time, expected a bandwidth such as '1.4 Gbit/s'\n"
          "    bandwidth: 5 ns\n               ^");
    CHECK(machine_error("name: A\nnode: {clock: fast}\n") ==
          "x.yaml:2:15: 'fast' is not a quantity: write a number and a unit, such as '25 ns'\n"
          "node: {clock: fast}\n              ^");
}

TEST_CASE("a caret stands right behind characters of several bytes") {
    CHECK(machine_error("name: A\nnetwork: {link: {latency: 5 µs, bandwidth: 5 µs}}\n") ==
          "x.yaml:2:44: '5 µs' is a time, expected a bandwidth such as '1.4 Gbit/s'\n"
          "network: {link: {latency: 5 µs, bandwidth: 5 µs}}\n                                           ^");
}

TEST_CASE("impossible values are refused") {
    CHECK(machine_error("name: A\nnode: {clock: -1 GHz}\n") ==
          "x.yaml:2:15: '-1 GHz' is impossible here: the value must be above zero\n"
          "node: {clock: -1 GHz}\n              ^");
    CHECK(machine_error("name: A\nnode: {processors: 0}\n") ==
          "x.yaml:2:20: '0' is impossible here: the value must be above zero\n"
          "node: {processors: 0}\n                   ^");
    CHECK(machine_error("name: A\nnode: {clock: 1e999 GHz}\n") ==
          "x.yaml:2:15: '1e999 GHz' is too large or too small for a number\n"
          "node: {clock: 1e999 GHz}\n              ^");
    CHECK(machine_error("name: A\nnode: {modes: {both: 1.5}}\n") ==
          "x.yaml:2:22: '1.5' is not a whole number from 1 to 1000000000\n"
          "node: {modes: {both: 1.5}}\n                     ^");
}

TEST_CASE("an interval holds its value") {
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, low: 2 GHz, high: 3 GHz}}\n") ==
          "x.yaml:2:35: low '2 GHz' is above the value '1 GHz'\n"
          "node: {clock: {value: 1 GHz, low: 2 GHz, high: 3 GHz}}\n                                  ^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, low: 0.5 GHz, high: 900 MHz}}\n") ==
          "x.yaml:2:50: high '900 MHz' is below the value '1 GHz'\n"
          "node: {clock: {value: 1 GHz, low: 0.5 GHz, high: 900 MHz}}\n"
          "                                                 ^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, low: 2 GHz}}\n") ==
          "x.yaml:2:30: 'low' stands alone: give 'high' too\n"
          "node: {clock: {value: 1 GHz, low: 2 GHz}}\n                             ^");
    CHECK(machine_error("name: A\nnode: {clock: {value: 1 GHz, high: 2 GHz}}\n")
              .starts_with("x.yaml:2:30: 'high' stands alone: give 'low' too\n"));
    CHECK(machine_error("name: A\nnode: {clock: 1 GHz, memory: {latency: {value: 5 ns, low: 4 cycles, high: 6 ns}}}\n")
              .starts_with(
                  "x.yaml:2:59: '4 cycles' is a number of cycles, but the value is a time: write all three alike\n"));
    CHECK(machine_error("name: A\nnode: {clock: {low: 1 GHz, high: 2 GHz}}\n") ==
          "x.yaml:2:8: 'clock' has no value, expected a frequency such as '700 MHz'\n"
          "node: {clock: {low: 1 GHz, high: 2 GHz}}\n       ^");
}

TEST_CASE("topologies and partitions are checked where they stand") {
    CHECK(machine_error("name: A\nnetwork:\n  topology: tours 8x8\n").starts_with("x.yaml:3:13: "));
    CHECK(machine_error("name: A\nnetwork:\n  topology: torus 8x0x8\n").starts_with("x.yaml:3:13: "));
    CHECK(machine_error("name: A\nnetwork:\n  partitions: {64: mesh 4x4x2}\n") ==
          "x.yaml:3:20: partition '64' is 'mesh 4x4x2', which has 32 nodes: name a partition after its nodes\n"
          "  partitions: {64: mesh 4x4x2}\n                   ^");
    CHECK(machine_error("name: A\nnetwork: {partitions: {small: mesh 4x4x2}}\n")
              .starts_with("x.yaml:2:31: partition 'small' is 'mesh 4x4x2', which has 32 nodes"));
    CHECK(machine_error("name: A\nnetwork: {partitions: {032: mesh 4x4x2}}\n")
              .starts_with("x.yaml:2:29: partition '032'"));
}

TEST_CASE("contradictions between values are found") {
    CHECK(machine_error("name: A\nnetwork: {link: {latency: 86 cycles}}\n") ==
          "x.yaml:2:27: '86 cycles' needs a clock: add 'node: {clock: 700 MHz}', or write a time\n"
          "network: {link: {latency: 86 cycles}}\n                          ^");
    CHECK(machine_error("name: A\nmessaging: {m: {framing: {packet: 32 B, header: 48 B}}}\n") ==
          "x.yaml:2:35: a packet of '32 B' has no room beside its header of '48 B'\n"
          "messaging: {m: {framing: {packet: 32 B, header: 48 B}}}\n                                  ^");
    CHECK(machine_error("name: A\nnetwork: {topology: star 10, routing: dimension-order}\n")
              .starts_with("x.yaml:2:39: 'dimension-order' is for meshes, tori and hypercubes, and network.topology is "
                           "'star 10': choose 'shortest'\n"));
    CHECK(machine_error("name: A\nnetwork: {topology: ring 10, partitions: {12: star 12}}\n")
              .starts_with("x.yaml:2:47: it is a part of network.topology, and 'ring 10' has fewer nodes\n"));
    CHECK(machine_error("name: A\ncompute: {gups: {update: {1 MiB: 3 ns, 1024 KiB: 4 ns}}}\n")
              .starts_with("x.yaml:2:50: the curve 'compute.gups.update' has a point for 1 MiB already\n"));
}

TEST_CASE("the points of a curve are sizes with times") {
    CHECK(machine_error("name: A\ncompute: {gups: {update: {big: 3 ns}}}\n") ==
          "x.yaml:2:27: 'big' is not a quantity: write a number and a unit, such as '25 ns'\n"
          "compute: {gups: {update: {big: 3 ns}}}\n                          ^");
    CHECK(machine_error("name: A\ncompute: {gups: {update: {0 B: 3 ns}}}\n")
              .starts_with("x.yaml:2:27: '0 B' is impossible as the size of a curve's point"));
    CHECK(machine_error("name: A\ncompute: {gups: {update: {source: x}}}\n")
              .starts_with("x.yaml:2:18: 'update' has no value, expected a time such as"));
}

TEST_CASE("maps and values are not mistaken for each other") {
    CHECK(machine_error("name: A\nnode: 700 MHz\n") ==
          "x.yaml:2:7: 'node' is a map of 'clock', 'processors', 'core_distance', 'state_change', "
          "'messages_at_once', 'modes', 'memory', 'cache', "
          "'cores', 'links'\nnode: "
          "700 MHz\n      ^");
    CHECK(machine_error("name: A\nmessaging: fast\n") ==
          "x.yaml:2:12: 'messaging' is a map of names that you choose\nmessaging: fast\n           ^");
    CHECK(machine_error("name: {first: A}\n") == "x.yaml:1:7: 'name' is a text, not a map\nname: {first: A}\n      ^");
    CHECK(machine_error("name: A\nnode: {clock: {value: {value: 1 GHz}}}\n") ==
          "x.yaml:2:23: 'value' is a map here, expected a frequency such as '700 MHz'\n"
          "node: {clock: {value: {value: 1 GHz}}}\n                      ^");
    CHECK(machine_error("name: A\nnode:\n  clock:\n") ==
          "x.yaml:3:3: 'clock' has no value, expected a frequency such as '700 MHz'\n  clock:\n  ^");
    CHECK(machine_error("name: A\nnode:\n")
              .starts_with("x.yaml:2:1: 'node' has no value: give a map of 'clock', 'processors'"));
    CHECK(machine_error("name: A\nnode: {clock: [1, 2]}\n") ==
          "x.yaml:2:15: a list has no place in a machine file: write a map of 'key: value'\n"
          "node: {clock: [1, 2]}\n              ^");
}

TEST_CASE("a workload's file in place of a machine's is told from one") {
    CHECK(machine_error("name: A\noptions:\n  n: 1\nphases:\n  - {name: x}\n") ==
          "x.yaml:4:1: 'phases' are of a workload's file: name it first, as in 'predict FILE'\nphases:\n^");
}

TEST_CASE("a text with a colon is said to need quotes") {
    CHECK(machine_error("name: A\nsource: data sheet: guesses\n") ==
          "x.yaml:2:19: not valid YAML (illegal map value): a text with ': ' in it needs quotes, and a key the right "
          "indentation\nsource: data sheet: guesses\n                  ^");
}

TEST_CASE("a file without a machine is explained") {
    CHECK(machine_error("") == "x.yaml:1:1: the file is empty: a machine needs at least a 'name: ...'\n\n^");
    CHECK(machine_error("# only this\n") ==
          "x.yaml:1:1: the file is empty: a machine needs at least a 'name: ...'\n# only this\n^");
    CHECK(machine_error("fast\n") == "x.yaml:1:1: a machine file is a map: start with 'name: ...'\nfast\n^");
    CHECK(machine_error("- name: A\n") ==
          "x.yaml:1:1: a list has no place in a machine file: write a map of 'key: value'\n- name: A\n^");
    CHECK(machine_error("# mine\nsource: me\n") ==
          "x.yaml:2:1: the machine has no name: add 'name: ...'\nsource: me\n^");
    CHECK(machine_error("name:\n") == "x.yaml:1:1: 'name' has no value: give one or delete the key\nname:\n^");
    CHECK(machine_error("name: A\n---\nname: B\n").starts_with("x.yaml:2:1: a second document"));
}

TEST_CASE("bad YAML is an error with a place") {
    CHECK(machine_error("name: A\nnode: {clock: 1 GHz\n")
              .starts_with("x.yaml:3:1: not valid YAML (end of map flow not found)"));
    CHECK(machine_error("name: A\nnode:\n  clock: 1 GHz\n processors: 2\n").starts_with("x.yaml:4:2: not valid YAML"));
    CHECK(machine_error("name: \"A\nnode: 1\n") ==
          "x.yaml:1:7: a quote is opened and never closed: close it\nname: \"A\n      ^");
    CHECK(machine_error("name: 'it''s\n").starts_with("x.yaml:1:7: a quote is opened and never closed"));
    CHECK(machine_error("name: \"\\\"\n").starts_with("x.yaml:1:7: a quote is opened and never closed"));
    CHECK(machine_error("name: 'it''s \"'\nnode: {\"clock\": \"1 GHz\"}\n") == "no error");
    CHECK(machine_error("name: A\nnode:\n\tclock: 1 GHz\n") ==
          "x.yaml:3:1: a tab cannot indent YAML: use spaces\n\tclock: 1 GHz\n^");
    CHECK(machine_error("name: A\nnode: &n {clock: 1 GHz}\n") ==
          "x.yaml:2:7: anchors and aliases are not supported: repeat the value\nnode: &n {clock: 1 GHz}\n      ^");
    CHECK(machine_error("name: !!str A\n") ==
          "x.yaml:1:7: tags are not supported: write the value alone\nname: !!str A\n      ^");
    CHECK(machine_error("name: A\n? {a: b}\n: c\n").find("a map cannot be a key: write a text") != std::string::npos);
    CHECK(machine_error("name: A\n: c\n").find("a key is missing before ':'") != std::string::npos);
}

TEST_CASE("nesting and size have limits") {
    std::string deep = "name: A\nnode: ";
    for (int i = 0; i < 40; ++i) deep += "{a: ";
    CHECK(machine_error(deep).find("maps nested deeper than 32: no file needs that") != std::string::npos);
    CHECK(machine_error("name: A\n#" + std::string(std::size_t{4} << 20, 'x')) ==
          "x.yaml has 4194313 bytes: a machine file of more than 4 MiB is not read");
    CHECK(machine_error("name: A\n" + std::string(10001, 'x')) ==
          "x.yaml:2:1: a line of 10001 bytes: write at most 10000\n" + std::string(10001, 'x') + "\n^");
    std::string folded = "name: A\nsource:\n";
    for (int i = 0; i < 2000; ++i) folded += "  words\n";
    CHECK(machine_error(folded) == "x.yaml:3:3: a text of 11999 bytes: write at most 10000\n  words\n  ^");
    std::string many = "name: A\nmessaging:\n";
    for (int i = 0; i < 10001; ++i) many += "  m" + std::to_string(i) + ": {barrier: 1 us}\n";
    CHECK(machine_error(many) ==
          "x.yaml:10003:12: more than 10000 values: no machine needs that\n  m10000: {barrier: 1 us}\n           ^");
}

TEST_CASE("a file that cannot be read has no line") {
    CHECK(error_text([] { read_machine("none.yaml"); }) ==
          "cannot read 'none.yaml' (No such file or directory): check its name and permissions");
}

}  // namespace narrows
