#include "topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace narrows {
namespace {

// `what()` would end at a zero byte, and the remedy stands behind it.
std::string without_zeros(std::string text) {
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos;) text.replace(at, 1, "\\x00");
    return text;
}

}  // namespace

InputError::InputError(std::string file, int line, int column, std::string text, const std::string& message)
    : std::runtime_error(without_zeros(message)),
      file_(std::move(file)),
      text_(std::move(text)),
      line_(line),
      column_(column) {}

void refuse_name(std::string_view complaint, std::string_view name, const std::vector<std::string>& names,
                 Offered offered, const std::string& setting) {
    const std::string near = did_you_mean(std::string(name), names);
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (offered != Offered::nearest_or_all) {
        const char* const whose = offered == Offered::all ? "there are" : "it has";
        throw InputError(fmt::format("{} '{}'{} ({}: {})", complaint, name, near, whose, all)).of_setting(setting);
    }
    throw InputError(fmt::format("{} '{}'{}", complaint, name, near.empty() ? ": choose one of " + all : near))
        .of_setting(setting);
}

int edit_distance(const std::string& a, const std::string& b) {
    const std::size_t columns = b.size() + 1;
    std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(columns));
    for (std::size_t i = 0; i <= a.size(); ++i) {
        for (std::size_t j = 0; j < columns; ++j) {
            if (i == 0 || j == 0) {
                cost[i][j] = static_cast<int>(i + j);
                continue;
            }
            const int replace = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replace});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a.size()][b.size()];
}

}  // namespace narrows
