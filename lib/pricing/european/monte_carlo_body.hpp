#pragma once
// The body of the kernel of pricing by simulation: normals are made in shared memory, where all
// threads see them, and each thread has some options in its registers.

#include "european_paths.hpp"
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
    tile_sums<Evaluation::sums> lanes[threads];
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

/// Where entry [lane][option] of a shared array lies: rows are permuted, so that neither the
/// threads of a row nor those of a column wait for each other's bank.
WARPFOLD_HOST_DEVICE inline std::uint32_t swizzled(simulation_shape const& shape, std::uint32_t i) {
  std::uint32_t const within = shape.wide < 32 ? shape.wide - 1 : 31;
  return i ^ ((i >> shape.log2_wide) & within);
}

/// Folds entries [lane][option] of a shared array, one a thread, over the lanes, in pairs: entries
/// [0][option] are the results, each seen by the thread of its number.
template <detail::thread_block Block, class Merge>
WARPFOLD_HOST_DEVICE void fold_lanes(Block const& block, std::uint32_t lanes, std::uint32_t group,
                                     Merge merge) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  WARPFOLD_UNROLL_BY(1)
  for (std::uint32_t left = lanes / 2; left > 0; left /= 2) {
    if (rank < left * group) merge(rank, rank + left * group);
    if (left > 1) block.sync();
  }
}

/// Adds `count` entries of GPU memory, of which number t has its options' sums from entry(t) on;
/// the thread of number i gets the sums of option i of the group. Ahead: entries that are on their
/// way together, which does not change the order.
template <class Sums, int Ahead = 4, detail::thread_block Block, class Entry, class Shared>
WARPFOLD_HOST_DEVICE Sums add_entries(Block const& block, simulation_shape const& shape,
                                      Entry entry, std::uint32_t count, Shared& shared) {
  constexpr std::uint32_t ahead = sizeof(Sums) <= 64 ? Ahead : 1;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = shape.wide, lanes = shape.threads >> shape.log2_wide;
  Sums total{};
  WARPFOLD_UNROLL_BY(1)
  for (std::uint32_t t = rank >> shape.log2_wide; t < count; t += ahead * lanes) {
    Sums some[ahead] = {};
    WARPFOLD_UNROLL
    for (std::uint32_t k = 0; k < ahead; ++k)
      if (t + k * lanes < count) some[k] = entry(t + k * lanes)[rank & (wide - 1)];
    WARPFOLD_UNROLL
    for (std::uint32_t k = 0; k < ahead; ++k) total += some[k];
  }
  shared.lanes[rank] = total;
  block.sync();
  fold_lanes(block, lanes, wide,
             [&](std::uint32_t a, std::uint32_t b) { shared.lanes[a] += shared.lanes[b]; });
  return shared.lanes[rank];
}

/// Adds the means of a group's replicates in the tree of lanes.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE typename Work::sums add_replicates(Block const& block, Work const& work,
                                                        std::uint32_t group, Shared& shared) {
  auto const& shape = work.shape;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = shape.wide, lanes = shape.threads >> shape.log2_wide;
  std::uint32_t const tiles = shape.tiles;
  typename Work::sums total{};
  for (std::uint32_t r = rank >> shape.log2_wide; r < shape.replicates; r += lanes) {
    typename Work::sums one{};
    for (std::uint32_t t = 0; t < tiles; ++t)
      one += work.of_tile(group, r * tiles + t)[rank & (wide - 1)];
    total += of_means(one, shape.samples);
  }
  shared.lanes[rank] = total;
  block.sync();
  fold_lanes(block, lanes, wide,
             [&](std::uint32_t a, std::uint32_t b) { shared.lanes[a] += shared.lanes[b]; });
  return shared.lanes[rank];
}

/// Adds a branch of a group's tiles in the tree of lanes, and keeps the sums.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void add_branch(Block const& block, Work const& work, Shared& shared) {
  auto const number = static_cast<std::uint32_t>(block.block_rank());
  std::uint32_t const group = number / work.shape.branches;
  std::uint32_t const branch = number - group * work.shape.branches;
  std::uint32_t const first = branch * simulation_shape::tiles_of_branch;
  auto const sums = add_entries<typename Work::sums, 8>(
      block, work.shape, [&](std::uint32_t t) { return work.of_tile(group, first + t); },
      work.shape.tiles_in_branch(branch), shared);
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  if (rank < work.shape.wide) work.of_branch(group, branch)[rank] = sums;
}

/// Adds all of a group, of which the tiles' sums are there, and the branches'.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE typename Work::sums add_tiles(Block const& block, Work const& work,
                                                   std::uint32_t group, Shared& shared) {
  auto const& shape = work.shape;
  if constexpr (Work::is_replicated) return add_replicates(block, work, group, shared);
  else {
    bool const by_branches = shape.branches > 0;
    auto const entry = [&](std::uint32_t t) {
      return by_branches ? work.of_branch(group, t) : work.of_tile(group, t);
    };
    return add_entries<typename Work::sums, 16>(block, shape, entry,
                                                by_branches ? shape.branches : shape.tiles, shared);
  }
}

/// True in all threads of the last of `count` blocks that come with this ticket.
template <detail::thread_block Block, class Shared>
WARPFOLD_HOST_DEVICE bool comes_last(Block const& block, unsigned* ticket, std::uint32_t count,
                                     Shared& shared) {
  block.sync();
  if (block.thread_rank() == 0) shared.is_last = block.arrives_last(ticket, count);
  block.sync();
  return shared.is_last;
}

/// A tile's sums are written. The last block of a branch of tiles adds those, and, unless this is a
/// part of the work, the last of a group's branches those; true in that one, for which `mine` is
/// then what add_entries returns.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE bool fold_if_last(Block const& block, Work const& work, std::uint32_t group,
                                       std::uint32_t tile, typename Work::sums& mine,
                                       Shared& shared) {
  auto const& shape = work.shape;
  unsigned* const tickets = work.tickets_of(group);
  if constexpr (Work::is_replicated) {
    if (!comes_last(block, tickets, shape.all_tiles, shared)) return false;
    mine = add_replicates(block, work, group, shared);
    return true;
  } else {
    constexpr std::uint32_t of_branch = simulation_shape::tiles_of_branch;
    auto const rank = static_cast<std::uint32_t>(block.thread_rank());
    std::uint32_t const wide = shape.wide, branches = shape.branches;
    std::uint32_t const branch = tile / of_branch;
    WARPFOLD_UNROLL_BY(1)
    for (bool is_branch = branches > 0;; is_branch = false) {
      std::uint32_t const count = is_branch      ? shape.tiles_in_branch(branch)
                                  : branches > 0 ? branches
                                                 : shape.tiles;
      if (!comes_last(block, is_branch ? tickets + 1 + branch : tickets, count, shared))
        return false;
      // Nobody else takes part: what is added lies in one piece.
      auto const* const from = is_branch      ? work.of_tile(group, branch * of_branch)
                               : branches > 0 ? work.of_branch(group, 0)
                                              : work.of_tile(group, 0);
      mine = add_entries<typename Work::sums>(
          block, shape, [&](std::uint32_t t) { return from + std::uint64_t{t} * wide; }, count,
          shared);
      if (!is_branch) return true;
      if (rank < wide) work.of_branch(group, branch)[rank] = mine;
      if (work.is_part) { // where the branches are added all of them are wanted
        block.sync();
        return false;
      }
    }
  }
}

/// Folds what the threads have of a unit: values(m, g, to) is what sums m and m + 1 of the thread's
/// option g are. The thread of number i gets what belongs to option i of the group; what pays is
/// still what is negative.
template <int Sums, int PerThread, detail::thread_block Block, class Shared, class Values>
WARPFOLD_HOST_DEVICE auto fold_threads(Block const& block, simulation_shape const& shape,
                                       Shared& shared, Values values,
                                       std::uint32_t const (&negative)[PerThread]) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const wide = shape.wide, own = swizzled(shape, rank);
  std::uint32_t const mine =
      (rank & (shape.path_lanes - 1)) * wide + (rank >> shape.log2_path_lanes) * PerThread;
  tile_sums<Sums> total{};
  WARPFOLD_UNROLL_BY(1)
  for (int m = 0; m < Sums; m += 2) {
    WARPFOLD_UNROLL
    for (int g = 0; g < PerThread; ++g) {
      std::uint32_t const i = swizzled(shape, mine + static_cast<std::uint32_t>(g));
      values(m, g, shared.pairs[i]);
      if (m == 0) shared.negative[i] = negative[g];
    }
    block.sync();
    // A thread adds its share of the entries, and then they fold what they have.
    double sum = 0, squares = 0;
    std::uint32_t count = 0;
    WARPFOLD_UNROLL
    for (int j = 0; j < PerThread; ++j) {
      std::uint32_t const i =
          swizzled(shape, rank + static_cast<std::uint32_t>(j * simulation_shape::threads));
      sum += shared.pairs[i][0];
      squares += shared.pairs[i][1];
      if (m == 0) count += shared.negative[i];
    }
    shared.pairs[own][0] = sum;
    shared.pairs[own][1] = squares;
    if (m == 0) shared.negative[own] = count;
    block.sync();
    fold_lanes(block, shape.threads >> shape.log2_wide, wide,
               [&](std::uint32_t i, std::uint32_t j) {
                 std::uint32_t const to = swizzled(shape, i), from = swizzled(shape, j);
                 shared.pairs[to][0] += shared.pairs[from][0];
                 shared.pairs[to][1] += shared.pairs[from][1];
                 if (m == 0) shared.negative[to] += shared.negative[from];
               });
    if (rank < wide) {
      total.of[m] = shared.pairs[own][0];
      total.of[m + 1] = shared.pairs[own][1];
    }
    if (m + 2 < Sums) block.sync();
  }
  if (rank < wide) total.paying = shared.negative[own];
  return total;
}

/// Makes the terms and scales of a group's options.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void prepare_options(Block const& block, Work const& work,
                                          std::uint32_t first_option, Shared& shared) {
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const last = work.shape.options - 1, wanted = first_option + rank;
  std::uint32_t const option = wanted < last ? wanted : last;
  if (rank >= work.shape.wide) return;
  option_scale const scale = scale_of(work.kind[option], work.book[option]);
  shared.scales[rank] = scale;
  shared.terms[rank] = work.evaluation.terms_of(work.kind[option], scale);
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
