#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/framing.hpp"

namespace narrows {

/// What kind of server a stage keeps busy. Only those of a `processor` take computing's time; those of the `network`
/// are passed by messages that leave their node, and skipped inside it.
enum class Site { processor, node, network, link };

/// A place that a message passes: a copy, a queue, a DMA engine, a host interface, a gateway, a link.
struct Stage {
    std::string server;  ///< who is busy; stages of one name are the same server
    Site site = Site::processor;
    Time overhead;        ///< the server's time for a piece, whatever its size
    Bandwidth bandwidth;  ///< zero: bytes take no time
    Framing framing;      ///< how payload becomes bytes of the server
    Time latency;         ///< delay of each pass that keeps nobody busy
    Time link_latency;    ///< delay of each link on the way, which is one unless a placement says more
    Time at_least;        ///< the server is busy no shorter with a message: one over its message rate
    double servers = 1;   ///< alike, of which a message passes one; a part of one serves as much less
    bool fair = false;    ///< of a bandwidth: messages beyond that number slow all alike, not those that come last
    Data piece;           ///< the server takes at most this much at once; zero: any amount
    std::optional<Data> carries;  ///< bytes that pass whatever the message's size: a descriptor, a flag
    Data spared;                  ///< bytes of a message that take no time here: what stays in a cache
    int times = 1;                ///< passes in a row, at least 1
    bool of_receiver = false;     ///< behind the path's link
    double flows = 1;             ///< messages that share the server fairly, at least 1
};

/// Stages in the order in which a message passes them.
struct Path {
    std::string name;
    std::vector<Stage> stages;
    /// Until a sender knows that its receiver waits, where senders wait for that. It adds nothing to the message of a
    /// receiver that waits already.
    std::optional<Time> request = {};

    /// The first stage of that server; null where there is none.
    const Stage* stage_of(std::string_view server) const;
};

/// A part of a time, for a breakdown.
struct NamedTime {
    std::string name;
    Time time;
    Time of_processor = {};  ///< of it that a processor computes nothing else in
};

/// A time whose terms sum to it.
struct Breakdown {
    Time total;
    std::vector<NamedTime> terms;
};

/// Time that one pass of a message keeps a stage's server busy.
///
/// Statement: s(n) = k * max(a, sum over pieces of (o + W / B)), m = max(0, n - n0); one overhead for an empty message.
/// Symbols:   n payload, or what the stage carries; n0 bytes spared; o overhead of a piece; W its wire bytes;
///            B bandwidth; a the least time of a message; k flows that share the server.
/// Source:    kumar2007 Section 3.2 (DMAs of at most 16 KB), underwood2008 (4) and (5) (W), otherwise derived.
/// Range:     fair sharing by flows that are always there; k = 1 is an idle machine.
/// Test:      tests/model/path/test_path.cpp
Time service_time(const Stage& stage, Data payload);

/// What of it other messages wait for: of messages that share a bandwidth the bytes, as overheads run side by side.
Time queued_time(const Stage& stage, Data payload);

/// Time that a message keeps all servers of this name busy, over their number: the sum over its stages of times * s(n),
/// of stages that share a bandwidth `queued_time`.
Time busy_time(const Path& path, std::string_view server, Data payload);

/// Time of a message in all passes of a stage: `service_time` and the latencies.
Time whole_time(const Stage& stage, Data payload);

/// Time of a message that each stage takes as a whole before the next one starts.
///
/// Statement: t(n) = sum over stages of times * (s(n) + latency). A term a stage, in order.
/// Source:    pakin2009 Primitive performance (the three legs are not overlapped); kumar2007 Section 3.2 (blocking
///            DMAs).
/// Range:     one message at a time.
/// Test:      tests/model/path/test_path.cpp
Breakdown path_time(const Path& path, Data payload);

/// Time of a message that is cut in pieces which follow each other through the stages.
///
/// Statement: piece j leaves stage i at c(i, j) = max(c(i-1, j) + latency of i-1, c(i, j-1)) + s_i(j); the time is the
///            last piece's at the end, and never less than the busiest server needs for the whole message.
/// Symbols:   s as above, for the bytes of a piece; what a stage carries passes with the first piece only, and the
///            first pieces have the bytes that it spares.
/// Source:    flow shop in a fixed order, derived. Asks what overlap would bring where pakin2009 has none.
/// Range:     `piece` above zero (std::logic_error); room for pieces between stages. Terms:     the first piece stage
///            by stage, then `further pieces`.
/// Test:      tests/model/path/test_path.cpp
Breakdown pipelined_time(const Path& path, Data payload, Data piece);

/// The server that a stream of messages keeps busiest, and for how long each message does.
///
/// Statement: max over servers of the sum over their stages of times * s(n).
/// Source:    a resource bound: capacity over demand.
/// Range:     a path with a stage (std::logic_error).
/// Test:      tests/model/path/test_path.cpp
NamedTime busiest_server(const Path& path, Data payload);

/// The largest rate of messages, one over the busiest server's time; infinite rates are a std::logic_error.
Rate message_rate(const Path& path, Data payload);

/// The size from which on `large` takes no longer than `small`, to a byte; nothing up to `most`.
///
/// Statement: least n with t_large(n) <= t_small(n), t as in `path_time`.
/// Source:    the switch of protocols that kumar2007 Section 4 (2 KB) and kumar2008 Section 4 (1 KB) choose; derived.
/// Range:     the difference of the two falls with size; no stage spares bytes.
/// Test:      tests/model/path/test_path.cpp
std::optional<Data> crossover(const Path& small, const Path& large, Data most);

/// Time that the stages of processors keep them busy with a message, the sender's calls and the receiver's apart: those
/// behind the path's link are the receiver's, inside a node too. Of a path without a link, or with none behind it,
/// those behind its first other stage are; where all stages are processors' the last one.
struct EndTimes {
    Time send;
    Time receive;
    Time other;  ///< of stages of this name, which neither call shows

    Time total() const { return send + receive + other; }
};
EndTimes end_times(const Path& path, Data payload);

/// What a message that stays inside its node passes: all but the stages of the network.
Path inside_node(Path path);

/// The path over so many links: each has the latency of one, and a `router` is passed once more for each beyond the
/// first. Precondition: at least one link.
Path over_links(Path path, int links);

/// The path with every stage of `server` shared by `flows` messages.
Path with_flows(Path path, const std::string& server, double flows);

}  // namespace narrows
