#pragma once

#include <filesystem>
#include <string>

#include "model/machine.hpp"

namespace narrows {

/// The machine in the file `path`; its id is the file's name without its ending. `data/schema.md` describes the format.
/// Throws InputError for anything wrong: with the place in the file, or without one when it cannot be read.
Machine read_machine(const std::filesystem::path& path);

/// The machine written in `text`, which errors call `file`. Throws InputError with the place for anything wrong.
Machine parse_machine(const std::string& text, const std::string& file, const std::string& id);

/// The machine as the text of a machine file: reading it back gives the same machine, doubles to the last bit.
/// Parameters of one section are written together, in the order of their first one.
/// Precondition: every parameter is one that the schema knows and the reader accepts, with texts in UTF-8 of less than
/// 5000 bytes.
std::string write_machine(const Machine& machine);

}  // namespace narrows
