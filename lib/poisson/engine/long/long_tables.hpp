#pragma once
// The tables of long columns, made on the host.

#include "long.hpp"
#include "poisson/engine/tables.hpp"

#include <cstddef>
#include <vector>

namespace warpfold::inline v0::poisson {

/// What forward and back leave to the division.
inline double long_share(plan const& of) { return 1 / (2 * of.axes[1].period * of.axes[0].period); }

/// Eigenvalues of the frequencies of rows, by slot. The last one, of the slot behind them, only has
/// to be finite.
template <class T>
std::vector<complex<T>> long_across_of(axis_plan const& of, double divisor) {
  std::vector<complex<T>> all;
  for (int k = 0; k <= static_cast<int>(of.points / 2) + 1; ++k)
    append_eigenvalues(all, of, k, k, divisor);
  return all;
}

/// Eigenvalues of the frequencies of a thread's numbers, by [plane][number][thread].
template <class Core>
auto long_along_of(axis_plan const& of, double divisor) {
  using shape = typename Core::shape;
  using T = typename Core::T;
  constexpr int rows = shape::length;
  int const planes = static_cast<int>(of.points) / rows;
  std::vector<complex<T>> all;
  for (int plane = 0; plane < planes; ++plane)
    for (int n = 0; n < shape::points; ++n)
      for (int rank = 0; rank < shape::per_line; ++rank) {
        int const k = frequency_of<typename Core::unit_type>(rank, n);
        append_eigenvalues(all, of, plane + planes * k,
                           plane + planes * (k == 0 ? rows / 2 : rows - k), divisor);
      }
  return all;
}

/// The turns between planes and rows.
template <class T>
std::vector<complex<T>> long_turns_of(axis_plan const& of) {
  std::vector<complex<T>> all;
  append_roots(all, static_cast<int>(of.points), 1, static_cast<double>(of.points));
  return all;
}

} // namespace warpfold::inline v0::poisson
