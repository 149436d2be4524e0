#pragma once
// The body of the kernel of pricing by simulation: normals are made in shared memory, where all
// threads see them, and each thread has some options in its registers.

#include "european_paths.hpp"
#include "monte_carlo_shape.hpp"
#include "monte_carlo_sources.hpp"

#include <cstdint>

namespace warpfold::pricing {

/// Of the samples of a tile.
template <int Sums>
struct tile_sums {
  double of[Sums];
  std::uint64_t paying; ///< paths

  WARPFOLD_HOST_DEVICE void operator+=(tile_sums const& other) {
    WARPFOLD_UNROLL
    for (int m = 0; m < Sums; ++m) of[m] += other.of[m];
    paying += other.paying;
  }
};

/// Of a replicate, whose means become samples: the means of its quantities, and their squares.
template <int Sums>
WARPFOLD_HOST_DEVICE tile_sums<Sums> of_means(tile_sums<Sums> const& replicate,
                                              std::uint64_t samples) {
  tile_sums<Sums> means{};
  WARPFOLD_UNROLL
  for (int m = 0; m < Sums; m += 2) {
    means.of[m] = replicate.of[m] / static_cast<double>(samples);
    means.of[m + 1] = means.of[m] * means.of[m];
  }
  means.paying = replicate.paying;
  return means;
}

template <class T, class Evaluation, int PerThread>
struct simulation_shared {
  static constexpr int threads = simulation_shape::threads;
  static constexpr int packs = simulation_shape::most_in_chunk * sizeof(T) / 16;

  typename Evaluation::terms terms[PerThread * simulation_shape::most_option_lanes];
  /// One after the other.
  union {
    normals_pack<T> normals[2][packs];
    double pairs[threads * PerThread][2];
    tile_sums<Evaluation::sums> lanes[threads];
  };
  std::uint32_t negative[threads * PerThread];
  bool is_last;
};

/// What a kernel is to do. Source: `pack(option, replicate, i)` are the normals of pack i; `reads`
/// if that is from memory. Finish: takes an option's number and what all its samples add up to.
template <class T, class Evaluation, class Source, class Finish>
struct simulation_work {
  using sums = tile_sums<Evaluation::sums>;
  static constexpr bool source_reads = Source::reads;

  simulation_shape shape;
  Evaluation evaluation;
  Source source;
  column<option_kind> kind;
  book_view<T> book;
  sums* partials;    ///< [group][tile][option]; unused if groups have one tile
  unsigned* tickets; ///< 0, one a group; null if another kernel folds the tiles
  Finish finish;
};

/// Folds entries [lane][option] of a shared array over the lanes, in pairs: entries [0][option] are
/// the results, each seen by the thread of its number.
template <class Block, class Merge>
WARPFOLD_HOST_DEVICE void fold_lanes(Block const& block, std::uint32_t lanes, std::uint32_t group,
                                     Merge merge) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  for (std::uint32_t left = lanes / 2; left > 0; left /= 2) {
    for (std::uint32_t i = rank; i < left * group; i += simulation_shape::threads)
      merge(i, i + left * group);
    if (left > 1) block.sync();
  }
}

/// Adds a group's tiles, of one replicate after the other, and finishes its options.
template <class Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void fold_tiles(Block const& block, Work const& work, std::uint32_t group,
                                     Shared& shared) {
  using sums = typename Work::sums;
  auto const& shape = work.shape;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = shape.group(), lanes = shape.threads / wide;
  std::uint32_t const lane = rank / wide, tiles = shape.tiles();
  sums const* const of =
      work.partials + std::uint64_t{group} * shape.all_tiles() * wide + rank % wide;
  sums total{};
  if (shape.replicates == 1) {
    WARPFOLD_UNROLL_BY(4)
    for (std::uint32_t t = lane; t < tiles; t += lanes) total += of[std::uint64_t{t} * wide];
  } else {
    for (std::uint32_t r = lane; r < shape.replicates; r += lanes) {
      sums one{};
      for (std::uint32_t t = 0; t < tiles; ++t) one += of[(std::uint64_t{r} * tiles + t) * wide];
      total += of_means(one, shape.samples);
    }
  }
  shared.lanes[rank] = total;
  block.sync();
  fold_lanes(block, lanes, wide,
             [&](std::uint32_t a, std::uint32_t b) { shared.lanes[a] += shared.lanes[b]; });
  std::uint32_t const option = group * wide + rank;
  if (rank < wide && option < shape.options) work.finish(option, shared.lanes[rank]);
}

/// Folds what the threads have of a unit: values(m, g) is sum number m of the thread's option g.
/// The thread of number i gets what belongs to option i of the group.
template <int Sums, int PerThread, class Block, class Shared, class Values>
WARPFOLD_HOST_DEVICE tile_sums<Sums>
fold_threads(Block const& block, simulation_shape const& shape, Shared& shared, Values values,
             std::uint32_t const (&negative)[PerThread], std::uint64_t paths) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = shape.group();
  std::uint32_t const mine = rank % shape.path_lanes * wide + rank / shape.path_lanes * PerThread;
  tile_sums<Sums> total{};
  WARPFOLD_UNROLL_BY(1)
  for (int m = 0; m < Sums; m += 2) {
    WARPFOLD_UNROLL
    for (int g = 0; g < PerThread; ++g) {
      values(m, g, shared.pairs[mine + g]);
      if (m == 0) shared.negative[mine + g] = negative[g];
    }
    block.sync();
    fold_lanes(block, shape.path_lanes, wide, [&](std::uint32_t a, std::uint32_t b) {
      shared.pairs[a][0] += shared.pairs[b][0];
      shared.pairs[a][1] += shared.pairs[b][1];
      if (m == 0) shared.negative[a] += shared.negative[b];
    });
    if (rank < wide) {
      total.of[m] = shared.pairs[rank][0];
      total.of[m + 1] = shared.pairs[rank][1];
    }
    if (m + 2 < Sums) block.sync();
  }
  if (rank < wide) total.paying = paths - shared.negative[rank];
  return total;
}

/// Units block_rank, block_rank + grid_size, ...
template <class T, int PerThread, class Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void simulate(Block const& block, Work const& work, Shared& shared) {
  constexpr int width = normals_pack<T>::size;
  constexpr int sums = sizeof(Work::sums::of) / sizeof(double);
  simulation_shape const& shape = work.shape;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const path_lane = rank % shape.path_lanes, option_lane = rank / shape.path_lanes;
  std::uint32_t const wide = shape.group(), tiles = shape.tiles(), all_tiles = shape.all_tiles();
  std::uint64_t const units = shape.units();
  bool is_first = true;

  for (std::uint64_t unit = static_cast<std::uint64_t>(block.block_rank()); unit < units;
       unit += static_cast<std::uint64_t>(block.grid_size())) {
    auto const group = static_cast<std::uint32_t>(unit / all_tiles);
    auto const place = static_cast<std::uint32_t>(unit % all_tiles);
    std::uint32_t const replicate = place / tiles, first_option = group * wide;
    std::uint64_t const begin = place % tiles * shape.tile, left = shape.samples - begin;
    std::uint64_t const samples = left < shape.tile ? left : shape.tile;

    // Normals of the chunk that begins at `at`; what is beyond the samples is NaN.
    auto const make = [&](std::uint64_t at, normals_pack<T>* to) {
      for (std::uint32_t i = rank; i < shape.chunk / width; i += shape.threads) {
        std::uint64_t const sample = at + i * width;
        auto pack = work.source.pack(shape.independent ? first_option : 0, replicate,
                                     (begin + sample) / width);
        if (sample + width > samples) {
          WARPFOLD_UNROLL
          for (int k = 0; k < width; ++k)
            if (sample + static_cast<std::uint64_t>(k) >= samples) pack.of[k] = simulated_nan<T>;
        }
        to[i] = pack;
      }
    };
    if constexpr (!Work::source_reads) make(0, shared.normals[0]);
    if (is_first) block.wait_for_previous_grid();
    is_first = false;
    if constexpr (Work::source_reads) make(0, shared.normals[0]);
    for (std::uint32_t i = rank; i < wide; i += shape.threads) {
      std::uint32_t const last = shape.options - 1;
      std::uint32_t const option = first_option + i < last ? first_option + i : last;
      shared.terms[i] = work.evaluation.terms_of(work.kind[option], work.book[option]);
    }
    block.sync();

    typename decltype(work.evaluation)::terms terms[PerThread];
    double total[sums][PerThread] = {};
    std::uint32_t negative[PerThread] = {};
    WARPFOLD_UNROLL
    for (int g = 0; g < PerThread; ++g) terms[g] = shared.terms[option_lane * PerThread + g];
    int now = 0;
    WARPFOLD_UNROLL_BY(1)
    for (std::uint64_t at = 0; at < samples; at += shape.chunk, now ^= 1) {
      if (at + shape.chunk < samples) make(at + shape.chunk, shared.normals[now ^ 1]);
      T some[sums][PerThread] = {};
      WARPFOLD_UNROLL_BY(1)
      for (std::uint32_t i = path_lane; i < shape.chunk / width; i += shape.path_lanes) {
        normals_pack<T> const pack = shared.normals[now][i];
        WARPFOLD_UNROLL
        for (int k = 0; k < width; ++k) {
          WARPFOLD_UNROLL
          for (int g = 0; g < PerThread; ++g)
            work.evaluation.add(
                terms[g], pack.of[k], [&](int m) -> T& { return some[m][g]; }, negative[g]);
        }
      }
      WARPFOLD_UNROLL
      for (int m = 0; m < sums; ++m) {
        WARPFOLD_UNROLL
        for (int g = 0; g < PerThread; ++g) total[m][g] += some[m][g];
      }
      block.sync();
    }

    auto const value = [&](int m, int g, double(&to)[2]) {
      // Compared with numbers known at compile time, so that totals stay in registers.
      WARPFOLD_UNROLL
      for (int k = 0; k < sums; k += 2)
        if (k == m) {
          to[0] = total[k][g];
          to[1] = total[k + 1][g];
        }
    };
    std::uint64_t const paths = samples * static_cast<std::uint64_t>(work.evaluation.paths());
    auto const mine = fold_threads<sums>(block, shape, shared, value, negative, paths);
    std::uint32_t const option = first_option + rank;
    if (all_tiles == 1) {
      if (rank < wide && option < shape.options) work.finish(option, mine);
      block.sync();
      continue;
    }
    if (rank < wide) work.partials[(std::uint64_t{group} * all_tiles + place) * wide + rank] = mine;
    block.sync();
    if (work.tickets) {
      if (rank == 0) shared.is_last = block.arrives_last(work.tickets + group, all_tiles);
      block.sync();
      if (shared.is_last) {
        fold_tiles(block, work, group, shared);
        block.sync();
      }
    }
  }
}

} // namespace warpfold::pricing
