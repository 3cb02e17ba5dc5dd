#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace narrows {

// Records that travel between processes of one program: a head that always has the same size, then items.

template <class Head, class Item>
std::string bytes_of_record(const Head& head, const std::vector<Item>& items) {
    static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<Item>);
    std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
    bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(Item));
    return bytes;
}

/// Throws std::logic_error when the bytes are none of `bytes_of_record`.
template <class Head, class Item>
void read_record_bytes(const std::string& bytes, Head& head, std::vector<Item>& items) {
    Head read;
    if (bytes.size() < sizeof read || (bytes.size() - sizeof read) % sizeof(Item) != 0) {
        throw std::logic_error("read_record_bytes: these bytes are no record");
    }
    std::memcpy(&read, bytes.data(), sizeof read);
    head = read;
    items.resize((bytes.size() - sizeof read) / sizeof(Item));
    if (!items.empty()) std::memcpy(items.data(), bytes.data() + sizeof read, bytes.size() - sizeof read);
}

}  // namespace narrows
