#include "data/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "topologies/input_error.hpp"

namespace narrows {
namespace {

constexpr std::size_t deepest = 32;

std::size_t indentation_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

// The literal blocks below lines such as `  points: |`, and the text without their lines, which are empty in it: the
// parser takes tens of nanoseconds for each of their bytes.
struct TextAndBlocks {
    std::string text;                      // with as many lines as the source
    std::map<int, std::string> by_header;  // by the header's line, from 0
};

// Whether a block may begin below: a plain key, then the bar alone.
bool may_head_block(std::string_view line) {
    constexpr std::string_view bar = ": |";
    if (!line.ends_with(bar)) return false;
    line.remove_suffix(bar.size());
    line.remove_prefix(indentation_of(line));
    return !line.empty() && std::ranges::all_of(line, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

TextAndBlocks without_blocks(const SourceText& source) {
    TextAndBlocks found;
    found.text.reserve(source.text().size());
    std::string* block = nullptr;
    std::size_t header = 0, indentation = 0;
    for (int number = 1; number <= source.lines(); ++number) {
        const std::string_view line = source.line(number);
        const std::size_t indented = indentation_of(line);
        if (indented == line.size() && indented > 0) return {};  // yaml-cpp has rules of its own for lines of spaces
        if (block != nullptr && block->empty()) indentation = indented;
        if (block != nullptr && indented > header && indented >= indentation && indented < line.size()) {
            *block += line.substr(indentation);
            *block += '\n';
        } else {
            block = may_head_block(line) ? &found.by_header[number - 1] : nullptr;
            header = indented;
            found.text += line;
        }
        found.text += '\n';
    }
    if (block != nullptr && !block->empty() && !source.text().ends_with('\n')) block->pop_back();
    return found;
}

// Builds the tree from the parser's events, because yaml-cpp's own tree accepts duplicate keys in silence and follows
// aliases however often they repeat.
class TreeBuilder : public YAML::EventHandler {
  public:
    // Of the source's text, whose places it has, or of that text without its blocks, which it puts in their places.
    TreeBuilder(const SourceText& source, TextAndBlocks read)
        : source_(source), text_(std::move(read.text)), blocks_(std::move(read.by_header)) {}

    void parse() {
        std::istringstream stream(text_);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(*this)) {
        }
    }

    YamlNode take_root() { return std::move(root_); }

    // Whether each block was one for the parser too.
    bool has_placed_blocks() const { return blocks_.empty(); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (documents_++ > 0) source_.fail(place(mark), "a second document: write one a file, without '---'");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_anchor(mark, anchor);
        YamlNode node;
        node.place = place(mark);
        add(std::move(node));
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { refuse_anchor(mark, 1); }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        refuse_anchor(mark, anchor);
        refuse_tag(mark, tag);
        refuse_open_quote(mark);
        YamlNode node;
        node.form = YamlNode::Form::scalar;
        node.place = place(mark);
        const auto block = value.empty() ? blocks_.find(mark.line) : blocks_.end();
        if (block == blocks_.end()) {
            node.scalar = value;
        } else {
            node.scalar = std::move(block->second);
            blocks_.erase(block);
        }
        add(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, anchor, YamlNode::Form::list);
    }
    void OnSequenceEnd() override { OnMapEnd(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(mark, tag, anchor, YamlNode::Form::map);
    }

    void OnMapEnd() override {
        YamlNode node = std::move(open_.back().node);
        open_.pop_back();
        add(std::move(node));
    }

  private:
    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, YamlNode::Form form) {
        refuse_anchor(mark, anchor);
        refuse_tag(mark, tag);
        if (open_.size() == deepest) {
            source_.fail(place(mark), fmt::format("maps nested deeper than {}: no file needs that", deepest));
        }
        const bool as_key = !open_.empty() && open_.back().node.is_map() && !open_.back().key;
        if (as_key) source_.fail(place(mark), "a map cannot be a key: write a text, or close the brace before it");
        OpenMap map;
        map.node.form = form;
        map.node.place = place(mark);
        open_.push_back(std::move(map));
    }

    struct OpenMap {
        YamlNode node;
        std::unordered_map<std::string, int> lines;  // of the keys so far
        std::optional<std::pair<std::string, Place>> key;
    };

    Place place(const YAML::Mark& mark) const { return source_.place(mark.line, mark.column); }

    void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
        if (anchor != 0) source_.fail(place(mark), "anchors and aliases are not supported: repeat the value");
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
        if (tag.size() > 1) source_.fail(place(mark), "tags are not supported: write the value alone");
    }

    // The parser takes the end of the file for a closing quote.
    void refuse_open_quote(const YAML::Mark& mark) const {
        std::size_t at = static_cast<std::size_t>(mark.pos);
        if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return;
        const char quote = text_[at++];
        for (; at < text_.size(); ++at) {
            const bool escapes = quote == '"' ? text_[at] == '\\' : text_.compare(at, 2, "''") == 0;
            if (escapes) {
                ++at;
            } else if (text_[at] == quote) {
                return;
            }
        }
        source_.fail(place(mark), "a quote is opened and never closed: close it");
    }

    void add(YamlNode node) {
        if (open_.empty()) {
            root_ = std::move(node);
        } else if (open_.back().node.is_list()) {
            const Place place = node.place;
            open_.back().node.entries.push_back({"", place, std::move(node)});
        } else if (!open_.back().key) {
            add_key(node);
        } else {
            OpenMap& map = open_.back();
            map.node.entries.push_back({std::move(map.key->first), map.key->second, std::move(node)});
            map.key.reset();
        }
    }

    void add_key(const YamlNode& node) {
        if (node.form != YamlNode::Form::scalar || node.scalar.empty()) {
            source_.fail(node.place, "a key is missing before ':'");
        }
        OpenMap& map = open_.back();
        const auto [known, is_new] = map.lines.emplace(node.scalar, node.place.line);
        if (!is_new) {
            source_.fail(node.place, fmt::format("duplicate key '{}', first given in line {}: delete one of them",
                                                 node.scalar, known->second));
        }
        map.key = {node.scalar, node.place};
    }

    const SourceText& source_;
    std::string text_;                   // that is parsed
    std::map<int, std::string> blocks_;  // not yet placed, by their headers' lines
    YamlNode root_;
    std::vector<OpenMap> open_;
    int documents_ = 0;
};

// Nothing where the parser refuses the text without its blocks, or sees none where one is left out: it is given all.
std::optional<YamlNode> parse_beside_blocks(const SourceText& source) {
    TextAndBlocks read = without_blocks(source);
    if (read.by_header.empty()) return std::nullopt;
    TreeBuilder builder(source, std::move(read));
    try {
        builder.parse();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
    if (!builder.has_placed_blocks()) return std::nullopt;
    return builder.take_root();
}

void refuse_long_lines(const SourceText& source) {
    for (int line = 1; line <= source.lines(); ++line) {
        const std::size_t length = source.line(line).size();
        if (length <= SourceText::longest_line) continue;
        source.fail({line, 1}, fmt::format("a line of {} bytes: write at most {}", length, SourceText::longest_line));
    }
}

void refuse_tabs(const SourceText& source) {
    for (int line = 1; line <= source.lines(); ++line) {
        const std::string_view text = source.line(line);
        const std::size_t content = text.find_first_not_of(" \t"), tab = text.find('\t');
        if (content == std::string_view::npos || text[content] == '\r' || tab > content) continue;
        source.fail(source.place(line - 1, static_cast<int>(tab)), "a tab cannot indent YAML: use spaces");
    }
}

}  // namespace

const YamlEntry* YamlNode::find(const std::string& key) const {
    for (const YamlEntry& entry : entries) {
        if (entry.key == key) return &entry;
    }
    return nullptr;
}

YamlNode parse_yaml(const SourceText& source) {
    refuse_long_lines(source);
    source.require_text();
    refuse_tabs(source);
    if (std::optional<YamlNode> root = parse_beside_blocks(source)) return *std::move(root);
    TreeBuilder builder(source, {source.text(), {}});
    try {
        builder.parse();
    } catch (const InputError&) {
        throw;
    } catch (const YAML::Exception& error) {
        const Place place = source.place(error.mark.line, error.mark.column);
        const bool is_colon = error.msg == YAML::ErrorMsg::MAP_VALUE;
        const bool is_braces = error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW;
        source.fail(
            place,
            fmt::format("not valid YAML ({}): {}", error.msg,
                        is_colon ? "a text with ': ' in it needs quotes, and a key the right indentation"
                        : is_braces
                            ? "close the brace; a text with ': ' or a comma in it, such as a choice, needs quotes there"
                            : "check the indentation, colons, quotes and braces up to here"));
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        source.fail({}, fmt::format("not valid YAML ({})", error.what()));
    }
    return builder.take_root();
}

}  // namespace narrows
