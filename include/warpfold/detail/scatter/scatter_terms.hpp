#pragma once
// Terms say what a value adds to the words of its bin, and how words are rounded to a result.
//
// Members of terms:
//   words              64-bit integers of a bin
//   are_exact          nothing is rounded before the end: any bin may need many words
//   accepts(x)         whether a value can be added
//   each_word(x, use)  calls use(w, q) for the words w that x adds q to, modulo 2^64
//   round(job, bin, end, result)
//                      the sum of a bin, rounded to nearest, ties to even; false, and NaN, if there
//                      is none. A look leaves the words as they were.

#include <warpfold/detail/scatter/bins.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Multiples of a unit.
template <class T, int Words>
struct fixed_terms {
  static constexpr int words = Words;
  static constexpr bool are_exact = false;

  fixed_point<T> unit;

  WARPFOLD_HOST_DEVICE explicit fixed_terms(scatter_unit<T> const& of) : unit{of.get()} {}
  WARPFOLD_HOST_DEVICE bool accepts(T x) const { return unit.accepts(x); }
  template <class Use>
  WARPFOLD_HOST_DEVICE void each_word(T x, Use use) const {
    fixed_words<words> const q = unit.template words_of<words>(x);
    WARPFOLD_UNROLL
    for (int w = 0; w < words; ++w) use(w, q.word[w]);
  }
  WARPFOLD_HOST_DEVICE bool round(scatter_rounding<T> const& job, std::int64_t bin, scatter_end,
                                  T& result) const {
    auto const* from = reinterpret_cast<fixed_words<words> const*>(job.sums) + bin;
    fixed_words<words> q = *from;
    for (int p = 1; p < job.parts; ++p) q += *(from += job.bins);
    bool const is_good = (job.before == nullptr || unit.accepts_result(job.before[bin])) &&
                         (!job.needs_bound || job.unit.is_bound());
    if (job.before != nullptr && is_good) q += unit.template words_of<words>(job.before[bin]);
    bool const fits = unit.round(q, result);
    if (!is_good) result = unit.none();
    return is_good && fits;
  }
};

/// All bits of the type's range in digits of 28 bits: a value has two, or, in double, three of
/// them. A word has room for those of 2^35 values, so that nothing is carried before the end.
template <class T>
struct digit_terms {
  static constexpr int digit = 28, most_log_values = 63 - digit;
  static constexpr int bits = float_format<T>::max_biased - 2 + float_format<T>::digits;
  using layout = exact_layout<float_format<T>::lowest, digit, (bits + digit - 1) / digit>;
  static constexpr int words = layout::words;
  static constexpr bool are_exact = true;

  WARPFOLD_HOST_DEVICE explicit digit_terms(scatter_unit<T> const&) {}
  WARPFOLD_HOST_DEVICE bool accepts(T x) const { return unpacked<T>(x).is_finite(); }
  template <class Use>
  WARPFOLD_HOST_DEVICE void each_word(T x, Use use) const {
    word_pair const pair = pair_of<layout>(unpacked<T>(x));
    auto const use_some = [&](int w, std::int64_t q) {
      if (q != 0) use(w, static_cast<std::uint64_t>(q));
    };
    use_some(pair.word, pair.low);
    if constexpr (float_format<T>::digits <= digit) {
      use_some(pair.word + 1, pair.high);
    } else {
      use_some(pair.word + 1, layout::own(pair.high, pair.word + 1));
      use_some(pair.word + 2, layout::next(pair.high, pair.word + 1));
    }
  }
  WARPFOLD_HOST_DEVICE bool round(scatter_rounding<T> const& job, std::int64_t bin, scatter_end end,
                                  T& result) const {
    bool const is_good = job.before == nullptr || accepts(job.before[bin]);
    result = fixed_point<T>::none();
    if (end == scatter_end::look || !is_good) return is_good;
    exact_row const sum{reinterpret_cast<std::int64_t*>(job.sums) + bin * words};
    for (std::int64_t p = 1; p < job.parts; ++p)
      for (int k = 0; k < words; ++k) sum(k) += sum.first[p * job.bins * words + k];
    if (job.before != nullptr)
      each_word(job.before[bin],
                [&](int w, std::uint64_t q) { sum(w) += static_cast<std::int64_t>(q); });
    result = round_finite_sum<T, layout>(sum, range_of<layout>(sum));
    return true;
  }
};

/// The kind of terms: fixed ones of one or two words, or digits.
enum class scatter_form { narrow, wide, exact };
template <class T>
constexpr int words_of_bin(scatter_form form) {
  if (form == scatter_form::exact) return digit_terms<T>::words;
  return form == scatter_form::wide ? 2 : 1;
}
/// Calls use(std::type_identity<Terms>()) with the terms of a form.
template <class T, bool MayBeWide = true, class Use>
void with_terms(scatter_form form, Use const& use) {
  if (form == scatter_form::exact) return use(std::type_identity<digit_terms<T>>());
  if constexpr (MayBeWide)
    if (form == scatter_form::wide) return use(std::type_identity<fixed_terms<T, 2>>());
  use(std::type_identity<fixed_terms<T, 1>>());
}

} // namespace warpfold::inline v0::detail
