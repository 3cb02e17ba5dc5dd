#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// What a user got wrong, with the place and the remedy. Thrown wherever it is found, caught once, in `cli/run.cpp`,
/// which prints it and exits 2. A broken precondition of a function is `std::logic_error` instead.
class InputError : public std::runtime_error {
  public:
    /// `message` says what is wrong and what to do about it, in one sentence without a full stop.
    explicit InputError(const std::string& message) : InputError("", 0, 0, "", message) {}

    /// An error at `line` and `column` (both from 1) of `file`, whose text there is `text`.
    InputError(std::string file, int line, int column, std::string text, const std::string& message);

    /// The file's name, empty when the error is not in a file.
    const std::string& file() const { return file_; }
    /// The text of the offending line.
    const std::string& text() const { return text_; }
    int line() const { return line_; }
    int column() const { return column_; }
    /// What to set to another value, in the words of options but without their dashes, `network`; may be empty.
    const std::string& setting() const { return setting_; }
    /// The same error, with the setting.
    InputError of_setting(const std::string& setting) const {
        InputError same = *this;
        same.setting_ = setting;
        return same;
    }

  private:
    std::string file_;
    std::string text_;
    std::string setting_;
    int line_ = 0;
    int column_ = 0;
};

/// The member of `candidates` nearest to `word` by edit distance, as `, did you mean 'x'?`, or nothing when none is
/// near.
template <class Candidates>
std::string did_you_mean(const std::string& word, const Candidates& candidates);

/// What is offered in place of a name that there is not: the nearest one, or all when none is near; or always all that
/// there are, or that the subject of the complaint has.
enum class Offered { nearest_or_all, all, all_it_has };

/// Throws InputError `complaint 'name'` with what is offered of `names`, and with the setting.
[[noreturn]] void refuse_name(std::string_view complaint, std::string_view name, const std::vector<std::string>& names,
                              Offered offered = Offered::nearest_or_all, const std::string& setting = "");

/// The record of that name. Throws as `refuse_name` when there is none.
template <class Records>
const auto& record_called(std::string_view name, const Records& records, std::string_view complaint,
                          Offered offered = Offered::nearest_or_all) {
    std::vector<std::string> names;
    for (const auto& record : records) {
        if (record.name == name) return record;
        names.emplace_back(record.name);
    }
    refuse_name(complaint, name, names, offered);
}

/// Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
int edit_distance(const std::string& a, const std::string& b);

template <class Candidates>
std::string did_you_mean(const std::string& word, const Candidates& candidates) {
    std::string nearest;
    int least = static_cast<int>(word.size()) / 3 + 2;
    for (const auto& candidate : candidates) {
        const int distance = edit_distance(word, std::string(candidate));
        if (distance < least) {
            least = distance;
            nearest = candidate;
        }
    }
    return nearest.empty() ? "" : ", did you mean '" + nearest + "'?";
}

}  // namespace narrows
