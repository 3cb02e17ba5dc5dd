#include "model/gups/sequential.hpp"

#include "model/gups/bounds.hpp"

namespace narrows {

Prediction sequential_gups(Time update) {
    Prediction prediction =
        overlapped({{"update", update}}, 1,
                   {{Resource::processor,
                     processor_bound(1, update),
                     "1 / t_u",
                     "garg2006 Section 4.1",
                     {{"t_u", "generating and applying an update, with the loop around it", update}}}});
    prediction.assumptions = "one processor, its table and page size as measured";
    return prediction;
}

}  // namespace narrows
