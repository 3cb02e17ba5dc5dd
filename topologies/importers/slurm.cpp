#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "topologies/importers/hostlist.hpp"
#include "topologies/importers/network_builder.hpp"
#include "topologies/importers/readers.hpp"
#include "topologies/importers/slurm_lines.hpp"
#include "topologies/plural.hpp"

namespace narrows {
namespace {

class SlurmReader {
  public:
    SlurmReader(const Source& source, const ImportOptions& options)
        : source_(source), options_(options), builder_(source), lines_(source, options.read_included) {}

    LabelledNetwork read() && {
        require_multiplicity();
        for (const slurm::Line& line : lines_.lines()) declare(line);
        for (const slurm::Line& line : lines_.lines()) connect(line);
        warn_of_undescribed();
        warn_of_cycles();
        return std::move(builder_).finish("slurm", with_speed_.value_or(false) ? "" : "links");
    }

  private:
    void require_multiplicity() const {
        if (options_.cable_multiplicity && *options_.cable_multiplicity < 1) {
            throw InputError(
                fmt::format("{} cables between two linked switches: give 1 or more", *options_.cable_multiplicity))
                .of_setting("cables");
        }
        for (const slurm::Line& line : lines_.lines()) {
            const std::optional<std::string_view> children = line.value("switches");
            if (!children || options_.cable_multiplicity) continue;
            throw line.source
                ->error(*children,
                        "topology.conf does not say how many cables join two switches: give their "
                        "number, 1 if there is one, or use ibnetdiscover's output instead")
                .of_setting("cables");
        }
    }

    void declare(const slurm::Line& line) {
        for (const std::string& name : expand_hostlist(*line.source, *line.value("switchname"))) {
            const int vertex = builder_.vertex(name);
            described_.resize(static_cast<std::size_t>(builder_.vertices()));
            if (described_[vertex]) repeated_.push_back(name);
            described_[vertex] = true;
            builder_.set_kind(vertex, VertexKind::switching);
        }
    }

    void connect(const slurm::Line& line) {
        const double speed = link_speed(line);
        const int cables = options_.cable_multiplicity.value_or(1);
        if (cables > 1) builder_.expect_parallel_links();
        const auto nodes = line.value("nodes");
        const auto children = line.value("switches");
        for (const std::string& name : expand_hostlist(*line.source, *line.value("switchname"))) {
            const int parent = builder_.find(name);
            if (nodes) {
                for (const std::string& host : expand_hostlist(*line.source, *nodes)) {
                    builder_.connect(parent, host_of(line, host), speed, line.place);
                }
            }
            if (!children) continue;
            for (const std::string& child : expand_hostlist(*line.source, *children)) {
                const int below = switch_of(line, child);
                children_.push_back({parent, below});
                if (parent != below && listed_.contains({below, parent})) {
                    mutual_.push_back(child);
                } else {
                    listed_.insert({parent, below});
                    for (int cable = 0; cable < cables; ++cable) builder_.connect(parent, below, speed, line.place);
                }
            }
        }
    }

    double link_speed(const slurm::Line& line) {
        const std::optional<std::string_view> word = line.value("linkspeed");
        if (with_speed_.value_or(word.has_value()) != word.has_value()) {
            throw line.source->error(line.place,
                                     "some lines have LinkSpeed= and others not: give it to all or to none");
        }
        with_speed_ = word.has_value();
        return word ? to_capacity(*line.source, *word) : 1;
    }

    int host_of(const slurm::Line& line, const std::string& name) {
        const int vertex = builder_.vertex(name);
        if (builder_.kind(vertex) == VertexKind::switching) {
            throw line.source->error(*line.value("nodes"),
                                     fmt::format("{} is a node here and a switch elsewhere: rename one", quoted(name)));
        }
        builder_.set_kind(vertex, VertexKind::host);
        return vertex;
    }

    int switch_of(const slurm::Line& line, const std::string& name) {
        const int vertex = builder_.vertex(name);
        if (builder_.kind(vertex) == VertexKind::host) {
            throw line.source->error(*line.value("switches"),
                                     fmt::format("{} is a switch here and a node elsewhere: rename "
                                                 "one",
                                                 quoted(name)));
        }
        if (builder_.kind(vertex) == VertexKind::undeclared) undescribed_.push_back(name);
        builder_.set_kind(vertex, VertexKind::switching);
        return vertex;
    }

    void warn_of_undescribed() {
        const auto warn = [this](const std::vector<std::string>& names, const char* one, const char* many,
                                 const char* behind) {
            if (names.empty()) return;
            builder_.warn(plural(std::ssize(names), one, many) + " " + quoted(names.front()) + behind);
        };
        warn(undescribed_, "switch has no line of its own:", "switches have no line of their own, the first is", "");
        warn(repeated_, "switch is described more than once:", "switches are described more than once, the first is",
             "; all links count");
        warn(mutual_, "pair of switches list each other, one is", "pairs of switches list each other, the first with",
             "; cables between them count once");
    }

    /// Takes away switches that nobody left lists, until none is left or the rest is in or below a circle.
    void warn_of_cycles() {
        std::vector<int> parents(static_cast<std::size_t>(builder_.vertices()));
        std::ranges::sort(children_);
        for (const auto& [parent, child] : children_) ++parents[child];
        std::vector<int> top;
        for (int v = 0; v < builder_.vertices(); ++v) {
            if (parents[v] == 0) top.push_back(v);
        }
        std::size_t taken = 0;
        for (; taken < top.size(); ++taken) {
            const int parent = top[taken];
            for (auto link = std::ranges::lower_bound(children_, std::pair(parent, 0));
                 link != children_.end() && link->first == parent; ++link) {
                if (--parents[link->second] == 0) top.push_back(link->second);
            }
        }
        const auto in_circle = std::ranges::find_if(parents, [](int count) { return count > 0; });
        if (in_circle == parents.end()) return;
        builder_.warn(fmt::format("switches list each other in a circle, {} among them or below; all links are kept",
                                  quoted(builder_.name(static_cast<int>(in_circle - parents.begin())))));
    }

    const Source& source_;
    const ImportOptions& options_;
    NetworkBuilder builder_;
    slurm::Lines lines_;
    std::vector<bool> described_;
    std::vector<std::string> undescribed_;
    std::vector<std::string> repeated_;
    std::vector<std::pair<int, int>> children_;
    std::set<std::pair<int, int>> listed_;  ///< parent, child, as the first of two that list each other has it
    std::vector<std::string> mutual_;
    std::optional<bool> with_speed_;
};

}  // namespace

LabelledNetwork read_slurm(const Source& source, const ImportOptions& options) {
    return SlurmReader(source, options).read();
}

bool looks_like_slurm(std::string_view text) {
    while (const std::optional<std::string_view> line = cut_line(text)) {
        const std::string_view words = trimmed(*line);
        if (words.empty() || words.front() == '#') continue;
        const std::string begin = lower_case(words.substr(0, 11));
        return begin.starts_with("switchname=") || begin.starts_with("include ") || begin.starts_with("blockname=");
    }
    return false;
}

}  // namespace narrows
