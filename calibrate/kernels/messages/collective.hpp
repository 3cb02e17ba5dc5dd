#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/kernels/messages/plan.hpp"
#include "calibrate/kernels/program/rank_program.hpp"
#include "calibrate/messaging/member.hpp"
#include "calibrate/messaging/node_segments.hpp"

namespace narrows {

/// A kernel of all ranks over any protocol, such as a collective, an exchange with neighbours or a user's program: what
/// they share.
class CollectiveProgram {
  public:
    CollectiveProgram(const MessageOptions& options, const SamplePlan& plan);

    /// Takes the samples of the plan, by the clock of this rank.
    void run(Member& member, RankRecord& record) const;

  private:
    const MessageOptions& options_;
    const SamplePlan& plan_;
    std::optional<NodeSegments> segments_;
    std::map<std::size_t, std::shared_ptr<const ProgramRanks>> programs_;  // of each size, of a collective by rounds
};

}  // namespace narrows
