#pragma once
// From the words that an aggregated_sum leaves in GPU memory to an exact accumulator.

#include <warpfold/detail/counting/aggregated_sum_body.hpp>
#include <warpfold/reduction/exact.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T>
exact_accumulator<T> accumulator_of_total(std::span<std::uint64_t const> total) {
  using from = total_layout<T>;
  using to = typename exact_values<T>::layout;
  if (total.size() != from::size) refuse("total", text(total.size(), " numbers"), from::size);
  std::int64_t word[from::size];
  std::transform(total.begin(), total.end(), word,
                 [](std::uint64_t x) { return static_cast<std::int64_t>(x); });
  exact_words<exact_values<T>> words;
  if constexpr (std::is_same_v<from, to>) {
    std::copy(std::begin(word), std::end(word), words.word);
  } else {
    carry<from>(exact_row{word});
    constexpr int last = from::words - 1;
    static_assert(from::lowest == to::lowest && from::step * last == to::step * (to::words - 1));
    for (int k = 0; k < last; ++k)
      add_pair(words.at(),
               pair_of_bits<to>(static_cast<std::uint64_t>(word[k]), from::step * k, false));
    words.word[to::words - 1] += word[last];
    words.word[to::specials] = word[from::specials];
  }
  exact_accumulator<T> sum;
  sum.words_.add(words);
  return sum;
}

} // namespace warpfold::inline v0::detail
