#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace narrows {

/// SHA-256 in hexadecimal digits.
std::string sha256(std::string_view content);

/// A file that was read: its name as it was opened, and the SHA-256 of what was read, in hexadecimal digits.
struct Input {
    std::string file;
    std::string sha256;

    friend bool operator==(const Input&, const Input&) = default;
};

/// Knows every file that `read_whole_file` reads in this thread while it lives, each once, in the order of reading. Of
/// two records in one thread the inner one knows them.
class InputRecord {
  public:
    InputRecord();
    InputRecord(const InputRecord&) = delete;
    InputRecord& operator=(const InputRecord&) = delete;
    ~InputRecord();

    const std::vector<Input>& inputs() const { return inputs_; }

  private:
    friend void record_input(const std::string& file, std::string_view content);

    InputRecord* outer_;
    std::vector<Input> inputs_;
};

/// Tells the thread's innermost record of a file that was read; without one this does nothing.
void record_input(const std::string& file, std::string_view content);

}  // namespace narrows
