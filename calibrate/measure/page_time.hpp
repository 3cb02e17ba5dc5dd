#pragma once

namespace narrows {

/// Seconds that a byte on 4 KiB pages takes one thread to write for the first time here, the least of three times 32
/// MiB: 3 ns on a virtual machine whose hypervisor has page tables of its own.
double first_write_seconds();

}  // namespace narrows
