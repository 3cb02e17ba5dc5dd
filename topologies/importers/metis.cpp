#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "topologies/importers/network_builder.hpp"
#include "topologies/importers/readers.hpp"

namespace narrows {
namespace {

struct Header {
    std::int64_t vertices = 0;
    std::int64_t edges = 0;
    bool vertex_sizes = false;
    int vertex_weights = 0;
    bool edge_weights = false;
    std::string_view line;
};

/// One of the two mentions of an edge.
struct Arc {
    int from = 0;
    int to = 0;
    double capacity = 1;
    std::string_view place;

    auto pair() const { return std::tuple(std::min(from, to), std::max(from, to)); }
};

std::optional<std::string_view> cut_data_line(std::string_view& rest) {
    std::optional<std::string_view> line = cut_line(rest);
    while (line && trimmed(*line).starts_with('%')) line = cut_line(rest);
    return line;
}

std::optional<Header> parse_header(std::string_view line) {
    Header header{.line = line};
    std::array<std::optional<std::int64_t>, 4> words;
    std::size_t count = 0;
    for (; const std::optional<std::string_view> word = cut_word(line); ++count) {
        if (count == words.size()) return std::nullopt;
        words[count] = to_count(*word);
        if (!words[count]) return std::nullopt;
    }
    if (count < 2) return std::nullopt;
    const std::int64_t format = words[2].value_or(0);
    if (format > 111 || format % 10 > 1 || format / 10 % 10 > 1) return std::nullopt;
    header.vertices = *words[0];
    header.edges = *words[1];
    header.edge_weights = format % 10 == 1;
    header.vertex_sizes = format / 100 == 1;
    header.vertex_weights =
        format / 10 % 10 == 1 ? static_cast<int>(std::min<std::int64_t>(words[3].value_or(1), 1000)) : 0;
    return header;
}

class MetisReader {
  public:
    explicit MetisReader(const Source& source) : source_(source), builder_(source) {}

    LabelledNetwork read() && {
        std::string_view rest = source_.text();
        read_header(rest);
        std::int64_t vertex = 0;
        while (const std::optional<std::string_view> line = cut_data_line(rest)) {
            if (vertex < header_.vertices) {
                read_vertex(static_cast<int>(vertex++), *line);
            } else if (!trimmed(*line).empty()) {
                throw source_.error(trimmed(*line),
                                    fmt::format("there are {} vertices, and this line is one more", header_.vertices));
            }
        }
        if (vertex < header_.vertices) refuse_missing(fmt::format("only {}", vertex));
        connect();
        if (unused_weights_) builder_.warn("vertex weights above 1 and vertex sizes are not used");
        builder_.warn_of_undeclared_switches("give {} and each other switch the weight 0");
        return std::move(builder_).finish("metis", header_.edge_weights ? "" : "links");
    }

  private:
    void read_header(std::string_view& rest) {
        std::optional<std::string_view> line = cut_data_line(rest);
        while (line && trimmed(*line).empty()) line = cut_data_line(rest);
        if (!line) throw source_.error_at_end("there is no line 'vertices edges [format]': give one");
        const std::optional<Header> header = parse_header(*line);
        if (!header) {
            throw source_.error(trimmed(*line),
                                "this is not a line 'vertices edges [format [weights]]' of whole numbers, "
                                "with three digits 0 or 1 for the format");
        }
        header_ = *header;
        if (header_.vertices > graph_limit || header_.edges > graph_limit) {
            throw source_.error(trimmed(*line),
                                fmt::format("more than {} vertices or edges: give a smaller network", graph_limit));
        }
        // A vertex takes a line, so that a wrong header reserves nothing that is not there.
        const auto lines = std::ranges::count(rest, '\n') + 1;
        for (std::int64_t v = 1; v <= std::min<std::int64_t>(header_.vertices, lines); ++v) {
            builder_.vertex(std::to_string(v));
        }
    }

    std::int64_t weight(std::string_view& line, const char* what) {
        const std::optional<std::string_view> word = cut_word(line);
        if (!word) throw source_.error(line, fmt::format("the line ends before its {}", what));
        const std::optional<std::int64_t> value = to_count(*word);
        if (!value) throw source_.error(*word, fmt::format("{} {} is not a whole number", what, quoted(*word)));
        return *value;
    }

    void read_vertex(int vertex, std::string_view line) {
        if (header_.vertex_sizes) unused_weights_ = weight(line, "vertex size") > 1 || unused_weights_;
        for (int i = 0; i < header_.vertex_weights; ++i) {
            const std::int64_t value = weight(line, "vertex weight");
            unused_weights_ = unused_weights_ || value > 1;
            if (i == 0) builder_.set_kind(vertex, value == 0 ? VertexKind::switching : VertexKind::host);
        }
        while (const std::optional<std::string_view> word = cut_word(line)) {
            const std::optional<std::int64_t> to = to_count(*word);
            if (to && *to > builder_.vertices() && *to <= header_.vertices) refuse_missing("fewer");
            if (!to || *to < 1 || *to > header_.vertices) {
                throw source_.error(*word, fmt::format("neighbour {} is not a vertex: write a number from 1 to {}",
                                                       quoted(*word), header_.vertices));
            }
            double capacity = 1;
            if (header_.edge_weights) {
                const std::optional<std::string_view> carried = cut_word(line);
                if (!carried) throw source_.error(*word, "this neighbour has no edge weight after it");
                capacity = to_capacity(source_, *carried);
            }
            arcs_.push_back({vertex, static_cast<int>(*to) - 1, capacity, *word});
        }
    }

    [[noreturn]] void refuse_missing(const std::string& vertices) const {
        throw source_.error_at_end(
            fmt::format("the first line promises {} vertices, but {} follow", header_.vertices, vertices));
    }

    /// Links of arcs and their opposites. Throws InputError where an arc has none.
    void connect() {
        std::int64_t loops = 0;
        std::ranges::stable_sort(arcs_, [](const Arc& a, const Arc& b) {
            return std::tuple(a.pair(), a.capacity) < std::tuple(b.pair(), b.capacity);
        });
        for (std::size_t i = 0; i < arcs_.size();) {
            const std::size_t begin = i;
            std::int64_t balance = 0;
            for (; i < arcs_.size() && arcs_[i].pair() == arcs_[begin].pair() &&
                   arcs_[i].capacity == arcs_[begin].capacity;
                 ++i) {
                const Arc& arc = arcs_[i];
                balance += arc.from < arc.to ? 1 : -1;
                loops += arc.from == arc.to ? 1 : 0;
                if (arc.from <= arc.to) builder_.connect(arc.from, arc.to, arc.capacity, arc.place);
            }
            if (balance != 0 && arcs_[begin].from != arcs_[begin].to) refuse_lone(arcs_[begin]);
        }
        const std::int64_t edges = (static_cast<std::int64_t>(arcs_.size()) - loops) / 2;
        if (edges != header_.edges && edges + loops != header_.edges) {
            throw source_.error(trimmed(header_.line),
                                fmt::format("the first line promises {} edges, but {} follow", header_.edges, edges));
        }
    }

    [[noreturn]] void refuse_lone(const Arc& arc) const {
        throw source_.error(
            arc.place, fmt::format("vertex {} has neighbour {}, but {} does not have {} as often with that weight: "
                                   "an edge stands in both lines",
                                   arc.from + 1, arc.to + 1, arc.to + 1, arc.from + 1));
    }

    const Source& source_;
    NetworkBuilder builder_;
    Header header_;
    std::vector<Arc> arcs_;
    bool unused_weights_ = false;
};

std::int64_t count_words(std::string_view line) {
    std::int64_t words = 0;
    while (cut_word(line)) ++words;
    return words;
}

}  // namespace

LabelledNetwork read_metis(const Source& source, const ImportOptions& /*options*/) {
    return MetisReader(source).read();
}

/// Whether the first line promises just the lines and words that follow.
bool looks_like_metis(std::string_view text) {
    const std::optional<std::string_view> first = cut_data_line(text);
    const std::optional<Header> header = first ? parse_header(*first) : std::nullopt;
    if (!header) return false;
    std::int64_t lines = 0;
    std::int64_t words = 0;
    while (const std::optional<std::string_view> line = cut_data_line(text)) {
        const std::int64_t here = count_words(*line);
        if (lines == header->vertices && here == 0) continue;
        if (++lines > header->vertices) return false;
        const bool is_odd = (here - (header->vertex_sizes ? 1 : 0) - header->vertex_weights) % 2 != 0;
        if (header->edge_weights && is_odd) return false;
        words += here - (header->vertex_sizes ? 1 : 0) - header->vertex_weights;
    }
    return lines == header->vertices && words == 2 * header->edges * (header->edge_weights ? 2 : 1);
}

}  // namespace narrows
