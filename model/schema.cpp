#include "model/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topologies/input_error.hpp"
#include "topologies/routes/routing.hpp"
#include "topologies/text.hpp"
#include "topologies/topology.hpp"

namespace narrows {
namespace {

constexpr double largest_count = 1e9;
constexpr double most_passes = 1000;  // of a path or a stage, each of which is followed

constexpr std::array rows = {
    SchemaRow{"node.clock", Kind::frequency, "clock of a processor; cycles anywhere in the file refer to it"},
    SchemaRow{"node.processors", Kind::count, "processors of a node that a workload runs on"},
    SchemaRow{"node.core_distance", Kind::time,
              "time of a cache line from one core to another; on virtual machines it changes while programs run",
              1e-12},
    SchemaRow{"node.state_change", Kind::number,
              "probability that a second later the machine is in any of the states that its calibration met, "
              "whatever it was in; without it 0",
              0, 1},
    SchemaRow{"node.messages_at_once", Kind::count,
              "messages inside a node that a rank sends and receives at once, as the calls of calibrated nodes do, in "
              "whose costs is what they share; without it all that a phase has"},
    SchemaRow{"node.modes.*", Kind::count, "ranks a node runs in this mode; the first mode is the default"},
    SchemaRow{"node.memory.size", Kind::data, "memory of a node"},
    SchemaRow{"node.memory.latency", Kind::time, "time of one dependent access to memory"},
    SchemaRow{"node.memory.bandwidth", Kind::bandwidth, "bandwidth of a node's memory, or of each controller"},
    SchemaRow{"node.memory.controllers", Kind::count,
              "memory controllers of a node, each with that bandwidth, which serve messages side by side; default 1"},
    SchemaRow{"node.cache.*.size", Kind::data, "size of this level of cache"},
    SchemaRow{"node.cache.*.latency", Kind::time, "time of one access to this level"},
    SchemaRow{"node.cores.*.count", Kind::count, "cores of this kind in a node"},
    SchemaRow{"node.cores.*.clock", Kind::frequency, "their clock"},
    SchemaRow{"node.cores.*.flops", Kind::number, "double-precision operations of such a core in a cycle"},
    SchemaRow{"node.cores.*.single_flops", Kind::number, "the same in single precision"},
    SchemaRow{"node.cores.*.memory", Kind::data, "memory that such a core addresses by itself"},
    SchemaRow{"node.cores.*.latency", Kind::time, "time of one access to that memory"},
    SchemaRow{"node.links.*.bandwidth", Kind::bandwidth, "one transfer on this link inside a node, each way"},
    SchemaRow{"node.links.*.total", Kind::bandwidth, "all transfers on it together"},
    SchemaRow{"node.links.*.latency", Kind::time, "crossing it"},
    SchemaRow{"compute.gups.update", Kind::curve,
              "generating a random number and updating a table word, by the size of the table of a node whose "
              "processors all work"},
    SchemaRow{"compute.gups.update_4KiB_pages", Kind::curve, "the same with pages of 4 KiB"},
    SchemaRow{"compute.gups.apply", Kind::time, "SHMEM: generating and applying an update beside its put"},
    SchemaRow{"compute.gups.barrier", Kind::time, "SHMEM: a barrier of all ranks"},
    SchemaRow{"compute.gups.protocol", Kind::name,
              "protocol that updates go by; without it the first between nodes, for routed packets the last"},
    SchemaRow{"compute.gups.route.per_update", Kind::curve,
              "software routing: moving one update one hop, by the bytes of routing state a processor works on"},
    SchemaRow{"compute.gups.route.first", Kind::number,
              "software routing: hops that putting an update into its first bucket is worth, where it is made; without "
              "it none",
              0},
    SchemaRow{
        "compute.gups.route.alone", Kind::number,
        "software routing: updates that one alone in its packet is worth more, as nothing hides its wait for memory; "
        "without it none",
        0},
    SchemaRow{"compute.gups.route.slowdown", Kind::number,
              "software routing: how many times as long an update takes between packets as in a loop of updates alone; "
              "without it 1"},
    SchemaRow{"compute.gups.route.under_way", Kind::number,
              "software routing: packets that a rank has on their way before it waits; without it one"},
    SchemaRow{"compute.gups.route.per_packet", Kind::curve,
              "software routing: sending and receiving one packet, by the same bytes"},
    SchemaRow{"compute.gups.route.per_line", Kind::curve,
              "software routing: what each cache line of a packet beyond its first takes more, by the same bytes; "
              "without it nothing"},
    SchemaRow{"compute.gups.route.crossing.packet", Kind::number,
              "software routing: transfers of a cache line, each of node.core_distance, that a packet to another "
              "processor of its node adds; without either none",
              0},
    SchemaRow{"compute.gups.route.crossing.line", Kind::number,
              "software routing: the same of each cache line of such a packet beyond its first", 0},
    SchemaRow{"compute.gups.route.per_run", Kind::curve,
              "software routing: what a rank takes once, however many updates it makes, by the same bytes; without it "
              "nothing"},
    SchemaRow{"compute.gups.route.look", Kind::time,
              "software routing: an unsuccessful poll for room and packets, by a rank that has nothing else to do"},
    SchemaRow{"compute.gups.route.probe", Kind::time,
              "time of a piece of routing beside the calibration's runs, against which later runs show their noise"},
    SchemaRow{"compute.gups.route.state", Kind::data, "routing state of a rank: buckets, receive buffers, inboxes"},
    SchemaRow{"compute.gups.route.table_entry", Kind::data, "routing table a rank keeps for each other rank"},
    SchemaRow{"compute.gups.route.peer_state", Kind::data, "what a rank keeps for each peer along a dimension"},
    SchemaRow{"compute.gups.bucket.per_update", Kind::curve,
              "bucketing: putting an update in its bucket, by the bytes of bucket state a processor works on"},
    SchemaRow{"compute.gups.bucket.per_own_update", Kind::time,
              "bucketing: the same for an update of the rank's own; without it that is applied at once"},
    SchemaRow{"compute.gups.bucket.per_message", Kind::curve, "bucketing: sending and receiving a bucket, by the same"},
    SchemaRow{"compute.gups.bucket.state", Kind::data, "bucketing: state of a rank"},
    SchemaRow{"compute.gups.bucket.test", Kind::time, "one test whether the previous send has finished"},
    SchemaRow{"compute.gups.bucket.heap_level", Kind::time, "moving one level in the heap of buckets"},
    SchemaRow{"compute.gups.bucket.destination", Kind::data, "state the code keeps for each destination"},
    SchemaRow{"compute.gups.bucket.pending", Kind::data, "memory of one pending update"},
    SchemaRow{"compute.sweep3d.grind", Kind::time, "sweep3d: solving a cell for an angle, on one processor"},
    SchemaRow{"compute.sweep3d.grind_isotropic", Kind::time, "the same with isotropic scattering, of one moment"},
    SchemaRow{"compute.sweep3d.blocks.*.cell", Kind::time,
              "sweep3d: a cell of a block of as many angles as the name says, all of them together; 6-isotropic: of "
              "one moment"},
    SchemaRow{"compute.sweep3d.blocks.*.row", Kind::time, "what a row of such cells along I takes beside them"},
    SchemaRow{"compute.sweep3d.blocks.*.start", Kind::time, "what a block of such rows takes beside them"},
    SchemaRow{"compute.sweep3d.blocks.*.flux", Kind::curve,
              "what a cell of such a block takes more, by the bytes of flux that a processor works on"},
    SchemaRow{"compute.sweep3d.blocks.*.column", Kind::time,
              "what a column of cells along K takes beside them, once an octant and block of angles"},
    SchemaRow{"compute.sweep3d.turn", Kind::time,
              "what a block takes more where ranks take turns on a processor, beside its messages"},
    SchemaRow{"compute.sweep3d.end", Kind::time, "what a cell takes at the end of an iteration"},
    SchemaRow{"compute.sweep3d.end_isotropic", Kind::time, "the same with isotropic scattering, of one moment"},
    SchemaRow{
        "compute.sweep3d.volume", Kind::data,
        "sweep3d: data of a cell and angle that is moved each way where a controller pushes work to accelerators"},
    SchemaRow{"compute.flops", Kind::frequency,
              "workload files: floating-point operations that a processor does a second, of the program at hand"},
    SchemaRow{
        "compute.memory", Kind::curve,
        "workload files: reading or writing 64 B while all processors do, by the bytes that one works on; without "
        "it node.memory.bandwidth"},
    SchemaRow{"compute.balanced", Kind::number,
              "workload files: time of a phase whose operations and memory take as long each, over that time; 1 to 2, "
              "without it 1",
              1, 2},
    SchemaRow{"compute.reduce.per_byte", Kind::time_per_byte,
              "allreduce: combining a byte that arrived with the byte that is there"},
    SchemaRow{"messaging.*.switch.*", Kind::data, "messages above this size use the method of this name"},
    SchemaRow{"messaging.*.record.*", Kind::data, "size of what the layer keeps or sends under this name"},
    SchemaRow{"paths.*.*.overhead", Kind::time, "time that each piece keeps the stage's server busy"},
    SchemaRow{"paths.*.*.bandwidth", Kind::bandwidth, "bandwidth of the stage's server"},
    SchemaRow{"paths.*.*.per_byte", Kind::time_per_byte, "the same as a time for each byte"},
    SchemaRow{"paths.*.*.latency", Kind::time,
              "delay in the stage that keeps no server busy, for the whole way; without it that of the server, for "
              "each link"},
    SchemaRow{"paths.*.*.lines", Kind::number,
              "cache lines that wait for each other, each node.core_distance: of a processor's time, else of latency",
              0},
    SchemaRow{"paths.*.*.lines_per_byte", Kind::number,
              "cache lines that wait for each other, for each byte and beside its own time", 0},
    SchemaRow{"paths.*.*.piece", Kind::data, "the stage takes at most this much at once and hands it on", 1},
    SchemaRow{"paths.*.*.carries", Kind::data, "bytes that pass the stage whatever the message's size"},
    SchemaRow{"paths.*.*.spared", Kind::data,
              "bytes of a message that take no time in the stage, as they stay in a cache"},
    SchemaRow{"paths.*.*.times", Kind::count, "passes of the stage in a row, up to 1000", 1, most_passes},
    SchemaRow{"paths.*.*.framing.header", Kind::data, "bytes added to each packet"},
    SchemaRow{"paths.*.*.framing.granule", Kind::data, "a packet is a multiple of this"},
    SchemaRow{"paths.*.*.framing.packet", Kind::data, "largest packet, header included"},
    SchemaRow{"paths.*.*.framing.gap", Kind::data, "time between packets, as bytes of the server"},
    SchemaRow{"paths.*.*.framing.code", Kind::number, "bytes on the server for each byte", 1},
    SchemaRow{"protocols.*.*", Kind::count,
              "how often a message of this protocol takes the path of this name, up to 1000", 1, most_passes},
    SchemaRow{"reach.*.*", Kind::data,
              "messages of the first name's protocol above this size go by the second name's instead"},
    SchemaRow{"levels.*.ranks", Kind::count,
              "so many ranks of consecutive numbers are this near; the last level has none"},
    SchemaRow{"levels.*.processors", Kind::count,
              "ranks on so many processors of a node are this near: 1, or all of them"},
    SchemaRow{"levels.*.protocol", Kind::name, "protocol that messages to ranks so near go by"},
    SchemaRow{"gateways.ranks", Kind::count,
              "so many ranks of consecutive numbers share a gateway to ranks of the last level"},
    SchemaRow{"gateways.request", Kind::time,
              "the same with a receiver's request; without it requests pass beside the gateway's messages"},
    SchemaRow{"host_interface.bandwidth", Kind::bandwidth, "processor to network interface, each way"},
    SchemaRow{"host_interface.latency", Kind::time, "one crossing between processor and network interface"},
    SchemaRow{"host_interface.framing.header", Kind::data, "bytes a command adds to a message's data"},
    SchemaRow{"host_interface.framing.address", Kind::data, "the same for the leanest command, an address alone"},
    SchemaRow{"host_interface.framing.code", Kind::number, "bytes on the interface for each byte", 1},
    SchemaRow{"host_interface.alignment", Kind::data, "data of a put is padded to a multiple of this in the queue"},
    SchemaRow{"host_interface.queue", Kind::data, "command queue of a processor"},
    SchemaRow{"host_interface.queue_update", Kind::data, "free space is reported back each time this much is consumed"},
    SchemaRow{"host_interface.units.*", Kind::count, "units of this name in the network interface: queues, counters"},
    SchemaRow{"network_interface.count", Kind::count, "network interfaces of a node; default 1"},
    SchemaRow{"network_interface.message_rate", Kind::frequency, "messages a second of each, each way"},
    SchemaRow{"network_interface.bandwidth", Kind::bandwidth, "bandwidth of each, each way"},
    SchemaRow{"network_interface.latency", Kind::time, "one crossing of it"},
    SchemaRow{"network.link.bandwidth", Kind::bandwidth, "a link, each way"},
    SchemaRow{"network.link.latency", Kind::time, "crossing one link and its router"},
    SchemaRow{"network.link.buffer", Kind::data, "packets that wait at a link for it, each way; without it any number"},
    SchemaRow{"network.link.framing.header", Kind::data, "bytes that the link adds to a message's data"},
    SchemaRow{"network.link.framing.code", Kind::number, "bytes on the link for each byte", 1},
    SchemaRow{"network.injection.buffer", Kind::data,
              "packets of a rank that wait for the first link of each direction; without it any number"},
    SchemaRow{"network.reception.buffer", Kind::data,
              "packets that have come from each direction and wait for their rank; without it 48"},
    SchemaRow{"network.router.latency", Kind::time, "crossing one router"},
    SchemaRow{"network.simulated_router.bandwidth", Kind::bandwidth, "the link of the authors' simulator"},
    SchemaRow{"network.simulated_router.overhead", Kind::number, "its protocol overhead", 0},
    SchemaRow{"network.topology", Kind::topology, "the whole machine's network"},
    SchemaRow{
        "network.routing", Kind::routing,
        "how messages are routed, which the fullest link then follows from; without it bounds of any routing hold"},
    SchemaRow{"network.cut.nodes", Kind::count, "nodes of the network whose cuts were searched"},
    SchemaRow{"network.cut.pair_flow", Kind::number,
              "proven upper end of what every ordered pair of nodes can send at once, in links: phi"},
    SchemaRow{"network.cut.uniform_flow", Kind::number, "the same of the uniform flow t, where it is below phi"},
    SchemaRow{"network.cut.injection", Kind::count, "1 where nodes hang on switches alone, by links of their own"},
    SchemaRow{"network.partitions.*", Kind::topology, "the network of a partition with this many nodes"},
    SchemaRow{"other_networks.*.bandwidth", Kind::bandwidth, "a network beside the main one: its links, each way"},
    SchemaRow{"other_networks.*.latency", Kind::time, "one operation of the whole network"},
    SchemaRow{"other_networks.*.framing.code", Kind::number, "bytes on it for each byte", 1},
    SchemaRow{"price.node", Kind::money, "a node, with all that hangs on it alone"},
    SchemaRow{"price.link", Kind::money, "a link of the network, those of nodes to switches included"},
    SchemaRow{"price.port", Kind::money, "an end of a link at a switch, or at a node where nodes are linked to nodes"},
    SchemaRow{"power.node", Kind::power, "what a node draws"},
    SchemaRow{"power.link", Kind::power, "what a link draws"},
    SchemaRow{"power.port", Kind::power, "what such an end of a link draws"},
};

// Places of older files; the last word is not what they mean, but where that stands now, or nothing where it is no
// longer said.
constexpr std::array older_rows = {
    SchemaRow{"messaging.*.send.per_message", Kind::time, "paths.*.send.overhead"},
    SchemaRow{"messaging.*.send.per_byte", Kind::time_per_byte, "paths.*.send.per_byte"},
    SchemaRow{"messaging.*.receive.per_message", Kind::time, "paths.*.receive.overhead"},
    SchemaRow{"messaging.*.receive.per_byte", Kind::time_per_byte, "paths.*.receive.per_byte"},
    SchemaRow{"messaging.*.other.per_message", Kind::time, "paths.*.other.overhead"},
    SchemaRow{"messaging.*.framing.header", Kind::data, "paths.*.link.framing.header"},
    SchemaRow{"messaging.*.framing.granule", Kind::data, "paths.*.link.framing.granule"},
    SchemaRow{"messaging.*.framing.packet", Kind::data, "paths.*.link.framing.packet"},
    SchemaRow{"messaging.*.framing.gap", Kind::data, "paths.*.link.framing.gap"},
    SchemaRow{"messaging.*.framing.code", Kind::number, "paths.*.link.framing.code", 1},
    SchemaRow{"messaging.*.barrier", Kind::time, "compute.gups.barrier"},
    SchemaRow{"messaging.*.alignment", Kind::data, "host_interface.alignment"},
    SchemaRow{"messaging.*.gateway", Kind::time, "paths.*-gateway.gateway.overhead"},
    SchemaRow{"messaging.*.loggp.gap_per_byte", Kind::time_per_byte, ""},
    SchemaRow{"messaging.*.loggp.*", Kind::time, ""},
    SchemaRow{"levels.*.request", Kind::time, "paths.level-*.request.latency"},
    SchemaRow{"levels.*.send", Kind::time, "paths.level-*.send.overhead"},
    SchemaRow{"levels.*.copy", Kind::time_per_byte, "paths.level-*.send.per_byte"},
    SchemaRow{"levels.*.latency", Kind::time, "paths.level-*.flight.latency"},
    SchemaRow{"levels.*.bandwidth", Kind::bandwidth, "paths.level-*.flight.bandwidth"},
    SchemaRow{"levels.*.receive", Kind::time, "paths.level-*.receive.overhead"},
    SchemaRow{"gateways.service", Kind::time, "paths.*.gateway.overhead"},
    SchemaRow{"gateways.wire", Kind::time, "paths.*.link.latency"},
};

std::vector<std::string_view> words_of(std::string_view path) {
    return split(path, '.');
}

/// A row with the words of its path, split once: every key of a file is held against every row.
struct SplitRow {
    const SchemaRow* row;
    std::vector<std::string_view> words;
};

template <class Rows>
std::vector<SplitRow> split_rows_of(const Rows& of) {
    std::vector<SplitRow> made;
    for (const SchemaRow& row : of) made.push_back({&row, words_of(row.path)});
    return made;
}

const std::vector<SplitRow>& split_rows() {
    static const std::vector<SplitRow> made = split_rows_of(rows);
    return made;
}

const std::vector<SplitRow>& older_split_rows() {
    static const std::vector<SplitRow> made = split_rows_of(older_rows);
    return made;
}

// Whether the first words of `pattern` are those of `path`.
bool starts_with(const std::vector<std::string_view>& pattern, std::span<const std::string_view> path) {
    if (path.size() > pattern.size()) return false;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (pattern[i] != "*" && pattern[i] != path[i]) return false;
    }
    return true;
}

// The row of older files that has this path, or a word of it.
const SplitRow* older_split_row(std::span<const std::string_view> words) {
    if (words.size() < 2) return nullptr;
    for (const SplitRow& pattern : older_split_rows()) {
        if (starts_with(pattern.words, words)) return &pattern;
    }
    return nullptr;
}

struct KindRecord {
    std::string_view expectation;
    std::optional<Dimension> dimension = std::nullopt;  ///< none of a text
    bool zero_is_fine = false;
};

// In the order of the enumeration.
constexpr std::array kind_records = {
    KindRecord{"a time such as '25 ns' or '86 cycles'", Dimension::time, true},
    KindRecord{"a time such as '25 ns' or '86 cycles', or a map from sizes to times", Dimension::time, true},
    KindRecord{"an amount of data such as '512 MiB'", Dimension::data, true},
    KindRecord{"a bandwidth such as '1.4 Gbit/s'", Dimension::bandwidth},
    KindRecord{"a frequency such as '700 MHz'", Dimension::frequency},
    KindRecord{"a time per byte such as '0.3 ns/B' or '0.25 cycles/B'", Dimension::time_per_byte, true},
    KindRecord{"a number without a unit such as '72/64'", Dimension::number},
    KindRecord{"a whole number such as '2'", Dimension::number},
    KindRecord{"a topology such as 'torus 8x8x8'"},
    KindRecord{"a routing such as 'shortest' or 'dimension-order ties=onwards'"},
    KindRecord{"the name of a protocol such as 'mpi'"},
    KindRecord{"an amount of money such as '1200 USD'", Dimension::money, true},
    KindRecord{"a power such as '350 W'", Dimension::power, true},
};
static_assert(kind_records.size() == static_cast<std::size_t>(Kind::power) + 1);

const KindRecord& record_of(Kind kind) {
    return kind_records.at(static_cast<std::size_t>(kind));
}

bool dimension_fits(Kind kind, Dimension dimension) {
    if (dimension == Dimension::cycles) dimension = Dimension::time;
    if (dimension == Dimension::cycles_per_byte) dimension = Dimension::time_per_byte;
    return dimension == record_of(kind).dimension;
}

}  // namespace

std::span<const SchemaRow> schema() {
    return rows;
}

const SchemaRow* schema_row(std::string_view path) {
    const auto words = words_of(path);
    for (const auto& [row, pattern] : split_rows()) {
        const bool is_long_enough =
            row->kind == Kind::curve ? pattern.size() <= words.size() : pattern.size() == words.size();
        if (is_long_enough && starts_with(pattern, std::span(words).first(pattern.size()))) return row;
    }
    const SplitRow* older = older_split_row(words);
    return older != nullptr && older->words.size() == words.size() ? older->row : nullptr;
}

std::optional<std::string> newer_place(std::string_view path) {
    const SplitRow* older = older_split_row(words_of(path));
    if (older == nullptr) return std::nullopt;
    const SchemaRow* row = older->row;
    std::string place(row->help);
    const auto star = place.find('*');
    if (star != std::string::npos && row->path.find('*') != std::string::npos)
        place.replace(star, 1, words_of(path)[1]);
    return place;
}

WordsBelow words_below(std::string_view path) {
    const auto words = path.empty() ? std::vector<std::string_view>{} : words_of(path);
    WordsBelow below;
    for (const auto* from : {&split_rows(), &older_split_rows()}) {
        for (const auto& [row, pattern] : *from) {
            if (pattern.size() <= words.size() || !starts_with(pattern, words)) continue;
            const std::string_view word = pattern[words.size()];
            if (word == "*") below.any_name = true;
            const bool is_new = std::ranges::find(below.words, word) == below.words.end();
            if (word != "*" && is_new) below.words.emplace_back(word);
        }
    }
    return below;
}

Measure parse_value(const SchemaRow& row, std::string_view text) {
    Measure measure = parse_measure(text, record_of(row.kind).dimension);
    check_value(row, measure);
    return measure;
}

double most_of(const SchemaRow& row) {
    return row.kind == Kind::count ? std::min(row.at_most, largest_count) : row.at_most;
}

void check_value(const SchemaRow& row, const Measure& measure) {
    const std::string text = print(measure, true);
    const double value = measure.value;
    if (!dimension_fits(row.kind, measure.dimension)) {
        throw InputError(
            fmt::format("'{}' is {}, expected {}", text, describe(measure.dimension), expectation(row.kind)));
    }
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("'{}' is impossible here: {}", text, why));
    };
    const double at_least = row.at_least.value_or(0);
    const bool zero_is_fine = row.at_least.has_value() || record_of(row.kind).zero_is_fine;
    if (value < at_least || (value == 0 && !zero_is_fine)) {
        refuse(at_least > 0   ? fmt::format("the value must be at least {:g}", at_least)
               : zero_is_fine ? "the value must be at least zero"
                              : "the value must be above zero");
    }
    if (row.kind == Kind::count) {
        if (value == std::floor(value) && value <= most_of(row)) return;
        throw InputError(fmt::format("'{}' is not a whole number from 1 to {:.0f}", text, most_of(row)));
    }
    if (value > largest_value || (value > 0 && value < 1 / largest_value)) {
        refuse(fmt::format("no machine has so {} a value", value < 1 ? "small" : "large"));
    }
    if (value > row.at_most) refuse(fmt::format("the value must be at most {:g}", row.at_most));
}

void check_text(const SchemaRow& row, std::string_view path, std::string_view spec) {
    if (row.kind == Kind::name) return;
    if (row.kind == Kind::routing) {
        parse_routing(spec);
        return;
    }
    const Topology topology = parse_topology(spec);
    constexpr std::string_view partitions = "network.partitions.";
    if (!path.starts_with(partitions)) return;
    const std::string_view name = path.substr(partitions.size());
    if (name != std::to_string(topology.nodes())) {
        throw InputError(fmt::format("partition '{}' is '{}', which has {} nodes: name a partition after its nodes",
                                     name, spec, topology.nodes()));
    }
}

std::string_view curve_of(const SchemaRow& row, std::string_view path) {
    std::size_t end = path.find('.');
    for (auto dots = std::ranges::count(row.path, '.'); dots > 0 && end != path.npos; --dots) {
        end = path.find('.', end + 1);
    }
    const std::string_view curve = path.substr(0, end);
    const auto pattern = words_of(row.path);
    const auto words = words_of(curve);
    return pattern.size() == words.size() && starts_with(pattern, words) ? curve : std::string_view{};
}

Data curve_size(const SchemaRow& row, std::string_view path) {
    const std::string_view curve = curve_of(row, path);
    if (path.size() <= curve.size() + 1) throw std::logic_error(fmt::format("'{}' is not a point of a curve", path));
    const std::string_view text = path.substr(curve.size() + 1);
    const Data size = parse_data(text);
    if (size.si() <= 0 || size.si() > largest_value) {
        throw InputError(fmt::format("'{}' is impossible as the size of a curve's point: it must be above zero", text));
    }
    return size;
}

std::string_view expectation(Kind kind) {
    return record_of(kind).expectation;
}

}  // namespace narrows
