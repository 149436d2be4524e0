#pragma once
// The base of the exact accumulators, and the jobs of the exact verbs.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/reduction/exact_host.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpfold::inline v0 {

namespace detail {
template <class T>
concept exact_result = one_of<T, float, double>;
}
template <detail::exact_result T>
class exact_accumulator;
template <detail::exact_result T>
class exact_product_accumulator;

namespace detail {

/// Base of the exact accumulators of these terms.
template <class Terms>
class exact_accumulator_of {
  using layout = typename Terms::layout;

public:
  /// Size of the serialised form.
  static constexpr std::size_t serialized_size = 8 * (Terms::layout::size + 1);

  /// Adds what another accumulator has added up.
  void merge(exact_accumulator_of const& other) { words_.add(other.words_); }

  /// The exact sum rounded to `Result`, to nearest, ties to even. Without a term, or if the terms
  /// cancel, +0; beyond Result's range infinity; if there were NaN or infinities, what IEEE 754 has
  /// for their sum.
  template <exact_result Result>
  [[nodiscard]] Result finish() const {
    return exact_words<Terms>(words_).template round<Result>();
  }

  /// Equal sums as equal bytes, in whatever order they were added up: a number that names the kind
  /// of accumulator, and the words, each 8 bytes, the least significant first.
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

  /// True if two sums are exactly equal (and met the same NaN and infinities).
  [[nodiscard]] friend bool operator==(exact_accumulator_of const& a,
                                       exact_accumulator_of const& b) {
    return a.serialize() == b.serialize();
  }

protected:
  template <class T>
  friend exact_accumulator<T> accumulator_of_total(std::span<std::uint64_t const> total);

  /// Replaces the words by those of serialize(), of an accumulator of this kind.
  void read(std::span<std::byte const> bytes) {
    auto const word_at = [&](std::size_t k) {
      std::uint64_t word = 0;
      for (std::size_t b = 0; b < 8; ++b)
        word |= std::to_integer<std::uint64_t>(bytes[8 * k + b]) << (8 * b);
      return word;
    };
    if (bytes.size() != serialized_size)
      refuse("bytes", text(bytes.size(), " of them"), serialized_size);
    check_elements("bytes", bytes.data(), bytes.size());
    if (word_at(0) != kind)
      refuse("bytes", "of another kind of accumulator", "serialize() of the same class");
    for (std::size_t k = 1; k <= layout::size; ++k) {
      std::uint64_t const word = word_at(k);
      if (k < layout::words && word >> layout::step != 0)
        refuse("bytes", text("with word ", k, " = ", word), text("words below 2^", layout::step));
      auto const value = static_cast<std::int64_t>(word);
      if (k == layout::words && (value < -most_of_last || value > most_of_last))
        refuse("bytes", text("with word ", k, " = ", value),
               text("a last word of ", -most_of_last, " to ", most_of_last));
      words_.word[k - 1] = value;
    }
    auto const specials = words_.word[layout::specials];
    if (specials != counted_once(specials))
      refuse("bytes", text("with ", specials, " for NaN and infinities"), "each counted once");
  }

  exact_words<Terms> words_;

private:
  /// Magnitude of the last word. After 2^63 terms it is at most 2^41 for floats, 2^49 for doubles,
  /// 2^47 and 2^35 for their products.
  static constexpr std::int64_t most_of_last = std::int64_t{1} << 50;
  static constexpr std::uint64_t kind = std::uint64_t{0x57666f6c} << 32 | // "Wfol"
                                        static_cast<std::uint64_t>(-layout::lowest) << 16 |
                                        std::uint64_t{layout::words};
};

enum class exact_kind { sum, dot, norm2 };
/// The result that is made of the words.
enum class exact_form { as_float, as_double, as_words };

/// Writes the result from words, which it may overwrite.
template <class Terms>
struct exact_output {
  exact_kind kind;
  exact_form form;
  void* result;

  WARPFOLD_HOST_DEVICE void operator()(exact_row words, word_range range) const {
    using layout = typename Terms::layout;
    if (form == exact_form::as_words) {
      carry<layout>(words);
      words(layout::specials) = counted_once(words(layout::specials));
      auto& to = *static_cast<exact_words<Terms>*>(result);
      for (int k = 0; k < layout::size; ++k) to.word[k] = words(k);
      to.additions = 0;
    } else if (form == exact_form::as_float) {
      *static_cast<float*>(result) = rounded<float>(words, range);
    } else {
      *static_cast<double*>(result) = rounded<double>(words, range);
    }
  }

private:
  template <class T>
  WARPFOLD_HOST_DEVICE T rounded(exact_row words, word_range range) const {
    using layout = typename Terms::layout;
    if constexpr (Terms::are_products)
      if (kind == exact_kind::norm2) return round_root<T, layout>(words, range);
    return round_sum<T, layout>(words, range);
  }
};

template <class Asked, class Place, class Range>
using exact_result_of =
    std::conditional_t<std::is_void_v<Asked>,
                       typename default_accumulator<element_t<Place, Range>>::type, Asked>;
template <class Asked, class Place, class Range>
using exact_result_for = result_t<Place, exact_result_of<Asked, Place, Range>>;
template <class Place, class Range>
using accumulator_type = exact_accumulator<exact_result_of<void, Place, Range>>;
template <class Place, class Range>
using product_accumulator_type = exact_product_accumulator<exact_result_of<void, Place, Range>>;

template <class Range, class Place, class Asked = void>
concept exact_elements =
    floating_elements<Range, Place> && exact_result<exact_result_of<Asked, Place, Range>>;
template <class Y, class Place, class X>
concept same_elements = std::same_as<element_t<Place, X>, element_t<Place, Y>>;

/// Writes the sum, dot product or norm to `result`, in the given form. y is x but for dot products.
template <class T>
void exact_to(gpu& place, exact_kind kind, device_span<T const> x, device_span<T const> y,
              exact_form form, void* result);
template <class T>
void exact_to(host const& place, exact_kind kind, std::span<T const> x, std::span<T const> y,
              exact_form form, void* result);

template <class Result, class Place, class X, class Y>
auto exact_job(Place& place, exact_kind kind, X const& x, Y const& y) {
  constexpr exact_form form = std::same_as<Result, float>    ? exact_form::as_float
                              : std::same_as<Result, double> ? exact_form::as_double
                                                             : exact_form::as_words;
  using view = span_t<Place, X>;
  return job_of<Result>(place, [&place, kind, x = view(x), y = view(y)](Result* result) {
    exact_to<element_t<Place, X>>(place, kind, x, y, form, result);
  });
}
/// The job of one array.
template <class Result, class Place, class Range>
auto exact_job(Place& place, exact_kind kind, Range const& values) {
  return exact_job<Result>(place, kind, values, values);
}

} // namespace detail
} // namespace warpfold::inline v0
