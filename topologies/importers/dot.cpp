#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "topologies/importers/attributes.hpp"
#include "topologies/importers/dot_tokens.hpp"
#include "topologies/importers/readers.hpp"

namespace narrows {
namespace {

/// What `node [...]` and `edge [...]` set for what follows in a pair of braces.
struct Defaults {
    VertexKind kind = VertexKind::undeclared;
    std::optional<double> capacity;
    std::optional<DotToken> weight;
};

/// The attributes between brackets that matter here.
struct Attributes {
    std::optional<DotToken> kind;
    std::optional<DotToken> capacity;
    std::optional<DotToken> weight;
    std::optional<std::string> capacity_unit;
};

/// What an edge carries: its capacity, or its weight where it has none.
struct Carried {
    std::optional<double> value;
    bool is_capacity = false;
};

/// An edge of a strict graph, of which more may be said later.
struct RepeatableEdge {
    std::size_t link;
    Carried carried;
    std::string_view place;
};

/// Recursive descent over the grammar of graphviz.org/doc/info/lang.html.
class DotReader {
  public:
    explicit DotReader(const Source& source) : source_(source), tokens_(source), builder_(source) { advance(); }

    LabelledNetwork read() && {
        strict_ = accept_keyword("strict");
        directed_ = token_.is_keyword("digraph");
        if (!directed_ && !token_.is_keyword("graph")) refuse("'graph' or 'digraph'");
        advance();
        if (token_.kind == DotTokenKind::identifier) advance();
        Defaults defaults;
        read_braces(defaults, nullptr, 0);
        if (token_.kind != DotTokenKind::end) refuse("the end of the file after the last '}'");
        if (directed_) builder_.set_directed();
        for (const RepeatableEdge& edge : repeatable_) {
            rule_.require_same(source_, edge.carried.value.has_value(), edge.place);
        }
        if (weight_used_) builder_.warn("edges have a weight and no capacity: the weight is used as capacity");
        builder_.warn_of_undeclared_switches("write '\"{}\" [kind=switch]' for each that is a switch");
        return std::move(builder_).finish("dot", rule_.weighted() ? unit_.value_or("") : unit_.value_or("links"));
    }

  private:
    /// An end of an edge: a vertex, or all of a subgraph.
    using Vertices = std::vector<int>;
    static constexpr int deepest = 200;

    void advance() { token_ = tokens_.next(); }

    [[noreturn]] void refuse(std::string_view expected) const {
        throw source_.error(token_.place,
                            fmt::format("{} stands here, where {} is expected", quoted(token_.text), expected));
    }

    bool accept_keyword(std::string_view keyword) {
        if (!token_.is_keyword(keyword)) return false;
        advance();
        return true;
    }

    bool accept(std::string_view symbol) {
        if (!token_.is(symbol)) return false;
        advance();
        return true;
    }

    DotToken identifier(std::string_view expected) {
        if (token_.kind != DotTokenKind::identifier) refuse(expected);
        DotToken taken = std::move(token_);
        advance();
        return taken;
    }

    /// `{ statements }`; adds the vertices that it names to `members`.
    void read_braces(Defaults& defaults, Vertices* members, int depth) {
        if (!token_.is("{")) refuse("'{'");
        if (depth > deepest) throw source_.error(token_.place, "braces are nested more than 200 deep: flatten them");
        advance();
        while (!token_.is("}")) {
            if (token_.kind == DotTokenKind::end) refuse("'}'");
            read_statement(defaults, members, depth);
            if (!accept(";")) accept(",");
        }
        advance();
    }

    void read_statement(Defaults& defaults, Vertices* members, int depth) {
        for (const std::string_view keyword : {"graph", "node", "edge"}) {
            if (!token_.is_keyword(keyword)) continue;
            advance();
            if (!token_.is("[")) refuse("'['");
            const Attributes attributes = read_attributes();
            if (keyword == "node" && attributes.kind) defaults.kind = kind_of(*attributes.kind);
            if (keyword == "edge" && attributes.capacity) defaults.capacity = capacity_of(*attributes.capacity);
            if (keyword == "edge" && attributes.weight) defaults.weight = attributes.weight;
            if (keyword == "graph" && attributes.capacity_unit) unit_ = attributes.capacity_unit;
            return;
        }
        if (token_.is(";") || token_.is(",")) return;
        const DotToken first = token_;
        const bool braces = token_.is("{") || token_.is_keyword("subgraph");
        Vertices ends = read_end(defaults, depth);
        if (token_.is("=") && !braces) return read_assignment(first);
        add(members, ends);
        if (token_.kind == DotTokenKind::undirected_edge || token_.kind == DotTokenKind::directed_edge) {
            return read_edges(std::move(ends), defaults, members, depth);
        }
        if (!token_.is("[")) return;
        if (braces) refuse("the next statement");
        const Attributes attributes = read_attributes();
        if (attributes.kind) builder_.set_kind(ends.front(), kind_of(*attributes.kind));
    }

    VertexKind kind_of(const DotToken& value) const { return to_kind(source_, value.text, value.place); }
    double capacity_of(const DotToken& value) const { return to_capacity(source_, value.text, value.place); }

    static void add(Vertices* members, const Vertices& more) {
        if (members != nullptr) members->insert(members->end(), more.begin(), more.end());
    }

    /// `name = value` among statements, of which `first` has been read: an attribute of the graph.
    void read_assignment(const DotToken& first) {
        advance();
        const DotToken value = identifier("a value");
        if (first.text == "capacity_unit") unit_ = value.text;
    }

    int declared(const std::string& name, const Defaults& defaults) {
        const int known = builder_.vertices();
        const int vertex = builder_.vertex(name);
        if (vertex == known) builder_.set_kind(vertex, defaults.kind);
        return vertex;
    }

    /// A vertex with its port, or a subgraph. A lone name gives nothing yet: it may be an attribute's.
    Vertices read_end(const Defaults& defaults, int depth) {
        if (token_.is("{") || token_.is_keyword("subgraph")) return read_subgraph(defaults, depth);
        const DotToken name = identifier("a vertex, an edge or '}'");
        if (token_.is("=")) return {};
        for (int ports = 0; ports < 2 && accept(":"); ++ports) identifier("a port");
        return {declared(name.text, defaults)};
    }

    Vertices read_subgraph(Defaults defaults, int depth) {
        if (accept_keyword("subgraph") && token_.kind == DotTokenKind::identifier) advance();
        Vertices members;
        read_braces(defaults, &members, depth + 1);
        std::ranges::sort(members);
        members.erase(std::unique(members.begin(), members.end()), members.end());
        return members;
    }

    /// The rest of `a -- b -- {c d} [capacity=4]`, of which `from` has been read.
    void read_edges(Vertices from, const Defaults& defaults, Vertices* members, int depth) {
        std::vector<Vertices> chain{std::move(from)};
        const std::string_view place = token_.place;
        while (token_.kind == DotTokenKind::undirected_edge || token_.kind == DotTokenKind::directed_edge) {
            if ((token_.kind == DotTokenKind::directed_edge) != directed_) {
                refuse(directed_ ? "'->', since this is a digraph" : "'--', since this is not a digraph");
            }
            advance();
            chain.push_back(read_end(defaults, depth));
            if (token_.is("=")) refuse("the next statement");
            add(members, chain.back());
        }
        const Attributes attributes = token_.is("[") ? read_attributes() : Attributes{};
        const Carried carried = carried_by(attributes, defaults);
        if (!strict_) rule_.require_same(source_, carried.value.has_value(), place);
        const bool said_here = attributes.capacity || (attributes.weight && !carried.is_capacity);
        for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
            for (const int u : chain[i]) {
                for (const int v : chain[i + 1]) connect(u, v, carried, said_here, place);
            }
        }
    }

    // An edge that a strict graph repeats is the one before, with what is said of it here.
    void connect(int u, int v, const Carried& carried, bool said_here, std::string_view place) {
        if (strict_ && u != v) {
            const bool swapped = !directed_ && u > v;
            const auto [known, is_new] =
                repeated_.try_emplace(swapped ? std::pair(v, u) : std::pair(u, v), repeatable_.size());
            if (!is_new) {
                RepeatableEdge& edge = repeatable_[known->second];
                if (!said_here || (edge.carried.is_capacity && !carried.is_capacity)) return;
                edge.carried = carried;
                return builder_.set_capacity(edge.link, carried.value.value_or(1));
            }
            repeatable_.push_back({builder_.links(), carried, place});
        }
        builder_.connect(u, v, carried.value.value_or(1), place);
    }

    Carried carried_by(const Attributes& own, const Defaults& defaults) {
        if (own.capacity) return {capacity_of(*own.capacity), true};
        if (defaults.capacity) return {defaults.capacity, true};
        const auto& weight = own.weight ? own.weight : defaults.weight;
        if (!weight) return {};
        weight_used_ = true;
        return {capacity_of(*weight), false};
    }

    Attributes read_attributes() {
        Attributes attributes;
        while (accept("[")) {
            while (!accept("]")) {
                const DotToken name = identifier("an attribute or ']'");
                if (!token_.is("=")) refuse("'='");
                advance();
                const DotToken value = identifier("a value");
                if (names_kind(name.text)) attributes.kind = value;
                if (name.text == "capacity") attributes.capacity = value;
                if (name.text == "weight") attributes.weight = value;
                if (name.text == "capacity_unit") attributes.capacity_unit = value.text;
                if (!accept(";")) accept(",");
            }
        }
        return attributes;
    }

    const Source& source_;
    DotTokens tokens_;
    DotToken token_;
    NetworkBuilder builder_;
    CapacityRule rule_;
    std::vector<RepeatableEdge> repeatable_;               // all of a strict graph
    std::map<std::pair<int, int>, std::size_t> repeated_;  // their numbers
    std::optional<std::string> unit_;
    bool strict_ = false;
    bool directed_ = false;
    bool weight_used_ = false;
};

}  // namespace

LabelledNetwork read_dot(const Source& source, const ImportOptions& /*options*/) {
    return DotReader(source).read();
}

/// Whether the first words are `[strict] graph|digraph [name] {`.
bool looks_like_dot(std::string_view text) {
    const Source source(text, "");
    DotTokens tokens(source);
    try {
        DotToken token = tokens.next();
        const bool strict = token.is_keyword("strict");
        if (strict) token = tokens.next();
        if (!token.is_keyword("graph") && !token.is_keyword("digraph")) return false;
        token = tokens.next();
        if (token.kind == DotTokenKind::identifier) token = tokens.next();
        return token.is("{");
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace narrows
