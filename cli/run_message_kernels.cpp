#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "calibrate/fit/message_curve.hpp"
#include "calibrate/kernels/messages/exchange.hpp"
#include "calibrate/kernels/messages/measure.hpp"
#include "cli/byte_sizes.hpp"
#include "cli/launched_run.hpp"
#include "cli/messaging_machine.hpp"
#include "cli/options.hpp"
#include "cli/run_kernels.hpp"
#include "cli/workload_options.hpp"
#include "data/machine_file.hpp"
#include "data/whole_file.hpp"
#include "model/unit.hpp"

namespace narrows {
namespace {

MessageKernel kernel_of(const std::string& name) {
    if (name == "stream") return MessageKernel::stream;
    if (name == "exchange") return MessageKernel::exchange;
    if (name == "allreduce") return MessageKernel::allreduce;
    return name == "matvec" ? MessageKernel::matvec : MessageKernel::ping_pong;
}

Allreduce parse_algorithm(const std::string& text) {
    if (text.empty() || text == "recursive-doubling") return Allreduce::doubling;
    if (text == "tree") return Allreduce::tree;
    if (text == "ring") return Allreduce::ring;
    throw InputError(fmt::format("--algorithm {}: an allreduce goes by 'recursive-doubling', 'tree' or 'ring'", text));
}

// Vectors of as many doubles as the matrix has rows, which the ranks share evenly.
std::vector<std::size_t> vector_sizes(const std::string& dimensions, int ranks) {
    constexpr std::int64_t most_rows = 1 << 20;
    std::vector<std::size_t> sizes;
    for (const std::int64_t rows : parse_sizes(dimensions.empty() ? "512,1024" : dimensions, "--dimension")) {
        if (rows > most_rows || rows % ranks != 0) {
            throw InputError(fmt::format("--dimension {}: {} ranks share the rows evenly: give a multiple up to {}",
                                         rows, ranks, most_rows));
        }
        sizes.push_back(static_cast<std::size_t>(rows) * sizeof(double));
    }
    return sizes;
}

// `launched`: ranks that were started by others; 0: as many as the words say.
MessageOptions message_options(const RunWords& words, int launched) {
    constexpr std::int64_t most_ranks = 1 << 20;
    constexpr std::int64_t most_repeats = 10000;
    MessageOptions options;
    options.kernel = kernel_of(words.kernel);
    if (!words.protocol.empty()) {
        options.protocol = naming("--protocol", [&] { return parse_protocol(words.protocol); });
    }
    options.domain = small_count(words.domain, "--domain", most_ranks);
    if (options.domain != 0 && words.protocol.empty()) options.protocol = Protocol::receiver_initiated;
    options.transport = parse_transport(words.transport);
    if (!words.ranks.empty()) options.ranks = small_count(words.ranks, "--ranks", most_ranks);
    if (launched != 0 && !words.ranks.empty() && options.ranks != launched) {
        throw InputError(fmt::format("--ranks {}: the launcher started {}: leave --ranks out", words.ranks, launched));
    }
    if (launched != 0) options.ranks = launched;
    options.workers = small_count(words.workers, "--workers", 1024);
    if (!words.neighbours.empty()) options.neighbours = small_count(words.neighbours, "--neighbours", most_neighbours);
    options.algorithm = parse_algorithm(words.algorithm);
    options.sizes = options.kernel == MessageKernel::matvec
                        ? vector_sizes(words.dimension, options.ranks)
                        : parse_byte_sizes(words.bytes.empty() ? "8..4MiB" : words.bytes, "--bytes");
    if (!words.repeats.empty()) options.repeats = small_count(words.repeats, "--repeats", most_repeats);
    return options;
}

// By what a protocol brings the kernel's messages.
std::string operation_of(const MessageOptions& options) {
    if (least_bytes(options.kernel, options.protocol) > 0) return "puts";
    const bool handled = options.kernel == MessageKernel::stream && options.protocol == Protocol::active_message;
    return handled ? "handlers" : "sends and receives";
}

/// What a kernel's time is reported as: itself, or the work of so many bytes a second.
struct Reported {
    const char* quantity;
    const char* unit;
    const char* column;
    const char* rate_column;
    /// Messages, bytes or operations in a time measured with this many bytes; empty for a time.
    std::function<double(double bytes)> work;

    /// What the rate column shows, in 1e9 a second: the reported bytes or operations, else the message's bytes.
    double giga(double bytes, double seconds) const {
        const bool of_work = work && std::string_view(quantity) != "message_rate";
        return (of_work ? work(bytes) : bytes) / seconds / 1e9;
    }
    double value(double bytes, double seconds) const { return work ? work(bytes) / seconds : seconds; }
    double low(const MessagePoint& point) const {
        return bounded(point, work ? point.seconds.high : point.seconds.low);
    }
    double high(const MessagePoint& point) const {
        return bounded(point, work ? point.seconds.low : point.seconds.high);
    }

  private:
    double bounded(const MessagePoint& point, double seconds) const {
        return value(static_cast<double>(point.bytes), seconds);
    }
};

Reported reported(const MessageOptions& options) {
    const double both_ways = 2.0 * options.neighbours;
    switch (options.kernel) {
        case MessageKernel::ping_pong:
            break;
        case MessageKernel::stream:
            return {"message_rate", "1/s", "ns/message", "GB/s", [](double) { return 1; }};
        case MessageKernel::exchange:
            return {"bandwidth", "B/s", "exchange ns", "GB/s", [both_ways](double bytes) { return both_ways * bytes; }};
        case MessageKernel::allreduce:
            return {"time", "s", "allreduce ns", "GB/s", {}};
        case MessageKernel::matvec:
            return {"operation_rate", "1/s", "product ns", "Gflop/s",
                    [](double bytes) { return 2 * (bytes / 8) * (bytes / 8); }};
    }
    return {"half_round_trip", "s", "half trip ns", "GB/s", {}};
}

// With eight sizes or more, every other one is kept from the fit, to judge it.
bool fitted(const MessageRun& run, std::size_t index) {
    constexpr std::size_t enough = 8;
    return run.points.size() < enough || index % 2 == 0 || index + 1 == run.points.size();
}

std::vector<SizedTime> sized_times(const MessageRun& run) {
    constexpr double least_deviation = 0.02;  // what two terms leave out, at least
    constexpr double half_widths = 1.96;
    std::vector<SizedTime> times;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        if (!fitted(run, i)) continue;
        const auto& [bytes, seconds] = run.points[i];
        times.push_back({static_cast<double>(bytes), seconds.median,
                         std::max(least_deviation, seconds.relative_half_width() / half_widths)});
    }
    return times;
}

nlohmann::ordered_json json_of_points(const MessageRun& run, const Reported& what, const MessageCurve& curve) {
    nlohmann::ordered_json points = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const MessagePoint& point = run.points[i];
        const auto& [bytes, seconds] = point;
        const auto size = static_cast<double>(bytes);
        points.push_back({{"bytes", bytes},
                          {"result", what.value(size, seconds.median)},
                          {"low", what.low(point)},
                          {"high", what.high(point)},
                          {"samples", seconds.samples},
                          {"fit", what.value(size, curve.at(size))},
                          {"fitted", fitted(run, i)}});
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

/// How well the fit does on the sizes that it did not see.
struct Judgement {
    std::size_t sizes = 0;
    double median_error = 0;
    double worst_error = 0;
    double coverage = 0;
};

Judgement judge(const MessageRun& run, const MessageCurve& curve) {
    std::vector<double> errors;
    double held = 0;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        if (fitted(run, i)) continue;
        const auto bytes = static_cast<double>(run.points[i].bytes);
        const double measured = run.points[i].seconds.median;
        errors.push_back(std::abs(curve.at(bytes) / measured - 1));
        held += measured >= curve.low(bytes) && measured <= curve.high(bytes) ? 1 : 0;
    }
    if (errors.empty()) return {};
    std::sort(errors.begin(), errors.end());
    return {errors.size(), median_estimate(errors).median, errors.back(), held / static_cast<double>(errors.size())};
}

nlohmann::ordered_json json_of_run(const RunWords& words, const MessageOptions& options, const MessageRun& run,
                                   const MessageCurve& curve) {
    const Reported what = reported(options);
    nlohmann::ordered_json json = json_of("run");
    json["kernel"] = words.kernel;
    json["variant"] = nullptr;
    json["protocol"] = name_of(options.protocol);
    json["operation"] = operation_of(options);
    json["transport"] = name_of(options.transport);
    json["ranks"] = run.ranks;
    json["workers"] = run.workers;
    json["shape"] = nullptr;
    json["seconds"] = run.seconds;
    const bool counted = options.transport == Transport::shared;  // of this process only
    json["cpu_seconds"] = counted ? nlohmann::ordered_json(run.cpu_seconds) : nullptr;
    json["involuntary_switches"] = counted ? nlohmann::ordered_json(run.involuntary_switches) : nullptr;
    json["pinned"] = run.pinned;
    json["verified"] = true;
    json["errors"] = run.errors;
    const MessagePoint& first = run.points.front();
    json["result"] = {{"quantity", what.quantity},
                      {"unit", what.unit},
                      {"value", what.value(static_cast<double>(first.bytes), first.seconds.median)},
                      {"low", what.low(first)},
                      {"high", what.high(first)}};
    json["counters"] = nlohmann::ordered_json::object();
    json["points"] = json_of_points(run, what, curve);
    json["fit"] = json_of_segments(curve);
    if (const Judgement unseen = judge(run, curve); unseen.sizes != 0) {
        json["summary"] = {
            {"median_error", unseen.median_error}, {"worst_error", unseen.worst_error}, {"coverage", unseen.coverage}};
    }
    return json;
}

Table points_table(const MessageOptions& options, const MessageRun& run, const MessageCurve& curve) {
    constexpr int enough_samples = 6;
    const Reported what = reported(options);
    const char* interval = options.repeats < enough_samples ? "range" : "95 % interval";
    Table table{"", {"bytes", what.column, interval, what.rate_column, "fit ns", "error"}, {}};
    for (std::size_t i = 0; i < run.points.size(); ++i) {
        const auto& [bytes, seconds] = run.points[i];
        const auto size = static_cast<double>(bytes);
        const double fit = curve.at(size);
        table.rows.push_back(
            {std::to_string(bytes), fmt::format("{:.4g}", seconds.median * 1e9),
             fmt::format("{:.4g} to {:.4g}", seconds.low * 1e9, seconds.high * 1e9),
             fmt::format("{:.4g}", what.giga(size, seconds.median)), fmt::format("{:.4g}", fit * 1e9),
             fmt::format("{:+.1f} %{}", 100 * (fit / seconds.median - 1), fitted(run, i) ? "" : " *")});
    }
    return table;
}

std::string sentence_of(const CurveSegment& segment) {
    if (segment.from == segment.to) {
        return fmt::format("{:.0f} B: {:.4g} ns; one size says nothing of bytes", segment.from,
                           segment.per_message.value * 1e9);
    }
    const std::string bandwidth =
        segment.per_byte.value > 0 ? fmt::format("{:.4g} GB/s", 1e-9 / segment.per_byte.value) : "no time for bytes";
    return fmt::format("{:.0f} to {:.0f} B: {:.4g} ns a message and {}", segment.from, segment.to,
                       segment.per_message.value * 1e9, bandwidth);
}

Plot plot_of(const RunWords& words, std::string_view name, const MessageRun& run, const MessageCurve& curve) {
    Plot plot{fmt::format("{} by {}", words.kernel, name),
              "message (B)",
              "time (s)",
              {{"measured", {}, {}, true}, {"fit", {}, {}, false}}};
    for (const auto& [bytes, seconds] : run.points) {
        for (Series& series : plot.series) series.x.push_back(static_cast<double>(bytes));
        plot.series[0].y.push_back(seconds.median);
        plot.series[1].y.push_back(curve.at(static_cast<double>(bytes)));
    }
    return plot;
}

std::string title_of(const MessageOptions& options, const MessageRun& run, const std::string& how) {
    const std::string what = options.transport != Transport::shared ? "processes"
                             : run.pinned                           ? "pinned threads"
                                                                    : "unpinned threads";
    return fmt::format("{} ({}): {} ranks on {} {}, {} {} of each size", how, operation_of(options), run.ranks,
                       run.workers, what, options.repeats, options.repeats == 1 ? "sample" : "samples");
}

int report_run(const RunWords& words, const MessageOptions& options, const MessageRun& run, Output& output) {
    const MessageCurve curve = fit_message_curve(sized_times(run));
    const std::string how =
        fmt::format("{} by {} over {}", words.kernel, name_of(options.protocol), name_of(options.transport));
    if (output.file.ends_with(".yaml")) {
        const Machine machine = messaging_machine(std::string(name_of(options.protocol)), curve, how);
        write_whole_file(output.file, write_machine(machine));
        output.err << "wrote " << output.file << "\n";
        return run.errors == 0 ? 0 : 1;
    }
    Document document;
    document.json = json_of_run(words, options, run, curve);
    document.notes.push_back(title_of(options, run, how));
    document.tables.push_back(points_table(options, run, curve));
    document.remarks.push_back("Buffers stay in the cache from one message to the next.");
    if (const Judgement unseen = judge(run, curve); unseen.sizes != 0) {
        document.remarks.push_back(
            fmt::format("* not used in the fit: median error {:.1f} %, worst {:.1f} %; {:.0f} % of its intervals held",
                        100 * unseen.median_error, 100 * unseen.worst_error, 100 * unseen.coverage));
    }
    for (const CurveSegment& segment : curve.segments) document.remarks.push_back("Fit, " + sentence_of(segment));
    document.plot = plot_of(words, name_of(options.protocol), run, curve);
    emit(document, output);
    return run.errors == 0 ? 0 : 1;
}

}  // namespace

Transport parse_transport(const std::string& text) {
    if (text.empty() || text == "shared") return Transport::shared;
    if (text == "tcp") return Transport::tcp;
    if (text == "mpi") return Transport::mpi;
    throw InputError(fmt::format("--transport {}: bytes move by 'shared', 'tcp' or 'mpi'", text));
}

std::string_view name_of(Transport transport) {
    if (transport == Transport::mpi) return "mpi";
    return transport == Transport::tcp ? "tcp" : "shared";
}

int run_message_kernel(const RunWords& words, Output& output) {
    const auto options_of = [&words](int launched) { return message_options(words, launched); };
    const auto report = [&](const MessageOptions& options, const MessageRun& run) {
        return report_run(words, options, run, output);
    };
    if (words.transport == "mpi") return run_under_mpi(options_of, report, output.err);
    if (const std::optional<TcpPlace> place = tcp_place(words)) {
        return run_at(*place, JobSecret::from_file(words.secret), options_of, report, output.err);
    }
    const MessageOptions options = options_of(0);
    return report(options, measure_messages(options));
}

}  // namespace narrows
