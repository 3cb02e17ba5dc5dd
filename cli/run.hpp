#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace narrows {

class InputError;
struct Repertoire;

/// What the program prints of wrong input: `narrows: ` and what is wrong, or the place, that line and a caret.
void print_error(const InputError& error, std::ostream& err);

/// The whole program: `arguments` as on the command line without the program's name, data to `out`, warnings and errors
/// to `err`, how far long work has come to `progress`. Returns the exit code: 0 done, 1 failed, 2 misuse, 3 the machine
/// is too noisy to measure.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, std::ostream& progress);
/// The same with other workloads and kernels than this program's.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err, std::ostream& progress,
        const Repertoire& known);

}  // namespace narrows
