#include "calibrate/study/validation.hpp"

#include <algorithm>

#include "model/gups/routed.hpp"

namespace narrows {

std::vector<GupsCase> validation_cases(int workers, int most_ranks, std::size_t available_memory) {
    const std::vector<int> quick = fitted_ranks(Effort::quick, available_memory);
    const std::vector<int> full = fitted_ranks(Effort::full, available_memory);
    const auto fitted = [&](int ranks) {
        return ranks != 2 && std::ranges::count(quick, ranks) + std::ranges::count(full, ranks) > 0;
    };
    std::vector<GupsCase> cases;
    for (int ranks = 2; ranks <= most_ranks; ranks *= 2) {
        if (fitted(ranks) || !fits_in(ranks, available_memory)) continue;
        GupsCase made;
        made.options.variant = GupsVariant::routed;
        made.options.shape = default_rank_shape(ranks);
        made.options.ranks = ranks;
        made.options.bucket = routed_bucket(made.options.shape);
        made.options.workers = std::min(workers, ranks);
        made.options.table_words = study_table_words(ranks);
        made.options.updates = study_updates(ranks);
        cases.push_back(made);
    }
    return cases;
}

GupsQuery query_of(const GupsCase& what) {
    GupsQuery query{.variant = what.options.variant == GupsVariant::routed     ? GupsCode::routed
                               : what.options.variant == GupsVariant::bucketed ? GupsCode::bucketed
                                                                               : GupsCode::sequential,
                    .ranks_per_node = what.options.ranks,
                    .shape = what.options.shape};
    if (what.options.bucket > 0) query.bucket = what.options.bucket;
    query.table = bytes(8) * static_cast<double>(what.options.table_words);
    query.updates = static_cast<double>(what.options.updates);
    query.small_pages = what.options.pages == PageSize::small;
    return query;
}

}  // namespace narrows
