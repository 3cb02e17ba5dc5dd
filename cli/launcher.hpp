#pragma once

namespace narrows {

/// For a command that measures alone: InputError when a launcher such as mpirun started several of it, which would take
/// each other's cores, and write the same files.
void require_no_launcher();

}  // namespace narrows
