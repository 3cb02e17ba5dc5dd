#pragma once

#include "model/machine.hpp"

namespace narrows {

/// The machine of a file, with what older files say of messages in today's words (`newer_place`), so that nobody else
/// knows the older ones. It predicts what it did when those were read:
///
/// - a layer `messaging.X` that has `send`, `receive` or `framing` becomes the path and the protocol `X`: the calls,
/// the
///   interfaces and the link, as far as the machine has them. Bytes that the smallest packet has room for are spared by
///   the calls. Beside a protocol of its name it says nothing. Beside other protocols gups goes by the first layer, as
///   it did (`compute.gups.protocol`);
/// - a level `levels.X` with costs goes by the path and protocol `level-X`: a receiver's request, the sender's call, a
///   flight, the receiver's call; in the last level with the gateways and the wire between them. Beside a `protocol` of
///   the level they say nothing;
/// - LogGP's parameters, which `show` computes from paths, are left out.
Machine with_paths(Machine machine);

}  // namespace narrows
