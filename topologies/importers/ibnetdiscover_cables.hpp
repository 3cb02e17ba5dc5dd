#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/source.hpp"

namespace narrows::ibnetdiscover {

/// A port line: one end's view of a cable.
struct CableEnd {
    int node = 0;
    int port = 0;
    int peer = 0;
    int peer_port = 0;
    /// Gbit/s, or 0 when the line does not say.
    double rate = 0;
    /// Where the line begins in the file.
    const char* place = nullptr;
};

/// A cable, named by the end that the file has first.
using Cable = CableEnd;

/// Data rate in Gbit/s of the first word like `4xHDR` in `words`, 0 without one. Lanes carry, after the line code
/// (8b/10b to QDR, 64b/66b or forward error correction since): SDR 2, DDR 4, QDR 8, FDR10 10, FDR 13.64, EDR 25, HDR
/// 50, NDR 100, XDR 200 (InfiniBand Architecture Specification, volume 2). Throws InputError for another speed or
/// width.
double link_rate(const Source& source, std::string_view words);

/// Every cable once, with the lower rate of its ends, in the order of the file. `name` is that of a node. Appends to
/// `warnings` how many are seen from one end only or have ends of different rates. Throws InputError at the second line
/// that gives a port a cable.
std::vector<Cable> match_ends(const Source& source, std::vector<CableEnd> ends,
                              const std::function<std::string(int)>& name, std::vector<std::string>& warnings);

/// A warning for each cable that is slower than most of those of the same node to the same kind of node, the first ten
/// by name.
std::vector<std::string> degraded_links(const Source& source, const std::vector<Cable>& cables,
                                        const std::vector<bool>& is_switch,
                                        const std::function<std::string(int)>& name);

}  // namespace narrows::ibnetdiscover
