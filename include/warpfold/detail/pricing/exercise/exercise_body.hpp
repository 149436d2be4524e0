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
#include <warpfold/detail/pricing/exercise/exercise_walk.hpp>
#include <warpfold/detail/pricing/exercise/regression.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

enum class exercise_decision : std::uint8_t { never, wherever_it_pays, regression };

inline constexpr int exercise_threads = 256;

/// Paths, or options, that a thread works on at the same time: where a path's sums leave room.
template <class T, class Right>
inline constexpr int exercise_together = sizeof(regression_sums<T, Right::basis>) <= 288 ? 4 : 1;

/// Regression paths, in tiles whose sums are partials. They are few enough for one block to add up.
struct exercise_shape {
  static constexpr std::int64_t most_tiles = 512;

  std::int64_t paths = 0;
  /// From what is of all paths to the next of the kind: whole lines of 128 bytes. NVIDIA H200,
  /// rules of 64 puts with 2^22 + 99 paths: 75.3 ms without, 50.1.
  std::int64_t apart = 0;
  int tile_paths = exercise_threads; ///< a multiple of them; the last tile may have fewer
  int tiles = 0;

  /// Tiles of so many paths a thread; by default as few as make no more tiles than most_tiles.
  static constexpr exercise_shape of(std::int64_t paths, std::int64_t rounds = 0) {
    constexpr std::int64_t few = most_tiles * exercise_threads;
    std::int64_t const tile = (rounds > 0 ? rounds : (paths + few - 1) / few) * exercise_threads;
    return {paths, (paths + 31) / 32 * 32, static_cast<int>(tile),
            static_cast<int>((paths + tile - 1) / tile)};
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
  T* worth; ///< [option][path], shape.apart apart: of later dates; null where it stays with the
            ///< blocks
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

/// use(count, i) for a thread's paths i, i + threads, ... of a tile, `together` at a time; for
/// those that remain, `fewer` at a time, and so on.
template <int together, int fewer = together / 2, class Use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_of_tile(int i, int paths, Use use) {
  constexpr int stride = exercise_threads;
  WARPFOLD_UNROLL_BY(1)
  for (; i + (together - 1) * stride < paths; i += together * stride)
    use(std::integral_constant<int, together>{}, i);
  if constexpr (together > 1) detail::each_of_tile<fewer>(i, paths, use);
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
    worth = memory.worth + option * shape.apart + first;
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
      later[u] = kept.get(kept_next, i + u * stride);
      if constexpr (share != path_share::worth) here[u] = kept.get(kept_now, i + u * stride);
    }
    WARPFOLD_UNROLL
    for (int u = 0; u < count; ++u) after[u] = has_worth ? worth[i + u * stride] : T{0};
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
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
put_rule(exercise_memory<T, Right> const& memory, Right const& right,
         exercise_rule<T, Right::basis> const& rule, int option, int date) {
  if (right.when(date + 1, memory.date_count) != exercise_decision::regression)
    *memory.rules.at(date + 1, option) = rule;
}

/// A thread's share in adding up `size` sums of all tiles: a sum, of every parts-th tile.
template <int size>
struct tile_total {
  static constexpr int width = size <= 16 ? 16 : warp_scatter<size>::padded; // bits depend on it
  static constexpr int parts = exercise_threads / width;

  int sum, part;

  WARPFOLD_HOST_DEVICE explicit tile_total(int rank) : sum{rank % width}, part{rank / width} {}
  /// Adds up those of several options at the same time, each on its own.
  template <int options>
  WARPFOLD_HOST_DEVICE void add(double const* const (&partials)[options], int tiles,
                                double (&totals)[options]) const {
    WARPFOLD_UNROLL
    for (double& total : totals) total = 0;
    WARPFOLD_UNROLL_BY(32 / options)
    for (int t = part; t < tiles; t += parts) {
      WARPFOLD_UNROLL
      for (int k = 0; k < options; ++k) totals[k] += partials[k][t * size + sum];
    }
  }
  template <int count>
  WARPFOLD_HOST_DEVICE static double add_parts(double const (&of)[parts][count], int sum) {
    double total = of[0][sum];
    WARPFOLD_UNROLL
    for (int p = 1; p < parts; ++p) total += of[p][sum];
    return total;
  }
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

/// Prefetches what a tile's paths kept at a date.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
prefetch_tile(Block const& block, exercise_memory<T, Right> const& memory,
              exercise_shape const& shape, int date, int tile) {
  std::int64_t const first = std::int64_t{tile} * shape.tile_paths, left = shape.paths - first;
  auto const bytes = static_cast<unsigned>(left < shape.tile_paths ? left : shape.tile_paths) * 4;
  WARPFOLD_UNROLL
  for (int w = 0; w < memory.kept.words; ++w)
    if (bytes >= 16) block.prefetch(memory.kept.at(date, first) + w * shape.apart, bytes / 16 * 16);
}

} // namespace warpfold::inline v0::detail
