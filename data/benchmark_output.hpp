#pragma once

#include <string>

#include "model/messages/benchmark.hpp"

namespace narrows {

/// Reads what the OSU micro-benchmarks (osu_latency, osu_bw, osu_bibw, osu_mbw_mr, of version 3 to 7), IMB-MPI1
/// (PingPong, PingPing, Exchange, Uniband, Biband, of version 3 to 2021) and HPC Challenge (an hpccoutf.txt: its
/// slowest ping-pong, of 8 and 2,000,000 bytes, in its last run) print. Lines of a launcher around the tables and its
/// labels before lines are passed over, and so is what was measured with empty messages and bandwidths rounded by
/// more than 1 %. `file` is for errors. Throws InputError with file, line and remedy: nothing of these benchmarks,
/// output cut short, other units, a row of another table.
BenchmarkOutput parse_benchmarks(const std::string& text, const std::string& file);

/// `parse_benchmarks` of a file.
BenchmarkOutput read_benchmarks(const std::string& file);

}  // namespace narrows
