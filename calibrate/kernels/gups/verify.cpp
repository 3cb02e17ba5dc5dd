#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"
#include "calibrate/ranks/cores.hpp"

namespace narrows {

namespace {

/// Applies the updates of the whole stream that fall into entries [first, last) of the table.
class Replay {
  public:
    Replay(const UpdateTable& table, std::uint64_t first, std::uint64_t last)
        : table_(table.data()), mask_(table.words() - 1), first_(first), size_(last - first) {}

    void apply(const UpdateShare& updates) {
        UpdateStream stream(updates.first);
        for (std::uint64_t done = 0; done < updates.count(); done += line_words) {
            if (pending_ > waiting - line_words) drain();
            const Lanes lanes = stream.lanes();
            const std::uint64_t count = std::min<std::uint64_t>(line_words, updates.count() - done);
            for (std::uint64_t lane = 0; lane < count; ++lane) take(lanes[lane]);
            stream.advance();
        }
        drain();
    }

  private:
    static constexpr std::size_t waiting = 256;

    // Stores every update and keeps it by moving on: whether it is ours is a coin that no branch can guess.
    void take(Word update) {
        const Word entry = update & mask_;
        updates_[pending_] = update;
        pending_ += entry - first_ < size_ ? 1 : 0;
        __builtin_prefetch(&table_[entry - first_ < size_ ? entry : first_], 1);
    }
    void drain() {
        for (std::size_t i = 0; i < pending_; ++i) table_[updates_[i] & mask_] ^= updates_[i];
        pending_ = 0;
    }

    Word* table_;
    Word mask_;
    std::uint64_t first_;
    std::uint64_t size_;
    std::array<Word, waiting + 1> updates_{};
    std::size_t pending_ = 0;
};

std::uint64_t wrong_entries(const UpdateTable& table, std::uint64_t first, std::uint64_t last) {
    std::uint64_t wrong = 0;
    for (std::uint64_t entry = first; entry < last; ++entry) wrong += table.data()[entry] != entry ? 1 : 0;
    return wrong;
}

}  // namespace

std::uint64_t count_errors(const UpdateTable& table, const UpdateShare& updates, int workers) {
    return count_errors(table, {0, table.words()}, updates, workers);
}

std::uint64_t count_errors(const UpdateTable& table, const UpdateShare& entries, const UpdateShare& updates,
                           int workers) {
    const Cores cores;
    std::vector<std::uint64_t> errors(static_cast<std::size_t>(workers));
    std::vector<std::jthread> threads;
    threads.reserve(errors.size());
    for (int worker = 0; worker < workers; ++worker) {
        threads.emplace_back([&, worker] {
            if (workers > 1) cores.pin_this_thread(worker);  // a process of several stays where it is
            const UpdateShare part = update_share(entries.count(), workers, worker);
            const std::uint64_t first = entries.first + part.first, last = entries.first + part.last;
            Replay(table, first, last).apply(updates);
            errors[static_cast<std::size_t>(worker)] = wrong_entries(table, first, last);
        });
    }
    threads.clear();
    return std::accumulate(errors.begin(), errors.end(), std::uint64_t{0});
}

void verify(GupsRun& run, const UpdateTable& table, const UpdateShare& entries, const GupsOptions& options) {
    run.verified = options.verify;
    const UpdateShare updates{options.first_update, options.first_update + options.updates};
    if (options.verify) run.errors = count_errors(table, entries, updates, options.workers);
}

}  // namespace narrows
