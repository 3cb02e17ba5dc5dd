#include "data/inputs.hpp"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <array>

namespace narrows {
namespace {

thread_local InputRecord* innermost = nullptr;

}  // namespace

std::string sha256(std::string_view content) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(content.data()), content.size());
    std::string digits;
    for (const unsigned char byte : hash) digits += fmt::format("{:02x}", byte);
    return digits;
}

InputRecord::InputRecord() : outer_(innermost) {
    innermost = this;
}

InputRecord::~InputRecord() {
    innermost = outer_;
}

void record_input(const std::string& file, std::string_view content) {
    if (innermost == nullptr) return;
    Input input{file, sha256(content)};
    std::vector<Input>& known = innermost->inputs_;
    if (std::ranges::find(known, input) == known.end()) known.push_back(std::move(input));
}

}  // namespace narrows
