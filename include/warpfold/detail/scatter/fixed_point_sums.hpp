#pragma once
// <warpfold/scatter.cuh>, over a block.

#include <warpfold/detail/scatter/scatter.hpp>
#include <warpfold/detail/scatter/scatter_sums.hpp>

namespace warpfold::inline v0 {

template <class T, bool Wide, detail::thread_block Block>
class fixed_point_sums {
public:
  static constexpr int words_of_bin = Wide ? 2 : 1;

  /// A view of the sums of words.size() / words_of_bin bins.
  /// @throws argument_error for words that are null with a size, misaligned, or not whole bins; and
  ///         for a bound that is none
  fixed_point_sums(device_span<std::uint64_t> words, scatter_bound const& bound)
      : words_{words.data()}, bins_{words.size() / words_of_bin},
        terms_({detail::fixed_point<T>(bound), nullptr, 0}) {
    detail::verb const scope("fixed_point_sums");
    detail::check_elements("words", words.data(), words.size());
    if (words.size() % words_of_bin != 0)
      detail::refuse("words", detail::text(words.size(), " elements"), "an even number");
    detail::check_scatter_options(&bound, 0, {});
  }

  /// Adds a value to a bin. Returns false, and adds nothing, if the bin is none or the value beyond
  /// the bound. Any threads may call it.
  WARPFOLD_HOST_DEVICE bool add(std::uint64_t bin, T value, Block const& block = {}) const {
    if (bin >= bins_ || !terms_.accepts(value)) return false;
    detail::add_words(block, words_, bin, terms_, value);
    return true;
  }

  /// The sum of a bin that nobody adds to any more, rounded; NaN if it is beyond the bound.
  WARPFOLD_HOST_DEVICE T sum(std::uint64_t bin) const {
    detail::fixed_words<words_of_bin> q;
    for (int w = 0; w < words_of_bin; ++w) q.word[w] = words_[bin * words_of_bin + w];
    T result;
    terms_.unit.round(q, result);
    return result;
  }

private:
  std::uint64_t* words_;
  std::uint64_t bins_;
  detail::fixed_terms<T, words_of_bin> terms_;
};

} // namespace warpfold::inline v0
