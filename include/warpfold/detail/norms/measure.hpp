#pragma once
// Measures of an array: what is folded, in what accumulator, and what is made of the result in the
// end, in the same kernel.

#include <warpfold/detail/norms/scaled_squares.hpp>
#include <warpfold/detail/reduction/compensated_terms.hpp>
#include <warpfold/detail/reduction/fold_shape.hpp>
#include <warpfold/reduction.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T>
concept floating_element = one_of<T, float, double, __half, __nv_bfloat16>;

/// Sum of |x|.
template <floating_element T>
struct sum_of_magnitudes {
  using accumulator = typename default_accumulator<T>::type;
  using result = accumulator;
  using op = plus;
  using transform = widened<accumulator, absolute>;
  static identity finish(fold_shape const& = {}) { return {}; }
};

/// Largest |x|, or NaN.
template <floating_element T>
struct largest_magnitude {
  using accumulator = typename default_accumulator<T>::type;
  using result = accumulator;
  using op = maximum<>;
  using transform = widened<accumulator, absolute>;
  static identity finish(fold_shape const& = {}) { return {}; }
};

/// Square root of the sum of squares. The squares of floats and narrower types are exact in double,
/// and far from its ends.
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
auto measure_now(Place& place, Range const& values) {
  using T = element_t<Place, Range>;
  using result = typename Measure<T>::result;
  return compute_now<result>(place, [&](result* to) {
    measure_to<T, Measure<T>>(place, span_t<Place, Range>(values), to);
  });
}

template <template <class> class Measure, class Place, class Range>
void measure_later(Place& place, Range const& values,
                   result_t<Place, typename Measure<element_t<Place, Range>>::result> result) {
  using T = element_t<Place, Range>;
  compute_later(result, [&](auto* to) {
    measure_to<T, Measure<T>>(place, span_t<Place, Range>(values), to);
  });
}

template <class Place, class Range>
concept floating_elements_for = requires {
  requires floating_element<element_t<Place, Range>>;
};

} // namespace warpfold::inline v0::detail
