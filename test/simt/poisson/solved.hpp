#pragma once
// What solutions in the emulator are, and what they are held against: a host's.

#include "simt/simt.hpp"

#include "poisson/layout.hpp"
#include "poisson/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace simt {

inline double squared(double x) { return x * x; }

template <class T>
struct solved {
  std::vector<T> solutions, means;
  bool operator==(solved const&) const = default;
};

/// Solutions of all right-hand sides by a host in double, and the means that it removes.
template <class T>
solved<double> solve_on_host(warpfold::poisson::problem const& of, std::vector<T> const& rhs) {
  warpfold::host place(1);
  warpfold::poisson::solver<double, warpfold::host> solver(place, of);
  std::vector<double> const wide(rhs.begin(), rhs.end());
  solved<double> made{std::vector<double>(rhs.size()), std::vector<double>(of.batch)};
  solver.solve({.rhs = wide, .solution = made.solutions, .removed_mean = made.means});
  return made;
}

/// By right-hand side, the root of the sum of squares that solutions have if all modes are of one
/// size. Errors are of that size even if modes with small divisors, of which a solution of one axis
/// mostly consists, happen to be small.
template <class T>
std::vector<double> usual_norms(warpfold::poisson::plan const& of, std::vector<T> const& rhs) {
  std::vector<double> divisors{-of.problem.lambda};
  for (auto const& axis : of.axes) {
    std::vector<double> sums;
    for (double const a : divisors)
      for (double const b : axis.eigenvalues) sums.push_back(a + b);
    divisors = sums;
  }
  double gain = 0;
  for (double const d : divisors) gain += d == 0 ? 0 : 1 / (d * d);
  std::size_t const size = divisors.size();
  std::vector<double> made(rhs.size() / size);
  for (std::size_t i = 0; i < rhs.size(); ++i)
    made[i / size] += squared(static_cast<double>(rhs[i])) * gain / static_cast<double>(size);
  for (double& norm : made) norm = std::sqrt(norm);
  return made;
}

/// Errors are held against the solutions, or against `usual` norms where those are greater.
/// `fixes`: first points are 0.
template <class T>
void check_solved(solved<T> const& got, solved<double> const& exact,
                  std::vector<double> const& usual, bool fixes) {
  double const unit = std::numeric_limits<T>::epsilon();
  std::size_t const batch = exact.means.size(), size = exact.solutions.size() / batch;
  for (std::size_t b = 0; b < batch; ++b) {
    double error = 0, norm = 0;
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) {
      error += squared(static_cast<double>(got.solutions[i]) - exact.solutions[i]);
      norm += squared(exact.solutions[i]);
    }
    // The largest seen was 8.5 units, in 24300 right-hand sides of one axis.
    CHECK(std::sqrt(error) < 16 * unit * std::max(std::sqrt(norm), usual[b]));
    // The largest seen was 20.1 units.
    CHECK(std::abs(static_cast<double>(got.means[b]) - exact.means[b]) < 60 * unit);
    if (fixes) CHECK(got.solutions[b * size] == 0);
  }
}

/// Where the elements of a field are, one after the other.
inline std::vector<std::size_t> places(warpfold::poisson::problem const& of,
                                       warpfold::poisson::field_layout const& layout) {
  auto const rows = starts_of(of, of.axes.size() - 1, layout);
  auto const width = static_cast<std::int64_t>(of.axes.back().points),
             all = rows.inner * rows.outer * static_cast<std::int64_t>(of.batch);
  std::vector<std::size_t> made;
  for (std::int64_t row = 0; row < all; ++row)
    for (std::int64_t x = 0; x < width; ++x)
      made.push_back(static_cast<std::size_t>(rows.begin(row) + x));
  return made;
}

/// A layout with gaps below `most` elements behind each axis and right-hand side, by pick(most).
template <class Pick>
warpfold::poisson::field_layout layout_with_gaps(warpfold::poisson::problem const& of,
                                                 std::size_t most, Pick pick) {
  warpfold::poisson::field_layout made;
  std::size_t stride = 1;
  for (std::size_t d = of.axes.size(); d-- > 0;) {
    made.strides[d] = stride;
    stride = stride * (of.axes[d].points + pick(most)) + pick(most);
  }
  made.batch = stride + pick(most);
  return completed(of, made);
}

} // namespace simt
