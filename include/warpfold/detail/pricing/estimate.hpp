#pragma once
// From sums over paths to estimates.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace warpfold::inline v0::detail {

/// With so few payoffs the estimated standard error is itself uncertain by at least a tenth
/// (1 / sqrt(100)). The mean of what are mostly zeros is still visibly skewed.
inline constexpr std::uint64_t least_paying = 100;

inline constexpr double unknown_error = std::numeric_limits<double>::infinity();

/// The estimate of a mean over `samples` independent samples with this variance of one. `discount`
/// multiplies it; `quantile` is two_sided_quantile(confidence); `paths` and `paying` count paths.
WARPFOLD_HOST_DEVICE inline pricing::estimate estimate_of(double mean, double variance,
                                                          std::uint64_t samples, double discount,
                                                          double quantile, std::uint64_t paths,
                                                          std::uint64_t paying) {
  double const n = static_cast<double>(samples);
  // A NaN stays one.
  double const spread = variance < 0 ? 0 : variance;
  double const error = samples > 1 ? discount * sqrt(spread / n) : unknown_error;
  double const value = discount * mean, reach = quantile * error;
  return {value, error, value - reach, value + reach, paths, paying, paying < least_paying};
}

/// Writes all bytes of an estimate, also those that mean nothing: they are copied with the others,
/// and compute-sanitizer minds if they were never written.
WARPFOLD_HOST_DEVICE inline void store_estimate(pricing::estimate* to,
                                                pricing::estimate const& of) {
  constexpr std::size_t last = offsetof(pricing::estimate, too_few_paid);
  static_assert(sizeof(pricing::estimate) == last + sizeof(std::uint64_t));
  std::uint64_t const word = of.too_few_paid ? 1 : 0; // little-endian
  *to = of;
  std::memcpy(reinterpret_cast<unsigned char*>(to) + last, &word, sizeof word);
}

/// The q for which a standard normal variable lies between -q and q with this probability, which is
/// in (0, 1): 1.96 for 0.95. Newton's method on erfc.
inline double two_sided_quantile(double confidence) {
  double const outside = 1 - confidence, root_half = std::sqrt(0.5);
  double const slope = std::sqrt(2 / 3.14159265358979323846);
  // From the left of the root, where erfc is convex, the steps never pass it.
  double q = 0;
  for (int i = 0; i < 200; ++i) {
    double const step = (std::erfc(q * root_half) - outside) / (slope * std::exp(-q * q / 2));
    q += step;
    if (!(step > 1e-15 * q)) break;
  }
  return q;
}

/// The quantile of Student's distribution. With x = sqrt(freedom) tan(a), its probability is an
/// integral of cos(a)^(freedom - 1). The integrand is at most exp(-(freedom - 1) a^2 / 2), and so
/// nothing where a is more than some 9 / sqrt(freedom).
inline double student_quantile(double confidence, int freedom) {
  auto const integral = [&](double angle) {
    constexpr int parts = 100; // Simpson's rule
    double sum = 0;
    for (int i = 0; i <= 2 * parts; ++i) {
      double const weight = i == 0 || i == 2 * parts ? 1 : i % 2 == 1 ? 4 : 2;
      sum += weight * std::pow(std::cos(angle * i / (2 * parts)), freedom - 1);
    }
    return sum * angle / (6 * parts);
  };
  double const end = std::min(std::acos(0.), 9 / std::sqrt(static_cast<double>(freedom)));
  double const wanted = confidence * integral(end);
  double low = 0, high = end;
  for (int i = 0; i < 60; ++i) {
    double const middle = (low + high) / 2;
    (integral(middle) < wanted ? low : high) = middle;
  }
  return std::sqrt(static_cast<double>(freedom)) * std::tan(low);
}

} // namespace warpfold::inline v0::detail
