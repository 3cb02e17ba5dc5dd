#include <fmt/format.h>

#include "cli/reproduction.hpp"
#include "data/library.hpp"
#include "model/path/protocol.hpp"
#include "model/path/rank_state.hpp"
#include "model/unit_prefixes.hpp"

namespace narrows {
namespace {

constexpr Data largest_of_figures = bytes(1024 * kibi);

class Kumar2007 {
  public:
    Reproduction run() {
        peaks();
        queues();
        latency();
        switch_of_modes();
        bandwidth();
        matrix_vector();
        others();
        return text_.cells();
    }

  private:
    double on_chip(const char* key) const {
        return number_at(machine_, "node.modes.chip") * rate_at(machine_, "node.cores.SPE.clock").si() *
               number_at(machine_, key) / giga;
    }

    // The machine whose DMAs take all of the memory's rate, `overhead` beside it.
    Machine with_whole_memory(const std::string& overhead) const {
        Machine machine = machine_;
        const std::string whole = print(find(machine_, "node.memory.bandwidth")->measure, true);
        for (const std::string path : {"paths.copy-in.memory", "paths.copy-out.memory"}) {
            machine = with_change(machine, path + ".bandwidth", whole);
            if (!overhead.empty()) machine = with_change(machine, path + ".overhead", overhead);
        }
        return machine;
    }

    double rate_bound(const char* protocol) const {
        const Path path = whole_path(read_protocol(with_whole_memory("0 ns"), protocol));
        return (largest_of_figures * message_rate(path, largest_of_figures)).si() / giga;
    }

    double bandwidth_of(const Machine& machine, const char* protocol, Data size) const {
        return (size / protocol_time(read_protocol(machine, protocol), size).total).si() / giga;
    }

    void peaks() {
        text_.compare("peak_single", "Gflops", on_chip("node.cores.SPE.single_flops"),
                      "eight cores at 3.2 GHz with 8 operations a cycle");
        text_.compare("peak_double", "Gflops", on_chip("node.cores.SPE.flops"),
                      "eight cores at 3.2 GHz with 4 operations in 7 cycles, which the text does not state");
        text_.compare(
            "bus_bandwidth", "GB/s",
            number_at(machine_, "node.modes.chip") * bandwidth_at(machine_, "node.links.eib.bandwidth").si() / giga,
            "a transfer of 25.6 GB/s (pakin2009) for each of eight cores");
        text_.compare("decrementer_tick", "ns", 1e3 / text_.value("decrementer"));
        text_.compare("ranks_blade", "ranks",
                      number_at(machine_, "node.cores.PPE.count") * number_at(machine_, "node.modes.chip"),
                      "two processors of eight");
    }

    void queues() {
        const Data entry = data_at(machine_, "messaging.mpi.record.queue-entry");
        for (const int ranks : {2, 8, 16}) {
            const std::string row = fmt::format("{} ranks", ranks);
            const Data one = pairwise_state(ranks, 1, entry);
            text_.cells().computed("Section 3.2", row, "queues", one * ranks / entry, "N (N - 1)");
            text_.cells().computed("Section 3.2", row, "B a place, all queues", (one * ranks).si(),
                                   "one entry of 16 bytes in each queue");
            text_.cells().computed("Section 3.2", row, "B a place, one rank", one.si(), "in a local store of 256 KB");
        }
        text_.cells().computed("Section 3.2", "dma_write", "entries", text_.value("dma_write") / entry.si(),
                               "entries of a unit of 128 bytes that DMA writes at once: none straddles two");
        text_.cells().open("Section 3.2", "queues", "entries", "",
                           "places of a queue are not given; with them the memory of all queues would follow");
    }

    void latency() {
        const PathProtocol buffered = read_protocol(machine_, "buffered");
        int dmas = 0;
        for (const Stage& stage : whole_path(buffered).stages) dmas += stage.times;
        text_.cells().computed("Section 3.2", "buffered", "DMAs", dmas, "two of each copy, one of the entry");
        text_.cells().computed("Section 4", "buffered", "ns a DMA", text_.value("least_latency") * micro / dmas / nano,
                               "what 0.41 us leaves for each of five blocking DMAs, the searching of queues included");
        text_.open("least_latency", "us",
                   "the time of one DMA of a few bytes would pin it down; the machine's 82 ns are derived from it");
        for (const double size : {16.0, 256.0, 1024.0, 2048.0}) {
            text_.cells().computed("Figure 2", fmt::format("{}", size), "us, buffered",
                                   protocol_time(buffered, bytes(size)).total.si() / micro,
                                   "from the derived time and bandwidth of a DMA");
        }
    }

    void switch_of_modes() {
        const Path buffered = whole_path(read_protocol(machine_, "buffered"));
        const Path synchronous = whole_path(read_protocol(machine_, "synchronous"));
        if (const auto size = crossover(buffered, synchronous, largest_of_figures)) {
            text_.cells().computed("Section 4", "synchronous_above", "B, by time alone", size->si(),
                                   "with two copies less, synchronous is never slower once the receive is posted");
        }
        text_.open("synchronous_above", "KB",
                   "how long senders would wait for a receive to be posted would pin it down");
    }

    void bandwidth() {
        text_.cells().computed("Section 3.2", "buffered bound", "GB/s", rate_bound("buffered"),
                               "four crossings of a memory interface of 25.6 GB/s");
        text_.cells().computed("Section 3.2", "synchronous bound", "GB/s", rate_bound("synchronous"), "two crossings");
        text_.measured("peak_bandwidth", "GB/s", bandwidth_of(with_whole_memory(""), "synchronous", largest_of_figures),
                       "predicted from 25.6 GB/s and 82 ns a DMA: the text's numbers leave about half to explain");
        const double piece = text_.value("dma_piece") * kibi;
        const double each = piece / (text_.value("peak_bandwidth") * giga) / 2 -
                            time_at(machine_, "paths.copy-out.memory.overhead").si();
        text_.cells().computed(
            "Section 4", "peak_bandwidth", "GB/s of one DMA", piece / each / giga,
            "what 6.01 GB/s imply; the rate of one core's DMA, or Figure 3's slope, would pin it down");
        for (const double size : {4.0, 16.0, 64.0, 256.0, 1024.0}) {
            text_.cells().computed("Figure 3", fmt::format("{} KiB", size), "GB/s, synchronous",
                                   bandwidth_of(machine_, "synchronous", bytes(size * kibi)),
                                   "from the derived time and bandwidth of a DMA, the latter fitted on 6.01 GB/s");
        }
        text_.cells().computed("Figure 3", "1024 KiB", "GB/s, buffered",
                               bandwidth_of(machine_, "buffered", largest_of_figures),
                               "had large messages stayed buffered");
    }

    void matrix_vector() {
        constexpr double bytes_per_flop = 4;  // a double is multiplied and added once
        const double limit = bandwidth_at(machine_, "node.memory.bandwidth").si() / bytes_per_flop / giga;
        text_.measured("matvec_512", "Gflops", limit, "bound: the matrix is read at 25.6 GB/s, allgather left out");
        text_.contradiction("matvec_1024", "Gflops", limit,
                            "7.84 Gflops read 31.4 GB/s of matrix; the memory has 25.6 GB/s, and 8 MB do not fit the "
                            "eight local stores; two processors with a memory each would have twice the rate");
        text_.cells().computed("Section 4", "matvec_1024", "GB/s", text_.value("matvec_1024") * bytes_per_flop,
                               "of matrix, if it is read from memory each time");
        text_.cells().computed("Section 4", "matvec_1024", "% of peak",
                               100 * text_.value("matvec_1024") / on_chip("node.cores.SPE.flops"));
        const std::string gathered =
            "from memory, and an allgather by the path model, in a ring of eight: both assumed";
        text_.measured("matvec_512", "Gflops, with allgather", with_allgather(512, limit), gathered);
        text_.cells().computed("Section 4", "matvec_1024", "Gflops, with allgather", with_allgather(1024, limit),
                               gathered);
    }

    // Of a product of so many rows at `limit`, in 1e9 a second, whose result then goes round a ring of the processor's
    // ranks in blocks, seven messages one after the other.
    double with_allgather(double rows, double limit) const {
        const double ranks = text_.value("ranks_chip");
        const double flops = 2 * rows * rows;
        const Data block = bytes(8 * rows / ranks);
        const Time message = protocol_time(read_protocol_for(machine_, "buffered", block), block).total;
        return flops / (flops / (limit * giga) + (ranks - 1) * message.si()) / giga;
    }

    void others() {
        for (const char* key : {"nemesis_xeon_latency", "nemesis_opteron_latency"}) {
            text_.open(key, "us", "another system; costs of its queues and of a cache line would pin it down");
        }
        for (const char* key : {"nemesis_xeon_bandwidth", "nemesis_opteron_bandwidth"}) {
            text_.open(key, "GB/s", "another system; the rate of its memory copy would pin it down");
        }
        for (const char* key : {"matvec_opteron", "matvec_opteron_8", "matvec_xeon"}) {
            text_.open(key, "Gflops", "another system; its memory bandwidth would pin it down");
        }
    }

    Machine machine_ = load_machine("cell-blade");
    TextReproduction text_{"kumar2007"};
};

}  // namespace

Reproduction reproduce_kumar2007() {
    return Kumar2007().run();
}

}  // namespace narrows
