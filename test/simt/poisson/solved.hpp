#pragma once
// What solutions in the emulator are, and what they are held against: a host's.

#include "simt/simt.hpp"

#include "poisson/layout.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace simt {

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

/// `fixes`: first points are 0.
template <class T>
void check_solved(solved<T> const& got, solved<double> const& exact, bool fixes = false) {
  double const unit = std::numeric_limits<T>::epsilon();
  std::size_t const batch = exact.means.size(), size = exact.solutions.size() / batch;
  for (std::size_t b = 0; b < batch; ++b) {
    double error = 0, norm = 0;
    for (std::size_t i = b * size; i < (b + 1) * size; ++i) {
      error += std::pow(static_cast<double>(got.solutions[i]) - exact.solutions[i], 2);
      norm += std::pow(exact.solutions[i], 2);
    }
    CHECK(std::sqrt(error / norm) < 30 * unit);
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
