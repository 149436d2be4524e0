#pragma once
// Common to the fuzz targets. Each reads its bytes as a user's file. It also checks what the
// reader's documentation says, so that more than crashes are found.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size);

inline void check(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// Not a copy: AddressSanitizer sees what is read beyond the end.
inline std::string_view text_of(std::uint8_t const* data, std::size_t size) {
  return {reinterpret_cast<char const*>(data), size};
}

/// A message for a terminal: short, and without what the terminal might obey.
inline void check_message(std::string_view message) {
  check(message.size() < 400, "a message is short");
  check(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }),
        "a message can be printed");
}

/// "f:LINE:CELL: ...", where there is such a line, and such a cell or the one after the last.
inline void check_place(std::string_view message, std::size_t lines, std::size_t cells) {
  check_message(message);
  std::size_t line = 0, cell = 0;
  check(std::sscanf(message.data(), "f:%zu:%zu: ", &line, &cell) == 2, "a refusal names a place");
  check(1 <= line && line <= lines, "the line is in the file");
  check(1 <= cell && cell <= cells + 1, "the cell is in the file");
}

/// Also for -0; NaN is the same as any other NaN.
template <class T>
bool same(std::vector<T> const& a, std::vector<T> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](T x, T y) {
    return std::memcmp(&x, &y, sizeof(T)) == 0 || (x != x && y != y);
  });
}
