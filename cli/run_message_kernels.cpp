#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/study/break_search.hpp"
#include "calibrate/study/messaging_machine.hpp"
#include "calibrate/study/sizes_between.hpp"
#include "cli/authentication_report.hpp"
#include "cli/cache_remark.hpp"
#include "cli/kernel.hpp"
#include "cli/launched_run.hpp"
#include "cli/message_run.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"

namespace narrows {
namespace {

/// What a kernel's time is reported as: itself, or the work of so many bytes a second.
struct Reported {
    const char* quantity;
    const char* unit;
    std::string column;
    const char* rate_column;
    /// Messages, bytes or operations in a time measured with this many bytes; empty for a time.
    std::function<double(double bytes)> work;

    /// What the rate column shows, in 1e9 a second: the reported bytes or operations, else the message's bytes.
    double giga(double bytes, double seconds) const {
        const double each = !work || std::string_view(quantity) == "message_rate" ? bytes : 1;
        return (work ? work(bytes) : 1) * each / seconds / 1e9;
    }
    double value(double bytes, double seconds) const { return work ? work(bytes) / seconds : seconds; }
    /// The interval's ends, null where there is none.
    nlohmann::ordered_json low(const MessagePoint& point) const {
        return end_of_interval(point.seconds,
                               value(static_cast<double>(point.bytes), work ? point.seconds.high : point.seconds.low));
    }
    nlohmann::ordered_json high(const MessagePoint& point) const {
        return end_of_interval(point.seconds,
                               value(static_cast<double>(point.bytes), work ? point.seconds.low : point.seconds.high));
    }
};

Reported reported(const MessageOptions& options) {
    const double both_ways = 2.0 * options.neighbours;
    const double ways = options.pattern == StreamPattern::bidirectional ? 2 : 1;
    switch (options.kernel) {
        case MessageKernel::ping_pong:
        case MessageKernel::program:  // reported by run_workload_file.cpp
        case MessageKernel::overlap:  // reported by run_overlap.cpp
            break;
        case MessageKernel::send_overhead:
        case MessageKernel::receive_overhead:
            return {"time", "s", "call ns", "GB/s", {}};
        case MessageKernel::stream:
            return {"message_rate", "1/s", "ns/message", "GB/s", [ways](double) { return ways; }};
        case MessageKernel::exchange:
            return {"bandwidth", "B/s", "exchange ns", "GB/s", [both_ways](double bytes) { return both_ways * bytes; }};
        case MessageKernel::allreduce:
        case MessageKernel::all_to_all:
        case MessageKernel::broadcast:
        case MessageKernel::allgather:
        case MessageKernel::reduce_scatter:
        case MessageKernel::barrier:
            return {"time", "s", fmt::format("{} ns", name_of(options.kernel)), "GB/s", {}};
        case MessageKernel::matvec:
            return {"operation_rate", "1/s", "product ns", "Gflop/s",
                    [](double bytes) { return 2 * (bytes / 8) * (bytes / 8); }};
    }
    return {"half_round_trip", "s", "half trip ns", "GB/s", {}};
}

/// What was measured, and what is made of it.
struct Fitted {
    const MessageRun& run;
    std::vector<std::size_t> asked;  ///< sizes; the others lie between
    SizesBetween between;
    MessageCurve curve;

    bool is_asked(std::size_t bytes) const { return std::ranges::binary_search(asked, bytes); }
};

Fitted fitted(const OptionWords& words, const MessageOptions& options, const MessageRun& run) {
    SizesBetween between = sizes_between_asked(words, options);
    MessageCurve curve = fit_points(run.points, between.judging);
    return {run, asked_sizes(words, options), std::move(between), std::move(curve)};
}

// Of the sizes asked for, or of those between.
nlohmann::ordered_json json_of_points(const Fitted& fitted, const Reported& what, bool asked) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (const MessagePoint& point : fitted.run.points) {
        const auto& [bytes, seconds] = point;
        if (fitted.is_asked(bytes) != asked) continue;
        const auto size = static_cast<double>(bytes);
        points.push_back({{"bytes", bytes},
                          {"result", what.value(size, seconds.value)},
                          {"low", what.low(point)},
                          {"high", what.high(point)},
                          {"samples", seconds.samples},
                          {"fit", what.value(size, fitted.curve.at(size))},
                          {"fitted", !fitted.between.judges(bytes)}});
    }
    return points;
}

nlohmann::ordered_json json_of_segments(const MessageCurve& curve) {
    const auto interval = [](const Coefficient& one) {
        return nlohmann::ordered_json{{"value", one.value}, {"low", one.low}, {"high", one.high}};
    };
    nlohmann::ordered_json segments = nlohmann::ordered_json::array();
    for (const CurveSegment& segment : curve.segments) {
        segments.push_back({{"from", segment.from},
                            {"to", segment.to},
                            {"per_message", interval(segment.per_message)},
                            {"per_byte", interval(segment.per_byte)}});
    }
    return segments;
}

nlohmann::ordered_json json_of_run(const OptionWords& words, const MessageOptions& options, const Fitted& fitted) {
    const MessageRun& run = fitted.run;
    const Reported what = reported(options);
    nlohmann::ordered_json json = json_of_messages(words, options, run);
    const MessagePoint& first = run.points.front();
    json["result"] =
        json_of_result(what.quantity, what.unit, what.value(static_cast<double>(first.bytes), first.seconds.value),
                       what.low(first), what.high(first));
    json["counters"] = nlohmann::ordered_json::object();
    json["points"] = json_of_points(fitted, what, true);
    json["between"] = json_of_points(fitted, what, false);
    json["fit"] = json_of_segments(fitted.curve);
    if (const FitJudgement unseen = judgement_of(fitted.curve, fitted.run.points, fitted.between); unseen.sizes != 0) {
        json["summary"] = {
            {"median_error", unseen.median_error}, {"worst_error", unseen.worst_error}, {"coverage", unseen.coverage}};
    }
    return json;
}

TableCell interval_cell(const OrderEstimate& seconds) {
    if (!seconds.has_interval()) return "-";
    const double low = seconds.low * 1e9, high = seconds.high * 1e9;
    return {fmt::format("{:.4g} to {:.4g}", low, high), {low, high}};
}

// The sizes asked for, and those that judge.
Table points_table(const MessageOptions& options, const Fitted& fitted) {
    constexpr int enough_samples = 6;
    const Reported what = reported(options);
    const char* interval = options.repeats < enough_samples ? "range" : "95 % interval";
    Table table{"",
                {"bytes",
                 what.column,
                 {interval, {"low ns", "high ns"}},
                 what.rate_column,
                 "fit ns",
                 {"error", {"relative error", "fitted"}}},
                {}};
    for (const auto& [bytes, seconds] : fitted.run.points) {
        const bool judges = fitted.between.judges(bytes);
        if (!judges && !fitted.is_asked(bytes)) continue;
        const auto size = static_cast<double>(bytes);
        const double fit = fitted.curve.at(size);
        const TableCell error = error_cell(fit / seconds.value - 1);
        table.rows.push_back({count_cell(bytes),
                              number_cell(seconds.value * 1e9),
                              interval_cell(seconds),
                              number_cell(what.giga(size, seconds.value)),
                              number_cell(fit * 1e9),
                              {error.text + (judges ? " *" : ""), {error.values.front(), !judges}}});
    }
    return table;
}

std::string sentence_of(const CurveSegment& segment) {
    if (segment.from == segment.to) {
        return fmt::format("{:.0f} B: {:.4g} ns; one size does not tell the time of a byte", segment.from,
                           segment.per_message.value * 1e9);
    }
    const std::string bandwidth =
        segment.per_byte.value > 0 ? fmt::format("{:.4g} GB/s", 1e-9 / segment.per_byte.value) : "no time for bytes";
    if (segment.per_message.value < 0) {
        return fmt::format("{:.0f} to {:.0f} B: {} for the bytes beyond {:.0f}", segment.from, segment.to, bandwidth,
                           -segment.per_message.value / segment.per_byte.value);
    }
    return fmt::format("{:.0f} to {:.0f} B: {:.4g} ns a message and {}", segment.from, segment.to,
                       segment.per_message.value * 1e9, bandwidth);
}

// The fit through what it saw, and beside what it did not see.
Plot plot_of(const OptionWords& words, const MessageOptions& options, const Fitted& fitted) {
    Series fit{"fit"}, seen{"measured", Look::points}, unseen{"measured, not in the fit", Look::rings};
    for (const auto& [bytes, seconds] : fitted.run.points) {
        const auto size = static_cast<double>(bytes);
        fit.add(size, fitted.curve.at(size) * 1e9);
        Series& measured = fitted.between.judges(bytes) ? unseen : seen;
        measured.add(size, seconds.value * 1e9, seconds.low * 1e9, seconds.high * 1e9);
    }
    const std::string column = reported(options).column;
    Plot plot{fmt::format("{} by {} on this machine", words.workload, name_of(options.protocol)),
              "message size",
              column.substr(0, column.rfind(' ')),
              "ns",
              {std::move(fit), std::move(seen)}};
    plot.x_is_bytes = true;
    if (!unseen.x.empty()) plot.series.push_back(std::move(unseen));
    return plot;
}

Document document_of(const OptionWords& words, const MessageOptions& options, const Fitted& made) {
    Document document{json_of_run(words, options, made), {title_of(words, options, made.run)}};
    document.tables.push_back(points_table(options, made));
    add_authentication_remark(document);
    document.remarks.push_back(cache_remark(options, made.run, cache_sizes()));
    if (options.by_rounds != nullptr) {
        document.remarks.emplace_back("run as rounds of messages: the first word of each is checked, no sum or block");
    }
    if (std::string slow = left_out_remark(words, options); !slow.empty()) document.remarks.push_back(std::move(slow));
    if (std::string shared = shared_core_remark(words, options); !shared.empty()) {
        document.remarks.push_back(std::move(shared));
    }
    if (const FitJudgement unseen = judgement_of(made.curve, made.run.points, made.between); unseen.sizes != 0) {
        document.remarks.push_back(
            fmt::format("* not used in the fit: median error {:.1f} %, worst {:.1f} %; {:.0f} % of its intervals held",
                        100 * unseen.median_error, 100 * unseen.worst_error, 100 * unseen.coverage));
    }
    for (const CurveSegment& segment : made.curve.segments) document.remarks.push_back("Fit, " + sentence_of(segment));
    for (const std::string& line : evidence_of_noise(made.run)) document.remarks.push_back("noise: " + line);
    document.plot = plot_of(words, options, made);
    return document;
}

int report_run(const OptionWords& words, const MessageOptions& options, const MessageRun& run, Output& output) {
    const Fitted made = fitted(words, options, run);
    Output shown = output;
    if (output.file.ends_with(".yaml")) {
        const Machine machine =
            messaging_machine(std::string(name_of(options.protocol)), made.curve, way_of(words, options));
        write_whole_file(output.file, write_machine(machine));
        output.remarks << "wrote " << output.file << "\n";
        shown.file.clear();
    }
    return emit(document_of(words, options, made), shown, run.errors == 0);
}

int run_message_kernel(const OptionWords& words, Output& output) {
    return measure_where_asked(words, {report_run, Draws::yes}, output);
}

// Of its algorithms, the default first; nothing of a kernel without.
Options algorithm_option(const std::string& kernel) {
    std::string text;
    std::string names;
    bool by_nodes = false;
    for (const Algorithm one : algorithms_of(message_kernel(kernel).value())) {
        text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(one));
        names += fmt::format("{}{}", names.empty() ? "" : "|", name_of(one));
        by_nodes = by_nodes || goes_by_nodes(one);
    }
    if (text.empty()) return {};
    const auto by_rounds = algorithms_by_rounds(message_kernel(kernel).value());
    for (const CollectiveAlgorithm* one : by_rounds) {
        text += fmt::format(", {} *", one->name);
        names += fmt::format("|{}", one->name);
    }
    text += "; default: the first";
    if (!by_rounds.empty()) text += "; * as rounds of messages, whose first words are checked";
    if (by_nodes) {
        text += "; node is direct up to 2 KiB and a ring above, node-shared through memory that a node's ranks share";
    }
    return {Option{"--algorithm", text}.taking(names)};
}

Kernel kernel_of_messages(const std::string& name, const Options& own, const std::vector<std::string>& examples) {
    return {name, "",
            together({own, algorithm_option(name), kernel_options({"--protocol", "--domain", "--overlap-legs"}),
                      kernel_options(process_options()), kernel_options({"--repeats"})}),
            run_message_kernel, examples};
}

}  // namespace

std::vector<Kernel> message_kernels() {
    const Option sizes = Option{"--bytes",
                                "sizes: 8, a list 8,64,1KiB, or 8..4MiB (default), which doubles; of all-to-all and "
                                "allgather a block, by default "
                                "up to as many bytes as a block of each two ranks takes 256 MiB"}
                             .taking_bytes();
    const Option pattern =
        Option{"--pattern",
               "pairs (default), bidirectional, or from one rank to all: cyclic, block-cyclic (4 KiB each), "
               "indirect"}
            .taking("pairs|bidirectional|cyclic|block-cyclic|indirect");
    const Option progress =
        Option{"--progress",
               "messages progress when the rank calls (poll, default), or by a communication thread (thread)"}
            .taking("poll|thread");
    const Option node_ranks = {"--ranks-per-node", "within nodes: ranks of a node; default 4", 1 << 20};
    std::vector<Kernel> all = {
        kernel_of_messages("ping-pong", {sizes}, {"run ping-pong --protocol buffered --bytes 8..64KiB --repeats 3"}),
        kernel_of_messages("stream", {sizes, pattern},
                           {"run stream --ranks 64 --bytes 8,64 --repeats 3",
                            "run stream --pattern indirect --protocol command-queue --ranks 8 --bytes 8 --repeats 3"}),
        kernel_of_messages("halo-exchange", {sizes, {"--neighbours", "1 (default) to 6", most_neighbours}},
                           {"run halo-exchange --neighbours 6 --ranks 8 --bytes 1KiB --repeats 3"}),
        kernel_of_messages("overlap", {sizes, progress},
                           {"run overlap --protocol rendezvous --bytes 8,64KiB --repeats 3"}),
        kernel_of_messages(
            "allreduce", {sizes, node_ranks},
            {"run allreduce --algorithm ring --ranks 8 --bytes 8KiB --repeats 3",
             "run allreduce --algorithm node --ranks 8 --bytes 64,64KiB --repeats 3",
             "run allreduce --algorithm node-shared --ranks 8 --ranks-per-node 2 --bytes 64,64KiB --repeats 3",
             "run allreduce --algorithm node-first --ranks 8 --ranks-per-node 4 --bytes 64,64KiB --repeats 3"}),
        kernel_of_messages("all-to-all", {sizes},
                           {"run all-to-all --algorithm bruck --ranks 8 --bytes 8,1KiB --repeats 3"}),
        kernel_of_messages("broadcast", {sizes, node_ranks}, {"run broadcast --ranks 8 --bytes 64KiB --repeats 3"}),
        kernel_of_messages("allgather", {sizes, node_ranks}, {"run allgather --ranks 8 --bytes 8,1KiB --repeats 3"}),
        kernel_of_messages("reduce-scatter", {sizes},
                           {"run reduce-scatter --algorithm ring --ranks 8 --bytes 64KiB --repeats 3"}),
        kernel_of_messages("barrier", {}, {"run barrier --ranks 8 --repeats 3"}),
        kernel_of_messages("matvec", {{"--dimension", "of the matrix; default 512,1024"}},
                           {"run matvec --protocol buffered --ranks 8 --dimension 64 --repeats 3"})};
    for (Kernel& one : all) {
        if (one.name == "ping-pong") one.writes_machine = one.measures_messages = true;
        if (one.name == "halo-exchange") one.alias = "exchange";
        if (one.name == "overlap") one.run = run_overlap_kernel;
        if (const auto phase = message_phase(one.name)) one.validated = validated_phase(one.name, phase);
    }
    Kernel of_all;  // no run of its own
    of_all.name = "messages";
    of_all.examples = {"validate here.yaml --workload messages --cases 60"};
    of_all.validated = validated_phase("messages", std::nullopt);
    all.push_back(of_all);
    return all;
}

}  // namespace narrows
