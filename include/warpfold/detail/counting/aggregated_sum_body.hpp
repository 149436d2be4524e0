#pragma once
// aggregated_sum of <warpfold/counting/aggregated_counter.cuh>, over a block.
//
// A total is an exact sum's words in GPU memory, 32 bits apart, which atomic additions of integers
// fill in any order. A word that comes near its end hands a part to the next one, so that there is
// no limit to their number.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/counting/aggregated_counter_body.hpp>
#include <warpfold/detail/reduction/exact_terms.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0 {

namespace detail {

template <class T>
using total_layout = std::conditional_t<std::is_same_v<T, double>,
                                        exact_layout<float_format<double>::lowest, 32, 67>,
                                        typename exact_values<T>::layout>;

/// Adds to word k of a total.
///
/// Whoever finds the word at `far` or beyond after an addition takes `part` away until it is below,
/// and adds nothing else before. So of the threads that run at the same time, less than 2^19, each
/// is at most one addition ahead: less than 2^60 in all (they add 2^44 at most, but for block a
/// thousand of them together do). And they take away 2^61 at most: the word neither overflows nor
/// comes near the other end. Downwards is the same.
template <class Layout, class Block>
WARPFOLD_HOST_DEVICE void add_to_total(Block const& block, std::uint64_t* words, int k,
                                       std::int64_t amount) {
  constexpr std::int64_t far = std::int64_t{1} << 61, part = std::int64_t{1} << 42;
  auto const sum_with = [&](std::int64_t x) {
    auto const added = static_cast<std::uint64_t>(x);
    return static_cast<std::int64_t>(block.fetch_add(words + k, added) + added);
  };
  for (; amount != 0; ++k) {
    std::int64_t after = sum_with(amount), next = 0;
    if (k < Layout::words - 1) {
      bool const up = after >= far;
      while (up ? after >= far : after <= -far) {
        std::int64_t const back = up ? -part : part;
        after = sum_with(back);
        next -= back / (std::int64_t{1} << Layout::step);
      }
    }
    amount = next;
  }
}

/// The part of a pair that word k gets. Parts are below 2^32, but for the last word's.
template <class Layout>
WARPFOLD_HOST_DEVICE std::int64_t word_of(word_pair const& pair, int k) {
  if (k == pair.word) return pair.low;
  if (k == pair.word + 1) return Layout::own(pair.high, k);
  return k == pair.word + 2 ? Layout::next(pair.high, k - 1) : 0;
}

/// Adds finite numbers. Seldom called from many places: a call keeps those small.
template <class Layout, int Parts, thread_block Block>
WARPFOLD_HOST_DEVICE WARPFOLD_NOINLINE void add_parts_to_total(Block block, std::uint64_t* words,
                                                               expansion<Parts> sum) {
  WARPFOLD_UNROLL_BY(1)
  for (double const part : sum.part) {
    word_pair const pair = pair_of<Layout>(unpacked<double>(part));
    WARPFOLD_UNROLL_BY(1)
    for (int k = pair.word; k < pair.word + 3 && k < Layout::words; ++k)
      add_to_total<Layout>(block, words, k, word_of<Layout>(pair, k));
  }
}

/// Adds up the lanes' sums and calls put(k, word), in one lane, for the words of the result. All
/// lanes call it.
template <class Layout, int Parts, thread_block Block, class Put>
WARPFOLD_HOST_DEVICE void sum_up_lanes(Block const& block, unsigned lanes,
                                       expansion<Parts> const& sum, Put put) {
  word_pair pair[Parts];
  int first = Layout::words, last = -1;
  WARPFOLD_UNROLL
  for (int i = 0; i < Parts; ++i) {
    pair[i] = pair_of<Layout>(unpacked<double>(sum.part[i]));
    if (sum.part[i] == 0) continue;
    first = pair[i].word < first ? pair[i].word : first;
    last = pair[i].word + 2 > last ? pair[i].word + 2 : last;
  }
  first = block.reduce_min(lanes, first);
  last = -block.reduce_min(lanes, -(last < Layout::words ? last : Layout::words - 1));
  bool const puts = block.lane() == first_of(lanes);
  WARPFOLD_UNROLL_BY(1)
  for (int k = first; k <= last; ++k) {
    std::int64_t word = 0;
    WARPFOLD_UNROLL
    for (word_pair const& one : pair) word += word_of<Layout>(one, k);
    std::uint64_t const all = sum_of_lanes(block, lanes, static_cast<std::uint64_t>(word));
    if (puts && all != 0) put(k, all);
  }
}

template <class T>
struct words_of_block {
  std::uint64_t words[total_layout<T>::words];
};
} // namespace detail

template <aggregation Strategy, class T, detail::thread_block Block>
class aggregated_sum {
  using terms = detail::exact_values<T>;
  using layout = detail::total_layout<T>;
  static constexpr aggregation strategy = detail::resolved(Strategy);
  static constexpr bool staged = strategy == aggregation::block;
  static_assert(strategy != aggregation::any, "there is no sum of flags");

public:
  /// std::uint64_t's of a total.
  static constexpr int total_size = layout::size;

  /// As an aggregated_counter's.
  using shared_storage =
      std::conditional_t<staged, detail::words_of_block<T>, detail::empty_storage>;

  /// A thread's access to `total`, total_size numbers in GPU memory. With block and automatic all
  /// threads of the block come here, as to a barrier.
  WARPFOLD_HOST_DEVICE aggregated_sum(shared_storage& shared, std::uint64_t* total,
                                      Block const& block = {})
      : block_(block), total_{total}, shared_{&shared} {
    if constexpr (staged) {
      for (int k = block_.thread_rank(); k < layout::words; k += block_.size())
        shared_->words[k] = 0;
      block_.sync();
    }
  }
  aggregated_sum(aggregated_sum const&) = delete;
  aggregated_sum& operator=(aggregated_sum const&) = delete;

  /// Any threads may call it, together or not.
  WARPFOLD_HOST_DEVICE void add(T x) {
    if constexpr (staged) {
      detail::expansion<terms::parts> const before = sum_;
      if (terms::add_fast(sum_, x) == 0) return;
      detail::add_parts_to_total<layout>(block_, total_, before);
      sum_ = {};
      if (is_finite(x)) sum_.part[0] = static_cast<double>(x);
    } else if constexpr (strategy != aggregation::none) {
      detail::expansion<1> sum;
      if (is_finite(x)) sum.part[0] = static_cast<double>(x);
      if constexpr (strategy == aggregation::global)
        detail::add_parts_to_total<layout>(block_, total_, sum);
      else
        detail::sum_up_lanes<layout>(block_, block_.active(), sum, [&](int k, std::uint64_t word) {
          detail::add_to_total<layout>(block_, total_, k, static_cast<std::int64_t>(word));
        });
    }
  }

  /// As an aggregated_counter's.
  WARPFOLD_HOST_DEVICE void flush() {
    if constexpr (staged) {
      detail::sum_up_lanes<layout>(
          block_, detail::every_lane, sum_,
          [&](int k, std::uint64_t word) { block_.fetch_add(&shared_->words[k], word); });
      sum_ = {};
      block_.sync();
      for (int k = block_.thread_rank(); k < layout::words; k += block_.size()) {
        std::uint64_t const word = block_.exchange(&shared_->words[k], std::uint64_t{0});
        detail::add_to_total<layout>(block_, total_, k, static_cast<std::int64_t>(word));
      }
      block_.sync();
    }
  }

private:
  /// If not, that is noted.
  WARPFOLD_HOST_DEVICE bool is_finite(T x) {
    if (terms::is_finite(x)) return true;
    block_.set_bits(total_ + layout::specials, static_cast<std::uint64_t>(terms::special_of(x)));
    return false;
  }

  Block block_;
  std::uint64_t* total_;
  shared_storage* shared_;
  detail::expansion<terms::parts> sum_;
};

} // namespace warpfold::inline v0
