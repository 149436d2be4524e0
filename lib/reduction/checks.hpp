#pragma once
// Checks that verbs share.

#include <warpfold/detail/core/arguments.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Refuses arrays of different sizes.
void check_sizes(std::size_t x, std::size_t y);

/// Refuses what is no array, too.
template <class T>
void check_pair(T const* x, std::size_t x_size, T const* y, std::size_t y_size) {
  check_elements("x", x, x_size);
  check_elements("y", y, y_size);
  check_sizes(x_size, y_size);
}

/// Checks the argument `values` of a verb, or both of a dot product.
template <class Span>
void check_exact(bool is_dot, Span x, Span y) {
  if (is_dot) check_pair(x.data(), x.size(), y.data(), y.size());
  else check_elements("values", x.data(), x.size());
}

} // namespace warpfold::inline v0::detail
