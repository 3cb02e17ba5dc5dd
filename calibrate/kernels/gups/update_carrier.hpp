#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <vector>

#include "calibrate/kernels/gups/update_table.hpp"
#include "calibrate/messaging/message_layer.hpp"
#include "calibrate/ranks/virtual_processor.hpp"
#include "calibrate/transport/sender.hpp"

namespace narrows {

/// Takes packets of updates between ranks of several processes, one object a process. Those for a rank of this process
/// go into its inbox at once. Between two processes a bounded number of packets is under way in each dimension: a
/// receiver grants as many more as it has worked off. A window for each dimension keeps routing free of deadlocks, as
/// what waits along one dimension waits for later ones only (garg2006, Section 5.3).
template <class Endpoint>
class UpdateCarrier : public MessageLayer<Endpoint, UpdateCarrier<Endpoint>> {
    using Layer = MessageLayer<Endpoint, UpdateCarrier<Endpoint>>;

  public:
    /// `window`: packets under way from one process to another in a dimension. `costs`: of each rank's processor.
    UpdateCarrier(Endpoint& endpoint, int dimensions, int window, const ProcessorCosts& costs)
        : Layer(endpoint, endpoint.layout()),
          dimensions_(static_cast<std::size_t>(dimensions)),
          window_(window),
          first_(endpoint.layout().first_rank(endpoint.process())),
          last_(endpoint.layout().first_rank(endpoint.process() + 1)),
          under_way_(static_cast<std::size_t>(endpoint.processes()) * dimensions_),
          owed_(under_way_.size()),
          inboxes_(static_cast<std::size_t>(last_ - first_) * dimensions_),
          costs_(costs),
          processors_(costs.any() ? static_cast<std::size_t>(last_ - first_) : 0) {}

    using Layer::poll;

    /// Where packets of at most `packet_words` go: into the inboxes that `sender` fills; and `ended(rank, dimension)`
    /// is called for each peer that will send no more.
    void deliver_to(Sender& sender, int packet_words, std::function<void(int rank, int dimension)> ended) {
        sender_ = &sender;
        most_bytes_ = static_cast<std::size_t>(packet_words) * sizeof(Word);
        ended_ = std::move(ended);
    }

    /// Takes a packet to `to`; false when there is no room for it now, or the rank's processor is busy. As
    /// `Sender::try_send`.
    bool try_send(int from, int to, int dimension, const Word* words, int count) {
        if (busy(from) || !take_over(from, to, dimension, words, count)) return false;
        charge(from, costs_.send);
        return true;
    }
    /// `rank` has formed so many updates.
    void formed(int rank, std::uint64_t updates) { charge(rank, static_cast<double>(updates) * costs_.update); }
    /// Whether its processor still works on what it has done.
    bool busy(int rank) { return !processors_.empty() && processors_[static_cast<std::size_t>(rank - first_)].busy(); }
    /// Tells a peer that nothing more will come from this rank along `dimension`.
    void send_end(int from, int to, int dimension) {
        if (is_here(to)) return ended_(to, dimension);
        Layer::reply({end_kinds + kind(dimension), from, to, 0}, {});
    }
    /// Tells each other process, whose first rank hears it for all.
    void send_end_to_all(int from) {
        const RankLayout& layout = Layer::endpoint().layout();
        for (int process = 0; process < layout.workers; ++process) {
            const int to = layout.first_rank(process);
            if (!is_here(to)) send_end(from, to, 0);
        }
    }
    /// `rank` has given back the place of the oldest packet of `dimension` in its inbox.
    void released(int rank, int dimension) {
        charge(rank, costs_.receive);
        Inbox& inbox = inbox_of(rank, dimension);
        grant(inbox.sources.front(), dimension);
        inbox.sources.pop_front();
        while (!inbox.held.empty()) {
            const Held& next = inbox.held.front();
            if (!fill(inbox, next.process, rank, dimension, next.words.data(), next.count)) return;
            inbox.held.pop_front();
        }
        for (; inbox.ends > 0; --inbox.ends) ended_(rank, dimension);
    }

    /// Waits until the ranks of all processes have come here.
    template <class Waiter>
    void meet(int rank, Waiter& waiter) {
        const int meeting = meetings_;
        if (++ranks_come_ == last_ - first_) {
            ranks_come_ = 0;
            if (Layer::endpoint().process() == 0) {
                process_came();
            } else {
                Layer::reply({come_kind, first_, 0, 0}, {});
            }
        }
        Layer::wait_until(rank, waiter, [this, meeting] { return meetings_ != meeting; });
    }

    void on_packet(PacketHeader header, const std::byte* payload) {
        const int dimension = static_cast<int>(header.kind % kinds_apart);
        const PacketKind base = header.kind - kind(dimension);
        const bool known = static_cast<std::size_t>(dimension) < dimensions_;
        const bool fits = header.bytes != 0 && header.bytes % sizeof(Word) == 0 && header.bytes <= most_bytes_;
        if (base == packet_kinds && known && fits) {
            take_in(header, dimension, payload);
        } else if (base == end_kinds && known) {
            Inbox& inbox = inbox_of(header.to, dimension);
            if (inbox.held.empty()) return ended_(header.to, dimension);
            ++inbox.ends;
        } else if (base == grant_kinds && known && header.bytes == sizeof(int)) {
            int granted = 0;
            std::memcpy(&granted, payload, sizeof granted);
            under_way_[index(Layer::endpoint().process_of(header.from), dimension)] -= granted;
        } else if (header.kind == come_kind) {
            process_came();
        } else if (header.kind == go_kind) {
            go_on();
        } else {
            throw MessagingError::malformed(header.from, header.to);
        }
    }

  private:
    // A kind for each dimension.
    static constexpr PacketKind kinds_apart = 32;
    static constexpr PacketKind packet_kinds = 32;
    static constexpr PacketKind end_kinds = 64;
    static constexpr PacketKind grant_kinds = 96;
    static constexpr PacketKind come_kind = 1;
    static constexpr PacketKind go_kind = 2;
    static constexpr std::size_t most_words = most_packet_bytes / sizeof(Word);

    struct Held {
        int process = 0;
        int count = 0;
        std::vector<Word> words;
    };
    /// What came for a rank along a dimension: whence what is in its inbox, and what found no place there.
    struct Inbox {
        std::deque<int> sources;
        std::deque<Held> held;
        int ends = 0;
    };

    static PacketKind kind(int dimension) { return static_cast<PacketKind>(dimension); }
    bool is_here(int rank) const { return rank >= first_ && rank < last_; }
    std::size_t index(int process, int dimension) const {
        return static_cast<std::size_t>(process) * dimensions_ + static_cast<std::size_t>(dimension);
    }
    Inbox& inbox_of(int rank, int dimension) {
        return inboxes_[static_cast<std::size_t>(rank - first_) * dimensions_ + static_cast<std::size_t>(dimension)];
    }

    void charge(int rank, double seconds) {
        if (!processors_.empty()) processors_[static_cast<std::size_t>(rank - first_)].charge(seconds);
    }

    bool take_over(int from, int to, int dimension, const Word* words, int count) {
        if (is_here(to)) return place(Layer::endpoint().process(), to, dimension, words, count);
        const int process = Layer::endpoint().process_of(to);
        int& under_way = under_way_[index(process, dimension)];
        if (under_way == window_) return false;
        // Where packets travel together a grant goes along, which alone has headers as long as a packet's.
        if constexpr (Endpoint::joins_packets) grant_when_owed(process, dimension, (window_ + 3) / 4);
        const auto bytes = static_cast<std::uint32_t>(static_cast<std::size_t>(count) * sizeof(Word));
        if (!Layer::try_send({packet_kinds + kind(dimension), from, to, bytes}, {words, bytes})) return false;
        ++under_way;
        return true;
    }

    // False when the inbox is full, or something waits before it.
    bool place(int process, int to, int dimension, const Word* words, int count) {
        Inbox& inbox = inbox_of(to, dimension);
        return inbox.held.empty() && fill(inbox, process, to, dimension, words, count);
    }
    bool fill(Inbox& inbox, int process, int to, int dimension, const Word* words, int count) {
        if (!sender_->try_send(to, dimension, words, count)) return false;
        inbox.sources.push_back(process);
        return true;
    }

    void take_in(PacketHeader header, int dimension, const std::byte* payload) {
        // Readable and zero up to whole lines, as `Sender::try_send` takes them.
        alignas(64) std::array<Word, most_words + line_words> words;
        const std::size_t count = header.bytes / sizeof(Word);
        std::memcpy(words.data(), payload, header.bytes);
        std::fill(words.data() + count, words.data() + whole_lines(count), Word{0});
        const int process = Layer::endpoint().process_of(header.from);
        if (!place(process, header.to, dimension, words.data(), static_cast<int>(count))) {
            inbox_of(header.to, dimension)
                .held.push_back({process, static_cast<int>(count), {words.data(), words.data() + whole_lines(count)}});
        }
        Layer::raise(header.to);
    }

    void grant(int process, int dimension) {
        if (process == Layer::endpoint().process()) return;
        ++owed_[index(process, dimension)];
        grant_when_owed(process, dimension, (window_ + 1) / 2);
    }
    // Several at a time: each is a packet.
    void grant_when_owed(int process, int dimension, int least) {
        int& owed = owed_[index(process, dimension)];
        if (owed < least) return;
        Layer::reply(
            {grant_kinds + kind(dimension), first_, Layer::endpoint().layout().first_rank(process), sizeof owed},
            {&owed, sizeof owed});
        owed = 0;
    }

    // On the first process, of each.
    void process_came() {
        const RankLayout& layout = Layer::endpoint().layout();
        if (++processes_come_ < layout.workers) return;
        processes_come_ = 0;
        for (int process = 1; process < layout.workers; ++process) {
            Layer::reply({go_kind, first_, layout.first_rank(process), 0}, {});
        }
        go_on();
    }
    void go_on() {
        ++meetings_;
        for (int rank = first_; rank < last_; ++rank) Layer::raise(rank);
    }

    std::size_t dimensions_;
    int window_;
    int first_;
    int last_;
    Sender* sender_ = nullptr;
    std::size_t most_bytes_ = 0;
    std::function<void(int, int)> ended_;
    // Of each process and dimension: packets that it has not granted anew, and those to be granted to it.
    std::vector<int> under_way_;
    std::vector<int> owed_;
    std::vector<Inbox> inboxes_;
    ProcessorCosts costs_;
    std::vector<VirtualProcessor> processors_;
    int ranks_come_ = 0;
    int processes_come_ = 0;
    int meetings_ = 0;
};

/// A rank's sink whose packets a carrier takes.
template <class Endpoint>
class CarriedSink {
  public:
    CarriedSink(UpdateCarrier<Endpoint>& carrier, int rank, const UpdateSink& table)
        : carrier_(&carrier), rank_(rank), table_(table) {}

    void prefetch(Word update) const { table_.prefetch(update); }
    void apply(Word update) const { table_.apply(update); }
    bool try_send(int to, int dimension, const Word* words, int count) const {
        return carrier_->try_send(rank_, to, dimension, words, count);
    }
    void send_end(int to, int dimension) const { carrier_->send_end(rank_, to, dimension); }
    void released(int dimension) const { carrier_->released(rank_, dimension); }

  private:
    UpdateCarrier<Endpoint>* carrier_;
    int rank_;
    UpdateSink table_;
};

}  // namespace narrows
