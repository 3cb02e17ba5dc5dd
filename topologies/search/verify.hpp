#pragma once

#include <string>
#include <vector>

#include "topologies/search/analysis.hpp"

namespace narrows {

/// A network, what is claimed of it, and the proofs.
struct Certificate {
    Network network;
    NetworkNumbers claims;
    NetworkProofs proofs;
};

/// One end of one number, checked.
struct CheckedClaim {
    /// Such as "φ ≥".
    std::string claim;
    double claimed = 0;
    /// What the proof gives when it is worked out again; 0 or infinite when there is none.
    double proven = 0;
    bool holds = false;
    std::string how;
};

/// Checks every proof: cuts are counted link by link, the quadratic form is factorised, flows are sent or, given link
/// by link, balanced at every vertex, symmetries are held against the links that they touch. Least cuts have no proof
/// but the search itself, which is run again. A claim holds when what is proven is as sharp to a relative 1e-9. Ends
/// when `stop` says so; what is not worked out then does not hold. Throws InputError when a proof is not of this
/// network (a list of the wrong length).
std::vector<CheckedClaim> verify(const Certificate& certificate, const Stop& stop = never_stop);

}  // namespace narrows
