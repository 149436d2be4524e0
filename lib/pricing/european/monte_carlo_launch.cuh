#pragma once
// The kernels of pricing by simulation and their launch.

#include "monte_carlo_backend.hpp"
#include "monte_carlo_body.hpp"
#include "monte_carlo_finish.hpp"
#include "monte_carlo_sources.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/execution.hpp>

namespace warpfold::inline v0::pricing {
namespace gpu_impl {
namespace {

/// Blocks of a multiprocessor that leave room for the registers.
template <class T, int PerThread, class Work>
constexpr int blocks_for = [] {
  constexpr std::size_t bytes = sizeof(T) * PerThread * sizeof(Work::sums::of) / sizeof(double);
  return bytes > 32 ? 2 : bytes > 16 ? 3 : 4;
}();

template <class T, int PerThread, class Work>
__global__ __launch_bounds__(simulation_shape::threads,
                             (blocks_for<T, PerThread, Work>)) void simulate_kernel(Work work) {
  __shared__ simulation_shared<T, decltype(work.evaluation), PerThread> shared;
  simulate<T, PerThread>(detail::cuda_block{}, work, shared);
}

template <class T, int PerThread, class Work>
__global__ __launch_bounds__(simulation_shape::threads) void fold_branches_kernel(Work work) {
  __shared__ simulation_shared<T, decltype(work.evaluation), PerThread> shared;
  detail::cuda_block const block;
  block.wait_for_previous_grid();
  add_branch(block, work, shared);
}

template <class T, int PerThread, class Work>
__global__ __launch_bounds__(simulation_shape::threads) void fold_tiles_kernel(Work work) {
  __shared__ simulation_shared<T, decltype(work.evaluation), PerThread> shared;
  detail::cuda_block const block;
  std::uint32_t const first = blockIdx.x * work.shape.wide;
  // (The book was there for the simulation: see launch_shape::ahead.)
  prepare_options(block, work, first, shared);
  block.wait_for_previous_grid();
  auto const total = add_tiles(block, work, blockIdx.x, shared);
  if (threadIdx.x < work.shape.wide && first + threadIdx.x < work.shape.options)
    work.finish(first + threadIdx.x, shared.scales[threadIdx.x], total);
}

/// Where the sums of a simulation lie.
struct sums_memory {
  sum_places tiles, branches;
};

/// The part of a simulation that is launched.
struct launched_part {
  std::uint32_t first_tile, tiles; ///< of each group
  bool simulates, folds, finishes; ///< makes tiles' sums; adds those of branches; and the rest
};
inline launched_part all_of(simulation_shape const& shape) {
  return {0, shape.all_tiles, true, true, true};
}

template <class T, int PerThread, class Evaluation, class Source>
void launch_simulation(gpu& place, simulation_call<T> const& call, simulation_shape const& shape,
                       Evaluation evaluation, Source source, sums_memory const& partials,
                       launched_part part) {
  using finish = finish_option<T, Evaluation>;
  using work_type = simulation_work<T, Evaluation, Source, finish>;
  constexpr auto kernel = simulate_kernel<T, PerThread, work_type>;
  device_guard const current{place.device()};
  static detail::kernel_facts const facts =
      detail::facts_of(kernel, simulation_shape::threads, place.compute_capability());
  bool const is_whole = part.simulates && part.finishes;
  bool const by_tickets = part.simulates && part.folds && (part.finishes || shape.branches > 0) &&
                          shape.groups <= simulation_shape::most_tickets;
  work_type const work{
      shape,
      evaluation,
      source,
      call.kind,
      call.book,
      partials.tiles,
      partials.branches,
      by_tickets ? reinterpret_cast<unsigned*>(detail::gpu_scratch(place).counters()) : nullptr,
      part.first_tile,
      part.tiles,
      !is_whole,
      finish{call, evaluation},
      is_whole && can_be_flat(shape)};
  bool const ahead = facts.waits_for_previous_grid(place.compute_capability());
  if (part.simulates) {
    int const blocks = detail::blocks_at_once(place, facts, std::size_t{shape.groups} * part.tiles);
    // Two blocks a multiprocessor have no third one beside them, of the next launch: NVIDIA H200,
    // 2026-11-27, 64 options of 2^16 paths: 6.49 us, where there was one 7.22 us.
    constexpr std::size_t own = sizeof(simulation_shared<T, Evaluation, PerThread>);
    std::size_t const all = detail::shared_memory_of(place);
    std::size_t const most = all / 2 - 1024; // of two blocks; CUDA keeps 1 KiB of each
    std::size_t shared = 0;
    if (work.is_flat && blocks > place.multiprocessors() && own < most) {
      shared = detail::smaller(all / 4, most - own);
      detail::allow_shared(kernel, shared, own);
    }
    detail::launch(
        place.stream(),
        {.blocks = blocks, .threads = simulation_shape::threads, .ahead = ahead, .shared = shared},
        kernel, work);
  }
  if (by_tickets || (shape.all_tiles == 1 && is_whole)) return;
  if (part.folds && shape.branches > 0)
    detail::launch(
        place.stream(),
        {static_cast<int>(shape.groups * shape.branches), simulation_shape::threads, ahead},
        fold_branches_kernel<T, PerThread, work_type>, work);
  if (!part.finishes) return;
  detail::launch(place.stream(), {static_cast<int>(shape.groups), simulation_shape::threads, ahead},
                 fold_tiles_kernel<T, PerThread, work_type>, work);
}

/// Bytes for the sums of all tiles; one that is alone is not kept, unless it is simulated as a
/// part.
template <class Evaluation>
std::size_t partials_size(simulation_shape const& shape, bool is_part = false) {
  if (shape.all_tiles == 1 && !is_part) return 0;
  return std::size_t{shape.units + shape.groups * shape.branches} * shape.wide *
         sizeof(tile_sums<Evaluation::sums>);
}
template <class Evaluation>
sums_memory partials_in(std::byte* memory, simulation_shape const& shape) {
  std::size_t const piece = shape.wide * sizeof(tile_sums<Evaluation::sums>);
  return {sum_places::whole(memory, shape.all_tiles),
          sum_places::whole(memory + shape.units * piece, shape.branches)};
}

/// Scratch memory that a simulation needs.
inline std::byte* simulation_scratch(gpu& place, std::size_t bytes, bool may_allocate) {
  if (may_allocate) place.reserve(bytes);
  return static_cast<std::byte*>(detail::gpu_scratch(place).workspace(bytes));
}
/// Launches all tiles: launch(memory, part). With others, the own ones, and the rest when theirs
/// are there. Where ranks can divide branches about as evenly as tiles, those are what travels.
template <class Evaluation, class Launch>
void launch_tiles(gpu& place, simulation_shape const& shape, bool may_allocate,
                  tile_sharing* sharing, Launch launch) {
  bool const is_part = sharing != nullptr;
  auto partials = partials_in<Evaluation>(
      simulation_scratch(place, partials_size<Evaluation>(shape, is_part), may_allocate), shape);
  if (!is_part) return launch(partials, all_of(shape));
  bool const by_branches = shape.divides_branches(sharing->ranks());
  std::uint32_t const pieces = by_branches ? shape.branches : shape.all_tiles;
  (by_branches ? partials.branches : partials.tiles) =
      sharing->open(shape.groups, pieces, shape.wide * sizeof(tile_sums<Evaluation::sums>));
  piece_range const own = sharing->own(pieces);
  launched_part part{own.first, own.count, true, false, false};
  if (by_branches) {
    part.folds = true;
    part.first_tile *= simulation_shape::tiles_of_branch;
    part.tiles = detail::smaller(part.tiles * simulation_shape::tiles_of_branch,
                                 shape.tiles - part.first_tile);
  }
  if (own.count > 0) launch(partials, part);
  sharing->share();
  launch(partials, launched_part{0, shape.all_tiles, false, !by_branches, true});
}

/// For a GPU that simulates all of it: where multiprocessors would have nothing to do, blocks have
/// half of the options each, and so on. Otherwise there may be two such blocks a multiprocessor, if
/// one then adds all branches of its group.
inline simulation_shape fitted(gpu const& place, simulation_shape shape) {
  auto const multiprocessors = static_cast<std::uint32_t>(place.multiprocessors());
  if (shape.per_thread > 1 && shape.units <= multiprocessors && 2 * shape.units > multiprocessors &&
      can_be_flat(halved(shape)))
    return halved(shape);
  while (shape.per_thread > 1 && 2 * shape.units <= multiprocessors) shape = halved(shape);
  return shape;
}

template <class T, class Evaluation, class Source>
void launch_evaluation(gpu& place, simulation_call<T> const& call, simulation_shape const& shape,
                       Evaluation const& evaluation, Source source, sums_memory const& partials,
                       launched_part part) {
  launch_simulation<T, 1>(place, call, shape, evaluation, source, partials, part);
}
template <class T, class Source>
void launch_evaluation(gpu& place, simulation_call<T> const& call, simulation_shape const& shape,
                       plain_evaluation<T, kinds::both> const& any, Source source,
                       sums_memory const& partials, launched_part part) {
  auto const launch = [&](auto evaluation) {
    switch (shape.per_thread) {
    case 1: return launch_simulation<T, 1>(place, call, shape, evaluation, source, partials, part);
    case 2: return launch_simulation<T, 2>(place, call, shape, evaluation, source, partials, part);
    case 4: return launch_simulation<T, 4>(place, call, shape, evaluation, source, partials, part);
    default:
      if constexpr (sizeof(T) == 4)
        launch_simulation<T, 8>(place, call, shape, evaluation, source, partials, part);
    }
  };
  // Portable bits, as those of double, are the host's: it has one evaluation of both kinds.
  if constexpr (sizeof(T) == 8) {
    launch(any);
  } else {
    if constexpr (!Source::reads)
      if (call.how == bits::portable)
        return launch(plain_evaluation<T, kinds::both, bits::portable>{});
    if (call.kind.array) launch(any);
    else if (call.kind.value == option_kind::call) launch(plain_evaluation<T, kinds::calls>{});
    else launch(plain_evaluation<T, kinds::puts>{});
  }
}

} // namespace

} // namespace gpu_impl

template <class T, class Evaluation>
void simulate_evaluation(gpu& place, simulation_call<T> const& call, Evaluation const& evaluation,
                         bool may_allocate, tile_sharing* sharing) {
  auto shape = shape_of<Evaluation>(call);
  if (!sharing) shape = gpu_impl::fitted(place, shape);
  auto const simulate_from = [&](auto const& source) {
    gpu_impl::launch_tiles<Evaluation>(
        place, shape, may_allocate, sharing,
        [&](gpu_impl::sums_memory const& sums, gpu_impl::launched_part part) {
          gpu_impl::launch_evaluation(place, call, shape, evaluation, source, sums, part);
        });
  };
  if constexpr (!std::is_same_v<Evaluation, plain_evaluation<T, kinds::both>>)
    if (call.sobol) return simulate_from(sobol_source<T>{call.from});
  simulate_from(philox_source_of<T>(call.from, call.first));
}

} // namespace warpfold::inline v0::pricing
