#pragma once

#include <map>
#include <string>
#include <vector>

namespace narrows {

/// What a table of a benchmark measured of messages.
enum class MessageBenchmark {
    one_way,    ///< half of a round trip, in seconds
    stream,     ///< messages a second one way, of all pairs together
    both_ways,  ///< messages a second each way while they go both ways, of all pairs together
};

/// The value of one size of message.
struct SizedValue {
    double bytes = 0;  ///< at least 1
    double value = 0;  ///< above zero, in the unit that the benchmark says
};

/// A table of messages as one benchmark printed it.
struct BenchmarkTable {
    std::string file;  ///< its name without the folder
    std::string name;  ///< `osu_latency`, `IMB PingPong`, `hpcc ping-pong`
    MessageBenchmark what = MessageBenchmark::one_way;
    int pairs = 1;                 ///< of ranks that sent at once
    std::vector<SizedValue> rows;  ///< by increasing size, at least one
};

/// What one file of results says.
struct BenchmarkOutput {
    std::string file;  ///< its name without the folder
    std::vector<BenchmarkTable> tables;
    std::vector<std::string> unused;        ///< what else is in the file, by name and with the reason
    std::map<std::string, double> summary;  ///< of an hpccoutf.txt: `StarRandomAccess_GUPs`, as far as it was measured
};

}  // namespace narrows
