#pragma once
// Sums, dot products and norms that are correctly rounded: the exact value, rounded once. They do
// not depend on the order of the elements, nor on where, or on how many places, they are added up.
// docs/numerics.md explains the algorithm and names the literature.
//
// Places, blocking and _async forms, and errors are those of <warpfold/reduction.hpp>. An _async
// call on a gpu is one kernel.
//
// Elements    float, double, __half or __nv_bfloat16, any number at any alignment.
// Result      float or double: what the exact value is rounded to, once, to nearest, ties to even.
//             By default double for double and float for the others. An exact zero is +0; beyond
//             the range of Result infinity; NaN and infinities among the elements as IEEE 754 has
//             their sum.
// Determinism the same bits for every order of the elements, on the host and every GPU, for any
//             number of threads.

#include <warpfold/detail/reduction/exact_accumulator.hpp>
#include <warpfold/reduction.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace warpfold::inline v0 {

/// The sum of the elements, correctly rounded.
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
auto exact_sum(Place&& place, Range const& values) {
  using R = detail::exact_result_of<Result, Place, Range>;
  return detail::exact_job<R>(place, detail::exact_kind::sum, values).now("exact_sum");
}
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
void exact_sum_async(Place&& place, Range const& values,
                     detail::exact_result_for<Result, Place, Range> result) {
  using R = detail::exact_result_of<Result, Place, Range>;
  detail::exact_job<R>(place, detail::exact_kind::sum, values).later("exact_sum_async", result);
}

/// The sum of the products x[i] * y[i], correctly rounded: no product is rounded before.
/// @throws argument_error also if y has not as many elements as x
template <class Result = void, class Place, detail::exact_elements<Place, Result> X,
          detail::same_elements<Place, X> Y>
auto exact_dot(Place&& place, X const& x, Y const& y) {
  using R = detail::exact_result_of<Result, Place, X>;
  return detail::exact_job<R>(place, detail::exact_kind::dot, x, y).now("exact_dot");
}
template <class Result = void, class Place, detail::exact_elements<Place, Result> X,
          detail::same_elements<Place, X> Y>
void exact_dot_async(Place&& place, X const& x, Y const& y,
                     detail::exact_result_for<Result, Place, X> result) {
  using R = detail::exact_result_of<Result, Place, X>;
  detail::exact_job<R>(place, detail::exact_kind::dot, x, y).later("exact_dot_async", result);
}

/// The Euclidean norm, the square root of the sum of squares, correctly rounded: it overflows and
/// underflows only where the result does.
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
auto exact_norm2(Place&& place, Range const& values) {
  using R = detail::exact_result_of<Result, Place, Range>;
  return detail::exact_job<R>(place, detail::exact_kind::norm2, values).now("exact_norm2");
}
template <class Result = void, class Place, detail::exact_elements<Place, Result> Range>
void exact_norm2_async(Place&& place, Range const& values,
                       detail::exact_result_for<Result, Place, Range> result) {
  using R = detail::exact_result_of<Result, Place, Range>;
  detail::exact_job<R>(place, detail::exact_kind::norm2, values).later("exact_norm2_async", result);
}

/// The exact sum itself, an exact_accumulator: to be merged with those of other places.
template <class Place, detail::exact_elements<Place> Range>
auto exact_accumulate(Place&& place, Range const& values) {
  using A = detail::accumulator_type<Place, Range>;
  return detail::exact_job<A>(place, detail::exact_kind::sum, values).now("exact_accumulate");
}
template <class Place, detail::exact_elements<Place> Range>
void exact_accumulate_async(
    Place&& place, Range const& values,
    detail::result_t<Place, detail::accumulator_type<Place, Range>> result) {
  using A = detail::accumulator_type<Place, Range>;
  detail::exact_job<A>(place, detail::exact_kind::sum, values)
      .later("exact_accumulate_async", result);
}

/// The exact dot product itself, an exact_product_accumulator.
template <class Place, detail::exact_elements<Place> X, detail::same_elements<Place, X> Y>
auto exact_accumulate_products(Place&& place, X const& x, Y const& y) {
  using A = detail::product_accumulator_type<Place, X>;
  return detail::exact_job<A>(place, detail::exact_kind::dot, x, y)
      .now("exact_accumulate_products");
}
template <class Place, detail::exact_elements<Place> X, detail::same_elements<Place, X> Y>
void exact_accumulate_products_async(
    Place&& place, X const& x, Y const& y,
    detail::result_t<Place, detail::product_accumulator_type<Place, X>> result) {
  using A = detail::product_accumulator_type<Place, X>;
  detail::exact_job<A>(place, detail::exact_kind::dot, x, y)
      .later("exact_accumulate_products_async", result);
}

/// An exact sum of T's, float or double, that can be added to and merged in any order: a
/// fixed-point number with room for 2^63 terms. Host and GPU fill the same one: see
/// exact_accumulate. Trivially copyable.
///
/// a.merge(b) adds what b has added up. a.finish<Result>() is the sum, rounded once to float or
/// double. a.serialize() gives the same bytes for the same sum, whoever added it up and in whatever
/// order, and == compares these. All work at once on the calling thread, and none throws but
/// deserialize() and add() of a span.
template <detail::exact_result T>
class exact_accumulator : public detail::exact_accumulator_of<detail::exact_values<T>> {
public:
  using value_type = T;

  /// Adds a number, or all of them.
  void add(T x) { this->words_.add(x); }
  /// @throws argument_error for a null span with a size
  void add(std::span<T const> values) {
    detail::verb const scope("exact_accumulator::add");
    detail::check_elements("values", values.data(), values.size());
    detail::add_range(this->words_, 0, std::ssize(values),
                      [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  }

  /// @throws argument_error if the bytes are not what serialize() of the same class returns
  [[nodiscard]] static exact_accumulator deserialize(std::span<std::byte const> bytes) {
    detail::verb const scope("exact_accumulator::deserialize");
    exact_accumulator sum;
    sum.read(bytes);
    return sum;
  }
};

/// An exact sum of products of two T's, with the members of exact_accumulator. All work at once on
/// the calling thread, and none throws but deserialize().
template <detail::exact_result T>
class exact_product_accumulator : public detail::exact_accumulator_of<detail::exact_products<T>> {
public:
  using value_type = T;

  /// Adds the product, which is not rounded before.
  void add(T x, T y) { this->words_.add(detail::factors<T>{x, y}); }

  /// The square root of a sum of squares, rounded as in finish(); NaN of a sum below 0.
  template <detail::exact_result Result>
  [[nodiscard]] Result finish_root() const {
    if (std::signbit(this->template finish<double>()))
      return std::numeric_limits<Result>::quiet_NaN();
    auto words = this->words_;
    using words_layout = typename decltype(words)::layout;
    auto const range = detail::range_of<words_layout>(words.at());
    return detail::round_root<Result, words_layout>(words.at(), range);
  }

  /// @throws argument_error if the bytes are not what serialize() of the same class returns
  [[nodiscard]] static exact_product_accumulator deserialize(std::span<std::byte const> bytes) {
    detail::verb const scope("exact_product_accumulator::deserialize");
    exact_product_accumulator sum;
    sum.read(bytes);
    return sum;
  }
};

} // namespace warpfold::inline v0
