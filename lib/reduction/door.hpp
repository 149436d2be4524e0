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

/// Refuses a null argument, and options that the door does not have.
void check_arguments(void const* values, std::size_t size, void const* result, door through,
                     reduce_options const& options);

/// Refuses a method that the door does not have: that part of check_arguments.
void check_method(method how, door through);

/// Whether two arrays have a byte in common.
bool share_memory(void const* a, std::size_t a_bytes, void const* b, std::size_t b_bytes);

} // namespace warpfold::detail
