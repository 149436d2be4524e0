#pragma once
// What the doors have in common: the checks of their arguments.

#include <warpfold/reduction.hpp>

#include <cstddef>

namespace warpfold::detail {

/// Which doors a method can go through.
struct door {
  bool on_gpu;
  bool blocking;
  bool has_ladder; ///< it is a plain sum
};

/// Refuses a null result, and options that the door does not have.
void check_options(void const* result, door through, reduce_options const& options);
/// Refuses what no array of values can be, too.
template <class Span>
void check_arguments(Span values, void const* result, door through, reduce_options const& options) {
  check_elements("values", values.data(), values.size());
  check_options(result, through, options);
}

/// Refuses a method that the door does not have: that part of check_options.
void check_method(method how, door through);

} // namespace warpfold::detail
