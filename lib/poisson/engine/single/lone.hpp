#pragma once
// A unit of one real line of type 1, the other line of which is 0: problems of one axis in one
// pass. (One line alone has no use for half of the arithmetic. Two right-hand sides never share a
// unit, so that solutions have the same bits in any batch.)

#include "poisson/engine/once.hpp"
#include "poisson/engine/pruned.hpp"

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// A real line and zeros.
template <class Number>
struct lone_memory {
  using T = std::remove_const_t<Number>;
  static constexpr bool has_slots = false;
  Number* line;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Number* at(int x) const { return line + x; }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> get(Number* from, int j) const {
    return {load_once<false>(from + j * By), 0};
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(Number* to, int j, complex<T> v) const {
    store_once<false>(to + j * By, v.re);
  }
};

/// For solve_lines, as packed_core. Shape is that of pruned units.
template <class Shape>
struct lone_core : pruned_core<Shape> {
  using base = pruned_core<Shape>;
  using T = typename base::T;
  using base::base;
  static constexpr bool has_constant = true; ///< of cosines
  /// Numbers of a line that are prefetched; cosines have two more.
  static constexpr int fetched = base::length - 1;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load(T const* line, bool) {
    base::load_points(lone_memory<T const>{line});
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store(T* line, bool, T less) {
    base::store_points(lone_memory<T>{line}, less);
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void solve(Block const& block,
                                                         unit_symbol<T> const& symbol, T shift,
                                                         bool removes, std::size_t entry) {
    base::forward(block);
    // Modes of the line of zeros are rounding errors. Their divisors are far from 0, since no
    // eigenvalue is positive.
    base::divide(symbol, {-shift, T(-1e30)}, true, removes, entry);
    base::inverse(block);
  }
};

} // namespace warpfold::inline v0::poisson
