#pragma once

#include "calibrate/kernels/messages/launch.hpp"
#include "calibrate/transport/job_secret.hpp"
#include "calibrate/transport/tcp_mesh.hpp"

namespace narrows {

/// What the rank at `place` does in a measurement over TCP whose processes are started one by one, on any hosts. All
/// have the same options, or they do not prove the job's secret to each other. Throws TransportError; but on rank 0,
/// when it has taken samples, returns these with what cut it off.
RankPart tcp_part(const TcpPlace& place, const JobSecret& secret);

/// Where ranks that have met at `place` meet next: they are back within milliseconds, or gone, which is told within 4
/// s.
TcpPlace met_again(TcpPlace place);

/// The same as one of the ranks that measure together. They join anew each time that they measure or that rank 0 says
/// something, so that a rank which is gone is missed within `place.join_seconds`, and within 4 s when all have met
/// before.
Launch tcp_launch(const TcpPlace& place, const JobSecret& secret);

}  // namespace narrows
