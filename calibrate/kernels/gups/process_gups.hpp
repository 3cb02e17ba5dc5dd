#pragma once

#include <memory>
#include <string>

#include "calibrate/kernels/gups/bucketed_ranks.hpp"
#include "calibrate/kernels/gups/exchanged_ranks.hpp"
#include "calibrate/kernels/gups/routed_ranks.hpp"
#include "calibrate/kernels/gups/shmem_ranks.hpp"
#include "calibrate/kernels/gups/update_carrier.hpp"
#include "calibrate/messaging/collectives.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/ranks/thread_time.hpp"

namespace narrows {

/// What one process's ranks did, as bytes that travel between processes of one program.
std::string write_part(const GupsRun& part);
/// The run of all processes, of which these are the parts.
GupsRun gathered_gups(const GupsOptions& options, const std::vector<std::string>& parts);

/// Runs one process's ranks of RandomAccess and checks their part of the table.
template <class Endpoint>
class ProcessGups {
  public:
    /// `options` as `checked` has returned them. `crowded`: processes outnumber the cores of their machine.
    ProcessGups(const GupsOptions& options, Endpoint& endpoint, bool crowded)
        : options_(options), endpoint_(endpoint), waiter_(waiting_on(endpoint, crowded)) {
        options_.workers = 1;
        endpoint.use({options.ranks, endpoint.processes()});
        first_ = endpoint.layout().first_rank(endpoint.process());
        last_ = endpoint.layout().first_rank(endpoint.process() + 1);
    }

    GupsRun run() {
        run_.counters.updates = options_.updates;
        switch (options_.variant) {
            case GupsVariant::bucketed:
                bucketed();
                break;
            case GupsVariant::exchanged:
                exchanged();
                break;
            case GupsVariant::shmem:
                shmem();
                break;
            default:
                routed();
        }
        if constexpr (requires { endpoint_.datagrams(); }) run_.datagrams = endpoint_.datagrams();
        return run_;
    }

  private:
    // Packets between two processes in a dimension: enough that a network is kept busy, in bytes or in packets, the
    // more the fewer peers share what a process has under way, and where many ranks share it.
    int window(int packet_words, int peers) const {
        constexpr int bytes_of_process = 128 << 10;
        constexpr int least_bytes = 8 << 10, most_bytes = 32 << 10;
        constexpr int usual_most = 64, most = 256;
        const int bytes = std::clamp(bytes_of_process / std::max(1, peers), least_bytes, most_bytes);
        const int of_bytes = bytes / (packet_words * static_cast<int>(sizeof(Word)));
        return std::clamp(of_bytes, std::min(usual_most, options_.in_transit * (last_ - first_)), most);
    }

    // Of the ranks that a rank sends to along its dimensions.
    int routed_peers() const {
        int peers = 0;
        for (const int size : options_.shape) peers += size - 1;
        return std::min(peers, endpoint_.processes() - 1);
    }

    /// A waiter that also lets packets come, which for fibers each pass over them does, and waits for the rank's
    /// processor.
    template <class Waiter>
    struct Polling {
        UpdateCarrier<Endpoint>& carrier;
        int rank;
        Waiter& waiter;

        bool yield(bool progressed) { return pass(progressed) && rest(); }
        bool rest() {
            bool goes_on = true;
            while (goes_on && carrier.busy(rank)) goes_on = pass(false);
            return goes_on;
        }
        bool pass(bool progressed) {
            if constexpr (Waiter::shares_worker) {
                return waiter.yield(progressed);
            } else {
                const bool came = carrier.poll();
                return waiter.yield(progressed || came);
            }
        }
        void advance(std::uint64_t updates) {
            carrier.formed(rank, updates);
            waiter.advance(updates);
        }
    };

    // `make(endpoint)` makes the carrier of this process's ranks, and these.
    template <class Make, class Ranks>
    void run_carried(const Make& make, const std::unique_ptr<Ranks>& ranks) {
        run_process(endpoint_, waiter_, make, [&](UpdateCarrier<Endpoint>& carrier, int rank, auto& waiter) {
            timed(
                rank, [&] { carrier.meet(rank, waiter); },
                [&] {
                    Polling<std::remove_reference_t<decltype(waiter)>> polling{carrier, rank, waiter};
                    ranks->run(rank, polling);
                    polling.rest();
                });
        });
    }

    void routed() {
        RouterOptions router = router_options(options_);
        using Ranks = RoutedRanks<CarriedSink<Endpoint>>;
        std::unique_ptr<Ranks> ranks;
        const RoutePlan plan(options_.shape, table_ownership(options_), options_.bucket);
        const auto make = [&](Endpoint& endpoint) {
            auto carrier = std::make_unique<UpdateCarrier<Endpoint>>(
                endpoint, plan.dimension_count(), window(plan.bucket_words(), routed_peers()), options_.processor);
            // Ranks of one process are fibers, or one on its thread: one worker has them all.
            ranks = std::make_unique<Ranks>(options_, RankLayout{options_.ranks, 1}, router);
            carrier->deliver_to(
                ranks->setup().worker(0).sender, plan.bucket_words(),
                [&ranks](int rank, int dimension) { ranks->setup().finish_counts().raise(0, rank, dimension); });
            ranks->set_up(first_, last_, [&](int rank, const UpdateSink& table) {
                return CarriedSink<Endpoint>(*carrier, rank, table);
            });
            return carrier;
        };
        run_carried(make, ranks);
        take_send_counters(run_, ranks->setup().workers(), ranks->setup().mailbox_plan());
        verify(ranks->table());
    }

    void bucketed() {
        using Ranks = BucketedRanks<UpdateCarrier<Endpoint>>;
        std::unique_ptr<Ranks> ranks;
        const int packet_words = bucketed_packet_words(options_.ranks);
        const auto make = [&](Endpoint& endpoint) {
            auto carrier = std::make_unique<UpdateCarrier<Endpoint>>(
                endpoint, 1, window(usual_bucket_words(options_.ranks), endpoint.processes() - 1), options_.processor);
            ranks = std::make_unique<Ranks>(options_, carrier.get());
            carrier->deliver_to(ranks->workers().front()->sender, packet_words,
                                [&ranks](int /*rank*/, int /*dimension*/) { ranks->finish_one(0); });
            ranks->set_up(0, first_, last_);
            return carrier;
        };
        run_carried(make, ranks);
        take_send_counters(run_, ranks->workers(), ranks->mailbox_plan_used());
        verify(ranks->table());
    }

    void exchanged() {
        ExchangedRanks ranks(options_, first_, last_);
        const auto execute = [&](const auto& make, const auto& body) { run_process(endpoint_, waiter_, make, body); };
        with_messages<Endpoint>(options_.protocol, endpoint_.layout(), first_, last_, execute,
                                [&](auto& messages, int rank, auto& waiter) {
                                    MemberOf member(messages, rank, waiter);
                                    timed(
                                        rank, [&] { barrier(member); }, [&] { ranks.run(messages, rank, waiter); });
                                });
        ranks.count(run_.counters);
        verify(ranks.table());
    }

    void shmem() {
        ShmemRanks ranks(options_, first_, last_);
        const auto make = [&](Endpoint& endpoint) {
            return std::make_unique<CommandQueue<Endpoint>>(endpoint, endpoint.layout(),
                                                            ranks.area().words() * sizeof(Word));
        };
        run_process(endpoint_, waiter_, make, [&](CommandQueue<Endpoint>& queue, int rank, auto& waiter) {
            timed(
                rank, [&] { queue.barrier(rank, waiter); }, [&] { ranks.run(queue, rank, waiter); });
        });
        take_shmem_counters(run_.counters, ranks);
        verify(ranks.table());
    }

    // Between two meetings of the ranks of all processes, by the clock of the process's first rank.
    template <class Meet, class Work>
    void timed(int rank, const Meet& meet, const Work& work) {
        meet();
        const double wall = wall_seconds(), cpu = thread_seconds();
        work();
        meet();
        if (rank != first_) return;
        run_.seconds = wall_seconds() - wall;
        run_.cpu_seconds = thread_seconds() - cpu;
    }

    void verify(const UpdateTable& table) {
        const Ownership ownership = table_ownership(options_);
        narrows::verify(run_, table, {ownership.first_entry(first_), ownership.first_entry(last_)}, options_);
    }

    GupsOptions options_;
    Endpoint& endpoint_;
    ProcessWaiter waiter_;
    int first_ = 0;
    int last_ = 0;
    GupsRun run_;
};

/// Runs this process's part; the first process returns what came of all, the others nothing.
template <class Endpoint>
GupsRun gups_with_others(const GupsOptions& options, Endpoint& endpoint, bool crowded) {
    const GupsRun part = ProcessGups<Endpoint>(options, endpoint, crowded).run();
    const std::vector<std::string> parts = endpoint.gather(write_part(part));
    return parts.empty() ? GupsRun() : gathered_gups(options, parts);
}

}  // namespace narrows
