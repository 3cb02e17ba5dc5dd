#include "data/benchmark_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <span>
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
    std::string_view title;  // of OSU behind `# OSU `, without its version, of IMB behind `# Benchmarking `
    std::string_view name;
    MessageBenchmark what;
    std::string_view unit;
};

constexpr std::array osu_benchmarks = {
    KnownBenchmark{"MPI Latency Test", "osu_latency", MessageBenchmark::one_way, "(us)"},
    KnownBenchmark{"MPI Bandwidth Test", "osu_bw", MessageBenchmark::stream, "MB/s"},
    KnownBenchmark{"MPI Bi-Directional Bandwidth Test", "osu_bibw", MessageBenchmark::both_ways, "MB/s"},
    KnownBenchmark{"MPI Multiple Bandwidth / Message Rate Test", "osu_mbw_mr", MessageBenchmark::stream, "MB/s"},
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

// Length of what `srun -l` and `mpirun --tag-output` put before a line: "0: ", "[1,0]<stdout>:", "[0] ".
std::size_t label_of(std::string_view line) {
    constexpr std::string_view digits = "0123456789", numbers = "0123456789,";
    const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t end = std::min(line.find_first_not_of(digits, first), line.size());
    if (end > first && line.substr(end).starts_with(": ")) return end + 2;
    const std::size_t close = line.find(']');
    if (!line.starts_with('[') || close == line.npos || close == 1) return 0;
    if (line.substr(1, close - 1).find_first_not_of(numbers) != line.npos) return 0;
    for (const std::string_view behind : {"<stdout>: ", "<stdout>:", " "}) {
        if (line.substr(close + 1).starts_with(behind)) return close + 1 + behind.size();
    }
    return 0;
}

// Whether words are those of a row: a size, and behind it a number, or nothing where the row was cut. Not `3 processes
// killed`, `2024-01-01 12:00` or `0.02user`.
bool is_row(const std::vector<Word>& words) {
    constexpr std::string_view digits = "0123456789", number = "0123456789.,eE+", begins = "0123456789.-+";
    std::string_view size = words[0].text;
    if (size.starts_with('-') || size.starts_with('+')) size.remove_prefix(1);
    if (size.empty() || digits.find(size.front()) == digits.npos || size.find_first_not_of(number) != size.npos)
        return false;
    if (words.size() == 1) return true;
    const std::string_view value = words[1].text;
    return value == "nan" || value == "inf" || begins.find(value.front()) != value.npos;
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

// Reads one file line by line: headers begin a table, `#` lines describe it, lines of numbers are its rows, which the
// next `#` line ends. The summary of an hpccoutf.txt has lines of its own.
class BenchmarkReader {
  public:
    BenchmarkReader(const std::string& text, const std::string& file) : source_(file, text) {
        output_.file = std::filesystem::path(file).filename().string();
    }

    BenchmarkOutput read() {
        source_.require_text();
        for (line_ = 1; line_ <= source_.lines(); ++line_) {
            std::string_view line = source_.line(line_);
            label_ = label_of(line);
            line.remove_prefix(label_);
            read_line(line);
        }
        require_whole();
        end_table();
        add_summary();
        if (!found_) source_.fail({1, 1}, fmt::format("this is not output of {}: give one", what_is_read));
        if (output_.tables.empty() && output_.summary.empty()) {
            const std::string what = unread_.empty() ? "what is in this file" : "'" + unread_ + "'";
            source_.fail({header_, 1}, fmt::format("calibrate cannot use {}: give {}", what, what_is_read));
        }
        return std::move(output_);
    }

  private:
    void read_line(std::string_view line) {
        constexpr std::string_view osu = "# OSU ", imb = "# Benchmarking ", summary = "Begin of Summary section";
        const auto words = words_in(line);
        if (words.empty()) return;
        const std::string_view text = line.substr(words[0].begin);
        if (text.starts_with(summary) || (!in_summary_ && text.starts_with("CommWorldProcs="))) begin_summary();
        if (in_summary_) return read_summary(text);
        if (text.starts_with(osu)) return begin(false, text.substr(osu.size()));
        if (text.starts_with(imb)) return begin(true, text.substr(imb.size()));
        if (text.starts_with('#') && text.find("Intel") != text.npos && text.find("MPI Benchmark") != text.npos)
            return require_whole();
        if (is_imb_ && text.find("entering MPI_Finalize") != text.npos) ended_ = true;
        if (known_ == nullptr) return;
        if (text.starts_with('#')) {
            if (table_.rows.empty() && !passed_over_) return describe(text);
            closed_ = true;
            return;
        }
        if (text.find("VALIDATION ERROR") != text.npos)
            source_.fail(place(words[0].begin), "the benchmark failed: run it again");
        if (was_not_run(words) || !is_row(words)) return;
        if (closed_) {
            source_.fail(place(0), fmt::format("a row behind the end of the table of {}: give the output of each "
                                               "benchmark with its header",
                                               table_.name));
        }
        read_row(words);
    }

    // What an IMB run of several sections or the summary of hpcc ends with.
    void require_whole() const {
        if (in_summary_) {
            source_.fail({header_, 1},
                         "cut short: an hpccoutf.txt has the line 'End of Summary section.': run hpcc again");
        }
        if (is_imb_ && known_ != nullptr && !ended_) {
            source_.fail({header_, 1},
                         "cut short: no line 'All processes entering MPI_Finalize' ends this last "
                         "section: run it again, or leave the section out");
        }
    }

    void begin(bool is_imb, std::string_view title) {
        if (!is_imb) require_whole();
        end_table();
        is_imb_ = is_imb;
        found_ = true;
        ended_ = closed_ = passed_over_ = false;
        header_ = line_;
        columns_ = 0;
        title = title.substr(0, title.find(" v"));
        title = title.substr(0, title.find_last_not_of(" \t") + 1);
        const auto known = is_imb ? std::span<const KnownBenchmark>(imb_benchmarks) : osu_benchmarks;
        for (const KnownBenchmark& one : known) {
            if (one.title == title) known_ = &one;
        }
        if (known_ == nullptr) {
            unread_ = fmt::format("{} {}", is_imb ? "IMB" : "OSU", title);
            output_.unused.push_back(output_.file + ": " + unread_);
        } else {
            table_ = {output_.file, std::string(known_->name), known_->what, 1, {}};
        }
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
            return static_cast<std::size_t>(std::ranges::find(names, name, &Word::text) - names.begin());
        };
        rates_ = !is_imb_ && column("Messages/s") < names.size();
        value_column_ = is_imb_ ? column(known_->unit) : rates_ ? 2 : 1;
        columns_ = is_imb_ ? names.size() : value_column_ + 1;
    }

    // IMB says so where a size took too long or too much memory.
    bool was_not_run(const std::vector<Word>& words) {
        constexpr std::array states = {"time-out.;", "out-of-mem.;", "int-overflow.;"};
        if (words.size() < 2 || std::ranges::find(states, words[1].text) == states.end()) return false;
        passed_over_ = true;
        output_.unused.push_back(fmt::format("{}: {} of {} B: {}", output_.file, table_.name, words[0].text,
                                             words[1].text.substr(0, words[1].text.find('.'))));
        return true;
    }

    // A bandwidth that is rounded by more than 1 % tells no rate of messages.
    bool is_rounded(std::string_view printed, double value) const {
        constexpr double least_units = 50;
        const int behind_point = decimals(printed);
        return known_->unit == "MB/s" && !rates_ && behind_point > 0 && value >= 0 &&
               value * std::pow(10, behind_point) < least_units;
    }

    void read_row(const std::vector<Word>& words) {
        if (columns_ == 0)
            source_.fail(place(0), "a row without the line of column names before it: give the whole output");
        if (words.size() < columns_ || cut_in_number(words)) {
            source_.fail(place(0), fmt::format("cut short: this row has no whole result: run {} again", table_.name));
        }
        const auto bytes = to_number(words[0].text);
        const auto value = to_number(words[value_column_].text);
        constexpr double most_bytes = 1e12, least = 1e-6, most = 1e15;  // beyond them nobody has measured
        if (!bytes || *bytes != std::floor(*bytes) || *bytes < 0 || *bytes > most_bytes)
            source_.fail(place(words[0].begin), "expected a size in whole bytes");
        if (std::ranges::any_of(words, [](const Word& word) { return word.text == "Fail"; })) {
            source_.fail(place(0), "the benchmark failed at this size: run it again");
        }
        const std::string_view printed = words[value_column_].text;
        if (value && is_rounded(printed, *value)) {
            passed_over_ = true;
            return;
        }
        if (!value || *value > most || (*bytes > 0 && *value < least)) {
            source_.fail(place(words[value_column_].begin), "expected a number above zero");
        }
        if (!table_.rows.empty() && *bytes <= table_.rows.back().bytes) {
            source_.fail(place(words[0].begin), "sizes must increase: give each run's output with its header");
        }
        decimals_ = decimals(printed);
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
        if (table_.rows.empty() && !passed_over_) {
            source_.fail({header_, 1}, fmt::format("cut short: no size behind this header: run {} again", table_.name));
        }
        const bool sends_to_two = known_->title == "Exchange" || known_->title == "PingPing";
        if (sends_to_two && table_.pairs > 1) {
            output_.unused.push_back(fmt::format("{}: {} of {} processes, as it does not say how many share a node",
                                                 output_.file, table_.name, 2 * table_.pairs));
        } else if (!table_.rows.empty()) {
            output_.tables.push_back(std::move(table_));
        } else {
            output_.unused.push_back(fmt::format("{}: {}: no size has a result", output_.file, table_.name));
        }
        known_ = nullptr;
    }

    // hpcc adds to the hpccoutf.txt that is there: the last run counts.
    void begin_summary() {
        if (!in_summary_) require_whole();
        end_table();
        is_imb_ = false;
        found_ = in_summary_ = true;
        header_ = line_;
        output_.summary.clear();
        ++summaries_;
    }

    // A line KEY=VALUE of an hpccoutf.txt, or the last one.
    void read_summary(std::string_view text) {
        if (text.starts_with("End of Summary section")) in_summary_ = false;
        const auto equals = text.find('=');
        if (equals == text.npos) return;
        const auto value = to_number(text.substr(equals + 1));
        if (value && *value > 0) output_.summary[std::string(text.substr(0, equals))] = *value;
    }

    void add_summary() {
        if (summaries_ > 1) {
            output_.unused.push_back(fmt::format("{}: the first {} of {} runs of hpcc that the file has", output_.file,
                                                 summaries_ - 1, summaries_));
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

    Place place(std::size_t column) const { return source_.place(line_ - 1, static_cast<int>(label_ + column)); }

    SourceText source_;
    BenchmarkOutput output_;
    BenchmarkTable table_;                   // under way, if known_
    const KnownBenchmark* known_ = nullptr;  // none: its lines are passed over
    std::string unread_;                     // the last benchmark that is not read
    bool found_ = false;
    bool is_imb_ = false;
    bool ended_ = false;        // whether an IMB run came to its end
    bool closed_ = false;       // whether a line behind the rows ended the table
    bool passed_over_ = false;  // whether the table has rows without a result
    bool in_summary_ = false;
    bool rates_ = false;  // whether osu_mbw_mr printed messages a second
    int summaries_ = 0;   // of hpcc
    int line_ = 0;
    std::size_t label_ = 0;  // length of the launcher's label before the line
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
