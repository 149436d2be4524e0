#pragma once
// Measures of an array: the operator, the accumulator, and how the same kernel finishes the result.

#include <warpfold/detail/norms/scaled_squares.hpp>
#include <warpfold/detail/reduction/compensated_terms.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

template <floating_element T, class Op>
struct fold_of_magnitudes {
  using accumulator = typename default_accumulator<T>::type;
  using result = accumulator;
  using op = Op;
  using transform = widened<accumulator, absolute>;
  static identity finish(fold_shape const& = {}) { return {}; }
};
/// Sum of |x|.
template <floating_element T>
struct sum_of_magnitudes : fold_of_magnitudes<T, plus> {};
/// Largest |x|, or NaN.
template <floating_element T>
struct largest_magnitude : fold_of_magnitudes<T, maximum<>> {};

/// Square root of the sum of squares, which for float and narrower types are exact in double.
template <floating_element T>
struct root_of_squares {
  using accumulator = double;
  using result = typename default_accumulator<T>::type;
  using op = plus;
  using transform = widened<double, square>;
  static root<result> finish(fold_shape const& = {}) { return {}; }
};
template <>
struct root_of_squares<double> {
  using accumulator = scaled_squares;
  using result = double;
  using op = add_squares;
  using transform = identity;
  static root<double> finish(fold_shape const& = {}) { return {}; }
};

/// Sum and bound of its error.
template <floating_element T>
struct sum_and_bound {
  using value = typename default_accumulator<T>::type;
  using accumulator = compensated_terms<value>;
  using result = bounded<value>;
  using op = add_compensated;
  using transform = widened<value, identity>;

  /// The error of an addition is added once for every row below it, and then twice for every value
  /// that joins its own: lanes, threads, a run of blocks, runs, the initial value.
  static finish_compensated finish(fold_shape const& shape) {
    auto const levels = [](int values) { return std::bit_width(static_cast<unsigned>(values)); };
    int const joins =
        levels(lanes_per_thread<T>) + levels(shape.threads) + shape.run + levels(shape.runs) + 1;
    return finish_compensated{.additions = std::int64_t{shape.rows_per_block} + 1 + 2 * joins};
  }
};

/// Computes a measure into *result, which must be accessible to the place; see reduce_to.
template <class T, class Measure>
void measure_to(gpu& place, device_span<T const> values, typename Measure::result* result);
template <class T, class Measure>
void measure_to(host const& place, std::span<T const> values, typename Measure::result* result);

template <template <class> class Measure, class Place, class Range>
auto measure_job(Place& place, Range const& values) {
  using T = element_t<Place, Range>;
  return job_of<typename Measure<T>::result>(
      place, [&place, view = span_t<Place, Range>(values)](auto* result) {
        measure_to<T, Measure<T>>(place, view, result);
      });
}

template <class Place, class Range>
using bounded_for = result_t<Place, bounded<accumulator_for<void, Place, Range>>>;

/// Computes the dot product of two arrays of equal length into *result; see reduce_to.
template <class T, class A>
void dot_to(gpu& place, device_span<T const> x, device_span<T const> y, A* result);
template <class T, class A>
void dot_to(host const& place, std::span<T const> x, std::span<T const> y, A* result);

template <class Asked, class Place, class X, class Y>
auto dot_job(Place& place, X const& x, Y const& y) {
  using A = accumulator_for<Asked, Place, X>;
  using view = span_t<Place, X>;
  return job_of<A>(place, [&place, x = view(x), y = view(y)](A* result) {
    dot_to<element_t<Place, X>>(place, x, y, result);
  });
}

template <class Asked, class Place, class X, class Y>
concept built_in_dot =
    built_in_elements<X, Place, Asked> && std::same_as<element_t<Place, X>, element_t<Place, Y>>;

} // namespace warpfold::inline v0::detail
