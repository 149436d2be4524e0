#pragma once
// Problems on periodic boxes, and their solutions as sums of modes in double.

#include "poisson/plan.hpp"

#include <complex>
#include <numbers>
#include <vector>

namespace simt {

/// Periodic along all axes, with eigenvalues of the plain kind, not those of any symbol.
inline warpfold::poisson::plan periodic_plan(std::vector<int> const& extents, double lambda) {
  warpfold::poisson::plan plan;
  auto slope = static_cast<double>(extents.size() + 1);
  for (int const n : extents) {
    warpfold::poisson::axis_plan axis{};
    axis.points = static_cast<std::size_t>(n);
    axis.forward = warpfold::poisson::transform::fourier;
    for (int k = 0; k < n; ++k) axis.eigenvalues.push_back(-std::min(k, n - k) * slope);
    slope -= 1;
    plan.axes.push_back(axis);
  }
  plan.problem.lambda = lambda;
  plan.singular = lambda == 0;
  return plan;
}

/// The Fourier sums of lines of n, `step` apart, term by term; sign is that of the exponent.
inline void sum_modes(std::vector<std::complex<double>>& all, std::size_t n, std::size_t step,
                      int sign) {
  std::vector<std::complex<double>> roots, sums(n);
  for (std::size_t j = 0; j < n; ++j)
    roots.push_back(std::polar(1., sign * 2 * std::numbers::pi * static_cast<double>(j) /
                                       static_cast<double>(n)));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i / step % n != 0) continue;
    for (std::size_t k = 0; k < n; ++k) {
      double re = 0, im = 0;
      for (std::size_t j = 0; j < n; ++j) {
        auto const a = all[i + j * step], w = roots[j * k % n];
        re += a.real() * w.real() - a.imag() * w.imag();
        im += a.real() * w.imag() + a.imag() * w.real();
      }
      sums[k] = {re, im};
    }
    for (std::size_t k = 0; k < n; ++k) all[i + k * step] = sums[k];
  }
}

/// The solution of a periodic problem, with mean 0 if it is singular.
inline std::vector<double> periodic_solution(warpfold::poisson::plan const& plan,
                                             std::vector<double> const& rhs) {
  std::vector<std::complex<double>> all(rhs.begin(), rhs.end());
  std::vector<double> divisors(rhs.size(), -plan.problem.lambda);
  auto const each_axis = [&](auto use) {
    std::size_t step = 1;
    for (auto axis = plan.axes.rbegin(); axis != plan.axes.rend(); ++axis) {
      use(*axis, step);
      step *= axis->points;
    }
  };
  each_axis([&](auto const& axis, std::size_t step) {
    sum_modes(all, axis.points, step, -1);
    for (std::size_t i = 0; i < all.size(); ++i)
      divisors[i] += axis.eigenvalues[i / step % axis.points];
  });
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] *= divisors[i] == 0 ? 0 : 1 / divisors[i] / static_cast<double>(all.size());
  each_axis([&](auto const& axis, std::size_t step) { sum_modes(all, axis.points, step, +1); });
  std::vector<double> u;
  for (auto const& z : all) u.push_back(z.real());
  return u;
}

} // namespace simt
