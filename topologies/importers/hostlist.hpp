#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "topologies/importers/source.hpp"

namespace narrows {

/// The names of a Slurm hostlist such as `login,rack[1-2]node[001-018,20]`, the last bracket fastest. A range keeps the
/// zeros before its first number. Throws InputError at the wrong part of `list`, a view into the text of `source`, and
/// when there are more than 2^20 names.
std::vector<std::string> expand_hostlist(const Source& source, std::string_view list);

}  // namespace narrows
