#pragma once

#include <string>

namespace narrows::cluster {

/// Seconds of all cores until now.
struct CoreUse {
    double wall = 0;
    double stolen = 0;  ///< taken by the hypervisor for others
    double idle = 0;
    double others = 0;  ///< of all processes but this one and those that it has waited for; the kernel's threads apart
};

CoreUse core_use();

/// What a run's cores did meanwhile, in parts of all cores' time.
struct CoreShares {
    /// Programs that are not of the run, and what the hypervisor took. Forwarding is the kernel's, and the run's.
    double others = 0;
    double idle = 0;
};

/// Precondition: all processes of the run have ended and been waited for.
CoreShares shares_between(const CoreUse& before, const CoreUse& after);

/// Why the run is no evidence: `busy` beside others, `saturated` when the cores had too little left to forward at the
/// rate of the links; else `quiet`.
std::string verdict(const CoreShares& shares);

}  // namespace narrows::cluster
