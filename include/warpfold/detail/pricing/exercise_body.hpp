#pragma once
// Early exercise by least squares (F. A. Longstaff, E. S. Schwartz, Valuing American options by
// simulation, Review of Financial Studies 14, 2001): the bodies of the kernels, over a block.
//
// Regression paths are walked once, and what rules look at is kept, of every date and path:
// exercise_walk.hpp. Then dates go backward: each turns the worth of the dates after it into a
// regression, whose fit is the rule of the date. Pricing paths, independent ones, are walked with
// all rules known: exercise_payoff.hpp.
//
// Right, below, is an option's right to exercise on paths of a model:
//   basis                     regressors
//   kept                      values that it looks at; trivially copyable
//   date                      constants of a date, among them `discount`, from 0
//   unit                      of payments: large prices are no large numbers below
//   when(j, dates)            how date j decides: never, wherever it pays, or by regression, but
//                             not the last date
//   start(path), observe(memory&, path, now)
//                             the memory of a path; may be left out
//   keep(memory, path, now)   the values to keep at the end of a step; or without the memory
//   exercise(kept)            the payment, in units
//   regressors(kept, date, T (&)[basis], counts = true)
//                             all are 0 if it does not count; `counts` may be left out
// Worth is in units, discounted to time 0.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/pricing/exercise_walk.hpp>
#include <warpfold/detail/pricing/regression.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

enum class exercise_decision : std::uint8_t { never, wherever_it_pays, regression };

inline constexpr int exercise_threads = 256;

/// Paths, or options, that a thread works on at the same time: where a path's sums leave room.
template <class T, class Right>
inline constexpr int exercise_together = sizeof(regression_sums<T, Right::basis>) <= 288 ? 4 : 1;

/// The most options that a block takes a date of, one after the other, before it meets other
/// blocks.
template <class T, class Right>
inline constexpr int regressed_together = sizeof(regression_sums<T, Right::basis>) <= 144 ? 8 : 1;

/// Regression paths, in tiles whose sums are partials. They are few enough for one block to add up.
struct exercise_shape {
  static constexpr std::int64_t most_tiles = 512;

  std::int64_t paths = 0;
  int tile_paths = exercise_threads; ///< a multiple of them; the last tile may have fewer
  int tiles = 0;

  /// Tiles of so many paths a thread; by default as few as make no more tiles than most_tiles.
  static constexpr exercise_shape of(std::int64_t paths, std::int64_t rounds = 0) {
    constexpr std::int64_t few = most_tiles * exercise_threads;
    std::int64_t const tile = (rounds > 0 ? rounds : (paths + few - 1) / few) * exercise_threads;
    return {paths, static_cast<int>(tile), static_cast<int>((paths + tile - 1) / tile)};
  }
};

/// Rules of options: those of a date lie side by side, `options` of them.
template <class Rule>
struct rule_table {
  Rule* of; ///< of the first option here
  std::uint32_t options;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Rule* at(int date, int option) const {
    return of + std::uint64_t{static_cast<std::uint32_t>(date)} * options + option;
  }
};

/// The memory of backward dates, of all options that are worked on together.
template <class T, class Right>
struct exercise_memory {
  using rule = exercise_rule<T, Right::basis>;

  Right const* rights;
  typename Right::date const* dates;
  int date_count;
  kept_paths<typename Right::kept> kept;
  T* worth;         ///< [option][path]: of later dates; null where it stays with the blocks
  double* partials; ///< [option][tile][sum]; null there, too
  rule_table<rule> rules;
  double* in_sample; ///< [option]
};

/// An option's rule of a date. One of a regression is at `learned`.
template <class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE exercise_rule<T, Right::basis>
rule_of(Right const& right, exercise_rule<T, Right::basis> const* learned, int date, int dates) {
  using rule = exercise_rule<T, Right::basis>;
  switch (right.when(date, dates)) {
  case exercise_decision::never: return rule::never();
  case exercise_decision::wherever_it_pays: return rule::wherever_it_pays();
  default: return *learned;
  }
}

/// True if a date makes a regression's rule, or as the date before the first one a mean.
template <class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool has_sums(Right const& right, int date, int dates) {
  return date < 0 || right.when(date, dates) == exercise_decision::regression;
}

/// What a path adds to a tile's sums: its worth alone, as the first response; the response to
/// regressors whose products are added elsewhere; or an observation.
enum class path_share : std::uint8_t { worth, response, observation };

/// use(count, i) for a thread's paths i, i + threads, ... of a tile, `count` at a time.
template <int together, class Use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_of_tile(int rank, int paths, Use use) {
  constexpr int stride = exercise_threads;
  int i = rank;
  WARPFOLD_UNROLL_BY(1)
  for (; i + (together - 1) * stride < paths; i += together * stride)
    use(std::integral_constant<int, together>{}, i);
  WARPFOLD_UNROLL_BY(1)
  for (; i < paths; i += stride) use(std::integral_constant<int, 1>{}, i);
}

/// A date of one option on the paths of a tile.
template <class T, class Right>
struct tile_date {
  using memory_type = exercise_memory<T, Right>;
  using sums_type = regression_sums<T, Right::basis>;

  Right right;
  typename memory_type::rule rule; ///< of the date after
  typename Right::date next, now;
  kept_paths<typename Right::kept> kept;
  std::uint32_t const *kept_next, *kept_now;
  T* worth;
  int left;       ///< paths of the tile
  bool has_worth; ///< there is a date after the next
  bool sums_up;   ///< see has_sums

  WARPFOLD_HOST_DEVICE tile_date(memory_type const& memory, exercise_shape const& shape, int option,
                                 int date, int tile)
      : right{memory.rights[option]}, next{memory.dates[date + 1]},
        now{memory.dates[date < 0 ? 0 : date]}, kept{memory.kept} {
    std::int64_t const first = std::int64_t{tile} * shape.tile_paths;
    kept_next = kept.at(date + 1, first);
    kept_now = kept.at(date < 0 ? 0 : date, first);
    worth = memory.worth + option * shape.paths + first;
    std::int64_t const after = shape.paths - first;
    left = static_cast<int>(after < shape.tile_paths ? after : shape.tile_paths);
    has_worth = date + 2 < memory.date_count;
    sums_up = detail::has_sums(right, date, memory.date_count);
  }
  /// Reads the rule, all else having been there before the date after was.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void learn(memory_type const& memory, int option,
                                                         int date) {
    rule =
        detail::rule_of<T>(right, memory.rules.at(date + 1, option), date + 1, memory.date_count);
  }

  /// Adds the products of regressors of `count` paths, `stride` apart from the tile's path i on, to
  /// the sums. That needs no rule.
  template <int count>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void look(int i, int stride, sums_type& sums) const {
    typename Right::kept here[count];
    WARPFOLD_UNROLL
    for (int u = 0; u < count; ++u) here[u] = kept.get(kept_now, i + u * stride); // all loads first
    WARPFOLD_UNROLL
    for (int u = 0; u < count; ++u) {
      T x[Right::basis];
      bool const counts = counted_regressors(here[u], x);
      sums.add_regressors(x, counts);
    }
  }
  /// Decides at the date after for the same paths, and adds their shares to the sums.
  template <int count, path_share share>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(int i, int stride, sums_type& sums) const {
    typename Right::kept later[count], here[count];
    T after[count];
    WARPFOLD_UNROLL
    for (int u = 0; u < count; ++u) { // all loads first
      int const path = i + u * stride;
      later[u] = kept.get(kept_next, path);
      if constexpr (share != path_share::worth) here[u] = kept.get(kept_now, path);
      after[u] = has_worth ? worth[path] : T{0};
    }
    WARPFOLD_UNROLL
    for (int u = 0; u < count; ++u) {
      T x[Right::basis];
      right.regressors(later[u], next, x);
      T const pays = right.exercise(later[u]) * next.discount;
      T const value = rule.exercises(pays, x) ? pays : after[u];
      worth[i + u * stride] = value;
      if constexpr (share == path_share::worth) {
        sums.of[sums_type::responses] += value;
      } else {
        bool const counts = counted_regressors(here[u], x);
        if constexpr (share == path_share::observation) sums.add(x, value, counts);
        else sums.add_response(x, value);
      }
    }
  }

private:
  /// True if a path pays now: paths that do not are no observations, and their regressors 0.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool
  counted_regressors(typename Right::kept const& of, T (&x)[Right::basis]) const {
    bool const counts = right.exercise(of) > 0;
    if constexpr (requires { right.regressors(of, now, x, counts); }) {
      right.regressors(of, now, x, counts);
    } else {
      right.regressors(of, now, x);
      WARPFOLD_UNROLL
      for (int i = 0; i < Right::basis; ++i) x[i] = counts ? x[i] : T{0};
    }
    return counts;
  }
};

/// Writes the rule of the date after `date`, unless it was a regression's, which is there.
template <class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put_rule(exercise_memory<T, Right> const& memory,
                                                          tile_date<T, Right> const& of, int option,
                                                          int date) {
  if (of.right.when(date + 1, memory.date_count) != exercise_decision::regression)
    *memory.rules.at(date + 1, option) = of.rule;
}

/// A thread's share in adding up `size` sums of all tiles: a sum, of every parts-th tile.
template <int size>
struct tile_total {
  static constexpr int width = size <= 16 ? 16 : warp_scatter<size>::padded; // bits depend on it
  static constexpr int parts = exercise_threads / width;

  int sum, part;

  WARPFOLD_HOST_DEVICE explicit tile_total(int rank) : sum{rank % width}, part{rank / width} {}
  WARPFOLD_HOST_DEVICE double add(double const* partials, int tiles) const {
    double total = 0;
    WARPFOLD_UNROLL_BY(32)
    for (int t = part; t < tiles; t += parts) total += partials[t * size + sum];
    return total;
  }
  template <int count>
  WARPFOLD_HOST_DEVICE static double add_parts(double const (&of)[parts][count], int sum) {
    double total = of[0][sum];
    WARPFOLD_UNROLL
    for (int p = 1; p < parts; ++p) total += of[p][sum];
    return total;
  }
};

template <class T, class Right>
struct exercise_shared {
  static constexpr int size = regression_sums<T, Right::basis>::size;
  static constexpr int most = regressed_together<T, Right>;

  double warps[most][exercise_threads / 32][size];
  double parts[tile_total<size>::parts][size];
  double totals[most][size];
  bool last;
};

/// Writes the mean worth, from its sum.
template <class T, class Right>
WARPFOLD_HOST_DEVICE void put_mean(exercise_memory<T, Right> const& memory,
                                   exercise_shape const& shape, int option, double sum) {
  memory.in_sample[option] =
      sum / static_cast<double>(shape.paths) * static_cast<double>(memory.rights[option].unit);
}
/// The rule that the sums over all tiles make, or for date -1 the mean worth.
template <class T, class Right>
WARPFOLD_HOST_DEVICE void finish_date(exercise_memory<T, Right> const& memory,
                                      exercise_shape const& shape, int date, int option,
                                      double const* totals) {
  constexpr int basis = Right::basis;
  if (date < 0)
    detail::put_mean(memory, shape, option, totals[regression_sums<T, basis>::responses]);
  else *memory.rules.at(date, option) = solve<T, basis>(totals);
}

/// The last block of `count` options from `first` on, those of `summed`, a bit each, adds up the
/// sums of all tiles.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE void finish_options(Block const& block, exercise_shape const& shape,
                                         exercise_memory<T, Right> const& memory, int date,
                                         int first, int count, unsigned summed,
                                         exercise_shared<T, Right>& shared) {
  constexpr int size = exercise_shared<T, Right>::size;
  using total = tile_total<size>;
  int const rank = block.thread_rank();
  total const own(rank);
  for (int k = 0; k < count; ++k) {
    if ((summed >> k & 1) == 0) continue;
    double const* const partials = memory.partials + std::int64_t{first + k} * shape.tiles * size;
    if (own.sum < size) shared.parts[own.part][own.sum] = own.add(partials, shape.tiles);
    block.sync();
    if (rank < size) shared.totals[k][rank] = total::add_parts(shared.parts, rank);
    block.sync();
  }
  if (rank < count && (summed >> rank & 1) != 0)
    detail::finish_date(memory, shape, date, first + rank, shared.totals[rank]);
}

/// Prefetches what a tile's paths kept at a date.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
prefetch_tile(Block const& block, exercise_memory<T, Right> const& memory,
              exercise_shape const& shape, int date, int tile) {
  std::int64_t const first = std::int64_t{tile} * shape.tile_paths, left = shape.paths - first;
  auto const bytes = static_cast<unsigned>(left < shape.tile_paths ? left : shape.tile_paths) * 4;
  WARPFOLD_UNROLL
  for (int w = 0; w < memory.kept.words; ++w)
    if (bytes >= 16) block.prefetch(memory.kept.at(date, first) + w * shape.paths, bytes / 16 * 16);
}

/// One date of `options` options: worth of all paths, and the date's rules. A block takes `most`,
/// at most regressed_together, and each group of so many has a ticket, 0.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE void
regress_date(Block const& block, exercise_shape shape, exercise_memory<T, Right> memory, int date,
             int options, int most, unsigned* tickets, exercise_shared<T, Right>& shared) {
  using sums_type = regression_sums<T, Right::basis>;
  constexpr int warps = exercise_threads / 32, stride = exercise_threads;
  constexpr int together = exercise_together<T, Right>;
  int const rank = block.thread_rank(), warp = rank / 32;
  int const tiles = shape.tiles, groups = (options + most - 1) / most;
  for (int unit = block.block_rank(); unit < tiles * groups; unit += block.grid_size()) {
    int const group = unit / tiles, tile = unit % tiles, first = group * most;
    int const count = options - first < most ? options - first : most;
    if (rank == 0 && group == 0 && date > 0)
      detail::prefetch_tile(block, memory, shape, date - 1, tile);
    unsigned summed = 0;
    WARPFOLD_UNROLL_BY(1)
    for (int k = 0; k < count; ++k) {
      tile_date<T, Right> of(memory, shape, first + k, date, tile);
      if (k == 0) block.wait_for_previous_grid();
      of.learn(memory, first + k, date);
      if (tile == 0 && rank == 0) detail::put_rule(memory, of, first + k, date);
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
      summed |= 1u << k;
      sum_over_warp<0, sums_type::size>(block, sums.of, [&](int s, T sum) {
        shared.warps[k][warp][s] = static_cast<double>(sum);
      });
    }
    if (summed == 0) continue;
    block.sync();
    for (int i = rank; i < count * sums_type::size; i += stride) {
      int const k = i / sums_type::size, s = i % sums_type::size;
      if ((summed >> k & 1) == 0) continue;
      double sum = shared.warps[k][0][s];
      for (int w = 1; w < warps; ++w) sum += shared.warps[k][w][s];
      memory.partials[(std::int64_t{first + k} * tiles + tile) * sums_type::size + s] = sum;
    }
    block.sync();
    if (rank == 0) shared.last = block.arrives_last(tickets + group, static_cast<unsigned>(tiles));
    block.sync();
    if (shared.last)
      detail::finish_options(block, shape, memory, date, first, count, summed, shared);
  }
}

} // namespace warpfold::inline v0::detail
