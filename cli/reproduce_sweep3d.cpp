#include "cli/reproduce_sweep3d.hpp"

#include <fmt/format.h>

#include "calibrate/kernels/sweep3d/sweep3d.hpp"
#include "data/library.hpp"
#include "model/unit_prefixes.hpp"
#include "model/wavefront/accelerator.hpp"
#include "model/wavefront/workload.hpp"

namespace narrows {
namespace {

constexpr double in_percent = 100;
constexpr double octants_of_all = 8;

class SweepOfPakin2009 {
  public:
    SweepOfPakin2009(TextReproduction& text, const Machine& machine)
        : text_(text), machine_(machine), ranks_(static_cast<int>(text.value("ranks"))), full_(deck(ranks_)) {}

    void run() {
        single_cell();
        arithmetic();
        shares();
        whole_machine();
        opterons();
    }

  private:
    // The deck of the scaling study on the most square grid, the longer side along I.
    SweepQuery deck(int ranks) const {
        constexpr std::array<int, 3> any = {1 << 24, 1 << 24, 1};
        SweepQuery query;
        query.grid = sweep_grid(ranks, any);
        query.cells = {static_cast<int>(text_.value("cells_i")) * query.grid[0],
                       static_cast<int>(text_.value("cells_j")) * query.grid[1],
                       static_cast<int>(text_.value("cells_k"))};
        query.planes = static_cast<int>(text_.value("planes"));
        return query;
    }

    double blocks() const { return octants_of_all * full_.blocks(); }

    void single_cell() {
        text_.compare("reduction", "%", in_percent * (1 - text_.value("reverse_time") / text_.value("petrini_time")));
        text_.about("petrini_transfers_ratio", "ratio", text_.value("petrini_transfers") / text_.value("reverse_time"),
                    "about twice");
        const Machine old = load_machine("cell-blade");
        reverse_accelerated(old);
        pushed(old);
    }

    // The whole program on the eight accelerator cores of one processor, with the messages of this machine.
    void reverse_accelerated(const Machine& old) {
        const std::string grind = "compute.sweep3d.grind";
        SweepQuery query;
        query.grid = {4, 2};
        query.angle_block = 3;
        const Machine machine = with_change(machine_, grind, print(find(old, grind)->measure, true));
        text_.measured("reverse_time", "s", iterations * sweep3d_time(machine, query).si(),
                       "no test: the time of a cell and angle is fitted to it");
    }

    // The inner loop alone on them.
    void pushed(const Machine& old) {
        const SweepQuery query;
        const double lines = iterations * octants_of_all * query.angles * query.cells[1] * query.cells[2];
        PushedSweep sweep;
        sweep.cell_angles = lines * query.cells[0];
        sweep.accelerators = 8;
        sweep.grind = time_at(old, "compute.sweep3d.grind");
        sweep.volume = data_at(old, "compute.sweep3d.volume");
        sweep.bandwidth = bandwidth_at(old, "node.memory.bandwidth");
        const Breakdown time = pushed_sweep_time(sweep);
        text_.measured("petrini_transfers", "s", time.terms.back().time.si(),
                       "no test: the data of a cell and angle is fitted to it");
        text_.measured("petrini_time", "s", time.total.si(),
                       fmt::format("the other code's computing, and transfers that do not overlap it; the controller's "
                                   "own time is left out: {:.2g} us a line would do",
                                   (text_.value("petrini_time") - time.total.si()) / lines / micro));
    }

    void arithmetic() {
        const double cells = text_.value("cells_i") * text_.value("planes") * text_.value("angles");
        text_.compare("message_bytes", "B", cells * 8, "5 cells, 10 planes, 6 angles, doubles");
        text_.compare("messages_of_rank", "messages", 2 * blocks(), "two for each of 320 blocks");
        text_.compare("message_interval", "us", text_.value("iteration_time") * 1e3 / text_.value("messages_of_rank"));
        const double edges = 2.0 * ranks_ - full_.grid[0] - full_.grid[1];
        text_.exceeds("all_messages", "million", blocks() * edges / 1e6,
                      fmt::format("over sixty: 320 for each edge of a {} x {} grid, which the text does not print",
                                  full_.grid[0], full_.grid[1]));
        text_.cells().computed("Section Application performance", "block_compute", "ns a cell and angle",
                               text_.value("block_compute") * micro / (cells * text_.value("cells_j")) / nano,
                               "60 us for 5 x 5 x 10 cells and 6 angles");
        text_.compare("ideal_speedup", "ratio", in_percent / text_.value("efficiency"), "without communication");
        text_.compare("efficiency", "%", in_percent - text_.value("share_256"), "what communication leaves");
    }

    Time time_of(const SweepQuery& query) const { return sweep3d_time(machine_, query); }
    double share(const SweepQuery& query, Time time) const {
        return in_percent * communication_share(sweep_wavefront(machine_, query), time);
    }
    double share(int ranks) const { return share(deck(ranks), time_of(deck(ranks))); }
    // Of the time in which a rank does not compute itself: the fill is then communication.
    double waiting(Time time) const {
        return in_percent * (1 - blocks() * text_.value("block_compute") * micro / time.si());
    }

    void shares() {
        text_.measured("share_16", "%", share(16), "no test: a message within a blade is fitted to it");
        text_.exceeds("share_32", "%", share(32), "over half: predicted");
        text_.measured("share_64", "%", share(64), "it helped to choose how requests pass gateways, else predicted");
        const Time time = time_of(deck(256));
        const std::string contradicts =
            "the two readings differ by the fill of the pipeline, which at 16 ranks alone "
            "is more than the 4.1 % that the text has there";
        text_.contradiction("share_256", "%, fill as computing", share(deck(256), time), contradicts);
        text_.about("share_256", "%, fill as waiting", waiting(time), "about 80 at 256 ranks and beyond: predicted");
    }

    void whole_machine() {
        const Time time = time_of(full_);
        text_.measured(
            "iteration_time", "ms", time.si() * 1e3,
            fmt::format("no test: a gateway's time is fitted to it; {} x {} ranks", full_.grid[0], full_.grid[1]));
        const double ideal = sweep_steps({full_.grid[0], full_.grid[1], full_.blocks()}) * text_.value("block_compute");
        text_.cells().computed("Section Scalability analysis", "iteration_time", "ms, free messages", ideal / 1e3,
                               "steps of 60 us");
        const double printed = text_.value("iteration_time") * 1e3;
        text_.contradiction("share_256", "%, all ranks, fill as computing", in_percent * (1 - ideal / printed),
                            "from the printed 60 us and 433 ms alone: the most that they leave");
        text_.contradiction("share_256", "%, all ranks, fill as waiting",
                            in_percent * (1 - blocks() * text_.value("block_compute") / printed),
                            "from the printed 60 us and 433 ms alone: neither reading is 80 % at every size");
        text_.cells().computed(
            "Section Scalability analysis", "block_compute", "us, 80 % at all ranks",
            printed * (1 - text_.value("share_256") / in_percent) * text_.value("block_compute") / ideal,
            "what a block would have to take instead of 60 us, fill as computing");
    }

    // The original code with the same problem on a node's four host cores.
    SweepQuery without_accelerators(const SweepQuery& hybrid) const {
        SweepQuery query = hybrid;
        query.grid = sweep_grid(hybrid.ranks() / ranks_of_core, hybrid.cells);
        return query;
    }

    void opterons() {
        const Machine hosts = load_machine("roadrunner-opterons");
        const SweepQuery query = without_accelerators(full_);
        const double cells = text_.value("cells_i") * text_.value("cells_j") * ranks_of_core;
        const double block = cells * text_.value("planes") * text_.value("angles");
        const double steps = sweep_steps({query.grid[0], query.grid[1], query.blocks()});
        const double time = text_.value("speedup_over_opteron") * text_.value("iteration_time") * 1e-3;
        text_.cells().computed("Section Application performance", "speedup_over_opteron", "ns a cell and angle",
                               time / (steps * block) / nano,
                               "what an Opteron core would take at most: twice 433 ms with free messages");
        text_.measured("speedup_over_opteron", "ratio", sweep3d_time(hosts, query) / time_of(full_),
                       "no test: an Opteron core's time of a cell and angle is fitted to it, on all nodes");
        for (const int nodes : {1, 8, 64, 512, 3060}) {
            const SweepQuery hybrid = deck(nodes * ranks_of_node);
            const Time with = time_of(hybrid);
            const Time without = sweep3d_time(hosts, without_accelerators(hybrid));
            const char* unprinted = "a curve that is not in the text";
            const std::string row = std::to_string(nodes);
            text_.cells().computed("Figure 7", row, "ms, hybrid", with.si() * 1e3, unprinted);
            text_.cells().computed("Figure 7", row, "ms, Opterons alone", without.si() * 1e3, unprinted);
            text_.cells().computed("Figure 7", row, "ratio", without / with,
                                   "the text: approximately 2, at no size in particular");
        }
    }

    static constexpr int ranks_of_node = 32;
    static constexpr int ranks_of_core = 8;
    static constexpr double iterations = 10;  // of the runs on one processor

    TextReproduction& text_;
    const Machine& machine_;
    int ranks_;
    SweepQuery full_;
};

}  // namespace

void add_sweep3d_cells(TextReproduction& text, const Machine& roadrunner) {
    SweepOfPakin2009(text, roadrunner).run();
}

}  // namespace narrows
