#pragma once
// Exact sums on the host, with the words of the kernels'.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/reduction/exact_terms.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

/// Words on the host, and how many terms were added since they had all their room.
template <class Terms>
struct exact_words {
  using layout = typename Terms::layout;
  std::int64_t word[layout::size] = {};
  int additions = 0;

  auto at() { return exact_row{word}; }

  void add(typename Terms::element x) {
    if (!Terms::is_finite(x)) {
      word[layout::specials] |= Terms::special_of(x);
      return;
    }
    if (++additions > Terms::additions) renew();
    Terms::add(at(), x);
  }

  void add(expansion<Terms::parts> const& sum) {
    additions += Terms::parts;
    if (additions > Terms::additions) renew();
    for (int i = 0; i < Terms::parts; ++i) add_pair(at(), pair_of_part<Terms>(i, sum.part[i]));
  }

  /// Words that have room for each other's.
  void add(exact_words other) {
    renew();
    other.renew();
    for (int k = 0; k < layout::size; ++k) word[k] += other.word[k];
    word[layout::specials] = counted_once(word[layout::specials]);
    renew();
  }

  /// The sum rounded to nearest, ties to even; what it was is lost.
  template <class Result>
  Result round() {
    return round_sum<Result, layout>(at(), range_of<layout>(at()));
  }

  void renew() {
    make_room<layout>(at());
    additions = Terms::parts;
  }
};

/// Adds load(i) for every i in [begin, end).
template <class Terms, class Load>
void add_range(exact_words<Terms>& words, std::int64_t begin, std::int64_t end, Load load) {
  // Several expansions, so that the processor has additions to do that do not wait for each other.
  constexpr int lanes = 8, batch = 32 * lanes;
  using sums = std::array<expansion<Terms::parts>, lanes>;
  sums sum{};
  auto const put = [&](sums& from) {
    for (auto& one : from) words.add(one);
    from = {};
  };
  std::int64_t i = begin;
  for (; i + batch <= end; i += batch) {
    sums const before = sum;
    std::array<std::uint64_t, lanes> rest{};
    for (int j = 0; j < batch; j += lanes)
      for (std::size_t l = 0; l < lanes; ++l)
        rest[l] |= Terms::add_fast(sum[l], load(i + j + static_cast<std::int64_t>(l)));
    if (std::all_of(rest.begin(), rest.end(), [](std::uint64_t r) { return r == 0; })) continue;
    sum = before;
    put(sum);
    for (int j = 0; j < batch; ++j) words.add(load(i + j));
  }
  for (; i < end; ++i) words.add(load(i));
  put(sum);
}

/// The sum of load(i) for every i in [0, size), on up to `threads` threads.
template <class Terms, class Load>
exact_words<Terms> exact_host(int threads, std::size_t size, Load load) {
  auto const count = static_cast<std::int64_t>(size);
  std::int64_t const part = std::max(std::int64_t{1} << 16, count / (8 * threads) + 1);
  std::int64_t const parts = (count + part - 1) / part;
  std::vector<exact_words<Terms>> sums(static_cast<std::size_t>(parts));
  parallel_for(threads, parts, [&](std::int64_t p) {
    add_range(sums[static_cast<std::size_t>(p)], p * part, std::min(count, (p + 1) * part), load);
  });
  exact_words<Terms> total;
  for (auto const& one : sums) total.add(one);
  return total;
}

} // namespace warpfold::inline v0::detail
