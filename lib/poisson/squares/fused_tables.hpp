#pragma once
// The tables of both passes, computed in double and rounded once.

#include "fused_column_pass.hpp"
#include "fused_row_pass.hpp"
#include "poisson/plan.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace warpfold::inline v0::poisson {

template <class T, class Stages>
std::vector<complex<T>> factors_of() {
  std::vector<complex<T>> factors;
  for (int stage = 0; stage < Stages::last; ++stage)
    for (int const power : {1, Stages::is_wide(stage) ? 8 : 4})
      for (int q = 0; q < Stages::stride(stage); ++q)
        factors.push_back(root_of_unity<T>(power * q, Stages::within(stage)));
  return factors;
}

/// Eigenvalues and lambda are divided by the largest eigenvalue, which keeps the divisors near 1
/// for boxes of any size.
inline double largest_eigenvalue(plan const& of) {
  double largest = 0;
  for (auto const& axis : of.axes)
    for (double const e : axis.eigenvalues) largest = std::max(largest, std::abs(e));
  return largest;
}

/// Divisors are made from multiples of the largest eigenvalue, which a float holds, as it does
/// their reciprocals and those of the largest itself, if none is out of proportion.
inline bool are_moderate(plan const& of) {
  double const largest = largest_eigenvalue(of), lambda = std::abs(of.problem.lambda);
  double least = lambda != 0 ? lambda : largest;
  for (auto const& axis : of.axes)
    for (double const e : axis.eigenvalues)
      if (e != 0) least = std::min(least, std::abs(e));
  double const scale = .5 / static_cast<double>(of.size()) / largest;
  return least >= 1e-30 * largest && lambda <= 1e30 * largest && scale >= 1e-30 && scale <= 1e30;
}

/// The columns' tables, of the last axis but one, as column_arrays says.
template <class Shape>
struct column_tables {
  using T = typename Shape::number;
  std::vector<complex<T>> roots, modes;

  column_tables(plan const& of, double divisor) {
    using line = column_line<Shape>;
    auto const& axis = of.axes[of.axes.size() - 2];
    auto const eigenvalue = [&](int k) {
      return static_cast<T>(axis.eigenvalues[static_cast<std::size_t>(k)] / divisor);
    };
    for (int i = 0; i < Shape::points; ++i)
      for (int rank = 0; rank < Shape::per_line; ++rank) {
        int const b = i / line::last_radix, j = i % line::last_radix;
        constexpr int last = line::digits::last;
        int const first = line{nullptr, nullptr, rank}.template first<last>(0) +
                          line::template offset<last>(0, b);
        int const k = line::digits::frequency(first + j);
        if (j == 0) roots.push_back(root_of_unity<T>(k, 2 * Shape::length));
        modes.push_back({eigenvalue(k), eigenvalue(k + Shape::length)});
      }
  }
};

/// The rows' part of the divisors, of the last axis.
template <class T>
std::vector<T> row_eigenvalues_of(plan const& of, double divisor) {
  auto const& axis = of.axes.back();
  std::vector<T> eigenvalues;
  for (std::size_t k = 0; k <= axis.points / 2; ++k)
    eigenvalues.push_back(static_cast<T>(axis.eigenvalues[k] / divisor));
  return eigenvalues;
}

/// Of the first axis of three.
template <class T>
std::vector<T> depth_eigenvalues_of(plan const& of, double divisor) {
  std::vector<T> eigenvalues;
  for (double const e : of.axes[0].eigenvalues) eigenvalues.push_back(static_cast<T>(e / divisor));
  return eigenvalues;
}

} // namespace warpfold::inline v0::poisson
