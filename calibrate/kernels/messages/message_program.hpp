#pragma once

#include <fmt/format.h>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/kernels/messages/allreduce.hpp"
#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/kernels/messages/matvec.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/overhead.hpp"
#include "calibrate/kernels/messages/overlap.hpp"
#include "calibrate/kernels/messages/ping_pong.hpp"
#include "calibrate/kernels/messages/stream.hpp"
#include "calibrate/messaging/command_queue.hpp"
#include "calibrate/messaging/process_run.hpp"
#include "calibrate/messaging/put_windows.hpp"
#include "calibrate/messaging/with_messages.hpp"

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
          records_(static_cast<std::size_t>(layout.ranks)) {
        if (options.algorithm == Allreduce::node_shared) {
            segments_.emplace(options.ranks, options.node_ranks, SegmentShape::up_to(plan.most_bytes()));
        }
    }

    const std::vector<RankRecord>& records() const { return records_; }

    /// Returns what `execute(make, body)` does: `make(endpoint)` makes a process's protocol, and `body(protocol, rank,
    /// waiter)` is to be run for each rank.
    template <class Execute>
    auto run(const Execute& execute) {
        if (!between_pairs(options_.kernel)) {
            return with_messages<Endpoint>(options_.protocol, layout_, first_, last_, execute, two_sided());
        }
        switch (options_.protocol) {
            case Protocol::active_message:
                return options_.kernel == MessageKernel::stream ? active_stream(execute)
                                                                : puts<PutWindows<Endpoint>>(execute);
            case Protocol::eager:
            case Protocol::rendezvous:
            case Protocol::buffered:
            case Protocol::receiver_initiated:
                return with_messages<Endpoint>(options_.protocol, layout_, first_, last_, execute, two_sided());
            case Protocol::command_queue:
                return puts<CommandQueue<Endpoint>>(execute, put_stream_memory(routes_, plan_));
        }
        throw std::logic_error("MessageProgram: no such protocol");
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
                case MessageKernel::exchange:
                    return exchange(messages, rank, options_.neighbours, plan_, own, waiter);
                case MessageKernel::overlap:
                    return overlap(messages, rank, options_.progress, plan_, own, waiter);
                case MessageKernel::allreduce:
                    return allreduce_samples(messages, rank, options_.algorithm, options_.node_ranks,
                                             segments_ ? &*segments_ : nullptr, plan_, own, waiter);
                case MessageKernel::matvec:
                    return matvec(messages, rank, plan_, own, waiter);
            }
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
    std::optional<NodeSegments> segments_;
};

/// Runs the program of one rank in a process of its own and returns its record as bytes, for `read_record`. `crowded`:
/// ranks outnumber the cores of their machine.
template <class Endpoint>
std::string run_message_process(const MessageOptions& options, const SamplePlan& plan, Endpoint& endpoint, int rank,
                                bool crowded) {
    MessageProgram<Endpoint> program(options, plan, process_layout(endpoint), rank, rank + 1);
    program.run([&](const auto& make, const auto& body) {
        ProcessWaiter waiter(waiting_on(endpoint, crowded));
        run_process(endpoint, waiter, make, body);
    });
    return write_record(program.records()[static_cast<std::size_t>(rank)]);
}

/// The same in a process that was started by others, whose record nobody collects: beside rank 0, samples that brought
/// something else than was sent end the job with std::runtime_error.
template <class Endpoint>
std::string run_lone_process(const MessageOptions& options, const SamplePlan& plan, Endpoint& endpoint, int rank,
                             bool crowded) {
    std::string record = run_message_process(options, plan, endpoint, rank, crowded);
    const std::uint64_t errors = read_record(record).errors;
    if (rank != 0 && errors != 0) {
        throw std::runtime_error(fmt::format("{} samples brought something else than was sent", errors));
    }
    return record;
}

}  // namespace narrows
