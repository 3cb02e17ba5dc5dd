#pragma once

#include <map>
#include <memory>
#include <string>

#include "calibrate/kernels/messages/measure.hpp"
#include "cli/command.hpp"
#include "model/program/program.hpp"

namespace narrows {

/// The options of `run`, as typed; empty where they were not given.
struct RunWords {
    std::string kernel;
    std::string ranks;
    std::string workers;
    // gups
    std::string variant;
    std::string shape;
    std::string table;
    std::string updates;
    std::string first_update;
    std::string bucket;
    std::string receive_buffers;
    std::string in_transit;
    std::string pages;
    std::string processor;
    std::string mode;  ///< of the machine whose time it is
    bool skip_verification = false;
    // messaging
    std::string protocol;
    std::string domain;
    bool overlap_legs = false;
    std::string transport;
    std::string rank;  ///< of a job over TCP whose ranks are started one by one
    std::string rendezvous;
    std::string secret;
    std::string ranks_per_process;
    bool no_authentication = false;
    std::string bytes;
    std::string neighbours;
    std::string algorithm;
    std::string ranks_per_node;
    std::string dimension;
    std::string pattern;
    std::string progress;
    std::string repeats;
    // sweep3d
    std::string cells;
    std::string cells_per_rank;
    std::string grid;
    std::string angles;
    std::string planes;
    std::string angle_block;
    std::string moments;
    std::string iterations;
    std::string fixups_after;
    std::string vectors;
    bool skip_compute = false;
    bool virtual_clock = false;
    std::string machine;
    std::string nodes;
    std::shared_ptr<const Program> program;  ///< of a workload file
    std::map<std::string, std::string> own;  ///< its own options
};

/// A count up to `high`, or 0 when there is none. InputError names the option.
int small_count(const std::string& text, const std::string& option, std::int64_t high);

/// Of a process over TCP or MPI; 1 when nothing is said.
int ranks_per_process(const RunWords& words);

/// `shared` when the text is empty. InputError for what is no transport.
Transport parse_transport(const std::string& text);

/// Whether frames between processes are authenticated. InputError where the words leave out what is not there.
bool authenticated(const RunWords& words);

int run_gups_kernel(const RunWords& words, Output& output);

/// `ping-pong`, `stream`, `exchange`, the collectives and `matvec`.
int run_message_kernel(const RunWords& words, Output& output);

/// A workload file, whose name or path is the kernel's.
int run_workload_file(const RunWords& words, Output& output);

int run_overlap_kernel(const RunWords& words, Output& output);
int run_sweep3d_kernel(const RunWords& words, Output& output);

}  // namespace narrows
