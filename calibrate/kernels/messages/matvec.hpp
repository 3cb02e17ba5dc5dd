#pragma once

#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/messaging/member.hpp"

namespace narrows {

/// Matrix times vector in double precision (kumar2007, Section 4): every rank has a block of rows, and an allgather
/// brings all of the product to all, as the vector of the next. A sample's bytes are those of a vector, 8 times the
/// dimension, which the ranks divide evenly. The matrix is a cyclic shift, so that the product is known: the vector,
/// one place on. The seconds of a sample are those of one product with its allgather.
void matvec(Member& member, const SamplePlan& plan, RankRecord& record);

}  // namespace narrows
