#pragma once

#include <string>

#include "cli/document.hpp"

namespace narrows {

/// Each of these turns a document into text; one file a format.
enum class Colours { none, some };  ///< a terminal's: titles and headers bold, what limits in yellow
std::string format_table(const Document& document, Colours colours);
std::string format_markdown(const Document& document);
/// A text as Markdown takes it, which finds no marks in it.
std::string markdown_text(const std::string& text);
std::string format_csv(const Document& document);
std::string format_json(const Document& document);
/// One self-contained page: notes, tables and the plot, nothing fetched.
std::string format_html(const Document& document);

enum class Picture { svg, png };

/// InputError of a command whose document has no plot.
[[noreturn]] void throw_no_plot();

/// InputError when gnuplot is not there.
void require_gnuplot();

/// A text as gnuplot takes it, which reads nothing into it; the lines that choose what a script draws on; and what a
/// script draws, or InputError.
std::string gnuplot_text(const std::string& text);
std::string gnuplot_terminal(Picture kind);
std::string drawn_by_gnuplot(const std::string& script);

/// Draws the document's plot with gnuplot, log axes. InputError when the document has no plot or gnuplot is not there.
std::string format_plot(const Document& document, Picture kind);

}  // namespace narrows
