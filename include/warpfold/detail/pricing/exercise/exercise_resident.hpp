#pragma once
// All dates of one option by one kernel, whose blocks run at the same time; on a GPU teams of a
// block's threads are blocks here. Tiles stay with their blocks, and messages between blocks need
// no fence and no flag. One or two blocks add up the products of regressors over all tiles and
// factor their matrices. Another one adds up responses and makes the rule of a date, which the
// blocks of tiles wait for. Meanwhile these add up the products of dates to come, which need no
// rule. The bits are those of regress_date.

#include <warpfold/detail/core/tagged_words.hpp>
#include <warpfold/detail/pricing/exercise/exercise_body.hpp>

#include <cstddef>
#include <cstring>
#include <utility>

namespace warpfold::inline v0::detail {

/// Words that a thread waits for at the same time: NVIDIA H200, us of a put, 2^18 regression paths
/// in Heston's model 675 with 16, 632 with 24 and 670 with 32.
template <class Right>
inline constexpr int awaited_together = Right::basis <= 4 ? 16 : 24;
/// Bytes of what a block waits for.
template <class Right>
inline constexpr std::size_t
    awaited_bytes = sizeof(std::uint32_t) * exercise_threads* awaited_together<Right>;
/// So many of them have one condition, so that they are loaded together.
inline constexpr int awaited_group = 4;

/// What blocks tell each other of an option's dates, as tagged words that were 0.
template <class T, class Right>
struct date_exchange {
  using sums_type = regression_sums<T, Right::basis>;
  using factor_type = regression_factor<Right::basis>;
  static constexpr int of_number = 2; ///< words
  /// Dates whose products and factors have places: a date's products are sent while the rule of two
  /// dates later is waited for, and are read before its own rule is there.
  static constexpr int slots = 3;
  static constexpr int behind = awaited_group * exercise_threads; ///< words that are read in vain
  static constexpr int rule_words = (Right::basis + 1) * static_cast<int>(sizeof(T) / 4);
  /// Copies of a rule lie in cache lines of their own: all blocks read it again and again.
  static constexpr int copies = 4, copy_words = (rule_words + 15) / 16 * 16;

  std::uint64_t* of; ///< at the beginning of a line
  int tiles;

  static std::size_t words(int tiles) {
    return static_cast<std::size_t>(tiles) * of_number *
               (slots * sums_type::responses + Right::basis) +
           slots * of_number * factor_type::words + copies * copy_words + behind;
  }
  /// The coefficients and the floor.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t* rule(int copy) const {
    return of + copy * copy_words;
  }
  /// [tile][sum]
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t* products(int date) const {
    return rule(copies) + date % slots * tiles * of_number * sums_type::responses;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t* responses() const {
    return products(0) + slots * tiles * of_number * sums_type::responses;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t* factor(int date) const {
    return responses() + of_number * (tiles * Right::basis + date % slots * factor_type::words);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static std::uint32_t tag(int date) {
    return static_cast<std::uint32_t>(date + 2);
  }
};

template <class T, class Right>
struct alignas(16) resident_shared { // dynamic shared memory lies behind it
  using exchange = date_exchange<T, Right>;
  static_assert(exchange::of_number * exchange::factor_type::words <= exercise_threads);
  using total = tile_total<exchange::sums_type::size>;

  double warps[2][exercise_threads / 32][exchange::sums_type::size]; ///< one turn and the next
  std::uint32_t rule[exchange::rule_words];
  double parts[total::parts][exchange::sums_type::responses];
  double totals[exchange::sums_type::responses];
  double factor[exchange::factor_type::words];
};
/// Bytes of a tile's paths: what they kept of two dates, and their worth.
template <class T, class Right>
WARPFOLD_HOST_DEVICE constexpr std::size_t resident_bytes(exercise_shape const& shape) {
  return static_cast<std::size_t>(shape.tile_paths) *
         (2 * kept_paths<typename Right::kept>::words * sizeof(std::uint32_t) + sizeof(T));
}

/// Waits for up to `each` words a thread, of a tag, and writes them to shared memory. A
/// barrier has to follow.
template <int each, thread_block Block>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void await_words(Block const& block,
                                                             std::uint64_t const* from, int count,
                                                             std::uint32_t tag, std::uint32_t* to) {
  constexpr int group = each < awaited_group ? each : awaited_group, groups = each / group;
  static_assert(each % group == 0);
  int const rank = block.thread_rank();
  if (rank >= count) return;
  std::uint64_t const* const own = from + rank;
  std::uint64_t got[groups][group];
  std::uint32_t differs[groups]; // bits of tags
  WARPFOLD_UNROLL
  for (int g = 0; g < groups; ++g) differs[g] = g * group * exercise_threads < count ? ~0U : 0;
  std::uint32_t any;
  do {
    WARPFOLD_UNROLL
    for (int g = 0; g < groups; ++g) // all loads first, some of words behind the last
      if (differs[g] != 0) {
        WARPFOLD_UNROLL
        for (int u = 0; u < group; ++u)
          got[g][u] = block.load_relaxed(own + (g * group + u) * exercise_threads);
      }
    any = 0;
    WARPFOLD_UNROLL
    for (int g = 0; g < groups; ++g)
      if (differs[g] != 0) {
        differs[g] = 0;
        WARPFOLD_UNROLL
        for (int u = 0; u < group; ++u)
          differs[g] |=
              rank + (g * group + u) * exercise_threads < count ? tag_of(got[g][u]) ^ tag : 0;
        any |= differs[g];
      }
    if (any != 0) block.pause();
  } while (any != 0);
  WARPFOLD_UNROLL
  for (int g = 0; g < groups; ++g) {
    WARPFOLD_UNROLL
    for (int u = 0; u < group; ++u)
      if (int const i = rank + (g * group + u) * exercise_threads; i < count)
        to[i] = static_cast<std::uint32_t>(got[g][u]);
  }
}

/// Waits for `count` sums of each tile, and adds them up to shared.totals.
template <int count, thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
add_tiles(Block const& block, std::uint64_t const* from, int tiles, std::uint32_t tag,
          std::uint32_t* staged, resident_shared<T, Right>& shared) {
  using total = typename resident_shared<T, Right>::total;
  constexpr int of_number = date_exchange<T, Right>::of_number;
  constexpr int most = awaited_together<Right> * exercise_threads / of_number;
  constexpr int together = most / count / total::parts * total::parts;
  int const rank = block.thread_rank();
  total const own(rank);
  auto const* const numbers = reinterpret_cast<double const*>(staged);
  double sum = 0;
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0; first < tiles; first += together) {
    int const here = tiles - first < together ? tiles - first : together;
    await_words<awaited_together<Right>>(block, from + first * count * of_number,
                                         here * count * of_number, tag, staged);
    block.sync();
    if (own.sum < count) {
      WARPFOLD_UNROLL_BY(8)
      for (int t = own.part; t < here; t += total::parts) sum += numbers[t * count + own.sum];
    }
    block.sync();
  }
  if (own.sum < count) shared.parts[own.part][own.sum] = sum;
  block.sync();
  if (rank < count) shared.totals[rank] = total::add_parts(shared.parts, rank);
  block.sync();
}

/// Factors the matrices of dates, by one of so many blocks that take turns.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
factor_dates(Block const& block, exercise_shape const& shape,
             exercise_memory<T, Right> const& memory, date_exchange<T, Right> const& exchange,
             int number, int blocks, std::uint32_t* staged, resident_shared<T, Right>& shared) {
  using exchange_type = date_exchange<T, Right>;
  int const rank = block.thread_rank(), dates = memory.date_count;
  WARPFOLD_UNROLL_BY(1)
  for (int date = dates - 2; date >= 0; --date) {
    if (date % blocks != number || !has_sums(memory.rights[0], date, dates)) continue;
    std::uint32_t const tag = exchange.tag(date);
    add_tiles<exchange_type::sums_type::responses>(block, exchange.products(date), shape.tiles, tag,
                                                   staged, shared);
    if (rank == 0) {
      auto const factor = detail::factor<T, Right::basis>(shared.totals);
      WARPFOLD_UNROLL
      for (int i = 0; i < exchange_type::factor_type::words; ++i)
        put_number(block, exchange.factor(date) + exchange.of_number * i, factor.of[i], tag);
    }
  }
}

/// Makes the rule of each date, and the mean worth.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_dates(Block const& block, exercise_shape const& shape,
            exercise_memory<T, Right> const& memory, date_exchange<T, Right> const& exchange,
            std::uint32_t* staged, resident_shared<T, Right>& shared) {
  using factor_type = typename date_exchange<T, Right>::factor_type;
  int const rank = block.thread_rank(), dates = memory.date_count;
  Right const right = memory.rights[0];
  for (int date = rank; date < dates; date += exercise_threads)
    if (right.when(date, dates) != exercise_decision::regression)
      *memory.rules.at(date, 0) = rule_of<T>(right, memory.rules.at(date, 0), date, dates);
  WARPFOLD_UNROLL_BY(1)
  for (int date = dates - 2; date >= -1; --date) {
    if (!has_sums(right, date, dates)) continue;
    std::uint32_t const tag = exchange.tag(date);
    // The factor is most often there before the responses are.
    bool const has_word = date >= 0 && rank < exchange.of_number * factor_type::words;
    std::uint64_t word = has_word ? block.load_relaxed(exchange.factor(date) + rank) : 0;
    add_tiles<Right::basis>(block, exchange.responses(), shape.tiles, tag, staged, shared);
    if (has_word) {
      while (tag_of(word) != tag) {
        block.pause();
        word = block.load_relaxed(exchange.factor(date) + rank);
      }
      reinterpret_cast<std::uint32_t*>(shared.factor)[rank] = static_cast<std::uint32_t>(word);
    }
    block.sync();
    if (rank == 0 && date < 0) put_mean(memory, shape, 0, shared.totals[0]);
    if (rank == 0 && date >= 0) {
      factor_type factor;
      WARPFOLD_UNROLL
      for (int i = 0; i < factor_type::words; ++i) factor.of[i] = shared.factor[i];
      auto const rule = solve<T>(factor, shared.totals);
      T numbers[Right::basis + 1];
      WARPFOLD_UNROLL
      for (int i = 0; i < Right::basis; ++i) numbers[i] = rule.coefficients[i];
      numbers[Right::basis] = rule.floor;
      std::uint32_t words[date_exchange<T, Right>::rule_words];
      std::memcpy(words, numbers, sizeof words);
      WARPFOLD_UNROLL
      for (int copy = 0; copy < exchange.copies; ++copy) {
        WARPFOLD_UNROLL
        for (int i = 0; i < exchange.rule_words; ++i)
          block.store_relaxed(exchange.rule(copy) + i, tagged(words[i], tag));
      }
      *memory.rules.at(date, 0) = rule;
    }
    block.sync();
  }
}

/// Waits for the rule of a date, which another block makes of sums that all threads here sent.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE exercise_rule<T, Right::basis>
await_rule(Block const& block, Right const& right, date_exchange<T, Right> const& exchange,
           int copy, int date, int dates, std::uint32_t* words) {
  exercise_rule<T, Right::basis> rule{};
  if (right.when(date, dates) != exercise_decision::regression)
    return rule_of<T>(right, &rule, date, dates);
  if (int const rank = block.thread_rank(); rank < exchange.rule_words)
    words[rank] = detail::await_word(block, exchange.rule(copy) + rank, exchange.tag(date));
  block.sync();
  WARPFOLD_UNROLL
  for (int i = 0; i < Right::basis; ++i) rule.coefficients[i] = number_of_words<T>(words, i);
  rule.floor = number_of_words<T>(words, Right::basis);
  return rule;
}

/// The dates of the block's tiles: of every stride-th from `first` on.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
walk_dates(Block const& block, exercise_shape const& shape, exercise_memory<T, Right> const& memory,
           date_exchange<T, Right> const& exchange, int first, int stride, std::uint32_t* paths,
           resident_shared<T, Right>& shared) {
  using sums_type = regression_sums<T, Right::basis>;
  constexpr int together = exercise_together<T, Right>, threads = exercise_threads;
  // NVIDIA H200, us of the rules of 2^18 paths in Heston's model: 478 by pairs, 510 without; of
  // 2^14 with four regressors 184 and 172.
  constexpr int fewer = Right::basis <= 4 ? 1 : together / 2;
  constexpr int words = kept_paths<typename Right::kept>::words;
  int const rank = block.thread_rank(), dates = memory.date_count;
  Right const right = memory.rights[0];
  int turn = 0;
  auto const memory_of = [&](int number) { // of a tile here
    return paths + number * static_cast<int>(resident_bytes<T, Right>(shape) / 4);
  };
  auto const place_of = [&](int date) { return (date & 1) * words * shape.tile_paths; };
  auto const paths_of = [&](int tile) {
    std::int64_t const left = shape.paths - std::int64_t{tile} * shape.tile_paths;
    return static_cast<int>(left < shape.tile_paths ? left : shape.tile_paths);
  };
  auto const sum_up = [&]<int begin, int end>(sums_type const& sums, std::uint64_t* to,
                                              std::uint32_t tag,
                                              std::integer_sequence<int, begin, end>) {
    auto& warps = shared.warps[turn++ & 1];
    sum_over_warp<begin, end>(block, sums.of, [&](int s, T sum) {
      warps[rank / 32][s - begin] = static_cast<double>(sum);
    });
    block.sync();
    if (rank >= end - begin) return;
    double sum = warps[0][rank];
    WARPFOLD_UNROLL
    for (int w = 1; w < threads / 32; ++w) sum += warps[w][rank];
    put_number(block, to + exchange.of_number * rank, sum, tag);
  };
  // Keeps what a tile's paths kept at a date here.
  auto const bring = [&](int date, int tile, int number) {
    std::uint32_t const* const from = memory.kept.at(date, std::int64_t{tile} * shape.tile_paths);
    std::uint32_t* const to = memory_of(number) + place_of(date);
    each_of_tile<4, 1>(rank, paths_of(tile),
                       [&]<int count>(std::integral_constant<int, count>, int i) {
                         std::uint32_t got[count][words];
                         WARPFOLD_UNROLL
                         for (int u = 0; u < count; ++u) { // all loads first
                           WARPFOLD_UNROLL
                           for (int w = 0; w < words; ++w)
                             got[u][w] = from[w * memory.kept.apart + i + u * threads];
                         }
                         WARPFOLD_UNROLL
                         for (int u = 0; u < count; ++u) {
                           WARPFOLD_UNROLL
                           for (int w = 0; w < words; ++w)
                             to[w * shape.tile_paths + i + u * threads] = got[u][w];
                         }
                       });
  };
  // Adds up products of regressors.
  auto const look = [&](int date, int tile) {
    tile_date<T, Right> const of(memory, shape, 0, date, tile);
    sums_type sums{};
    each_of_tile<together, fewer>(rank, of.left,
                                  [&]<int count>(std::integral_constant<int, count>, int i) {
                                    of.template look<count>(i, threads, sums);
                                  });
    sum_up(sums, exchange.products(date) + exchange.of_number * sums_type::responses * tile,
           exchange.tag(date), std::integer_sequence<int, 0, sums_type::responses>{});
  };
  auto const each_tile = [&](auto use) {
    WARPFOLD_UNROLL_BY(1)
    for (int tile = first, number = 0; tile < shape.tiles; tile += stride, ++number)
      use(tile, number);
  };
  WARPFOLD_UNROLL_BY(1)
  for (int date = dates - 1;; --date) {
    if (date >= 0) each_tile([&](int tile, int number) { bring(date, tile, number); });
    if (date > 0 && has_sums(right, date - 1, dates))
      each_tile([&](int tile, int) {
        if (rank == 0 && date > 1) prefetch_tile(block, memory, shape, date - 2, tile);
        look(date - 1, tile);
      });
    if (date == dates - 1) continue; // whose rule waits for nothing
    tile_date<T, Right> of(memory, shape, 0, date, first);
    of.kept.apart = shape.tile_paths;
    of.rule =
        await_rule(block, right, exchange, first % exchange.copies, date + 1, dates, shared.rule);
    each_tile([&](int tile, int number) {
      std::uint32_t* const here = memory_of(number);
      of.kept_next = here + place_of(date + 1);
      of.kept_now = here + place_of(date);
      of.worth = reinterpret_cast<T*>(here + 2 * words * shape.tile_paths);
      of.left = paths_of(tile);
      sums_type sums{};
      auto const walk = [&]<path_share share>(std::integral_constant<path_share, share>) {
        each_of_tile<together, fewer>(rank, of.left,
                                      [&]<int count>(std::integral_constant<int, count>, int i) {
                                        of.template step<count, share>(i, threads, sums);
                                      });
      };
      if (date >= 0 && of.sums_up) walk(std::integral_constant<path_share, path_share::response>{});
      else walk(std::integral_constant<path_share, path_share::worth>{});
      if (of.sums_up)
        sum_up(sums, exchange.responses() + exchange.of_number * Right::basis * tile,
               exchange.tag(date),
               std::integer_sequence<int, sums_type::responses, sums_type::size>{});
    });
    if (date < 0) return;
  }
}

/// Blocks that factor matrices, where a multiprocessor has so many: one is too slow for 512 tiles.
inline constexpr int factoring_blocks = 2;

/// All dates of the first option, by blocks of which `apart` after each other share a
/// multiprocessor. The first ones factor matrices, and the one after the first `apart` makes the
/// rules: they have multiprocessors of their own. Those from 2 apart on walk a tile each, or
/// several.
template <thread_block Block, class T, class Right>
WARPFOLD_HOST_DEVICE void exercise_dates(Block const& block, exercise_shape const& shape,
                                         exercise_memory<T, Right> const& memory,
                                         date_exchange<T, Right> const& exchange, int apart,
                                         std::uint32_t* words, resident_shared<T, Right>& shared) {
  int const rank = block.block_rank(), first = rank - 2 * apart;
  int const factoring = apart < factoring_blocks ? apart : factoring_blocks;
  if (rank < factoring)
    factor_dates(block, shape, memory, exchange, rank, factoring, words, shared);
  else if (rank == apart) solve_dates(block, shape, memory, exchange, words, shared);
  else if (first >= 0 && first < shape.tiles) // others could miss a rule: no rule waits for them
    walk_dates(block, shape, memory, exchange, first, block.grid_size() - 2 * apart, words, shared);
}

} // namespace warpfold::inline v0::detail
