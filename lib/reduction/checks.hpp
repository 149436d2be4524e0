#pragma once
// Checks that verbs share.

#include <warpfold/detail/core/arguments.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses arrays of different sizes.
void check_sizes(std::size_t x, std::size_t y);

/// And each of them, if it is no array.
template <class T>
void check_pair(T const* x, std::size_t x_size, T const* y, std::size_t y_size) {
  check_elements("x", x, x_size);
  check_elements("y", y, y_size);
  check_sizes(x_size, y_size);
}

} // namespace warpfold::inline v0::detail
