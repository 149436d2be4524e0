#pragma once
// Sums, dot products and norms that are correctly rounded: the exact value, rounded once. They do
// not depend on the order of the elements, nor on where, or on how many places, they are added up.

#include <warpfold/detail/core/verbs.hpp>
#include <warpfold/detail/reduction/exact_host.hpp>
#include <warpfold/error.hpp>
#include <warpfold/reduction.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace warpfold::inline v0 {

namespace detail {
template <class T>
concept exact_result = one_of<T, float, double>;

/// What the exact accumulators have in common.
template <class Terms>
class exact_accumulator_of {
public:
  /// Size of the serialised form.
  static constexpr std::size_t serialized_size = 8 * (Terms::layout::size + 1);

  /// Adds what another accumulator has added up.
  void merge(exact_accumulator_of const& other) { words_.add(other.words_); }
  /// For implementers: adds words as they are.
  void merge(exact_words<Terms> const& words) { words_.add(words); }

  /// The exact sum rounded to `Result`, to nearest, ties to even. Without a term, or if the terms
  /// cancel, +0; beyond Result's range infinity; if there were NaN or infinities, what IEEE 754 has
  /// for their sum.
  template <exact_result Result>
  [[nodiscard]] Result finish() const {
    exact_words<Terms> words = words_;
    return round_sum<Result, layout>(words.at(), range_of<layout>(words.at()));
  }

  /// The same sum in the same bytes, whoever added it up and in whatever order: a number that names
  /// the kind of accumulator and the words, each 8 bytes, the least significant first.
  [[nodiscard]] std::array<std::byte, serialized_size> serialize() const {
    exact_words<Terms> words = words_;
    carry<layout>(words.at());
    words.word[layout::specials] = counted_once(words.word[layout::specials]);
    std::array<std::byte, serialized_size> bytes{};
    for (std::size_t k = 0; k <= layout::size; ++k) {
      auto const word = k == 0 ? kind : static_cast<std::uint64_t>(words.word[k - 1]);
      for (std::size_t b = 0; b < 8; ++b)
        bytes[8 * k + b] = static_cast<std::byte>(word >> (8 * b) & 0xff);
    }
    return bytes;
  }

  /// Whether two sums are exactly equal (and met the same NaN and infinities).
  [[nodiscard]] friend bool operator==(exact_accumulator_of const& a,
                                       exact_accumulator_of const& b) {
    return a.serialize() == b.serialize();
  }

protected:
  using layout = typename Terms::layout;
  static constexpr std::uint64_t kind = std::uint64_t{0x57666f6c} << 32 | // "Wfol"
                                        static_cast<std::uint64_t>(-layout::lowest) << 16 |
                                        std::uint64_t{layout::words};

  void read(std::span<std::byte const> bytes) {
    auto const word_at = [&](std::size_t k) {
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < 8; ++b)
        word |= std::to_integer<std::uint64_t>(bytes[8 * k + b]) << (8 * b);
      return word;
    };
    if (bytes.size() != serialized_size)
      throw argument_error("bytes", std::to_string(bytes.size()) + " of them, not " +
                                        std::to_string(serialized_size));
    check_elements("bytes", bytes.data(), bytes.size());
    if (word_at(0) != kind) throw argument_error("bytes", "not of an accumulator of this kind");
    for (std::size_t k = 1; k <= layout::size; ++k) {
      std::uint64_t const word = word_at(k);
      if (k < layout::words && word >> layout::step != 0)
        throw argument_error("bytes", "word " + std::to_string(k) + " is out of range");
      words_.word[k - 1] = static_cast<std::int64_t>(word);
    }
    auto const specials = words_.word[layout::specials];
    if (specials != counted_once(specials))
      throw argument_error("bytes", "NaN or infinities are not counted once");
  }

  exact_words<Terms> words_;
};

} // namespace detail

/// An exact sum of T's, float or double, that can be added to and merged in any order: a
/// fixed-point number with room for 2^63 terms. Host and GPU fill the same one: see
/// exact_accumulate. Trivially copyable.
///
/// a.merge(b) adds what b has added up. a.finish<Result>() is the sum, rounded once to float or
/// double. a.serialize() gives the same bytes for the same sum, whoever added it up and in whatever
/// order, and == compares these. All work at once on the calling thread, and none throws but
/// deserialize().
template <detail::exact_result T>
class exact_accumulator : public detail::exact_accumulator_of<detail::exact_values<T>> {
public:
  using value_type = T;

  /// Adds a number, or all of them.
  void add(T x) { this->words_.add(x); }
  /// @throws argument_error for a null span with a size
  void add(std::span<T const> values) {
    detail::check_elements("values", values.data(), values.size());
    detail::add_range(this->words_, 0, std::ssize(values),
                      [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  }

  /// @throws argument_error if the bytes are not what serialize() of the same class returns
  [[nodiscard]] static exact_accumulator deserialize(std::span<std::byte const> bytes) {
    exact_accumulator read;
    read.read(bytes);
    return read;
  }
};

/// The same for products of two T's: at once on the calling thread, and none throws but
/// deserialize().
template <detail::exact_result T>
class exact_product_accumulator : public detail::exact_accumulator_of<detail::exact_products<T>> {
public:
  using value_type = T;

  /// Adds the product, which is not rounded before.
  void add(T x, T y) { this->words_.add(detail::factors<T>{x, y}); }

  /// The square root of a sum of squares, rounded as in finish().
  template <detail::exact_result Result>
  [[nodiscard]] Result finish_root() const {
    auto words = this->words_;
    using words_layout = typename exact_product_accumulator::layout;
    return detail::round_root<Result, words_layout>(words.at(),
                                                    detail::range_of<words_layout>(words.at()));
  }

  /// @throws argument_error if the bytes are not what serialize() of the same class returns
  [[nodiscard]] static exact_product_accumulator deserialize(std::span<std::byte const> bytes) {
    exact_product_accumulator read;
    read.read(bytes);
    return read;
  }
};

namespace detail {

enum class exact_kind { sum, dot, norm2 };
/// What is made of the words in the end.
enum class exact_form { as_float, as_double, as_words };

template <class T>
concept exact_element = one_of<T, float, double, __half, __nv_bfloat16>;
template <class Asked, class Place, class Range>
using exact_result_of =
    std::conditional_t<std::is_void_v<Asked>,
                       typename default_accumulator<element_t<Place, Range>>::type, Asked>;
template <class Result>
inline constexpr exact_form form_of = std::same_as<Result, float>    ? exact_form::as_float
                                      : std::same_as<Result, double> ? exact_form::as_double
                                                                     : exact_form::as_words;

template <class Place, class Range, class Asked = void>
concept exact_range =
    exact_element<element_t<Place, Range>> && exact_result<exact_result_of<Asked, Place, Range>>;
template <class Place, class X, class Y, class Asked = void>
concept exact_ranges =
    exact_range<Place, X, Asked> && std::same_as<element_t<Place, X>, element_t<Place, Y>>;

/// Writes the sum, dot product or norm to `result`, in the given form. y is x but for dot products.
template <class T>
void exact_to(gpu& place, exact_kind what, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result);
template <class T>
void exact_to(host const& place, exact_kind what, std::span<T const> x, std::span<T const> y,
              exact_form form, void* result);

template <class Result, class Place, class X, class Y>
Result exact_now(Place& place, exact_kind what, X const& x, Y const& y) {
  return compute_now<Result>(place, [&](Result* result) {
    exact_to<element_t<Place, X>>(place, what, span_t<Place, X>(x), span_t<Place, X>(y),
                                  form_of<Result>, result);
  });
}

template <class Result, class Place, class X, class Y>
void exact_later(Place& place, exact_kind what, X const& x, Y const& y,
                 result_t<Place, Result> result) {
  compute_later(result, [&](Result* to) {
    exact_to<element_t<Place, X>>(place, what, span_t<Place, X>(x), span_t<Place, X>(y),
                                  form_of<Result>, to);
  });
}

} // namespace detail

// What holds for every verb below.
//
// place       a gpu or a host; the values live there: float, double, __half or __nv_bfloat16, any
//             number at any alignment.
// Result      float or double: what the exact value is rounded to, once, to nearest, ties to even.
//             By default double for double and float for the others. Zero is +0; beyond the range
//             of Result infinity; NaN and infinities among the elements as IEEE 754 has their sum.
// Blocking    verb(place, values, ...) returns the value when the work is done.
// _async      verb_async(place, values, ..., result) writes it to result[0], which lives where the
//             values do. On a gpu it enqueues one kernel on the stream and returns; it neither
//             allocates nor waits, and can be captured in a CUDA graph. The arguments must stay
//             valid until the stream has passed it. On a host it is done on return.
// Determinism the same bits for every order of the elements, on the host and every GPU, for any
//             number of threads.
// Throws      argument_error for a null span with a size, spans of different sizes, a result
//             without room; nothing is then enqueued and no output is touched. cuda_error if the
//             runtime fails.
// Source      docs/numerics.md explains the algorithm and names the literature.

/// The sum of the elements, correctly rounded.
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
auto exact_sum(Place&& place, Range const& values) {
  using R = detail::exact_result_of<Result, Place, Range>;
  return detail::exact_now<R>(place, detail::exact_kind::sum, values, values);
}
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
void exact_sum_async(
    Place&& place, Range const& values,
    detail::result_t<Place, detail::exact_result_of<Result, Place, Range>> result) {
  using R = detail::exact_result_of<Result, Place, Range>;
  detail::exact_later<R>(place, detail::exact_kind::sum, values, values, result);
}

/// The sum of the products x[i] * y[i], correctly rounded: no product is rounded before.
template <class Result = void, class Place, elements_for<Place> X, elements_for<Place> Y>
requires detail::exact_ranges<Place, X, Y, Result>
auto exact_dot(Place&& place, X const& x, Y const& y) {
  using R = detail::exact_result_of<Result, Place, X>;
  return detail::exact_now<R>(place, detail::exact_kind::dot, x, y);
}
template <class Result = void, class Place, elements_for<Place> X, elements_for<Place> Y>
requires detail::exact_ranges<Place, X, Y, Result>
void exact_dot_async(Place&& place, X const& x, Y const& y,
                     detail::result_t<Place, detail::exact_result_of<Result, Place, X>> result) {
  using R = detail::exact_result_of<Result, Place, X>;
  detail::exact_later<R>(place, detail::exact_kind::dot, x, y, result);
}

/// The Euclidean norm, the square root of the sum of squares, correctly rounded: it overflows and
/// underflows only where the result does.
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
auto exact_norm2(Place&& place, Range const& values) {
  using R = detail::exact_result_of<Result, Place, Range>;
  return detail::exact_now<R>(place, detail::exact_kind::norm2, values, values);
}
template <class Result = void, class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range, Result>
void exact_norm2_async(
    Place&& place, Range const& values,
    detail::result_t<Place, detail::exact_result_of<Result, Place, Range>> result) {
  using R = detail::exact_result_of<Result, Place, Range>;
  detail::exact_later<R>(place, detail::exact_kind::norm2, values, values, result);
}

namespace detail {
template <class Place, class Range>
using accumulator_type = exact_accumulator<exact_result_of<void, Place, Range>>;
template <class Place, class Range>
using product_accumulator_type = exact_product_accumulator<exact_result_of<void, Place, Range>>;
} // namespace detail

/// The exact sum itself, not rounded: to be merged with those of other places.
template <class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range>
auto exact_accumulate(Place&& place, Range const& values) {
  using A = detail::accumulator_type<Place, Range>;
  return detail::exact_now<A>(place, detail::exact_kind::sum, values, values);
}
template <class Place, elements_for<Place> Range>
requires detail::exact_range<Place, Range>
void exact_accumulate_async(
    Place&& place, Range const& values,
    detail::result_t<Place, detail::accumulator_type<Place, Range>> result) {
  using A = detail::accumulator_type<Place, Range>;
  detail::exact_later<A>(place, detail::exact_kind::sum, values, values, result);
}

/// The exact dot product itself, not rounded.
template <class Place, elements_for<Place> X, elements_for<Place> Y>
requires detail::exact_ranges<Place, X, Y>
auto exact_accumulate_products(Place&& place, X const& x, Y const& y) {
  using A = detail::product_accumulator_type<Place, X>;
  return detail::exact_now<A>(place, detail::exact_kind::dot, x, y);
}
template <class Place, elements_for<Place> X, elements_for<Place> Y>
requires detail::exact_ranges<Place, X, Y>
void exact_accumulate_products_async(
    Place&& place, X const& x, Y const& y,
    detail::result_t<Place, detail::product_accumulator_type<Place, X>> result) {
  using A = detail::product_accumulator_type<Place, X>;
  detail::exact_later<A>(place, detail::exact_kind::dot, x, y, result);
}

} // namespace warpfold::inline v0
