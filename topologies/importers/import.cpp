#include "topologies/importers/import.hpp"

#include <fmt/format.h>

#include "topologies/importers/readers.hpp"

namespace narrows {
namespace {

bool is_xml_with(std::string_view text, std::string_view element) {
    const std::string_view begin = trimmed(text.substr(0, 4096));
    return !begin.empty() && begin.front() == '<' && text.find(element) != std::string_view::npos;
}

std::vector<ImportFormat> make_formats() {
    return {
        {.name = "simgrid",
         .help = "SimGrid platform: a cluster, or hosts, routers, links and routes",
         .endings = {".xml"},
         .recognises = [](std::string_view text) { return is_xml_with(text, "<platform"); },
         .read = read_simgrid},
        {.name = "graphml",
         .help = "GraphML, with kind=switch of vertices and capacity of edges",
         .endings = {".graphml"},
         .recognises = [](std::string_view text) { return is_xml_with(text, "<graphml"); },
         .read = read_graphml},
        {.name = "dot",
         .help = "Graphviz, with kind=switch of vertices and capacity of edges",
         .endings = {".dot", ".gv"},
         .recognises = looks_like_dot,
         .read = read_dot},
        {.name = "ibnetdiscover",
         .help = "what InfiniBand's ibnetdiscover prints",
         .endings = {".ibnetdiscover"},
         .recognises = looks_like_ibnetdiscover,
         .read = read_ibnetdiscover},
        {.name = "slurm",
         .help = "Slurm's topology.conf; says nothing of parallel cables: say how many there are",
         .endings = {"topology.conf"},
         .recognises = looks_like_slurm,
         .read = read_slurm,
         .omits_cables = true},
        {.name = "metis",
         .help = "METIS graph: n m [fmt], then the neighbours of each vertex; weight 0 is a switch",
         .endings = {".graph", ".metis"},
         .recognises = looks_like_metis,
         .read = read_metis},
        {.name = "edge-list",
         .help = "lines 'u v [capacity]', 'switch NAME ...', 'host NAME ...'",
         .endings = {},
         .recognises = [](std::string_view) { return false; },
         .read = read_edge_list},
    };
}

const ImportFormat& recognised_format(std::string_view text, const std::string& file) {
    for (const ImportFormat& format : import_formats()) {
        if (format.recognises(text)) return format;
    }
    for (const ImportFormat& format : import_formats()) {
        for (const std::string& ending : format.endings) {
            if (file.ends_with(ending)) return format;
        }
    }
    return import_formats().back();
}

/// What is not text at all.
void require_text(const Source& source) {
    if (trimmed(source.text()).empty()) {
        throw source.error_at(0, "the file is empty: give a network in a known format").of_setting("from");
    }
    const std::size_t zero = source.text().find('\0');
    if (zero != std::string_view::npos) {
        throw InputError(source.file(), source.line(source.text().substr(zero)), 1, "",
                         "this is not text (it holds a zero byte): unpack or convert it");
    }
}

}  // namespace

const std::vector<ImportFormat>& import_formats() {
    static const std::vector<ImportFormat> formats = make_formats();
    return formats;
}

LabelledNetwork import_network(std::string_view text, const std::string& file_name, const ImportOptions& options) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    const Source source(text, file_name);
    require_text(source);
    const ImportFormat& format = options.format.empty()
                                     ? recognised_format(text, file_name)
                                     : record_called(options.format, import_formats(), "no network format is called");
    if (options.cable_multiplicity && !format.omits_cables) {
        throw InputError(file_name, 0, 0, "",
                         fmt::format("parallel cables are for Slurm's topology.conf, which omits them; a file of the "
                                     "format {} has its links one by one: leave them out",
                                     format.name))
            .of_setting("cables");
    }
    return format.read(source, options);
}

}  // namespace narrows
