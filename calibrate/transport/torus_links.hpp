#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "calibrate/transport/word.hpp"
#include "topologies/shape.hpp"

namespace narrows {

/// A grid of nodes whose neighbours are joined by a link each way, and the ranks on it: consecutive ranks fill node
/// after node, the first dimension fastest.
struct LinkGrid {
    std::vector<int> shape;
    std::vector<bool> wraps;  ///< for each dimension whether its ends are joined, if it has more than two
    int ranks_per_node = 1;

    int nodes() const { return static_cast<int>(shape_nodes(shape)); }
    int ranks() const { return nodes() * ranks_per_node; }
};

/// What the links of a simulated machine take and hold.
struct LinkCosts {
    std::vector<double> service;  ///< seconds that a packet of so many words keeps a link busy
    double latency = 0;           ///< from the beginning of a packet at one node to its beginning at the next, s
    // Places for packets; 0: as many as there are packets.
    int through = 0;    ///< at a link, for packets from the link before it
    int injection = 0;  ///< of a rank for each direction, for its own packets
    int reception = 1;  ///< of a rank for each dimension, for packets that it has not yet worked off; at least 1
};

/// Who simulates: gets what arrives, and is asked for later calls.
class LinkHost {
  public:
    virtual ~LinkHost() = default;
    /// `TorusLinks::handle(time, event)` is to be called then; of equal times for the lesser event first.
    virtual void schedule(double time, std::uint32_t event) = 0;
    /// A packet is there, whole. `words` are as `Sender::try_send` takes them.
    virtual void deliver(double time, int rank, int dimension, const Word* words, int count) = 0;
    /// A peer's last packet along `dimension` is there.
    virtual void deliver_end(double time, int rank, int dimension) = 0;
    /// A rank that was refused may try again.
    virtual void room(double time, int rank) = 0;
};

/// The links of a mesh or torus as servers in virtual time. A packet goes along one dimension, the shorter way round
/// (half way round forwards from even coordinates, backwards from odd ones), and keeps each link on its way busy for
/// its service time. It enters the next link when its beginning has come there (cut-through), and it is there when its
/// end has.
///
/// A link serves first what came first. It begins a packet only when the packet has a place where it goes: at the next
/// link or, for the last one, with its receiver. A place is free again when its packet begins to leave it, as the
/// packet that follows comes no faster; a receiver's when `release` says so. A rank's own packet enters a ring only
/// where two places are free, so that one always is and the ring's packets can move (bubble flow control: Puente et al.
/// 1999, as Blue Gene/L has it).
///
/// Ranks of one node reach each other without a link: in dimensions before those of the grid.
class TorusLinks {
  public:
    /// `rank_dimensions`: those inside a node, then those of the grid, each with places of its own at a receiver; were
    /// two to share them, ranks could wait for each other in a circle (garg2006, Figure 3a).
    /// Most words of a packet: costs.service.size() - 1.
    TorusLinks(const LinkGrid& grid, int rank_dimensions, const LinkCosts& costs, LinkHost& host);

    /// Bytes that links take, and the packets on their way when ranks send so many in all. Where links have places for
    /// any number this is an estimate: they fill until a rank's own packets are held up as those that pass.
    static std::size_t memory(const LinkGrid& grid, const std::vector<int>& rank_shape, const LinkCosts& costs,
                              double sent);

    /// Puts a packet of `rank` on its way to `to`, which differs from it in `dimension` alone; it is ready to leave at
    /// `time`, which is not in the past. False when there is no place for it: then the host will be told when there is.
    bool try_send(double time, int rank, int dimension, int to, const Word* words, int count);
    /// The same for the last one, which always finds a place.
    void send_end(double time, int rank, int dimension, int to);
    /// `rank` has worked off a packet that came along `dimension`.
    void release(double time, int rank, int dimension);
    void handle(double time, std::uint32_t event);

    int dimensions() const { return static_cast<int>(grid_.shape.size()); }
    int links() const { return static_cast<int>(links_.size()); }
    /// The dimension of a link.
    int dimension_of(int link) const { return link / 2 % dimensions(); }
    /// False beyond the ends of a mesh, and for the way round in a dimension of two or one.
    bool exists(int link) const;
    /// Seconds that the link has been busy with packets begun since `forget`.
    double busy(int link) const { return links_[static_cast<std::size_t>(link)].busy; }
    /// Packets times links since `forget`.
    std::uint64_t passed() const { return passed_; }
    void forget();

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    // Of events of equal times a host handles the lesser first: ends have larger numbers than all packets, so that a
    // peer's end comes last though it takes no time.
    static constexpr std::uint32_t first_end = std::uint32_t{1} << 31;

    struct Packet {
        double arrived = 0;  ///< where it waits
        std::uint32_t next = none;
        int to = 0;
        int hops = 0;  ///< left
        std::uint16_t words = 0;
        std::uint8_t dimension = 0;
        bool end = false;
    };
    struct Queue {
        std::uint32_t head = none;
        std::uint32_t tail = none;
    };
    struct Link {
        double free_at = 0;
        double wake = never;
        double busy = 0;
        Queue through;
        int taken = 0;        ///< places for packets from the link before
        bool waited = false;  ///< the link before waits for a place
    };
    struct Injection {
        Queue packets;
        int count = 0;
        bool refused = false;
    };
    struct Reception {
        int taken = 0;
        bool refused = false;     ///< a rank of the same node
        std::uint8_t waited = 0;  ///< the directions in which a link waits for a place
    };

    std::size_t link_of(int node, int dimension, int back) const {
        return (static_cast<std::size_t>(node) * grid_.shape.size() + static_cast<std::size_t>(dimension)) * 2 +
               static_cast<std::size_t>(back);
    }
    void schedule_arrival(double time, std::uint32_t id);
    std::uint32_t make_packet(double time, int dimension, int to, const Word* words, int count);
    void inject(double time, int rank, std::uint32_t id, int back);
    bool send_inside(double time, int dimension, int to, const Word* words, int count);
    int node_of(int rank) const { return rank / grid_.ranks_per_node; }
    int place_of(int rank) const { return rank % grid_.ranks_per_node; }
    int steps(int rank, int dimension, int to, int& back) const;
    Reception& reception(int rank, int dimension);
    void append(Queue& queue, std::uint32_t id);
    std::uint32_t take(Queue& queue);
    void wake(std::size_t link, double time);
    void serve(std::size_t link, double time);
    bool serve_first(std::size_t link, double time);
    bool has_place(std::size_t link, const Packet& packet, bool own);
    void begin(std::size_t link, double time, std::uint32_t id);
    void arrive(double time, std::uint32_t id);
    Injection& injection(std::size_t link, int of_node) {
        return injections_[static_cast<std::size_t>(of_node) * links_.size() + link];
    }

    LinkGrid grid_;
    LinkCosts costs_;
    LinkHost& host_;
    int nodes_;
    int rank_dimensions_;
    int inside_;  ///< dimensions inside a node
    std::size_t payload_words_;
    std::vector<int> strides_;
    std::vector<Link> links_;
    std::vector<std::uint32_t> after_;   // the link that a packet goes to from a link
    std::vector<std::uint32_t> before_;  // and that it came from
    std::vector<Injection> injections_;
    std::vector<Reception> receptions_;
    std::vector<Packet> packets_;
    std::vector<Word> payloads_;
    std::uint32_t free_ = none;
    std::uint64_t passed_ = 0;
};

}  // namespace narrows
