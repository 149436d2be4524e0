#pragma once
// Sums of a simulation's samples: over the threads of a block, tiles, branches and replicates. Work
// and Shared are those of monte_carlo_body.hpp.

#include "european_paths.hpp"
#include "monte_carlo_shape.hpp"

#include <warpfold/detail/core/block.hpp>

#include <cstdint>

namespace warpfold::inline v0::pricing {

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
  std::uint32_t const wide = shape.wide, lanes = shape.lanes;
  std::uint32_t const lane = rank >> shape.log2_wide;
  Sums total{};
  WARPFOLD_UNROLL_BY(1)
  for (std::uint32_t t = lane < lanes ? lane : count; t < count; t += ahead * lanes) {
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
  std::uint32_t const wide = shape.wide, lanes = shape.lanes;
  std::uint32_t const tiles = shape.tiles, lane = rank >> shape.log2_wide;
  typename Work::sums total{};
  for (std::uint32_t r = lane < lanes ? lane : shape.replicates; r < shape.replicates; r += lanes) {
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

/// The sums of a branch's tiles, `apart` apart, in the tree of add_entries.
template <std::uint32_t Lanes, class Sums>
WARPFOLD_HOST_DEVICE Sums add_alone(Sums const* from, std::uint32_t apart, std::uint32_t count) {
  Sums total[Lanes]{};
  WARPFOLD_UNROLL
  for (std::uint32_t t = 0; t < simulation_shape::tiles_of_branch; ++t)
    if (t < count) total[t % Lanes] += from[std::uint64_t{t} * apart];
  WARPFOLD_UNROLL
  for (std::uint32_t left = Lanes / 2; left > 0; left /= 2) {
    WARPFOLD_UNROLL
    for (std::uint32_t a = 0; a < left; ++a) total[a] += total[a + left];
  }
  return total[0];
}

/// Adds all tiles of a group: a thread has a branch for an option.
template <detail::thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE typename Work::sums add_branches(Block const& block, Work const& work,
                                                      std::uint32_t group, Shared& shared) {
  auto const& shape = work.shape;
  auto const rank = static_cast<std::uint32_t>(block.thread_rank());
  std::uint32_t const branch = rank >> shape.log2_wide;
  auto* const sums = shared.lanes + Shared::threads;
  if (branch < shape.branches) {
    auto const* const from =
        work.of_tile(group, branch * simulation_shape::tiles_of_branch) + (rank & (shape.wide - 1));
    std::uint32_t const count = shape.tiles_in_branch(branch);
    sums[rank] = shape.lanes == 2 ? add_alone<2>(from, shape.wide, count)
                                  : add_alone<4>(from, shape.wide, count);
  }
  block.sync();
  return add_entries<typename Work::sums>(
      block, shape, [&](std::uint32_t b) { return sums + b * shape.wide; }, shape.branches, shared);
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
    if constexpr (sizeof(Work::sums::of) == 2 * sizeof(double)) {
      if (work.is_flat) {
        if (!comes_last(block, tickets, shape.tiles, shared)) return false;
        mine = add_branches(block, work, group, shared);
        return true;
      }
    }
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
    // A thread of the tree adds its share of the entries, and then they fold what they have.
    std::uint32_t const adding = shape.lanes * wide;
    double sum = 0, squares = 0;
    std::uint32_t count = 0;
    if (rank < adding) {
      WARPFOLD_UNROLL_BY(1)
      for (std::uint32_t first = rank; first < shape.threads * PerThread;
           first += adding * PerThread) {
        WARPFOLD_UNROLL
        for (std::uint32_t j = 0; j < PerThread; ++j) {
          std::uint32_t const i = swizzled(shape, first + j * adding);
          sum += shared.pairs[i][0];
          squares += shared.pairs[i][1];
          if (m == 0) count += shared.negative[i];
        }
      }
      shared.pairs[own][0] = sum;
      shared.pairs[own][1] = squares;
      if (m == 0) shared.negative[own] = count;
    }
    block.sync();
    fold_lanes(block, shape.lanes, wide, [&](std::uint32_t i, std::uint32_t j) {
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

} // namespace warpfold::inline v0::pricing
