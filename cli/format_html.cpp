#include <fmt/format.h>

#include <map>

#include "cli/formats.hpp"

namespace narrows {
namespace {

// Colours by the reader's choice; on paper always dark on white. A picture has the colours of paper, which are turned
// around in the dark. What is wider than a phone scrolls by itself.
constexpr const char* style = R"(
:root{color-scheme:light dark;--paper:#fff;--ink:#1d2329;--faint:#56606a;--rule:#c9d0d6;--link:#0b57a4}
@media screen and (prefers-color-scheme:dark){
:root{--paper:#141414;--ink:#e3e7ea;--faint:#a3adb6;--rule:#3b444c;--link:#7db8f2}
svg{filter:invert(.92) hue-rotate(180deg)}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;max-width:72em;margin:0 auto;padding:1em;color:var(--ink);background:var(--paper)}
h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}h2{margin-top:2.2em;padding-top:.4em;border-top:2px solid var(--rule)}
p+p{margin-top:-.6em}p,pre{overflow-wrap:anywhere}p{max-width:48em}a{color:var(--link)}
nav{columns:16em;margin:1em 0}nav a{display:block;padding:.15em 0}
.wide{overflow-x:auto;margin:1em 0}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3em 0}
th,td{padding:.25em .8em .25em 0;border-bottom:1px solid var(--rule);text-align:left;vertical-align:top}
td{min-width:4em}.long{min-width:16em}thead th{color:var(--faint);vertical-align:bottom}.number{text-align:right;white-space:nowrap}
svg{display:block;width:100%;min-width:32em;max-width:50em;height:auto}
pre{font:.85em/1.5 ui-monospace,monospace;white-space:pre-wrap;margin:1em 0}
@media(max-width:40em){body{padding:.7em}table{font-size:.85em}th,td{padding-right:.6em}}
@media print{@page{margin:15mm}body{max-width:none;padding:0;font-size:9.5pt}nav{display:none}.wide{overflow:visible}td,.long{min-width:0}
h1,h2,h3,caption{break-after:avoid}tr,svg{break-inside:avoid}svg{min-width:0;max-width:15cm}}
)";

std::string escaped(const std::string& text) {
    static const std::map<char, std::string> entities = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    std::string safe;
    for (const char c : text) {
        const auto entity = entities.find(c);
        safe += entity == entities.end() ? std::string(1, c) : entity->second;
    }
    return safe;
}

// A part that may be wider than the page and is then scrolled, by keyboard too.
std::string wide_element(const std::string& name, const std::string& content) {
    return fmt::format("<div class=\"wide\" role=\"group\" tabindex=\"0\" aria-label=\"{}\">\n{}</div>\n",
                       escaped(name), content);
}

std::string table_element(const Table& table, const std::string& name) {
    constexpr std::size_t prose = 40;  // characters from which a cell is given room
    const std::vector<bool> numeric = numeric_columns(table);
    const auto row = [&numeric](const std::vector<std::string>& cells, const std::string& tag) {
        std::string text = "<tr>";
        for (std::size_t column = 0; column < cells.size(); ++column) {
            const bool is_long = cells[column].size() > prose;
            const char* const kind = numeric[column] ? " class=\"number\"" : is_long ? " class=\"long\"" : "";
            const std::string& own = cells[column].empty() ? "td" : tag;  // an empty header is none
            text += fmt::format("<{0}{1}{2}>{3}</{0}>", own, own == "th" ? " scope=\"col\"" : "", kind,
                                escaped(cells[column]));
        }
        return text + "</tr>\n";
    };
    std::string text = "<table>\n";
    if (!table.title.empty()) text += "<caption>" + escaped(table.title) + "</caption>\n";
    text += "<thead>" + row(texts_of(table.header), "th") + "</thead>\n<tbody>\n";
    for (const auto& cells : table.rows) text += row(texts_of(cells), "td");
    return wide_element(table.title.empty() ? name : table.title, text + "</tbody></table>\n");
}

// The picture as an element. Pictures of one page name their parts alike: each gets a prefix to these names.
std::string picture_element(const Document& document, int number) {
    std::string drawn = format_plot(document, Picture::svg);
    drawn.erase(0, drawn.find("<svg") + 4);
    std::string text = fmt::format("<svg role=\"img\" aria-label=\"{}\"", escaped(document.plot->title));
    bool in_tag = true;
    for (const char c : drawn) {
        if (c == '<' || c == '>') in_tag = c == '<';
        text += c;
        for (const std::string_view place : {" id=\"", " id='", "href=\"#", "href='#", "url(#"}) {
            if (in_tag && std::string_view(text).ends_with(place)) text += fmt::format("picture{}-", number);
        }
    }
    return wide_element("Picture: " + document.plot->title, text);
}

// A page or a section of it, whose parts it numbers.
class Page {
  public:
    std::string section(const Document& document, const std::string& title, int level) {
        std::string text = heading(title, level);
        if (level == 1) text = "<header>" + text + "</header>\n<main>\n";
        for (const std::string& note : document.notes) text += "<p>" + escaped(note) + "</p>\n";
        if (level == 1 && !document.sections.empty()) text += contents(document);
        if (document.plot) text += picture_element(document, ++pictures_);
        for (const Table& table : document.tables) text += table_element(table, title);
        if (!document.remarks.empty()) text += "<pre>";
        for (const std::string& remark : document.remarks) text += escaped(remark) + "\n";
        if (!document.remarks.empty()) text += "</pre>\n";
        for (const Document& part : document.sections) text += section(part, part.title, level + 1);
        return text;
    }

  private:
    std::string heading(const std::string& title, int level) {
        const std::string id = level == 2 ? fmt::format(" id=\"part{}\"", ++parts_) : "";
        return fmt::format("<h{0}{1}>{2}</h{0}>\n", level, id, escaped(title));
    }
    static std::string contents(const Document& document) {
        std::string text = "<nav aria-label=\"Contents\">\n";
        int number = 0;
        for (const Document& part : document.sections) {
            text += fmt::format("<a href=\"#part{}\">{}</a>\n", ++number, escaped(part.title));
        }
        return text + "</nav>\n";
    }

    int parts_ = 0;
    int pictures_ = 0;
};

}  // namespace

std::string format_html(const Document& document) {
    const std::string title = !document.title.empty() ? document.title
                              : document.plot         ? document.plot->title
                                                      : "narrows " + document.json.value("command", std::string());
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\"><title>{}</title>"
        "<style>{}</style></head><body>\n{}</main>\n</body></html>\n",
        escaped(title), style, Page().section(document, title, 1));
}

}  // namespace narrows
