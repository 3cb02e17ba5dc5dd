#pragma once

namespace narrows {

/// Seconds that a byte on 4 KiB pages takes one thread to write for the first time here, the least of three times 32
/// MiB: 0.1 to 0.5 ns, and up to ten times as long on virtual machines whose host is told of each page.
double first_write_seconds();

}  // namespace narrows
