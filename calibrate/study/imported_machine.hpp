#pragma once

#include <string>
#include <vector>

#include "calibrate/fit/judgement.hpp"
#include "model/machine.hpp"
#include "model/messages/benchmark.hpp"

namespace narrows {

/// A machine made of what benchmarks printed.
struct ImportedMachine {
    Machine machine;
    std::vector<std::string> paths;  ///< of the parameters that the benchmarks say
    std::vector<std::string> used;   ///< the tables, one sentence each
    std::vector<std::string> unused;
    FitJudgement judgement;  ///< of fits without their intervals, where eight sizes or more were measured
};

/// The protocol `mpi` of messages between two nodes, fitted to all one-way times together; its calls at both ends,
/// bound by what one pair of ranks sends one after the other; the network interface's message rate, of many pairs, and
/// bandwidth, the largest of all sizes; the update of RandomAccess. Values have intervals where every size was measured
/// more than once. Judged by three fits, each without every third size between the first and the last.
///
/// Range: ranks of a pair on two nodes, which no file says. Where nothing but an hpccoutf.txt has one-way times its
/// slowest ping-pong is taken. InputError when there are no one-way times.
ImportedMachine imported_machine(const std::vector<BenchmarkOutput>& outputs);

/// Adds what samples say of a node and of messages inside it, behind those between nodes, which stay the default. Its
/// updates by the size of the table say more than one time of an hpccoutf.txt, which is then not used.
void add_node(ImportedMachine& imported, const Machine& node);

}  // namespace narrows
