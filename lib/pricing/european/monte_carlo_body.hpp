#pragma once
// The body of the kernel of pricing by simulation: normals are made in shared memory, where all
// threads see them, and each thread has some options in its registers.

#include "european_paths.hpp"
#include "monte_carlo_fold.hpp"
#include "monte_carlo_shape.hpp"
#include "monte_carlo_sources.hpp"

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>

#include <cstdint>

namespace warpfold::inline v0::pricing {

template <class T, class Evaluation, int PerThread>
struct simulation_shared {
  static constexpr int threads = simulation_shape::threads;
  static constexpr int packs = simulation_shape::most_in_chunk * sizeof(T) / 16;

  static constexpr int most_wide = PerThread * simulation_shape::most_option_lanes;

  typename Evaluation::terms terms[most_wide];
  option_scale scales[most_wide];
  /// One after the other.
  union {
    normals_pack<T> normals[2][packs];
    double pairs[threads * PerThread][2];
    /// And sums of branches, where one block adds all of them.
    tile_sums<Evaluation::sums> lanes[Evaluation::sums > 2 ? threads : 2 * threads];
  };
  std::uint32_t negative[threads * PerThread];
  bool is_last;
};

/// A kernel's work. Source: `pack(option, replicate, i)` are the normals of pack i; `reads`
/// if that is from memory, `is_replicated` if there are several replicates. Finish: takes an
/// option's number, scale and what all its samples add up to.
template <class T, class Evaluation, class Source, class Finish>
struct simulation_work {
  using sums = tile_sums<Evaluation::sums>;
  static constexpr bool source_reads = Source::reads;
  static constexpr bool is_replicated = Source::is_replicated;

  simulation_shape shape;
  Evaluation evaluation;
  Source source;
  column<option_kind> kind;
  book_view<T> book;
  sum_places tiles;    ///< of row `group` and piece `tile` the sums of the group's options
  sum_places branches; ///< likewise
  unsigned* tickets;   ///< 0; one a group and one a branch. Null if another kernel folds the tiles
  std::uint32_t first_tile, some_tiles; ///< which of a group's tiles; whole branches with tickets
  bool is_part; ///< what tiles' or branches' sums come to is not wanted, but they are
  Finish finish;
  /// One block adds all branches of a group; see can_be_flat. With tickets, and not for parts.
  bool is_flat = false;

  WARPFOLD_HOST_DEVICE sums* of_tile(std::uint32_t group, std::uint32_t tile) const {
    return tiles.at<sums>(group, tile, shape.wide);
  }
  WARPFOLD_HOST_DEVICE sums* of_branch(std::uint32_t group, std::uint32_t branch) const {
    return branches.at<sums>(group, branch, shape.wide);
  }
  WARPFOLD_HOST_DEVICE unsigned* tickets_of(std::uint32_t group) const {
    return tickets + group * (shape.branches + 1);
  }
};

/// Makes the terms and scales of a group's options. Other warps make the discounts, which nobody
/// asks for before the end.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void prepare_options(Block const& block, Work const& work,
                                          std::uint32_t first_option, Shared& shared) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = work.shape.wide, others = wide < 32 ? 32 : wide;
  std::uint32_t const mine = rank < others ? rank : rank - others;
  if (mine >= wide) return;
  std::uint32_t const last = work.shape.options - 1, wanted = first_option + mine;
  std::uint32_t const option = wanted < last ? wanted : last;
  option_kind const kind = work.kind[option];
  auto const of = work.book[option];
  auto& to = shared.scales[mine];
  if (rank >= others) {
    to.discount = scale_of(kind, of).discount;
    return;
  }
  option_scale const scale = scale_of(kind, of);
  to.unit = scale.unit;
  to.a = scale.a;
  to.b = scale.b;
  to.deviation = scale.deviation;
  shared.terms[mine] = work.evaluation.terms_of(kind, scale);
}

/// Units block_rank, block_rank + grid_size, ...
template <class T, int PerThread, detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void simulate(Block const& block, Work const& work, Shared& shared) {
  constexpr int width = normals_pack<T>::size;
  constexpr int sums = sizeof(Work::sums::of) / sizeof(double);
  simulation_shape const& shape = work.shape;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const path_lane = (rank & (shape.path_lanes - 1)),
                      option_lane = (rank >> shape.log2_path_lanes);
  std::uint32_t const wide = shape.wide, tiles = shape.tiles;
  std::uint32_t const units = shape.groups * work.some_tiles;
  bool waits = true;

  for (auto unit = static_cast<std::uint32_t>(block.block_rank()); unit < units;
       unit += static_cast<std::uint32_t>(block.grid_size())) {
    std::uint32_t const group = unit / work.some_tiles;
    std::uint32_t const tile = work.first_tile + unit - group * work.some_tiles;
    std::uint32_t const replicate = Work::is_replicated ? tile / tiles : 0;
    std::uint32_t const first_option = group * wide;
    std::uint64_t const begin = (tile - replicate * tiles) * shape.tile,
                        left = shape.samples - begin;
    std::uint64_t const samples = left < shape.tile ? left : shape.tile;
    auto const chunks = static_cast<std::uint32_t>((samples + shape.chunk - 1) / shape.chunk);

    typename decltype(work.evaluation)::terms terms[PerThread];
    double total[sums][PerThread] = {};
    std::uint32_t negative[PerThread] = {};
    // While a chunk is worked on, the normals of the next are made.
    WARPFOLD_UNROLL_BY(1)
    for (std::uint32_t chunk = 0; chunk <= chunks; ++chunk) {
      if (Work::source_reads && waits) block.wait_for_previous_grid();
      if (chunk < chunks) {
        WARPFOLD_UNROLL_BY(1)
        for (std::uint32_t i = rank; i < shape.chunk / width; i += shape.threads) {
          std::uint64_t const sample = std::uint64_t{chunk} * shape.chunk + i * width;
          auto pack = work.source.pack(shape.independent ? first_option : 0, replicate,
                                       (begin + sample) / width);
          if (sample + width > samples) {
            WARPFOLD_UNROLL
            for (int k = 0; k < width; ++k)
              if (sample + static_cast<std::uint64_t>(k) >= samples) pack.of[k] = simulated_nan<T>;
          }
          shared.normals[chunk % 2][i] = pack;
        }
      }
      if (chunk == 0) {
        if (!Work::source_reads && waits) block.wait_for_previous_grid();
        waits = false;
        prepare_options(block, work, first_option, shared);
        block.sync();
        WARPFOLD_UNROLL
        for (int g = 0; g < PerThread; ++g) terms[g] = shared.terms[option_lane * PerThread + g];
        continue;
      }
      T some[sums][PerThread] = {};
      WARPFOLD_UNROLL_BY(1)
      for (std::uint32_t i = path_lane; i < shape.chunk / width; i += shape.path_lanes) {
        normals_pack<T> const pack = shared.normals[(chunk - 1) % 2][i];
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
    auto mine = fold_threads<sums>(block, shape, shared, value, negative);
    std::uint32_t const option = first_option + rank;
    bool const has_option = rank < wide && option < shape.options;
    if (has_option)
      work.evaluation.close(work.kind[option], mine.of, std::uint64_t{chunks} * shape.chunk,
                            samples * static_cast<std::uint64_t>(work.evaluation.paths()),
                            mine.paying, mine.paying);
    bool is_whole = shape.all_tiles == 1 && !work.is_part;
    if (!is_whole) {
      if (rank < wide) work.of_tile(group, tile)[rank] = mine;
      if (work.tickets) is_whole = fold_if_last(block, work, group, tile, mine, shared);
    }
    if (is_whole && has_option) work.finish(option, shared.scales[rank], mine);
    if (is_whole || !work.tickets) block.sync();
  }
}

} // namespace warpfold::inline v0::pricing
