#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace narrows {

/// Servers that take each message into the first time, long enough for it, at which they are idle. A server remembers
/// its last busy times; what is before them is taken as idle, since few messages come so late. The last two, which most
/// messages need alone, stand apart from the rest, so that the caches hold them for all servers.
class GapServers {
  public:
    void resize(std::size_t count) {
        servers_.resize(count);
        earlier_.resize(count);
    }

    void fetch(int server) const { __builtin_prefetch(&servers_[static_cast<std::size_t>(server)], 1); }

    /// When a server begins with a message that comes at `start` and takes `service`.
    double begin(int number, double start, double service) {
        Server& server = servers_[static_cast<std::size_t>(number)];
        if (start < server.forgotten) [[unlikely]]
            return start;
        // A message joins one of the last two busy times, or makes one after it. Which of all that it is no processor
        // can guess, so that it is chosen without a branch.
        const bool late = start >= server.last.begin;
        const Busy from = late ? server.last : server.before;
        const double begins = std::max(start, from.end);
        const double ends = begins + service;
        const bool fits = server.count > 0 && start >= server.before.begin && ends <= server.last.begin;
        if (!late && !fits) [[unlikely]]
            return begin_earlier(server, of(number), start, service);
        const bool apart = start > from.end;
        const Busy now = {apart ? start : from.begin, ends};
        Busy& kept = apart && server.count > 0 ? of(number)[server.count - 1] : unused_;
        kept = server.before;
        server.before = late ? (apart ? server.last : server.before) : now;
        server.last = late ? now : server.last;
        server.count += apart ? 1 : 0;
        if (server.count == most) [[unlikely]]
            forget_half(server, of(number));
        return begins;
    }

  private:
    static constexpr std::size_t most = 10;  // busy times before the last; at least half of them are kept
    struct Busy {
        double begin;
        double end;
    };
    using Earlier = std::array<Busy, most>;
    struct alignas(64) Server {
        Busy last{};
        Busy before{};  ///< the newest of the earlier ones, if there are any: it stands for the newest of `Earlier`
        double forgotten = 0;
        std::size_t count = 0;
    };

    Earlier& of(int number) { return earlier_[static_cast<std::size_t>(number)]; }

    static double append(Server& server, double service) {
        const double start = server.last.end;
        server.last.end += service;
        return start;
    }

    static double begin_earlier(Server& server, Earlier& earlier, double start, double service) {
        if (server.count > 0) earlier[server.count - 1] = server.before;
        std::size_t place = server.count;
        while (place > 0 && earlier[place - 1].end > start) --place;
        for (; place < server.count && earlier[place].begin < start + service; ++place) {
            start = std::max(start, earlier[place].end);
        }
        if (place == server.count && server.last.begin < start + service) return append(server, service);
        insert(server, earlier, place, {start, start + service});
        server.before = earlier[server.count - 1];
        return start;
    }

    // Busy times without a gap between them become one.
    static void insert(Server& server, Earlier& earlier, std::size_t place, Busy busy) {
        const bool joins_before = place > 0 && earlier[place - 1].end >= busy.begin;
        if (place < server.count && earlier[place].begin <= busy.end) {
            earlier[place].begin = busy.begin;
        } else if (joins_before) {
            earlier[place - 1].end = busy.end;
        } else {
            const auto end = earlier.begin() + static_cast<std::ptrdiff_t>(server.count);
            std::copy_backward(earlier.begin() + static_cast<std::ptrdiff_t>(place), end, end + 1);
            earlier[place] = busy;
            server.before = earlier[server.count];
            if (++server.count == most) forget_half(server, earlier);
        }
    }

    static void forget_half(Server& server, Earlier& earlier) {
        earlier[most - 1] = server.before;
        server.forgotten = earlier[most / 2 - 1].end;
        std::copy(earlier.begin() + most / 2, earlier.end(), earlier.begin());
        server.count = most / 2;
    }

    std::vector<Server> servers_;
    std::vector<Earlier> earlier_;
    Busy unused_{};  ///< where is written what is not to be kept
};

}  // namespace narrows
