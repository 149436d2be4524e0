#pragma once
// Paths that may be over before their last step. Those that go on close up from time to time: so
// warps are full, or have nothing left to do.

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/lanes.hpp>
#include <warpfold/detail/pricing/path_walk.hpp>

#include <type_traits>

namespace warpfold::inline v0::detail {

/// State that moves with a path.
template <class Model, class Payoff>
struct living_path {
  path_state<Model> path;
  path_memory<Model, Payoff> seen;
  int place; ///< among the samples
};

/// Shared memory of the two rounds that a block walks together. Round: two rows.
template <class Model, class Payoff, class Round>
struct living_paths {
  using path = living_path<Model, Payoff>;
  static constexpr int rounds = 2, samples = rounds * path_threads;

  Round values;           ///< a row for each round
  path queue[2][samples]; ///< paths that go on, at one time and the next
  int going[3];           ///< their number at this time, at the next and at the one before
};
struct no_living_paths {};

/// True for a payoff of one value that knows when a path is over, as lone_payoff does:
/// is_over(seen), with_bits(use), living_blocks. Paths that are expensive to move stay where they
/// are, as do pairs, which are over only when both of them are.
template <class Model, class Payoff, class Source>
constexpr bool knows_end() {
  if constexpr (requires { Payoff::living_blocks; }) {
    using path = living_path<Model, Payoff>;
    return !Source::antithetic && std::is_trivially_copyable_v<path> && sizeof(path) <= 40;
  } else {
    return false;
  }
}
template <class Model, class Payoff, class Source>
inline constexpr bool can_be_over = knows_end<Model, Payoff, Source>();

/// Steps after which those that go on close up. A put of 50 dates on an NVIDIA H200, us: 619 with
/// 4, 608 with 8, 607 with 12, 612 with 16.
inline constexpr int steps_together = 12;

/// Walks `samples` paths. normals_of(place) are those of the path at that place. Values are those
/// of walk_path. A barrier has to follow.
WARPFOLD_CALLS_USER
template <thread_block Block, class Model, class Payoff, class Normals, class Step, class Round>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
walk_living_paths(Block const& block, Model const& model, Payoff const& payoff, Normals normals_of,
                  Step const* steps, int count, int samples,
                  living_paths<Model, Payoff, Round>& shared) {
  using T = value_of_model<Model>;
  using chunk = path_chunk<Model>;
  constexpr int leg = (steps_together + chunk::steps - 1) / chunk::steps * chunk::steps;
  int const rank = block.thread_rank(), lane = block.lane();
  auto start = model.start();
  living_path<Model, Payoff> const fresh{start, payoff.start(start), 0};
  if (rank == 0) shared.going[0] = 0;
  block.sync();
  WARPFOLD_UNROLL_BY(1)
  for (int first = 0, turn = 0, now = 0;; first += leg, turn ^= 1) {
    int const end = first + leg < count ? first + leg : count, next = now < 2 ? now + 1 : 0;
    if (rank == 0) shared.going[next] = 0;
    WARPFOLD_UNROLL_BY(1)
    for (int at = rank; at - lane < samples; at += path_threads) {
      living_path<Model, Payoff> own = fresh;
      own.place = at;
      bool goes_on = at < samples;
      if (goes_on) {
        if (first > 0) { // one by one: compilers copy padding byte by byte
          own.path = shared.queue[turn][at].path;
          own.seen = shared.queue[turn][at].seen;
          own.place = shared.queue[turn][at].place;
        }
        auto const normals = normals_of(own.place);
        path_payer<false, T, Round> const pay{shared.values, own.place % path_threads};
        payoff.with_bits([&](auto how) {
          WARPFOLD_UNROLL_BY(1)
          for (int j = first; j < end; j += chunk::steps) {
            chunk const z = normals.chunk(j / chunk::steps);
            WARPFOLD_UNROLL
            for (int s = 0; s < chunk::steps; ++s)
              if (j + s < count) {
                detail::take_step(model, own.path, z.of[s], z.words[s], steps[j + s]);
                detail::look(payoff, own.seen, own.path, steps[j + s], pay, how);
              }
          }
        });
        if (end == count || payoff.is_over(own.seen)) {
          payoff.finish(own.seen, [&](int, T worth) { pay(own.place / path_threads, worth); });
          goes_on = false;
        }
      }
      if (end == count) continue;
      unsigned const going = block.ballot(every_lane, goes_on);
      int to = lane == 0 ? block.fetch_add(&shared.going[now], number_of(going)) : 0;
      to = block.shuffle(to, 0) + number_of(detail::before(going, lane));
      if (goes_on) {
        shared.queue[turn ^ 1][to].path = own.path;
        shared.queue[turn ^ 1][to].seen = own.seen;
        shared.queue[turn ^ 1][to].place = own.place;
      }
    }
    if (end == count) return;
    block.sync();
    samples = shared.going[now];
    if (samples == 0) return;
    now = next;
  }
}

} // namespace warpfold::inline v0::detail
