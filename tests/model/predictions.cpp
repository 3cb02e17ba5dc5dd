#include "predictions.hpp"

#include <catch2/catch.hpp>

#include "topologies/input_error.hpp"

namespace narrows {

GupsQuery gups_query(GupsCode variant, std::int64_t nodes) {
    GupsQuery query{.variant = variant, .nodes = nodes};
    return query;
}

Rate limit_of(const Prediction& prediction, std::string_view resource) {
    for (const Bound& bound : prediction.bounds) {
        if (name_of(bound.resource) == resource) return bound.limit;
    }
    FAIL("no bound of the resource " << resource);
    return {};
}

Time term_of(const Prediction& prediction, std::string_view name) {
    for (const Term& term : prediction.terms) {
        if (term.name == name) return term.time;
    }
    return {};
}

void check_consistent(const Prediction& prediction) {
    const Bound& tight = tightest(prediction.bounds);
    CHECK(prediction.rate.si() > 0);
    CHECK(prediction.rate.si() <= tight.limit.si() * (1 + 1e-12));
    CHECK(prediction.bottleneck == name_of(tight.resource));
    Time sum;
    for (const Term& term : prediction.terms) {
        CHECK(term.time.si() > 0);
        sum += term.time;
    }
    CHECK(sum.si() == Approx(prediction.workers / prediction.rate.si()).epsilon(1e-9));
    CHECK_FALSE(prediction.estimate.empty());
    CHECK_FALSE(prediction.assumptions.empty());
}

}  // namespace narrows
