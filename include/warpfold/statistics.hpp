#pragma once
// Descriptive statistics in one pass. For a choice of them, made at compile time, and for
// iterators, compile with nvcc and include <warpfold/statistics.cuh>.

#include <warpfold/reduction.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0 {

/// What is known of some elements. Moments are kept as sums of powers of the deviations from the
/// mean, from which the functions make the usual quantities.
///
/// All of it but nan_count is about the elements that are not NaN. With an infinite one among them
/// the mean is infinite, or NaN if there are both, and m2, m3 and m4 are NaN; they overflow where
/// the powers do. The functions work at once on the calling thread, and never throw.
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
  [[nodiscard]] double variance() const {
    return count > 1 ? m2 / (number() - 1) : std::numeric_limits<double>::quiet_NaN();
  }
  /// Variance of the elements as the whole population, m2 / n; NaN of none.
  [[nodiscard]] double population_variance() const { return m2 / number(); }
  /// Square root of variance().
  [[nodiscard]] double standard_deviation() const { return std::sqrt(variance()); }

  /// Skewness of the population, (m3 / n) / (m2 / n)^(3/2), without a correction for samples; NaN
  /// if all elements are equal.
  [[nodiscard]] double skewness() const { return std::sqrt(number() / m2) * (m3 / m2); }
  /// Excess kurtosis of the population, (m4 / n) / (m2 / n)^2 - 3, without a correction for
  /// samples; NaN if all elements are equal.
  [[nodiscard]] double kurtosis() const { return number() * (m4 / m2 / m2) - 3; }

private:
  [[nodiscard]] double number() const { return static_cast<double>(count); }
};

/// What to find out about some elements: a set, made with |, for <warpfold/statistics.cuh>. The
/// numbers of elements and of NaN are always known.
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

/// What is in either set.
constexpr statistic operator|(statistic a, statistic b) {
  return static_cast<statistic>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

template <class Place, class Range>
using description_for = description<accumulator_for<void, Place, Range>>;

/// See reduce_to. Defined for the built-in element types.
template <class T, class A>
void describe_to(gpu& place, device_span<T const> values, description<A>* result);
template <class T, class A>
void describe_to(host const& place, std::span<T const> values, description<A>* result);

enum class moment { mean, variance };

template <class T>
void moment_to(gpu& place, device_span<T const> values, moment which, double* result);
template <class T>
void moment_to(host const& place, std::span<T const> values, moment which, double* result);

} // namespace detail

// What holds for the verbs below: all that <warpfold/reduction.hpp> says of places, elements,
// blocking and _async forms, determinism and errors.
//
// Accuracy: sums are taken of deviations from an element nearby, in double, whatever the type, and
// merged in pairs (T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample
// variance", Amer. Statist. 37, 1983; P. Pebay, SAND2008-6212, 2008, for the higher powers). A
// large mean costs no digits; docs/numerics.md has the bound. 64-bit integers are rounded to double
// first.

/// Number, extrema and their places, mean and higher moments of the elements, all in one pass over
/// them. NaN elements are counted and otherwise left out.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
auto describe(Place&& place, Range const& values) {
  return detail::compute_now<detail::description_for<Place, Range>>(place, [&](auto* result) {
    detail::describe_to<detail::element_t<Place, Range>>(
        place, detail::span_t<Place, Range>(values), result);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void describe_async(Place&& place, Range const& values,
                    detail::result_t<Place, detail::description_for<Place, Range>> result) {
  detail::compute_later(result, [&](auto* to) {
    detail::describe_to<detail::element_t<Place, Range>>(place,
                                                         detail::span_t<Place, Range>(values), to);
  });
}

/// describe().mean alone.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
double mean(Place&& place, Range const& values) {
  return detail::compute_now<double>(place, [&](double* result) {
    detail::moment_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                       detail::moment::mean, result);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void mean_async(Place&& place, Range const& values, detail::result_t<Place, double> result) {
  detail::compute_later(result, [&](double* to) {
    detail::moment_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                       detail::moment::mean, to);
  });
}

/// describe().variance() alone: of a sample, with n - 1.
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
double variance(Place&& place, Range const& values) {
  return detail::compute_now<double>(place, [&](double* result) {
    detail::moment_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                       detail::moment::variance, result);
  });
}
template <class Place, elements_for<Place> Range>
requires detail::built_in_elements<Range, Place>
void variance_async(Place&& place, Range const& values, detail::result_t<Place, double> result) {
  detail::compute_later(result, [&](double* to) {
    detail::moment_to<detail::element_t<Place, Range>>(place, detail::span_t<Place, Range>(values),
                                                       detail::moment::variance, to);
  });
}

} // namespace warpfold::inline v0
