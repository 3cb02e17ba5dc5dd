#include <fmt/format.h>

#include "cli/formats.hpp"

namespace narrows {
namespace {

constexpr const char* style =
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0;font-variant-numeric:tabular-nums}"
    "th,td{padding:.25em .8em;border-bottom:1px solid #ddd;text-align:left}"
    "caption{text-align:left;font-weight:600;padding:.3em 0}svg{max-width:100%;height:auto}";

std::string escaped(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string row_element(const std::vector<std::string>& cells, const char* tag) {
    std::string text = "<tr>";
    for (const std::string& cell : cells) text += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
    return text + "</tr>\n";
}

std::string table_element(const Table& table) {
    std::string text = "<table>\n";
    if (!table.title.empty()) text += "<caption>" + escaped(table.title) + "</caption>\n";
    text += row_element(texts_of(table.header), "th");
    for (const auto& row : table.rows) text += row_element(texts_of(row), "td");
    return text + "</table>\n";
}

}  // namespace

std::string format_html(const Document& document) {
    const std::string title =
        document.plot ? document.plot->title : "narrows " + document.json.value("command", std::string("report"));
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>"
        "<style>{1}</style></head><body>\n<h1>{0}</h1>\n",
        escaped(title), style);
    for (const std::string& note : document.notes) text += "<p>" + escaped(note) + "</p>\n";
    if (document.plot) {
        const std::string svg = format_plot(document, Picture::svg);
        text += svg.substr(svg.find("<svg"));
    }
    for (const Table& table : document.tables) text += table_element(table);
    if (!document.remarks.empty()) text += "<pre>";
    for (const std::string& remark : document.remarks) text += escaped(remark) + "\n";
    if (!document.remarks.empty()) text += "</pre>\n";
    return text + "</body></html>\n";
}

}  // namespace narrows
