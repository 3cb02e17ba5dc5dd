#include "data/rank_messages.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "topologies/input_error.hpp"
#include "topologies/number_text.hpp"
#include "topologies/routes/text_lines.hpp"

namespace narrows {
namespace {

constexpr int most_ranks = 1 << 22;

class MessageReader {
  public:
    MessageReader(std::string file, PatternFile form) : file_(std::move(file)), form_(form) {}

    void read(const WordLine& line) {
        const std::size_t words = form_ == PatternFile::matrix ? 3 : 2;
        if (line.words.size() != words) {
            fail(line, line.words.back(), fmt::format("a line is '{}'", words == 3 ? "from to amount" : "from to"));
        }
        const std::int64_t from = rank(line, line.words[0]), to = rank(line, line.words[1]);
        if (form_ == PatternFile::permutation) {
            once(senders_, from, line, line.words[0], "sends");
            once(receivers_, to, line, line.words[1], "receives");
        }
        if (from != to) amounts_[{from, to}] += words == 3 ? amount(line, line.words[2]) : 1;
    }

    std::shared_ptr<const RankMessages> take() {
        if (amounts_.empty()) throw InputError(file_, 1, 1, "", "there is no message from one rank to another");
        for (const auto& [ranks, amount] : amounts_) {
            if (amount > 0) found_.messages.push_back({ranks.first, ranks.second, amount});
        }
        return std::make_shared<const RankMessages>(std::move(found_));
    }

  private:
    Origin origin(const WordLine& line, const PlacedWord& word) const {
        return {file_, line.line, word.column, std::string(line.text)};
    }
    [[noreturn]] void fail(const WordLine& line, const PlacedWord& word, const std::string& message) const {
        origin(line, word).fail(message);
    }

    std::int64_t rank(const WordLine& line, const PlacedWord& word) {
        if (!word.host) {
            fail(line, word,
                 fmt::format("'{}' is no rank: ranks have the numbers 0 to {} at most", word.text, most_ranks - 1));
        }
        if (*word.host > found_.largest) {
            found_.largest = *word.host;
            found_.largest_at = origin(line, word);
        }
        return *word.host;
    }

    double amount(const WordLine& line, const PlacedWord& word) const {
        const double value = to_number(word.text).value_or(-1);
        constexpr double most = 1e18;
        if (value >= 0 && value <= most) return value;
        fail(line, word,
             fmt::format("an amount is a number from 0 to 1e18, not '{}': its unit is the phase's 'bytes'", word.text));
    }

    void once(std::set<std::int64_t>& known, std::int64_t rank, const WordLine& line, const PlacedWord& word,
              const char* does) const {
        if (!known.insert(rank).second) {
            fail(line, word,
                 fmt::format("rank {} {} twice: in a permutation it does so once; more messages are a "
                             "matrix",
                             rank, does));
        }
    }

    std::string file_;
    PatternFile form_;
    std::set<std::int64_t> senders_, receivers_;
    std::map<std::pair<std::int64_t, std::int64_t>, double> amounts_;
    RankMessages found_;
};

}  // namespace

std::shared_ptr<const RankMessages> read_rank_messages(const std::string& text, const std::string& file,
                                                       PatternFile form) {
    const HostFinder ranks(most_ranks, {});
    WordLines lines(text, ranks);
    MessageReader reader(file, form);
    while (const WordLine* const line = lines.next()) reader.read(*line);
    return reader.take();
}

}  // namespace narrows
