#pragma once
// Solutions by sums of modes, as their definitions have them, in long double.

#include "poisson/plan.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace simt {

/// What number j of a line adds to mode k, or, inverse, mode k to number j: FFTW's definitions,
/// Hartley's transform for periodic axes.
inline long double mode_factor(warpfold::poisson::transform kind, std::size_t n, std::size_t j,
                               std::size_t k, bool inverse) {
  using enum warpfold::poisson::transform;
  constexpr long double pi = std::numbers::pi_v<long double>;
  auto const wave = [&](std::size_t turns, std::size_t of, bool sine) {
    long double const t =
        pi * static_cast<long double>(turns % (2 * of)) / static_cast<long double>(of);
    return sine ? std::sin(t) : std::cos(t);
  };
  if (kind == fourier) return wave(2 * j * k, n, false) + wave(2 * j * k, n, true);
  if (inverse) kind = warpfold::poisson::inverse_of(kind);
  // Where 2 and 3 undo each other, so do the parts of points and modes.
  if (inverse) std::swap(j, k);
  long double const edge = j == 0 ? 1 : 2;
  switch (kind) {
  case cosine_1: return (j == 0 || j + 1 == n ? 1 : 2) * wave(j * k, n - 1, false);
  case cosine_2: return 2 * wave((2 * j + 1) * k, 2 * n, false);
  case cosine_3: return edge * wave(j * (2 * k + 1), 2 * n, false);
  case cosine_4: return 2 * wave((2 * j + 1) * (2 * k + 1), 4 * n, false);
  case sine_1: return 2 * wave((j + 1) * (k + 1), n + 1, true);
  case sine_2: return 2 * wave((2 * j + 1) * (k + 1), 2 * n, true);
  case sine_3: return (j + 1 == n ? 1 : 2) * wave((j + 1) * (2 * k + 1), 2 * n, true);
  default: return 2 * wave((2 * j + 1) * (2 * k + 1), 4 * n, true);
  }
}

/// One right-hand side of two or three axes; and the mean that a singular problem loses.
struct summed {
  std::vector<double> solution;
  double mean;
};
inline summed solve_by_sums(warpfold::poisson::plan const& of, std::vector<double> const& rhs) {
  std::vector<long double> all(rhs.begin(), rhs.end());
  std::size_t const count = of.axes.size();
  std::vector<std::size_t> steps(count, 1); // from point to point
  for (std::size_t d = count; --d > 0;) steps[d - 1] = steps[d] * of.axes[d].points;
  auto const along = [&](std::size_t axis, bool inverse) {
    std::size_t const n = of.axes[axis].points, step = steps[axis];
    std::vector<long double> factors(n * n), line(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        factors[inverse ? j * n + k : k * n + j] =
            mode_factor(of.axes[axis].forward, n, j, k, inverse);
    for (std::size_t l = 0; l < all.size() / n; ++l) {
      long double* const first = &all[l / step * step * n + l % step];
      for (std::size_t to = 0; to < n; ++to) {
        line[to] = 0;
        for (std::size_t i = 0; i < n; ++i) line[to] += factors[to * n + i] * first[i * step];
      }
      for (std::size_t to = 0; to < n; ++to) first[to * step] = line[to];
    }
  };
  for (std::size_t d = 0; d < count; ++d) along(d, false);
  auto const scale = static_cast<long double>(of.scale());
  double const mean = of.singular ? static_cast<double>(all[0] * scale) : 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    long double divisor = -of.problem.lambda;
    for (std::size_t d = 0; d < count; ++d)
      divisor += static_cast<long double>(of.axes[d].eigenvalues[i / steps[d] % of.axes[d].points]);
    all[i] *= divisor == 0 ? 0 : scale / divisor;
  }
  for (std::size_t d = 0; d < count; ++d) along(d, true);
  return {{all.begin(), all.end()}, mean};
}

} // namespace simt
