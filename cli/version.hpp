#pragma once

#include <string>

namespace narrows {

/// `narrows 0.1.0`, and below it the compiler, the libraries and the MPI that it was built with, and the folder of its
/// data: what a bug report needs.
std::string version_text();

}  // namespace narrows
