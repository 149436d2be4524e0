#pragma once
// Early exercise by a kernel a date: its body, over a block.

#include <warpfold/detail/pricing/exercise/exercise_body.hpp>

namespace warpfold::inline v0::detail {

/// The most options that a block takes a date of, one after the other, before it meets other
/// blocks: where their sums are few.
template <class T, class Right>
inline constexpr int regressed_together = sizeof(regression_sums<T, Right::basis>) <= 144 ? 8 : 1;

/// An option at a date: the rule of the date after, and whether this one has_sums.
template <class T, class Right>
struct dated_option {
  Right right;
  exercise_rule<T, Right::basis> rule;
  bool sums_up;
};

/// What a block shares that takes up to `most` options. One option's right is nowhere here: a
/// user's may be no type for shared memory.
template <class T, class Right, int most>
struct exercise_shared {
  static constexpr int size = regression_sums<T, Right::basis>::size;
  struct none {};

  [[no_unique_address]] std::conditional_t<(most > 1), dated_option<T, Right>[most], none> options;
  union {
    warp_rows<T> rows[exercise_threads / 32];
    double parts[most][tile_total<size>::parts][size]; ///< after the rows of all options
  };
  double warps[most][exercise_threads / 32][size];
  double totals[most][size];
  bool last;
};

/// The last block of `count` options from `first` on, those of `summed`, a bit each and at least
/// one, adds up the sums of all tiles.
template <thread_block Block, class T, class Right, int most>
WARPFOLD_HOST_DEVICE void finish_options(Block const& block, exercise_shape const& shape,
                                         exercise_memory<T, Right> const& memory, int date,
                                         int first, int count, unsigned summed,
                                         exercise_shared<T, Right, most>& shared) {
  constexpr int size = exercise_shared<T, Right, most>::size, together = most < 4 ? 1 : 4;
  using total = tile_total<size>;
  int const rank = block.thread_rank();
  total const own(rank);
  int some = 0; // others are read instead of options without sums
  while ((summed >> some & 1) == 0) ++some;
  if (own.sum < size) {
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < count; k += together) {
      double const* partials[together];
      double totals[together];
      WARPFOLD_UNROLL
      for (int u = 0; u < together; ++u) {
        int const option = first + ((summed >> (k + u) & 1) != 0 ? k + u : some);
        partials[u] = memory.partials + std::int64_t{option} * shape.tiles * size;
      }
      own.add(partials, shape.tiles, totals);
      WARPFOLD_UNROLL
      for (int u = 0; u < together; ++u) shared.parts[k + u][own.part][own.sum] = totals[u];
    }
  }
  block.sync();
  for (int i = rank; i < count * size; i += exercise_threads)
    shared.totals[i / size][i % size] = total::add_parts(shared.parts[i / size], i % size);
  block.sync();
  if (rank < count && (summed >> rank & 1) != 0)
    detail::finish_date(memory, shape, date, first + rank, shared.totals[rank]);
}

/// Reads what is needed of `count` options from `first` on, and waits for the date after. Then a
/// block that puts rules writes those that no regression made.
template <thread_block Block, class T, class Right, int most>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
take_options(Block const& block, exercise_memory<T, Right> const& memory, int date, int first,
             int count, bool puts_rules, dated_option<T, Right> (&options)[most]) {
  int const rank = block.thread_rank(), dates = memory.date_count;
  dated_option<T, Right>* const own = rank < count ? options + rank : nullptr;
  if (own) {
    own->right = memory.rights[first + rank];
    own->sums_up = detail::has_sums(own->right, date, dates);
  }
  block.wait_for_previous_grid();
  if (own) {
    own->rule = rule_of<T>(own->right, memory.rules.at(date + 1, first + rank), date + 1, dates);
    if (puts_rules) detail::put_rule(memory, own->right, own->rule, first + rank, date);
  }
  block.sync();
}

/// One date of a tile's paths, and of the options from `first` on. Returns those that have sums, a
/// bit each; these are in shared.warps after a barrier.
template <thread_block Block, class T, class Right, int most>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unsigned
regress_tile(Block const& block, exercise_shape const& shape,
             exercise_memory<T, Right> const& memory, int date, int tile, int first, int count,
             exercise_shared<T, Right, most>& shared) {
  using sums_type = regression_sums<T, Right::basis>;
  constexpr int stride = exercise_threads, together = exercise_together<T, Right>;
  int const rank = block.thread_rank(), warp = rank / 32;
  tile_date<T, Right> of(memory, shape, first, date, tile);
  // Each option's worth is on its way while the one before it is worked on. More of it would push
  // what paths kept out of the L2 cache: on an NVIDIA H200 64 puts with 2^22 paths took 60.0 ms so,
  // and take 49.6.
  constexpr int most_fetched = 4096;
  bool const fetches = most > 1 && rank == 0 && of.has_worth && of.left <= most_fetched;
  unsigned const fetched =
      fetches ? static_cast<unsigned>(of.left) * static_cast<unsigned>(sizeof(T)) / 16 * 16 : 0;
  if (fetched > 0) block.prefetch(of.worth, fetched);
  if constexpr (most == 1) {
    block.wait_for_previous_grid();
    of.learn(memory, first, date);
    if (tile == 0 && rank == 0) detail::put_rule(memory, of.right, of.rule, first, date);
  } else {
    detail::take_options(block, memory, date, first, count, tile == 0, shared.options);
  }
  unsigned summed = 0;
  WARPFOLD_UNROLL_BY(1)
  for (int k = 0; k < count; ++k) {
    if constexpr (most > 1) {
      of.right = shared.options[k].right;
      of.rule = shared.options[k].rule;
      of.sums_up = shared.options[k].sums_up;
      if (k > 0) of.worth += shape.apart;
      if (fetched > 0 && k + 1 < count) block.prefetch(of.worth + shape.apart, fetched);
    }
    sums_type sums{};
    auto const walk = [&]<path_share share>(std::integral_constant<path_share, share>) {
      detail::each_of_tile<together>(rank, of.left,
                                     [&]<int here>(std::integral_constant<int, here>, int i) {
                                       of.template step<here, share>(i, stride, sums);
                                     });
    };
    if (date >= 0 && of.sums_up)
      walk(std::integral_constant<path_share, path_share::observation>{});
    else walk(std::integral_constant<path_share, path_share::worth>{});
    if (!of.sums_up) continue;
    summed |= 1U << k;
    sum_over_rows(block, sums.of, shared.rows[warp],
                  [&](int s, T sum) { shared.warps[k][warp][s] = static_cast<double>(sum); });
  }
  return summed;
}

/// One date of `options` options: worth of all paths, and the date's rules. A block takes `each` of
/// them, 1 or up to `most`; each group of so many has a ticket, 0.
template <int most, thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE void
regress_date(Block const& block, exercise_shape shape, exercise_memory<T, Right> memory, int date,
             int options, int each, unsigned* tickets, exercise_shared<T, Right, most>& shared) {
  constexpr int size = regression_sums<T, Right::basis>::size, warps = exercise_threads / 32;
  int const rank = block.thread_rank();
  int const tiles = shape.tiles, groups = (options + each - 1) / each;
  for (int unit = block.block_rank(); unit < tiles * groups; unit += block.grid_size()) {
    int const group = unit / tiles, tile = unit % tiles, first = group * each;
    int const count = options - first < each ? options - first : each;
    if (rank == 0 && group == 0 && date > 0)
      detail::prefetch_tile(block, memory, shape, date - 1, tile);
    unsigned const summed =
        detail::regress_tile(block, shape, memory, date, tile, first, count, shared);
    if (most > 1 || summed != 0) block.sync();
    if (summed == 0) continue;
    for (int i = rank; i < count * size; i += exercise_threads) {
      int const k = i / size, s = i % size;
      if ((summed >> k & 1) == 0) continue;
      double sum = shared.warps[k][0][s];
      for (int w = 1; w < warps; ++w) sum += shared.warps[k][w][s];
      memory.partials[(std::int64_t{first + k} * tiles + tile) * size + s] = sum;
    }
    block.sync();
    if (rank == 0) shared.last = block.arrives_last(tickets + group, static_cast<unsigned>(tiles));
    block.sync();
    if (shared.last)
      detail::finish_options(block, shape, memory, date, first, count, summed, shared);
  }
}

} // namespace warpfold::inline v0::detail
