#pragma once
// Checks of the arrays that a caller hands over.

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Refuses null with a size, sizes that no memory has, and addresses at which no such element can
/// lie, naming the argument.
void check_elements(char const* argument, void const* data, std::size_t size,
                    std::size_t alignment);
template <class T>
void check_elements(char const* argument, T const* data, std::size_t size) {
  check_elements(argument, data, size, alignof(T));
}

/// Refuses such a result of an `_async` call, and one that is empty.
void check_result(void const* data, std::size_t size, std::size_t alignment, char const* argument);
template <class T>
void check_result(T const* data, std::size_t size, char const* argument = "result") {
  check_result(data, size, alignof(T), argument);
}

/// Returns true if two arrays have a byte in common.
bool share_memory(void const* a, std::size_t a_bytes, void const* b, std::size_t b_bytes);

/// Refuses an output that lies where the number of values does, unless `count` is null.
void check_count_apart(std::uint64_t const* count, void const* output, std::size_t bytes,
                       char const* argument);

} // namespace warpfold::inline v0::detail
