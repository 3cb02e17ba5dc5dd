#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace narrows {

/// Writes `text` to `path` whole or not at all: into a new file beside it, which then takes its name. An existing file
/// keeps its permissions, a link stays a link, and a device such as /dev/stdout is written directly.
/// Throws InputError with the path and the remedy when that fails; the old content, if any, is then untouched.
void write_whole_file(const std::filesystem::path& path, std::string_view text);

/// The same of what `fill` writes piece by piece by calling its argument, which is false once nothing can be written.
using WritePiece = std::function<bool(const std::string& text)>;
void write_whole_file(const std::filesystem::path& path, const std::function<void(const WritePiece& write)>& fill);

/// Throws InputError if `write_whole_file` could not write `path`: called before the work whose result goes there.
void require_writable(const std::filesystem::path& path);

/// Whether there is anything at `path`. No where that cannot be found out, as of a name that is too long for one.
bool is_there(const std::filesystem::path& path);

/// The content of `path`, which an `InputRecord` of this thread then knows. Throws InputError when it cannot be read,
/// is a named pipe or has more than `most` bytes.
std::string read_whole_file(const std::filesystem::path& path, std::size_t most = std::size_t{1} << 30);

/// All that comes from standard input, which is read once and kept. Throws InputError when it cannot be read.
const std::string& standard_input();

}  // namespace narrows
