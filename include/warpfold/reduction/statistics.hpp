#pragma once
// Descriptive statistics in one pass. For a choice of them, made at compile time, and for
// iterators, compile with nvcc and include <warpfold/reduction/statistics.cuh>.
//
// Places, elements, blocking and _async forms, determinism and errors are those of
// <warpfold/reduction.hpp>.
//
// Accuracy: sums are taken of deviations from an element nearby, in double, whatever the type, and
// merged in pairs (T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample
// variance", Amer. Statist. 37, 1983; P. Pebay, SAND2008-6212, 2008, for the higher powers). A
// large mean costs no digits; docs/numerics.md has the bound. 64-bit integers are rounded to double
// first.

#include <warpfold/reduction.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0 {

/// Number, extrema and their places, mean and higher moments of the elements, all in one pass over
/// them: a description. NaN elements are counted and otherwise left out.
template <class Place, detail::built_in_elements<Place> Range>
auto describe(Place&& place, Range const& values) {
  return detail::description_job(place, values).now("describe");
}
template <class Place, detail::built_in_elements<Place> Range>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result) {
  detail::description_job(place, values).later("describe_async", result);
}

/// describe().mean alone: of the elements that are not NaN. Beyond 6e9 bytes of elements, which are
/// 1.5e9 floats or 7.5e8 doubles, its last bits may differ from describe()'s.
template <class Place, detail::built_in_elements<Place> Range>
double mean(Place&& place, Range const& values) {
  return detail::moment_job(place, values, detail::moment::mean).now("mean");
}
template <class Place, detail::built_in_elements<Place> Range>
void mean_async(Place&& place, Range const& values, detail::result_t<Place, double> result) {
  detail::moment_job(place, values, detail::moment::mean).later("mean_async", result);
}

/// describe().variance() alone: of a sample, with n - 1, without NaN. Beyond 6e9 bytes of elements
/// its last bits may differ from describe()'s.
template <class Place, detail::built_in_elements<Place> Range>
double variance(Place&& place, Range const& values) {
  return detail::moment_job(place, values, detail::moment::variance).now("variance");
}
template <class Place, detail::built_in_elements<Place> Range>
void variance_async(Place&& place, Range const& values, detail::result_t<Place, double> result) {
  detail::moment_job(place, values, detail::moment::variance).later("variance_async", result);
}

/// Statistics of some elements. Moments are kept as sums of powers of the deviations from the mean,
/// from which the functions make the usual quantities.
///
/// All of it but nan_count is about the elements that are not NaN. With an infinite one among them
/// the mean is infinite, or NaN if there are both, and m2, m3 and m4 are NaN. They are infinite or
/// NaN, too, where powers of deviations overflow, and 0 where they underflow. Where a difference of
/// two elements overflows, or a sum of such differences, the mean may be infinite, of either sign,
/// or NaN. The functions work at once on the calling thread, and never throw.
template <class T>
struct description {
  std::uint64_t count;     ///< elements that are not NaN
  std::uint64_t nan_count; ///< elements that are
  T min;                   ///< the value of argmin() with nan_policy::ignore, for no elements too
  T max;                   ///< the value of argmax() with nan_policy::ignore
  std::uint64_t argmin;    ///< its index: of the first of the smallest
  std::uint64_t argmax;    ///< of the first of the largest
  double mean;             ///< NaN of no elements
  double m2, m3, m4;       ///< sums of (x - mean)^2, ^3 and ^4

  /// Sample variance, m2 / (n - 1); NaN of fewer than two elements.
  [[nodiscard]] double variance() const { return count > 1 ? m2 / (number() - 1) : not_a_number; }
  /// Variance of the elements as the whole population, m2 / n; NaN of none.
  [[nodiscard]] double population_variance() const { return m2 / number(); }
  /// Square root of variance().
  [[nodiscard]] double standard_deviation() const { return std::sqrt(variance()); }

  /// Skewness of the population, (m3 / n) / (m2 / n)^(3/2), without a correction for samples; NaN
  /// if all elements are equal, or their root mean square deviation is below 1e-102, where cubes
  /// lose digits.
  [[nodiscard]] double skewness() const {
    return exceeds(1e-102) ? std::sqrt(number() / m2) * (m3 / m2) : not_a_number;
  }
  /// Excess kurtosis of the population, (m4 / n) / (m2 / n)^2 - 3, without a correction for
  /// samples; NaN if all elements are equal, or their root mean square deviation is below 3e-77,
  /// where fourth powers lose digits.
  [[nodiscard]] double kurtosis() const {
    return exceeds(3e-77) ? number() * (m4 / m2 / m2) - 3 : not_a_number;
  }

private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  [[nodiscard]] double number() const { return static_cast<double>(count); }
  /// True if the elements' root mean square deviation is larger.
  [[nodiscard]] bool exceeds(double deviation) const {
    return m2 > deviation * deviation * number();
  }
};

/// A set of statistics, made with |, for <warpfold/reduction/statistics.cuh>. The numbers of
/// elements and of NaN are always known.
enum class statistic : unsigned {
  count = 0,
  min = 1,
  max = 2,
  argmin = 4,
  argmax = 8,
  mean = 16,
  variance = 32 | mean,      ///< m2, and what comes before it
  skewness = 64 | variance,  ///< m3, and what comes before it
  kurtosis = 128 | skewness, ///< m4, and what comes before it
  all = min | max | argmin | argmax | kurtosis
};

/// Union of two sets.
constexpr statistic operator|(statistic a, statistic b) {
  return static_cast<statistic>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

} // namespace warpfold::inline v0
