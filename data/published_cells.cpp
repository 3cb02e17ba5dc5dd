#include "data/published_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "data/library.hpp"
#include "data/source_text.hpp"
#include "data/whole_file.hpp"
#include "data/yaml_tree.hpp"
#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::size_t largest_cells = std::size_t{1} << 20;
constexpr const char* cells_file = "cells.yaml";

class CellsReader {
  public:
    explicit CellsReader(const SourceText& source) : source_(source) {}

    PublishedCells read(const YamlNode& root) {
        if (!root.is_map() || root.find("cells") == nullptr) {
            source_.fail(root.place, "a file of cells is a map with 'cells': add 'cells: [{item: ...}]'");
        }
        PublishedCells found;
        if (const YamlEntry* machines = root.find("machines")) {
            for (const YamlEntry& one : map_of(*machines).entries) found.machines[one.key] = list_of(one);
            for (const YamlEntry& one : machines->value.entries) require_base(found.machines, one);
        }
        if (const YamlEntry* names = root.find("names")) {
            for (const YamlEntry& one : map_of(*names).entries) found.names[one.key] = text_of(one);
        }
        found.cells = block_of(root, {"machines", "names"});
        return found;
    }

  private:
    // A machine is made of another one, and that perhaps of a third, but the last is none of these.
    void require_base(const std::map<std::string, std::vector<std::string>>& machines, const YamlEntry& one) const {
        auto made = machines.find(one.key);
        for (std::size_t step = 0; made != machines.end(); ++step) {
            if (step == machines.size()) {
                source_.fail(one.place, fmt::format("machine '{}' is made of itself: begin its list with a machine "
                                                    "that is not in 'machines'",
                                                    one.key));
            }
            made = machines.find(made->second.front());
        }
    }

    CellText text_of(const YamlEntry& entry) const {
        if (entry.value.is_map() || entry.value.is_list()) source_.fail(entry.place, "a text or a number belongs here");
        return {entry.value.scalar, source_.origin(entry.value.place)};
    }

    const YamlNode& map_of(const YamlEntry& entry) const {
        if (!entry.value.is_map()) source_.fail(entry.place, fmt::format("'{}' is a map of names", entry.key));
        return entry.value;
    }

    std::vector<std::string> list_of(const YamlEntry& entry) const {
        if (!entry.value.is_list() || entry.value.entries.empty()) {
            source_.fail(entry.place, fmt::format("'{}' is a list: write '[a, b]'", entry.key));
        }
        std::vector<std::string> texts;
        for (const YamlEntry& one : entry.value.entries) texts.push_back(text_of(one).text);
        return texts;
    }

    // One text, or a map from conditions to texts.
    std::vector<CellChoice> choices_of(const YamlEntry& entry) const {
        if (!entry.value.is_map()) return {{{}, text_of(entry)}};
        std::vector<CellChoice> choices;
        for (const YamlEntry& one : entry.value.entries) {
            choices.push_back({{one.key == "else" ? "" : one.key, source_.origin(one.place)}, text_of(one)});
        }
        return choices;
    }

    CellBlock block_of(const YamlNode& node, const std::vector<std::string>& also = {}) const {
        static const std::vector<std::string> fields = {"machine", "item", "row",    "column", "key",  "printed",
                                                        "is",      "in",   "within", "rule",   "when", "note"};
        if (!node.is_map()) source_.fail(node.place, "a cell is a map: write '{item: Table 1, row: ...}'");
        CellBlock block;
        block.origin = source_.origin(node.place);
        for (const YamlEntry& entry : node.entries) {
            const auto among = [&entry](const std::vector<std::string>& keys) {
                return std::ranges::find(keys, entry.key) != keys.end();
            };
            if (among(fields)) {
                block.fields[entry.key] = choices_of(entry);
            } else if (entry.key == "table") {
                block.table = text_of(entry).text;
            } else if (entry.key == "for") {
                for (const YamlEntry& one : map_of(entry).entries) block.loops.emplace_back(one.key, list_of(one));
            } else if (entry.key == "cells") {
                if (!entry.value.is_list()) source_.fail(entry.place, "'cells' is a list: write '- {...}' a line");
                for (const YamlEntry& one : entry.value.entries) block.blocks.push_back(block_of(one.value));
            } else if (!among(also)) {
                source_.fail(entry.place,
                             fmt::format("unknown key '{}' of a cell{} (there are: {}, table, for, cells)", entry.key,
                                         did_you_mean(entry.key, fields), fmt::join(fields, ", ")));
            }
        }
        return block;
    }

    const SourceText& source_;
};

}  // namespace

PublishedText::PublishedText(const std::filesystem::path& folder) : table_(read_csv(folder / "text.csv")) {}

std::vector<std::string> PublishedText::keys() const {
    std::vector<std::string> keys;
    for (std::size_t row = 0; row < table_.rows.size(); ++row) keys.push_back(table_.cell(row, "key"));
    return keys;
}

bool PublishedText::has(std::string_view key) const {
    const std::vector<std::string> all = keys();
    return std::ranges::find(all, key) != all.end();
}

const std::string& PublishedText::printed(std::string_view key) const {
    return cell(key, "value");
}

const std::string& PublishedText::section(std::string_view key) const {
    return cell(key, "section");
}

const std::string& PublishedText::cell(std::string_view key, const char* column) const {
    for (std::size_t row = 0; row < table_.rows.size(); ++row) {
        if (table_.cell(row, "key") == key) return table_.cell(row, column);
    }
    throw InputError(fmt::format("text.csv has no '{}'{}", key, did_you_mean(std::string(key), keys())));
}

std::vector<std::string> published_papers() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& folder : std::filesystem::directory_iterator(published_directory(), ignored)) {
        if (is_there(folder.path() / cells_file)) names.push_back(folder.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

PublishedCells load_cells(const std::string& paper) {
    const std::vector<std::string> names = published_papers();
    const bool own = paper.find('/') != std::string::npos;
    if (!own && std::ranges::find(names, paper) == names.end()) {
        throw InputError(
            fmt::format("no paper '{}'{} (there are: {})", paper, did_you_mean(paper, names), fmt::join(names, ", ")));
    }
    const std::filesystem::path file =
        (own ? std::filesystem::path(paper) : published_directory() / paper) / cells_file;
    const std::string text = read_whole_file(file, largest_cells);
    const SourceText source(file.string(), text);
    PublishedCells found = CellsReader(source).read(parse_yaml(source));
    found.folder = file.parent_path();
    return found;
}

}  // namespace narrows
