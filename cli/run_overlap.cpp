#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/ranks/cores.hpp"
#include "cli/kernel.hpp"
#include "cli/launched_run.hpp"
#include "cli/message_run.hpp"

namespace narrows {
namespace {

/// One of the two ratios of a size.
struct Side {
    const char* name;
    const OrderEstimate& ratio;
};

std::array<Side, 2> sides_of(const OverlapRatios& ratios) {
    return {{{"send", ratios.send}, {"receive", ratios.receive}}};
}

// Of a message's time, what the processor had for computing; what beginning and waiting cost beyond it counts as none.
double free_share(double ratio) {
    return std::clamp(2 - ratio, 0.0, 1.0);
}

nlohmann::ordered_json json_of_overlap(const OptionWords& words, const MessageOptions& options, const MessageRun& run) {
    nlohmann::ordered_json json = json_of_messages(words, options, run);
    json["progress"] = options.progress == MessageProgress::poll ? "poll" : "thread";
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const MessagePoint& point = run.points[i];
        for (const auto& [side, ratio] : sides_of(run.overlaps[i])) {
            points.push_back({{"bytes", point.bytes},
                              {"side", side},
                              {"result", ratio.value},
                              {"low", end_of_interval(ratio, ratio.low)},
                              {"high", end_of_interval(ratio, ratio.high)},
                              {"samples", ratio.samples},
                              {"free_share", free_share(ratio.value)},
                              {"message_seconds", point.seconds.value}});
        }
    }
    json["result"] = json_of_result("overlap_ratio", "1", points[0]["result"], points[0]["low"], points[0]["high"]);
    json["counters"] = nlohmann::ordered_json::object();
    json["points"] = points;
    return json;
}

Table overlap_table(const MessageRun& run) {
    Table table{"", {"bytes", "message ns", "side", "overlap ratio", "low", "high", "free for computing"}, {}};
    const auto three_digits = [](double value) { return TableCell(fmt::format("{:.3f}", value), {value}); };
    const auto end_cell = [&](const OrderEstimate& ratio, double end) {
        return ratio.has_interval() ? three_digits(end) : TableCell("-");
    };
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const MessagePoint& point = run.points[i];
        for (const auto& [side, ratio] : sides_of(run.overlaps[i])) {
            const double free = free_share(ratio.value);
            table.rows.push_back({count_cell(point.bytes), number_cell(point.seconds.value * 1e9), side,
                                  three_digits(ratio.value), end_cell(ratio, ratio.low), end_cell(ratio, ratio.high),
                                  TableCell(fmt::format("{:.0f} %", 100 * free), {free})});
        }
    }
    return table;
}

int report_overlap(const OptionWords& words, const MessageOptions& options, const MessageRun& run, Output& output) {
    Document document{json_of_overlap(words, options, run), {title_of(words, options, run)}};
    document.tables.push_back(overlap_table(run));
    document.remarks.push_back(
        "Ratio: begin, compute as long as a message takes, and wait, over the computing alone; 1 hides all of the "
        "message, 2 nothing.");
    if (options.progress == MessageProgress::thread && 2 * run.ranks > Cores().count()) {
        document.remarks.push_back(fmt::format(
            "{} cores for {} ranks with a communication thread each: these take their time from the computing.",
            Cores().count(), run.ranks));
    }
    if (std::string shared = shared_core_remark(words, options); !shared.empty()) {
        document.remarks.push_back(std::move(shared));
    }
    for (const std::string& line : evidence_of_noise(run)) document.remarks.push_back("noise: " + line);
    return emit(document, output, run.errors == 0);
}

}  // namespace

int run_overlap_kernel(const OptionWords& words, Output& output) {
    return measure_where_asked(words, {report_overlap, Draws::no}, output);
}

}  // namespace narrows
