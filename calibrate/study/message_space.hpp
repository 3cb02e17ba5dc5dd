#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "calibrate/kernels/messages/measure.hpp"
#include "calibrate/study/case_space.hpp"
#include "calibrate/study/study_case.hpp"
#include "model/messages/residuals.hpp"

namespace narrows {

/// Messages in shared memory that both `predict` knows and `run` measures.
struct MessageStudyCase {
    MessagePhase phase = MessagePhase::ping_pong;
    Protocol protocol = Protocol::active_message;
    std::string algorithm = "recursive-doubling";  ///< of an allreduce
    int neighbours = 1;                            ///< of a halo exchange
    int ranks = 2;
    std::size_t bytes = 8;

    /// The case in words: the same case has the same name in every session.
    std::string name() const;
    /// What `predict` is asked for it.
    MessageQuery query() const;
    /// What `run` is asked for it.
    MessageOptions options() const;
};

/// The case of that name; none for other words.
std::optional<MessageStudyCase> message_case_named(const std::string& name);

/// The phase of that name, if there is one.
std::optional<MessagePhase> message_phase(std::string_view name);

/// Most numbers that a case of messages takes.
inline constexpr int message_properties = 5;

/// A case of this phase, or of any, all of them as likely: any protocol and algorithm, a rank a worker at most, as many
/// neighbours as a ring has, sizes from 8 B to 16 MiB, uniform on the scale of logarithms, in whole words where they
/// have to be; buffers of all ranks take half of the memory at most. Test: tests/calibrate/test_message_space.cpp
MessageStudyCase message_case_at(const UnitNumbers& next, const CaseLimits& limits,
                                 std::optional<MessagePhase> phase = std::nullopt);

/// The same phase by the same protocol at another place of its space.
MessageStudyCase message_case_at(const UnitNumbers& next, const CaseLimits& limits, MessagePhase phase,
                                 Protocol protocol);

/// How long a run of messages is to be.
struct MessageRunLength {
    double seconds = 0.2;  ///< of all its samples together, by `expected`
    int samples = 15;      ///< of which the median counts, as in `run`
    int least = 4;         ///< messages of a sample, however long they take, as in `run`
};

/// The case as something to be timed, whose samples' "updates" are messages, exchanges or collectives of `expected`
/// seconds each. What it throws: std::runtime_error when messages arrived with other contents than were sent.
StudyCase study_case(const MessageStudyCase& what, double expected, const MessageRunLength& length);
/// The same of any measurement of one size.
StudyCase study_case(const std::string& name, const MessageOptions& options);

}  // namespace narrows
