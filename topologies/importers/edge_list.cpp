#include <fmt/format.h>

#include "topologies/importers/attributes.hpp"
#include "topologies/importers/network_builder.hpp"
#include "topologies/importers/readers.hpp"

namespace narrows {
namespace {

class EdgeListReader {
  public:
    explicit EdgeListReader(const Source& source) : source_(source), builder_(source) {}

    LabelledNetwork read() && {
        std::string_view rest = source_.text();
        while (const std::optional<std::string_view> line = cut_line(rest)) read_line(*line);
        builder_.warn_of_undeclared_switches("write a line 'switch {}' for each that is a switch");
        return std::move(builder_).finish("edge-list", rule_.weighted() ? unit_ : "links");
    }

  private:
    void read_line(std::string_view line) {
        const std::string_view whole = line;
        const std::optional<std::string_view> first = cut_word(line);
        // A quoted name may begin like a comment or be called "switch".
        const bool plain = first && first->data() == trimmed(whole).data();
        if (!first) return;
        if (plain && (first->starts_with('#') || first->starts_with('%'))) return read_unit(trimmed(whole));
        if (plain && *first == "switch") return declare(line, *first, VertexKind::switching);
        if (plain && *first == "host") return declare(line, *first, VertexKind::host);
        const std::optional<std::string_view> second = cut_argument(line);
        if (!second) {
            throw source_
                .error(*first, fmt::format("{} is alone in its line: write 'u v', 'u v capacity', 'host {}' or "
                                           "'switch {}', or name the format if it is another",
                                           quoted(*first), *first, *first))
                .of_setting("from");
        }
        const std::optional<std::string_view> third = cut_argument(line);
        const double capacity = third ? to_capacity(source_, *third) : 1;
        if (const std::optional<std::string_view> fourth = cut_argument(line)) {
            throw source_.error(*fourth, fmt::format("{} is one word too many: a line is 'u v [capacity]', and a name "
                                                     "with spaces stands between two '\"'",
                                                     quoted(*fourth)));
        }
        rule_.require_same(source_, third.has_value(), *first);
        const int u = builder_.vertex(*first);
        builder_.connect(u, builder_.vertex(*second), capacity, *first);
    }

    /// The comment that exports begin with says the unit of capacities.
    void read_unit(std::string_view comment) {
        for (const std::string_view says_unit : {"# capacities in ", "# capacity in "}) {
            if (comment.starts_with(says_unit)) unit_ = trimmed(comment.substr(says_unit.size()));
        }
    }

    /// The next word that is not the beginning of a comment.
    static std::optional<std::string_view> cut_argument(std::string_view& line) {
        const bool comment = trimmed(line).starts_with('#') || trimmed(line).starts_with('%');
        return comment ? std::nullopt : cut_word(line);
    }

    void declare(std::string_view line, std::string_view word, VertexKind kind) {
        int declared = 0;
        while (const std::optional<std::string_view> name = cut_argument(line)) {
            const int vertex = builder_.vertex(*name);
            const VertexKind before = builder_.kind(vertex);
            if (before != VertexKind::undeclared && before != kind) {
                throw source_.error(*name, fmt::format("{} is declared both host and switch: keep one", quoted(*name)));
            }
            builder_.set_kind(vertex, kind);
            ++declared;
        }
        if (declared == 0) throw source_.error(word, fmt::format("'{}' names no vertex: write '{} NAME'", word, word));
    }

    const Source& source_;
    NetworkBuilder builder_;
    CapacityRule rule_;
    std::string unit_;
};

}  // namespace

LabelledNetwork read_edge_list(const Source& source, const ImportOptions& /*options*/) {
    return EdgeListReader(source).read();
}

}  // namespace narrows
