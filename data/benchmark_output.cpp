#include "data/benchmark_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "data/source_text.hpp"
#include "data/whole_file.hpp"
#include "topologies/number_text.hpp"

namespace narrows {
namespace {

constexpr double micro = 1e-6;
constexpr double mega = 1e6;
constexpr std::string_view what_is_read = "osu_latency, osu_bw, osu_bibw, osu_mbw_mr, IMB-MPI1 or an hpccoutf.txt";

/// A benchmark that is read, and the column that has its value.
struct KnownBenchmark {
    std::string_view title;  // of OSU behind `# OSU MPI `, of IMB behind `# Benchmarking `
    std::string_view name;
    MessageBenchmark what;
    std::string_view unit;
};

constexpr std::array osu_benchmarks = {
    KnownBenchmark{"Latency Test", "osu_latency", MessageBenchmark::one_way, "(us)"},
    KnownBenchmark{"Bandwidth Test", "osu_bw", MessageBenchmark::stream, "MB/s"},
    KnownBenchmark{"Bi-Directional Bandwidth Test", "osu_bibw", MessageBenchmark::both_ways, "MB/s"},
    KnownBenchmark{"Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", MessageBenchmark::stream, "MB/s"},
};

constexpr std::array imb_benchmarks = {
    KnownBenchmark{"PingPong", "IMB PingPong", MessageBenchmark::one_way, "t[usec]"},
    KnownBenchmark{"PingPing", "IMB PingPing", MessageBenchmark::both_ways, "t[usec]"},
    KnownBenchmark{"Exchange", "IMB Exchange", MessageBenchmark::both_ways, "t_max[usec]"},
    KnownBenchmark{"Uniband", "IMB Uniband", MessageBenchmark::stream, "Msg/sec"},
    KnownBenchmark{"Biband", "IMB Biband", MessageBenchmark::both_ways, "Msg/sec"},
};

struct Word {
    std::string_view text;
    std::size_t begin = 0;
};

std::vector<Word> words_in(std::string_view line) {
    constexpr std::string_view spaces = " \t";
    std::vector<Word> words;
    for (std::size_t at = line.find_first_not_of(spaces); at != line.npos; at = line.find_first_not_of(spaces, at)) {
        const std::size_t end = std::min(line.find_first_of(spaces, at), line.size());
        words.push_back({line.substr(at, end - at), at});
        at = end;
    }
    return words;
}

// The whole number behind `key`, 0 if there is none.
int count_behind(std::string_view line, std::string_view key) {
    const auto at = line.find(key);
    if (at == line.npos) return 0;
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', at + key.size())));
    int count = 0;
    std::from_chars(line.data(), line.data() + line.size(), count);
    return count;
}

// Reads one file line by line: headers begin a table, `#` lines describe it, lines of numbers are its rows.
class BenchmarkReader {
  public:
    BenchmarkReader(const std::string& text, const std::string& file) : source_(file, text) {
        output_.file = std::filesystem::path(file).filename().string();
    }

    BenchmarkOutput read() {
        source_.require_text();
        const auto contains = [this](const char* text) { return source_.text().find(text) != std::string::npos; };
        if (contains("CommWorldProcs=") || contains("HPC Challenge Benchmark")) {
            read_summary();
            return std::move(output_);
        }
        for (line_ = 1; line_ <= source_.lines(); ++line_) read_line(source_.line(line_));
        if (is_imb_ && known_ != nullptr && !ended_) {
            source_.fail({header_, 1},
                         "cut short: no line 'All processes entering MPI_Finalize' ends this last "
                         "section: run it again, or leave the section out");
        }
        end_table();
        if (!found_) source_.fail({1, 1}, fmt::format("this is not output of {}: give one", what_is_read));
        if (output_.tables.empty()) {
            source_.fail({header_, 1}, fmt::format("calibrate cannot use what is in this file: give {}", what_is_read));
        }
        return std::move(output_);
    }

  private:
    void read_line(std::string_view line) {
        constexpr std::string_view osu = "# OSU ", imb = "# Benchmarking ";
        const auto first = line.find_first_not_of(" \t");
        if (first == line.npos) return;
        const std::string_view text = line.substr(first);
        if (text.starts_with(osu)) return begin_osu(text.substr(osu.size()));
        if (text.starts_with(imb)) return begin_imb(text.substr(imb.size()));
        if (is_imb_ && text.find("entering MPI_Finalize") != text.npos) ended_ = true;
        if (known_ == nullptr) return;
        if (text.starts_with('#')) return describe(text);
        if (text.find("VALIDATION ERROR") != text.npos)
            source_.fail(place(first), "the benchmark failed: run it again");
        const auto digit = text.find_first_not_of("+-.");  // a size with a sign is refused, not passed over
        if (digit < 2 && text[digit] >= '0' && text[digit] <= '9') read_row(line);
    }

    void begin(const KnownBenchmark* known, std::string_view title) {
        end_table();
        found_ = true;
        known_ = known;
        header_ = line_;
        value_column_ = 0;
        columns_ = 0;
        table_ = {output_.file,
                  known != nullptr ? std::string(known->name) : std::string(title),
                  known != nullptr ? known->what : MessageBenchmark::one_way,
                  1,
                  {}};
    }

    void begin_osu(std::string_view title) {
        is_imb_ = false;
        for (const KnownBenchmark& known : osu_benchmarks) {
            const std::string full = "MPI " + std::string(known.title);
            if (title == full || title.starts_with(full + " ")) return begin(&known, title);
        }
        source_.fail(place(0), fmt::format("'OSU {}' is not a benchmark that calibrate reads: give {}",
                                           title.substr(0, title.find(" v")), what_is_read));
    }

    void begin_imb(std::string_view title) {
        title = title.substr(0, title.find_last_not_of(" \t") + 1);
        const auto known = std::find_if(imb_benchmarks.begin(), imb_benchmarks.end(),
                                        [title](const KnownBenchmark& one) { return one.title == title; });
        begin(known == imb_benchmarks.end() ? nullptr : &*known, title);
        is_imb_ = true;
        if (known == imb_benchmarks.end()) output_.unused.push_back(fmt::format("{}: IMB {}", output_.file, title));
    }

    // The line of column names, the number of pairs, and lines that matter to nobody.
    void describe(std::string_view text) {
        if (const int pairs = count_behind(text, "pairs:"); pairs > 0) table_.pairs = pairs;
        if (text.find("window size: varied") != text.npos) {
            source_.fail(place(0), "several windows: run osu_mbw_mr without -V");
        }
        if (const int processes = count_behind(text, "#processes ="); processes > 0) table_.pairs = processes / 2;
        if (is_imb_ ? text.starts_with("#bytes") : text.starts_with("# Size")) read_columns(text);
    }

    void read_columns(std::string_view text) {
        const auto names = words_in(text);
        const bool known_unit = text.find(known_->unit) != text.npos;
        if (!known_unit) {
            source_.fail(place(0),
                         fmt::format("no column in {}: calibrate reads {} as it prints without options",
                                     known_->unit == "(us)" ? "microseconds, '(us)'" : known_->unit, known_->name));
        }
        const auto column = [&names](std::string_view name) {
            return static_cast<std::size_t>(
                std::find_if(names.begin(), names.end(), [name](const Word& word) { return word.text == name; }) -
                names.begin());
        };
        rates_ = !is_imb_ && column("Messages/s") < names.size();
        value_column_ = is_imb_ ? column(known_->unit) : rates_ ? 2 : 1;
        columns_ = is_imb_ ? names.size() : value_column_ + 1;
    }

    void read_row(std::string_view line) {
        if (columns_ == 0)
            source_.fail(place(0), "a row without the line of column names before it: give the whole output");
        const auto words = words_in(line);
        if (words.size() < columns_ || cut_in_number(words)) {
            source_.fail(place(0), fmt::format("cut short: this row has no whole result: run {} again", table_.name));
        }
        const auto bytes = to_number(words[0].text);
        const auto value = to_number(words[value_column_].text);
        constexpr double most_bytes = 1e12, least = 1e-6, most = 1e15;  // beyond them nobody has measured
        if (!bytes || *bytes != std::floor(*bytes) || *bytes < 0 || *bytes > most_bytes)
            source_.fail(place(words[0].begin), "expected a size in whole bytes");
        if (!value || *value > most || (*value<least&& * bytes> 0)) {
            source_.fail(place(words[value_column_].begin), "expected a number above zero");
        }
        if (std::any_of(words.begin(), words.end(), [](const Word& word) { return word.text == "Fail"; })) {
            source_.fail(place(0), "the benchmark failed at this size: run it again");
        }
        if (!table_.rows.empty() && *bytes <= table_.rows.back().bytes) {
            source_.fail(place(words[0].begin), "sizes must increase: give each run's output with its header");
        }
        decimals_ = decimals(words[value_column_].text);
        if (*bytes > 0) table_.rows.push_back({*bytes, si_value(*bytes, *value)});
    }

    // A last line that has no end, and fewer decimals than the lines before it.
    bool cut_in_number(const std::vector<Word>& words) const {
        return line_ == source_.lines() && !table_.rows.empty() && decimals(words.back().text) < decimals_ &&
               words.size() == columns_;
    }

    double si_value(double bytes, double value) const {
        const bool is_biband = known_->what == MessageBenchmark::both_ways && known_->unit != "t[usec]";
        if (known_->what == MessageBenchmark::one_way) return value * micro;
        if (known_->title == "PingPing") return 1 / (value * micro);
        if (known_->title == "Exchange") return 2 / (value * micro);  // two messages each way
        const double rate = is_imb_ || rates_ ? value : value * mega / bytes;
        return is_biband ? rate / 2 : rate;
    }

    void end_table() {
        if (known_ == nullptr) return;
        if (table_.rows.empty()) {
            source_.fail({header_, 1}, fmt::format("cut short: no size behind this header: run {} again", table_.name));
        }
        const bool sends_to_two = known_->title == "Exchange" || known_->title == "PingPing";
        if (sends_to_two && table_.pairs > 1) {
            output_.unused.push_back(fmt::format("{}: {} of {} processes, as it does not say how many share a node",
                                                 output_.file, table_.name, 2 * table_.pairs));
        } else {
            output_.tables.push_back(std::move(table_));
        }
        known_ = nullptr;
    }

    // The lines KEY=VALUE of an hpccoutf.txt.
    void read_summary() {
        bool whole = false;
        for (line_ = 1; line_ <= source_.lines(); ++line_) {
            const std::string_view line = source_.line(line_);
            if (line.starts_with("End of Summary section")) whole = true;
            const auto equals = line.find('=');
            if (equals == line.npos) continue;
            const auto value = to_number(line.substr(equals + 1));
            if (value && *value > 0) output_.summary[std::string(line.substr(0, equals))] = *value;
        }
        if (!whole) {
            source_.fail({source_.lines(), 1},
                         "cut short: an hpccoutf.txt has the line 'End of Summary section.': run "
                         "hpcc again");
        }
        for (const char* what :
             {"NaturallyOrderedRing and RandomlyOrderedRing, which mix ranks of one node and of several",
              "SingleRandomAccess and STREAM, as it does not say how many ranks share a node",
              "MPIRandomAccess: compare it with predictions by table gups --measured"}) {
            if (!output_.summary.empty()) output_.unused.push_back(fmt::format("{}: {}", output_.file, what));
        }
        const auto latency = output_.summary.find("MaxPingPongLatency_usec");
        const auto bandwidth = output_.summary.find("MinPingPongBandwidth_GBytes");
        if (latency == output_.summary.end() || bandwidth == output_.summary.end()) return;
        constexpr double giga = 1e9, small = 8, large = 2e6;
        output_.tables.push_back({output_.file,
                                  "hpcc ping-pong",
                                  MessageBenchmark::one_way,
                                  1,
                                  {{small, latency->second * micro}, {large, large / (bandwidth->second * giga)}}});
    }

    Place place(std::size_t column) const { return source_.place(line_ - 1, static_cast<int>(column)); }

    SourceText source_;
    BenchmarkOutput output_;
    BenchmarkTable table_;                   // under way, if known_
    const KnownBenchmark* known_ = nullptr;  // none: its lines are passed over
    bool found_ = false;
    bool is_imb_ = false;
    bool ended_ = false;
    bool rates_ = false;  // whether osu_mbw_mr printed messages a second
    int line_ = 0;
    int header_ = 1;
    int decimals_ = 0;  // of the row before
    std::size_t value_column_ = 0;
    std::size_t columns_ = 0;  // 0 before the line of their names
};

}  // namespace

BenchmarkOutput parse_benchmarks(const std::string& text, const std::string& file) {
    return BenchmarkReader(text, file).read();
}

BenchmarkOutput read_benchmarks(const std::string& file) {
    return parse_benchmarks(read_whole_file(file), file);
}

}  // namespace narrows
