#pragma once
// Few paths, so that a GPU has more threads than paths: neighbouring lanes of a warp walk a path
// together, as a team. Each has some of a group's options and makes another block of the normals,
// which they exchange. The bits are those of one thread a path.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/pricing/path_body.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

/// Lanes of a team.
inline constexpr int path_team = 4;

/// A round's rows from number `first` on.
template <class T, class Round>
struct rows_of_round {
  Round& round;
  int first;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(int k, int i, pricing::path_value<T> value,
                                                       int paths) {
    round.put(first + k, i, value, paths);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add_half(int k, int i, T payoff, int paths) {
    round.add_half(first + k, i, payoff, paths);
  }
};

/// walk_path by a team, each lane with a payoff of its own. All threads of a warp call it.
template <bool antithetic, thread_block Block, class Model, class Payoff, class Normals, class Step,
          class Rows>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
walk_together(Block const& block, Model const& model, Payoff const& payoff, Normals const& normals,
              Step const* steps, int count, Rows& rows, int place) {
  using chunk = path_chunk<Model>;
  static_assert(!pays_early<Payoff> && !takes_uniforms<Model>);
  int const number = block.lane() % path_team, first_lane = block.lane() - number;
  with_paths<antithetic>(model, payoff, rows, place, [&](auto& paths) {
    // Step s of the chunk of the team's lane `of`.
    auto const step = [&](chunk const& own, int of, int s, int j, auto variant) {
      value_of_model<Model> z[chunk::per_step];
      WARPFOLD_UNROLL
      for (int i = 0; i < chunk::per_step; ++i) z[i] = block.shuffle(own.of[s][i], first_lane + of);
      paths.step(z, own.words[s], steps[j], rows, place, variant);
    };
    int j = 0;
    // The last chunks may lie beyond the path's end: nobody asks for them.
    WARPFOLD_UNROLL_BY(1)
    for (int c = number; j < count; c += path_team) {
      chunk const own = normals.chunk(c);
      int of = 0;
      WARPFOLD_UNROLL_BY(1)
      for (; of < path_team && j + chunk::steps <= count; ++of, j += chunk::steps) {
        detail::in_variant(payoff, [&](auto variant) {
          WARPFOLD_UNROLL
          for (int s = 0; s < chunk::steps; ++s) step(own, of, s, j + s, variant);
        });
      }
      if (of == path_team) continue;
      detail::in_variant(payoff, [&](auto variant) {
        WARPFOLD_UNROLL
        for (int s = 0; s < chunk::steps; ++s)
          if (j + s < count) step(own, of, s, j + s, variant);
      });
      break;
    }
  });
}

/// Tables lie in pieces of 16 bytes.
struct alignas(16) table_piece {
  std::uint32_t of[4];
};

/// A simulation by teams.
template <class Model>
struct team_work {
  path_run run;
  Model model;
  int tiles, groups;
  path_sums* partials;        ///< a row of tiles for every value
  unsigned* tickets;          ///< 0; one a group
  path_ending ending;         ///< of one replicate
  pricing::estimate* results; ///< the first `wanted`
  int wanted;
  /// Pieces of all tables, and the first of what makes estimates, for every value, and of the
  /// groups, `path_team` parts each. Steps come first.
  int pieces, at_finish, at_groups;
};

/// The estimates of a group whose sums are all there. A warp makes a value's, in the tree of
/// finish_values.
template <int results, thread_block Block, class Work>
WARPFOLD_HOST_DEVICE void finish_group(Block const& block, Work const& work,
                                       path_finish const* finish, int group) {
  static_assert(path_threads == 4 * 32);
  int const lane = block.lane(), warps = block.size() / 32;
  WARPFOLD_UNROLL_BY(1)
  for (int k = block.thread_rank() / 32; k < results; k += warps) {
    int const value = group * results + k;
    if (value >= work.wanted) return;
    auto const* const partials = work.partials + std::int64_t{value} * work.tiles;
    path_sums of[4]{};
    auto const add = [&](int first) {
      WARPFOLD_UNROLL
      for (int i = 0; i < 4; ++i)
        if (first + 32 * i < work.tiles) of[i] = of[i] + partials[first + 32 * i];
    };
    add(lane); // most have no more
    WARPFOLD_UNROLL_BY(1)
    for (int first = lane + path_threads; first < work.tiles; first += path_threads) add(first);
    path_sums sums = (of[0] + of[2]) + (of[1] + of[3]);
    WARPFOLD_UNROLL_BY(1)
    for (int left = 16; left > 0; left /= 2) sums = sums + block.shuffle_down(sums, left);
    if (lane == 0) store_estimate(work.results + value, work.ending(sums, finish[value]));
  }
}

template <class Round>
struct team_shared {
  Round round;
  bool is_last;
};

/// As simulate_tiles, and then finish_values in each group's last block. `path_threads` samples
/// have a team each. The tables are in parameters, and then in shared memory: paths are walked
/// before the wait for the previous kernel.
template <bool antithetic, class Group, class Step, thread_block Block, class Work, class Shared>
WARPFOLD_HOST_DEVICE void simulate_teams(Block const& block, Work const& work,
                                         table_piece const* from, table_piece* tables,
                                         Shared& shared) {
  using model_type = std::remove_cvref_t<decltype(work.model)>;
  constexpr int results = Group::results * path_team, lanes = path_lanes<results>;
  int const rank = block.thread_rank(), sample = rank / path_team, part = rank % path_team;
  path_slot<lanes> const slot(rank);
  bool const adds = slot.k < results;
  block.start_next_grid();
  for (int i = rank; i < work.pieces; i += block.size()) tables[i] = from[i];
  block.sync();
  auto const* const steps = reinterpret_cast<Step const*>(tables);
  auto const* const finish = reinterpret_cast<path_finish const*>(tables + work.at_finish);
  auto const* const groups = reinterpret_cast<Group const*>(tables + work.at_groups);
  path_run const& run = work.run;
  using round_type = std::remove_cvref_t<decltype(shared.round)>;
  rows_of_round<typename Group::element, round_type> rows{shared.round, part * Group::results};
  bool waits = true;
  WARPFOLD_UNROLL_BY(1)
  for (int unit = block.block_rank(); unit < work.tiles * work.groups; unit += block.grid_size()) {
    int const group = unit / work.tiles, tile = unit - group * work.tiles;
    auto const payoff = groups[group * path_team + part].payoff();
    double const mean = adds ? finish[group * results + slot.k].control_mean : 0;
    path_sums sums{};
    std::int64_t const first = run.shape.first_sample(tile);
    WARPFOLD_UNROLL_BY(1)
    for (std::int64_t r = 0; r < run.shape.rounds; ++r) {
      std::int64_t const start = first + r * path_threads;
      int const count = samples_in_round(run.shape.samples, start);
      if (count == 0) break;
      // Samples that do not exist are walked, too, since a warp's lanes exchange normals.
      walk_together<antithetic>(block, work.model, payoff,
                                random_source<antithetic>{}.template path<model_type>(
                                    run.numbers, start + sample, 0, steps, run.steps),
                                steps, run.steps, rows, sample);
      block.sync();
      if (adds) add_round(slot, shared.round, count, mean, sums);
      block.sync();
    }
    // The tree of add_lanes.
    WARPFOLD_UNROLL
    for (int up = 1; up < lanes; up *= 2) sums = sums + block.shuffle_down(sums, up);
    if (waits) block.wait_for_previous_grid();
    waits = false;
    if (adds && slot.lane == 0)
      work.partials[std::int64_t{group * results + slot.k} * work.tiles + tile] = sums;
    block.sync();
    if (rank == 0)
      shared.is_last = block.arrives_last(work.tickets + group, static_cast<unsigned>(work.tiles));
    block.sync();
    if (shared.is_last) finish_group<results>(block, work, finish, group);
    block.sync();
  }
}

} // namespace warpfold::inline v0::detail
