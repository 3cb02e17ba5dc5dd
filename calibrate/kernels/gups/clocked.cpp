#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "calibrate/kernels/gups/routed_ranks.hpp"
#include "calibrate/ranks/ordered_worker.hpp"

namespace narrows {

namespace {

/// What the sinks of all ranks share.
struct ClockedState {
    const GupsClock& clock;
    TorusLinks& links;
    ClockedWork work;
    std::uint64_t mark;  ///< updates formed until the middle of the run begins or ends
    std::function<void(double now)> at_mark;
};

/// A rank's sink that carries its packets over the links and tells its clock what everything takes.
class ClockedSink {
  public:
    ClockedSink(ClockedState& state, const OrderedWaiter& waiter, const UpdateSink& table)
        : state_(&state), waiter_(waiter), table_(table) {}

    void prefetch(Word /*update*/) const {}
    void apply(Word update) const {
        table_.apply(update);
        ++state_->work.applied;
        waiter_.spend(state_->clock.apply);
    }
    void routed() const {
        ++state_->work.routed;
        waiter_.spend(state_->clock.route);
    }
    // The packet can leave when its sender has written it.
    bool try_send(int to, int dimension, const Word* words, int count) const {
        waiter_.await_turn();
        ++state_->work.attempts;
        const double ready = waiter_.now() + state_->clock.send;
        if (!state_->links.try_send(ready, waiter_.rank(), dimension, to, words, count)) {
            ++state_->work.refused;
            return false;
        }
        ++state_->work.sent;
        waiter_.spend(state_->clock.send);
        return true;
    }
    void send_end(int to, int dimension) const {
        waiter_.await_turn();
        waiter_.spend(state_->clock.send);
        state_->links.send_end(waiter_.now(), waiter_.rank(), dimension, to);
    }
    void await_turn() const { waiter_.await_turn(); }
    void received() const {
        ++state_->work.received;
        waiter_.spend(state_->clock.receive);
    }
    void released(int dimension) const { state_->links.release(waiter_.now(), waiter_.rank(), dimension); }
    void formed(std::uint64_t updates) const {
        state_->work.formed += updates;
        waiter_.spend(state_->clock.form * static_cast<double>(updates));
        if (state_->work.formed >= state_->mark) state_->at_mark(waiter_.now());
    }
    void looked(int full, std::uint64_t times) const {
        const std::uint64_t attempts = times * static_cast<std::uint64_t>(full);
        state_->work.attempts += attempts;
        state_->work.refused += attempts;
    }

  private:
    ClockedState* state_;
    OrderedWaiter waiter_;
    UpdateSink table_;
};

RouterOptions clocked_router(const GupsOptions& options) {
    RouterOptions router;
    router.slots = options.clock->links.reception;
    router.pages = options.pages;
    return router;
}

// A worker beside that of the ranks, so that they are fibers though there be one.
RankLayout clocked_layout(const GupsOptions& options) {
    return {options.ranks, options.ranks == 1 ? 2 : 1};
}

// The middle of a run, in updates formed by all ranks: by then all buckets are in use, and hardly any rank has
// finished.
std::uint64_t middle_begins(std::uint64_t updates) {
    return updates / 2;
}
std::uint64_t middle_ends(std::uint64_t updates) {
    return updates / 4 * 3;
}

/// A run of all ranks and links by the clock.
class ClockedRun final : public LinkHost {
  public:
    explicit ClockedRun(const GupsOptions& options)
        : options_(options),
          clock_(*options.clock),
          links_(clock_.grid, static_cast<int>(options.shape.size()), clock_.links, *this),
          state_{clock_, links_, {}, middle_begins(options.updates), [this](double now) { at_mark(now); }},
          ranks_(options, clocked_layout(options), clocked_router(options)),
          stacks_(options.ranks, default_stack_bytes, options.pages),
          worker_(options.ranks, stacks_, clock_.form + clock_.apply + clock_.route + clock_.look, program()) {
        ranks_.set_up(0, [this](int rank, const UpdateSink& table) {
            const OrderedWaiter waiter(worker_, rank);
            waiter.looks_take(clock_.look);
            return ClockedSink(state_, waiter, table);
        });
    }

    /// False when the ranks wait for each other.
    bool run() { return worker_.run(); }

    void schedule(double time, std::uint32_t event) override { worker_.schedule(time, event); }
    void deliver(double time, int rank, int dimension, const Word* words, int count) override {
        if (!ranks_.setup().worker(0).sender.try_send(rank, dimension, words, count)) {
            throw std::logic_error("a packet came for which there was no place");
        }
        worker_.changed(rank, time);
    }
    void deliver_end(double time, int rank, int dimension) override {
        ranks_.setup().finish_counts().raise(0, rank, dimension);
        worker_.changed(rank, time);
    }
    void room(double time, int rank) override { worker_.changed(rank, time); }

    const RoutedRanks<ClockedSink>& ranks() const { return ranks_; }
    ClockedGups result() const;

  private:
    OrderedProgram program() {
        OrderedProgram made;
        made.run = [this](int rank, OrderedWaiter& waiter) { ranks_.run(rank, waiter); };
        made.handle = [this](double time, std::uint32_t event) { links_.handle(time, event); };
        if (options_.progress) {
            made.report = [this](std::uint64_t done) {
                options_.progress(static_cast<double>(done) / static_cast<double>(options_.updates));
            };
        }
        return made;
    }

    void at_mark(double now);
    bool is_long(double seconds, const ClockedWork& work) const;
    void end_middle(double now);

    const GupsOptions& options_;
    const GupsClock& clock_;
    TorusLinks links_;
    ClockedState state_;
    RoutedRanks<ClockedSink> ranks_;
    FiberStacks stacks_;
    OrderedWorker worker_;
    double steady_from_ = 0;
    std::uint64_t passed_ = 0;
    ClockedWork before_;
    ClockedGups middle_;
};

void ClockedRun::at_mark(double now) {
    if (state_.mark == middle_begins(options_.updates)) {
        state_.mark = std::max(state_.mark + 1, middle_ends(options_.updates));
        steady_from_ = now;
        before_ = state_.work;
        passed_ = links_.passed();
        links_.forget();
    } else {
        state_.mark = std::numeric_limits<std::uint64_t>::max();
        end_middle(now);
    }
}

// Ranks are caught in the midst of what they do when a middle begins and ends, which does not affect the result.
bool ClockedRun::is_long(double seconds, const ClockedWork& work) const {
    constexpr int rounds = 20;
    const double round = clock_.form + clock_.apply + clock_.route;
    const auto formed = static_cast<double>(work.formed);
    // While buckets fill, updates are formed that nobody applies.
    const bool is_steady = std::abs(static_cast<double>(work.applied) - formed) <= 0.1 * formed;
    return seconds > 0 && is_steady && seconds >= rounds * round &&
           work.formed >= static_cast<std::uint64_t>(rounds) * static_cast<std::uint64_t>(options_.ranks);
}

void ClockedRun::end_middle(double now) {
    const ClockedWork work = state_.work.since(before_);
    if (!is_long(now - steady_from_, work)) return;
    middle_.steady_seconds = now - steady_from_;
    middle_.steady = work;
    const auto dimensions = static_cast<std::size_t>(links_.dimensions());
    std::vector<double> links(dimensions);
    middle_.mean_link.assign(dimensions, 0);
    middle_.fullest_link.assign(dimensions, 0);
    for (int link = 0; link < links_.links(); ++link) {
        const auto d = static_cast<std::size_t>(links_.dimension_of(link));
        const double share = links_.busy(link) / middle_.steady_seconds;
        links[d] += links_.exists(link) ? 1 : 0;
        middle_.mean_link[d] += share;
        middle_.fullest_link[d] = std::max(middle_.fullest_link[d], share);
    }
    for (std::size_t d = 0; d < dimensions; ++d) middle_.mean_link[d] /= std::max(1.0, links[d]);
}

ClockedGups ClockedRun::result() const {
    ClockedGups result = middle_;
    for (int rank = 0; rank < options_.ranks; ++rank) result.seconds = std::max(result.seconds, worker_.clock(rank));
    result.work = state_.work;
    result.packet_links = passed_ + links_.passed();
    result.events = worker_.switches() + worker_.handled();
    return result;
}

}  // namespace

ClockedWork ClockedWork::since(const ClockedWork& before) const {
    return {formed - before.formed,     applied - before.applied,   routed - before.routed,  sent - before.sent,
            received - before.received, attempts - before.attempts, refused - before.refused};
}

double ClockedGups::steady_rate() const {
    return steady_seconds > 0 ? static_cast<double>(steady.formed) / steady_seconds : 0;
}

double ClockedGups::blocking() const {
    return steady.attempts > 0 ? static_cast<double>(steady.refused) / static_cast<double>(steady.attempts) : 0;
}

std::size_t clocked_memory(const GupsOptions& options) {
    const RoutePlan plan(options.shape, table_ownership(options), options.bucket);
    double hops = 0;
    for (const int size : options.shape) hops += (size - 1.0) / size;
    // Full ones, then what is left in the buckets.
    const double sent = static_cast<double>(options.updates) * hops / plan.bucket_words() +
                        static_cast<double>(options.ranks) * plan.peer_count();
    return RouterSetup::memory(plan, clocked_layout(options), clocked_router(options), sizeof(Router<ClockedSink>)) +
           TorusLinks::memory(options.clock->grid, options.shape, options.clock->links, sent);
}

GupsRun run_clocked(const GupsOptions& options) {
    GupsRun run = begun_run(options);
    const auto begin = std::chrono::steady_clock::now();
    ClockedRun clocked(options);
    const bool ended = clocked.run();
    run.clocked = clocked.result();
    run.clocked->wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    run.seconds = run.clocked->seconds;
    take_send_counters(run, clocked.ranks().setup().workers(), clocked.ranks().setup().mailbox_plan());
    if (!ended) {
        run.deadlock = clocked.ranks().explain_deadlock();
        return run;
    }
    verify(run, clocked.ranks().table(), options);
    return run;
}

}  // namespace narrows
