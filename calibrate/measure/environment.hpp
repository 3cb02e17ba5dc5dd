#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace narrows {

/// What a run's numbers depend on and no measurement shows: host, processor, cores, caches, governor, pages, kernel,
/// load, compiler, version of narrows, date. What cannot be found out is left out.
std::vector<std::pair<std::string, std::string>> describe_environment();

/// Of that the host's name.
std::string host_name();

/// Bytes of the largest cache that a core has to itself, and of the largest that cores share; 0 where none is known.
struct CacheSizes {
    std::size_t own = 0;
    std::size_t shared = 0;
};

/// Those of this machine's first core.
CacheSizes cache_sizes();

}  // namespace narrows
