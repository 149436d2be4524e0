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
  for (int k = 0; k <= static_cast<int>(of.points / 2) + 1; ++k) {
    auto const e = static_cast<T>(unit_eigenvalue(of, k) / divisor);
    all.push_back({e, e});
  }
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
        auto const of_row = [&](int d) {
          return static_cast<T>(unit_eigenvalue(of, plane + planes * d) / divisor);
        };
        all.push_back({of_row(k), of_row(k == 0 ? rows / 2 : rows - k)});
      }
  return all;
}

/// The turns between planes and rows.
template <class T>
std::vector<complex<T>> long_turns_of(axis_plan const& of) {
  std::vector<complex<T>> all;
  for (std::size_t j = 0; j < of.points; ++j)
    all.push_back(root_of_unity<T>(static_cast<double>(j), static_cast<double>(of.points)));
  return all;
}

} // namespace warpfold::inline v0::poisson
