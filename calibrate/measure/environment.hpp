#pragma once

#include <string>
#include <utility>
#include <vector>

namespace narrows {

/// What a run's numbers depend on and no measurement shows: host, processor, cores, caches, governor, pages, kernel,
/// load, compiler, version of narrows, date. What cannot be found out is left out.
std::vector<std::pair<std::string, std::string>> describe_environment();

}  // namespace narrows
