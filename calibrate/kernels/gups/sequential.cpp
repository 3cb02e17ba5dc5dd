#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "calibrate/kernels/gups/stream.hpp"
#include "calibrate/kernels/gups/variants.hpp"

namespace narrows {

namespace {

/// Updates without any exchange: each rank works on a table of its own.
class SequentialRanks {
  public:
    // Tables are of a power of two each, so that an update's low bits name an entry.
    explicit SequentialRanks(const GupsOptions& options) : options_(options) {
        const std::uint64_t words = std::bit_floor(options.table_words / static_cast<std::uint64_t>(options.ranks));
        for (int rank = 0; rank < options.ranks; ++rank) tables_.emplace_back(words, options.pages);
    }

    void set_up(int worker) {
        const UpdateTable& table = tables_[static_cast<std::size_t>(worker)];
        table.fill(0, table.words());
    }

    template <class Waiter>
    void run(int rank, Waiter& waiter) {
        constexpr std::uint64_t between_reports = std::uint64_t{1} << 16;
        const UpdateShare share = update_share(options_.updates, options_.ranks, rank);
        const UpdateTable& table = tables_[static_cast<std::size_t>(rank)];
        UpdateStream stream(options_.first_update);
        for (std::uint64_t done = 0; done < share.count(); done += between_reports) {
            const std::uint64_t count = std::min(between_reports, share.count() - done);
            update(table, stream, count);
            waiter.advance(count);
            if (!waiter.yield(true)) return;
        }
    }

    std::uint64_t errors() const {
        std::uint64_t errors = 0;
        for (int rank = 0; rank < options_.ranks; ++rank) {
            const std::uint64_t updates = update_share(options_.updates, options_.ranks, rank).count();
            errors += count_errors(tables_[static_cast<std::size_t>(rank)],
                                   {options_.first_update, options_.first_update + updates}, 1);
        }
        return errors;
    }

  private:
    // `count` is a multiple of eight but for the last time.
    static void update(const UpdateTable& table, UpdateStream& stream, std::uint64_t count) {
        const UpdateSink sink(table.data(), table.words() - 1);
        if (table.words() > most_near_words) {
            update_far(sink, stream, count);
        } else {
            update_near(sink, stream, count);
        }
    }

    // The processor itself keeps enough updates under way while the table is near.
    static void update_near(UpdateSink sink, UpdateStream& position, std::uint64_t count) {
        UpdateStream stream = position;  // a copy stays in registers
        std::array<Word, line_words> words{};
        for (; count >= line_words; count -= line_words) {
            std::memcpy(words.data(), &stream.lanes(), sizeof words);
            for (const Word word : words) sink.apply(word);
            stream.advance();
        }
        for (std::size_t lane = 0; lane < count; ++lane) sink.apply(stream.lanes()[lane]);
        position = stream;
    }

    // Entries are fetched `waiting` updates before they are needed.
    static void update_far(UpdateSink sink, UpdateStream& position, std::uint64_t count) {
        UpdateStream stream = position;
        alignas(64) std::array<Word, waiting> words{};
        std::uint64_t formed = 0;
        std::uint64_t applied = 0;
        for (; formed + line_words <= count; formed += line_words) {
            Word* place = &words[formed % waiting];
            if (formed >= waiting) {
                for (std::size_t lane = 0; lane < line_words; ++lane) sink.apply(place[lane]);
                applied += line_words;
            }
            std::memcpy(place, &stream.lanes(), line_words * sizeof(Word));
            for (std::size_t lane = 0; lane < line_words; ++lane) sink.prefetch(place[lane]);
            stream.advance();
        }
        for (; applied < formed; ++applied) sink.apply(words[applied % waiting]);
        for (std::size_t lane = 0; lane < count - formed; ++lane) sink.apply(stream.lanes()[lane]);
        position = stream;
    }

    static constexpr std::uint64_t most_near_words = std::uint64_t{1} << 16;
    static constexpr std::uint64_t waiting = 32;

    const GupsOptions& options_;
    std::vector<UpdateTable> tables_;
};

}  // namespace

GupsRun run_sequential(const GupsOptions& options) {
    GupsRun run = begun_run(options);
    SequentialRanks ranks(options);
    take_times(run, run_ranks(rank_options(options), ranks));
    run.verified = options.verify;
    if (options.verify) run.errors = ranks.errors();
    return run;
}

}  // namespace narrows
