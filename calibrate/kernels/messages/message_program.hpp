#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "calibrate/kernels/messages/collective.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/overhead.hpp"
#include "calibrate/kernels/messages/overlap.hpp"
#include "calibrate/kernels/messages/ping_pong.hpp"
#include "calibrate/kernels/messages/stream.hpp"
#include "calibrate/messaging/member.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/with_messages.hpp"
#include "calibrate/ranks/thread_time.hpp"
#include "calibrate/transport/transport_error.hpp"

namespace narrows {

/// What the ranks [first, last) of this process, or all of them where they share memory, do in a measurement of
/// messages, by any protocol over any transport.
template <class Endpoint>
class MessageProgram {
  public:
    MessageProgram(const MessageOptions& options, const SamplePlan& plan, const RankLayout& layout, int first, int last)
        : options_(options),
          plan_(plan),
          layout_(layout),
          first_(first),
          last_(last),
          routes_(options.pattern, layout.ranks),
          records_(static_cast<std::size_t>(layout.ranks)),
          collective_(options, plan) {
        if (options.report && first == 0) {
            records_.front().report = [&options, all = static_cast<double>(plan.samples.size())](std::size_t taken) {
                options.report(static_cast<double>(taken) / all);
            };
        }
    }

    /// What the first of the ranks measured, with the checks of all, and of a collective the slowest one's times.
    RankRecord record_of_all() const {
        RankRecord all = records_[static_cast<std::size_t>(first_)];
        for (int rank = first_ + 1; rank < last_; ++rank) {
            all.add(records_[static_cast<std::size_t>(rank)], is_collective(options_.kernel));
        }
        return all;
    }

    /// Returns what `execute(make, body)` does: `make(endpoint)` makes a process's protocol, and `body(protocol, rank,
    /// waiter)` is to be run for each rank.
    template <class Execute>
    auto run(const Execute& execute) {
        const auto sends = [&] {
            return with_messages<Endpoint>(options_.protocol, layout_, first_, last_, execute, two_sided());
        };
        // Called at one place alone: what it brings in would end inlining for what puts.
        if (!between_pairs(options_.kernel) || !record_of(options_.protocol).puts) return sends();
        using Ended = decltype(sends());
        return with_protocol(options_.protocol, [&]<class Known>(Known) -> Ended {
            if constexpr (!Known::record.puts) {
                throw std::logic_error("MessageProgram: it does not put");
            } else if constexpr (Known::record.handles) {
                return options_.kernel == MessageKernel::stream
                           ? active_stream(execute)
                           : puts<typename Known::template Puts<Endpoint>>(execute);
            } else {
                return puts<typename Known::template Puts<Endpoint>>(execute, put_stream_memory(routes_, plan_));
            }
        });
    }

    /// What a rank does with any protocol that has send and receive.
    auto two_sided() {
        return [this](auto& messages, int rank, auto& waiter) {
            RankRecord& own = record(rank);
            switch (options_.kernel) {
                case MessageKernel::ping_pong:
                    return ping_pong(messages, rank, plan_, own, waiter);
                case MessageKernel::stream:
                    return stream(messages, rank, routes_, plan_, own, waiter);
                case MessageKernel::send_overhead:
                    return overhead(messages, rank, TimedCall::send, plan_, own, waiter);
                case MessageKernel::receive_overhead:
                    return overhead(messages, rank, TimedCall::receive, plan_, own, waiter);
                case MessageKernel::overlap:
                    return overlap(messages, rank, options_.progress, plan_, own, waiter);
                default:
                    break;
            }
            MemberOf member(messages, rank, waiter);
            collective_.run(member, own);
        };
    }

  private:
    template <class Made, class... Arguments>
    auto maker(Arguments... arguments) const {
        return [this, arguments...](Endpoint& endpoint) {
            return std::make_unique<Made>(endpoint, layout_, arguments...);
        };
    }

    template <class Puts, class Execute, class... Arguments>
    auto puts(const Execute& execute, Arguments... arguments) {
        return execute(maker<Puts>(arguments...), [this](Puts& all, int rank, auto& waiter) {
            if (options_.kernel == MessageKernel::ping_pong) {
                put_ping_pong(all, rank, plan_, record(rank), waiter);
            } else if (options_.kernel == MessageKernel::stream) {
                put_stream(all, rank, routes_, plan_, record(rank), waiter);
            } else {
                const bool of_send = options_.kernel == MessageKernel::send_overhead;
                put_overhead(all, rank, of_send ? TimedCall::send : TimedCall::receive, plan_, record(rank), waiter);
            }
        });
    }

    template <class Execute>
    auto active_stream(const Execute& execute) {
        using Stream = ActiveStream<Endpoint>;
        return execute(maker<Stream>(std::cref(routes_), std::ref(records_), plan_.most_bytes()),
                       [this](Stream& all, int rank, auto& waiter) { all.run(rank, plan_, waiter); });
    }

    RankRecord& record(int rank) { return records_[static_cast<std::size_t>(rank)]; }

    const MessageOptions& options_;
    const SamplePlan& plan_;
    RankLayout layout_;
    int first_;
    int last_;
    StreamRoutes routes_;
    std::vector<RankRecord> records_;
    CollectiveProgram collective_;
};

/// Runs the program of this process's ranks and returns what the first of them measured as bytes, for `read_record`: on
/// the first process with the checks of the ranks of all, and the times of the slowest where they count. `crowded`:
/// processes outnumber the cores of their machine. Where a peer is gone, `taken` gets what this process's ranks had
/// measured until then.
template <class Endpoint>
std::string run_message_process(const MessageOptions& options, const SamplePlan& plan, Endpoint& endpoint, bool crowded,
                                RankRecord* taken = nullptr) {
    endpoint.use({options.ranks, endpoint.processes()});
    const int first = endpoint.layout().first_rank(endpoint.process());
    const int last = endpoint.layout().first_rank(endpoint.process() + 1);
    MessageProgram<Endpoint> program(options, plan, endpoint.layout(), first, last);
    const double start = wall_seconds();
    const double processor = thread_seconds();
    const long switches = thread_switches();
    double rested = 0;
    try {
        program.run([&](const auto& make, const auto& body) {
            ProcessWaiter waiter(waiting_on(endpoint, crowded));
            run_process(endpoint, waiter, make, body);
            rested = waiter.rested_seconds();
        });
    } catch (const TransportError&) {
        if (taken) *taken = program.record_of_all();
        throw;
    }
    RankRecord record = program.record_of_all();
    record.cores = {wall_seconds() - start - rested, thread_seconds() - processor, thread_switches() - switches,
                    crowded};
    const std::vector<std::string> records = endpoint.gather(write_record(record));
    for (std::size_t process = 1; process < records.size(); ++process) {
        record.add(read_record(records[process]), is_collective(options.kernel));
    }
    return write_record(record);
}

}  // namespace narrows
