#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/name_table.hpp"
#include "topologies/importers/source.hpp"
#include "topologies/labelled_network.hpp"

namespace narrows {

enum class VertexKind : std::uint8_t { undeclared, host, switching };

/// What every reader makes a network with: gathers vertices and links by name, drops self-loops, and at the end puts
/// hosts first and says what is odd about the whole.
class NetworkBuilder {
  public:
    /// `source` must outlive this.
    explicit NetworkBuilder(const Source& source) : source_(&source) {}

    /// The vertex called `name`, new or known. Throws InputError beyond `graph_limit` vertices, and for a name that is
    /// not UTF-8.
    int vertex(std::string_view name);
    /// A new switch called `name`, with underscores behind it where that is a vertex already.
    int add_switch(std::string name);
    /// The vertex called `name`, or -1.
    int find(std::string_view name) const { return names_.find(name); }
    int vertices() const { return names_.size(); }
    const std::string& name(int vertex) const { return names_.name(vertex); }
    void set_kind(int vertex, VertexKind kind) { kinds_[static_cast<std::size_t>(vertex)] = kind; }
    VertexKind kind(int vertex) const { return kinds_[static_cast<std::size_t>(vertex)]; }
    /// A name to show instead of that in the file, used if no other vertex has it. Throws InputError when it is not
    /// UTF-8.
    void set_label(int vertex, std::string_view label);

    /// A link between `u` and `v`; dropped and counted when they are the same. `place` is where the file says so.
    /// Throws InputError beyond `graph_limit` links.
    void connect(int u, int v, double capacity, std::string_view place);
    /// Links up to now, without self-loops.
    std::size_t links() const { return edges_.size(); }
    void set_capacity(std::size_t link, double capacity) { edges_[link].capacity = capacity; }
    void reserve_links(std::size_t links) { edges_.reserve(links); }
    /// The links up to now go from u to v only: pairs of opposite ones become one link.
    void set_directed() { directed_ = true; }
    /// Cables in parallel are usual in this format and no reason for a warning.
    void expect_parallel_links() { parallel_expected_ = true; }
    /// Of a file that can declare switches and declares nothing: warns of a vertex on which several others hang alone.
    /// `remedy` says how this format declares a switch, with {} for that vertex.
    void warn_of_undeclared_switches(std::string_view remedy);
    void warn(std::string warning) { warnings_.push_back(std::move(warning)); }

    /// The network: hosts (whatever is not declared a switch) first, in the order of the file, or by number when all
    /// names are whole numbers. Throws InputError when there is no host, or the unit is not UTF-8.
    LabelledNetwork finish(std::string format, std::string capacity_unit) &&;

  private:
    void require_utf8(std::string_view text) const;
    void require_host() const;
    void apply_labels(std::vector<std::string>& names) const;
    std::vector<int> order(const std::vector<std::string>& names) const;
    void pair_opposite_arcs();
    void warn_of_self_loops();
    void warn_of_duplicates();
    void warn_of_parts();

    const Source* source_;
    NameTable names_;
    std::vector<VertexKind> kinds_;
    std::vector<std::string> labels_;
    std::vector<Edge> edges_;
    std::vector<std::string> warnings_;
    std::int64_t self_loops_ = 0;
    std::string_view first_self_loop_;
    bool directed_ = false;
    bool parallel_expected_ = false;
};

}  // namespace narrows
