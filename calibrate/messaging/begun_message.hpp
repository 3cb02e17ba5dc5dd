#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>

#include "calibrate/ranks/cores.hpp"
#include "calibrate/ranks/fiber_stacks.hpp"
#include "calibrate/ranks/fiber_worker.hpp"
#include "calibrate/ranks/run_ended.hpp"
#include "calibrate/ranks/waiter.hpp"

namespace narrows {

// Messages that a rank begins, and waits for after it has computed, by any protocol with send and receive. The protocol
// is left as it is: its send or receive runs beside the application, in a fiber that has its turn when the application
// begins or waits, or in a thread.

/// When a message goes on that its rank has begun: when the rank calls, or by a communication thread of its own (in
/// place of the interrupts of kumar2008, Section 4.1).
enum class MessageProgress { poll, thread };

/// The one message that a rank has begun, handed from its application to its communication and back.
class BegunMessage {
  public:
    bool sends = false;
    int peer = 0;
    std::byte* data = nullptr;
    std::size_t bytes = 0;

    bool begun() const { return begun_.load(std::memory_order_acquire); }
    /// Hands it over, with all that was written before.
    void begin() { begun_.store(true, std::memory_order_release); }

    /// Whether there will be no more of them: the application has returned, or the run is over.
    bool over() const { return over_.load(std::memory_order_acquire); }
    void end() { over_.store(true, std::memory_order_release); }

    /// Sends or receives it.
    template <class Messages, class Waiter>
    void perform(Messages& messages, int me, Waiter& waiter) {
        if (sends) {
            messages.send(me, peer, 0, data, bytes, waiter);
        } else {
            messages.receive(me, peer, 0, data, bytes, waiter);
        }
        begun_.store(false, std::memory_order_release);
    }

  private:
    std::atomic<bool> begun_{false};
    std::atomic<bool> over_{false};
};

/// What a rank's application calls. A rank has one message begun at a time. `rest()` lets the communication go on.
template <class Rest>
class MessageCalls {
  public:
    MessageCalls(BegunMessage& message, Rest rest) : message_(message), rest_(rest) {}

    /// `data` must stay as they are, and `buffer` is not to be read, until `wait` has returned.
    void begin_send(int to, const std::byte* data, std::size_t bytes) {
        begin(true, to, const_cast<std::byte*>(data), bytes);
    }
    void begin_receive(int from, std::byte* buffer, std::size_t bytes) { begin(false, from, buffer, bytes); }

    /// Waits for what was begun. Throws RunEnded when the run is over.
    void wait() {
        while (message_.begun()) {
            if (message_.over()) throw RunEnded();
            rest_();
        }
    }
    void send(int to, const std::byte* data, std::size_t bytes) {
        begin_send(to, data, bytes);
        wait();
    }
    void receive(int from, std::byte* buffer, std::size_t bytes) {
        begin_receive(from, buffer, bytes);
        wait();
    }

  private:
    void begin(bool sends, int peer, std::byte* data, std::size_t bytes) {
        message_.sends = sends;
        message_.peer = peer;
        message_.data = data;
        message_.bytes = bytes;
        message_.begin();
        rest_();
    }

    BegunMessage& message_;
    Rest rest_;
};

/// How the communication of a rank waits that shares a thread with its application: that one has its turn.
template <class Outer>
class TurnWaiter {
  public:
    static constexpr bool shares_worker = false;
    /// The application is kept from computing no longer than it takes to look once.
    static constexpr int looks_before_yield = 1;

    TurnWaiter(Outer& outer, FiberWaiter& turns) : outer_(outer), turns_(turns) {}

    bool yield(bool progressed) {
        const bool running = outer_.yield(progressed);
        turns_.yield(true);
        return running;
    }
    void progressed() { outer_.progressed(); }
    void advance(std::uint64_t units) { outer_.advance(units); }

  private:
    Outer& outer_;
    FiberWaiter& turns_;
};

/// Runs `application(calls)` for rank `me`, with its communication in another fiber of this thread. What the
/// application keeps on its stack is not destroyed when the run ends early.
template <class Messages, class Waiter, class Application>
void run_polling(Messages& messages, int me, Waiter& waiter, const Application& application) {
    constexpr std::size_t stack_bytes = std::size_t{256} << 10;
    BegunMessage message;
    FiberProgram program;
    program.run = [&](int fiber, FiberWaiter& turns) {
        if (fiber != 0) {
            application(MessageCalls(message, [&turns] { turns.yield(true); }));
            message.end();
            return;
        }
        TurnWaiter<Waiter> own(waiter, turns);
        while (!message.over()) {
            if (message.begun()) message.perform(messages, me, own);
            turns.yield(true);
        }
    };
    FiberStacks stacks(2, stack_bytes, PageSize::small);
    ProgressMonitor never(1, ~std::uint64_t{0});
    FiberWorker(0, 0, 2, stacks, never, program).run();
}

/// The same with the communication on this thread and the application on another, on a core beyond those of the ranks.
/// Where there is none it shares its rank's: the communication gives it away whenever it has nothing to do.
template <class Messages, class Waiter, class Application>
void run_with_thread(Messages& messages, int me, Waiter& waiter, const Application& application) {
    BegunMessage message;
    std::exception_ptr error;
    const Cores cores;
    std::jthread computing([&] {
        try {
            const int beyond = messages.ranks() + me;
            cores.pin_this_thread(beyond < cores.count() ? beyond : me);
            application(MessageCalls(message, [] { std::this_thread::yield(); }));
        } catch (...) {
            error = std::current_exception();
        }
        message.end();
    });
    try {
        while (!message.over()) {
            if (message.begun()) {
                message.perform(messages, me, waiter);
            } else {
                messages.poll();
                std::this_thread::yield();
                // The application computes.
                if (!waiter.yield(true)) throw RunEnded();
            }
        }
    } catch (...) {
        message.end();
        throw;
    }
    computing.join();
    if (error) std::rethrow_exception(error);
}

/// Runs `application(calls)` for rank `me`, where `calls` is a MessageCalls. Throws what the protocol or it threw.
template <class Messages, class Waiter, class Application>
void run_beside(MessageProgress progress, Messages& messages, int me, Waiter& waiter, const Application& application) {
    if (progress == MessageProgress::poll) {
        run_polling(messages, me, waiter, application);
    } else {
        run_with_thread(messages, me, waiter, application);
    }
}

}  // namespace narrows
