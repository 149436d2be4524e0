#pragma once
// Early exercise on a gpu: the kernels and their launches.

#include <warpfold/detail/pricing/exercise/exercise_dates.hpp>
#include <warpfold/detail/pricing/exercise/exercise_plan.hpp>
#include <warpfold/detail/pricing/exercise/exercise_resident.hpp>
#include <warpfold/detail/pricing/paths.cuh>

namespace warpfold::inline v0::detail {

namespace {

template <class Model, class Right, class Step>
__global__ __launch_bounds__(path_threads) void keep_paths_kernel(
    Model model, Right const* rights, prepared_address numbers, Step const* steps, int count,
    kept_paths<typename Right::kept> to, std::int64_t paths) {
  Right const right = rights[0];
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t path = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; path < paths;
       path += all)
    detail::keep_path(model, right, numbers, steps, count, to, path);
}

/// Blocks, or teams of a block, that a multiprocessor has room for: for all 512 tiles at once,
/// where a thread's sums leave room for that.
template <class T, class Right>
inline constexpr int regress_blocks = sizeof(T) * Right::basis <= 16   ? 4
                                      : sizeof(T) * Right::basis <= 56 ? 2
                                                                       : 1;

template <class T, class Right, int most>
__global__ __launch_bounds__(exercise_threads, regress_blocks<T, Right>) void regress_kernel(
    exercise_shape shape, exercise_memory<T, Right> memory, int date, int options, int each,
    unsigned* tickets) {
  __shared__ exercise_shared<T, Right, most> shared;
  detail::regress_date(cuda_block{}, shape, memory, date, options, each, tickets, shared);
}

/// Some of a block's threads, which are a block to each other.
template <int threads>
struct cuda_team : cuda_block {
  /// The caller's team. By a shuffle, so that compilers know that a warp has one.
  int number = __shfl_sync(every_lane, static_cast<int>(threadIdx.x) / threads, 0);

  __device__ int of_block() const { return static_cast<int>(blockDim.x) / threads; }
  __device__ int thread_rank() const { return static_cast<int>(threadIdx.x) % threads; }
  __device__ int size() const { return threads; }
  __device__ int block_rank() const { return static_cast<int>(blockIdx.x) * of_block() + number; }
  __device__ int grid_size() const { return static_cast<int>(gridDim.x) * of_block(); }
  __device__ void sync() const { sync(threads); }
  __device__ void sync(int some) const {
    asm volatile("bar.sync %0, %1;" ::"r"(1 + number), "r"(some) : "memory");
  }
};

/// Bytes that a team shares.
template <class T, class Right>
std::size_t team_bytes(exercise_shape const& shape, int tiles) {
  std::size_t const paths = static_cast<std::size_t>(tiles) * resident_bytes<T, Right>(shape);
  return sizeof(resident_shared<T, Right>) + larger(paths, awaited_bytes<Right>);
}
template <class T, class Right>
__global__ __launch_bounds__(exercise_threads* regress_blocks<T, Right>) void resident_kernel(
    exercise_shape const __grid_constant__ shape,
    exercise_memory<T, Right> const __grid_constant__ memory,
    date_exchange<T, Right> const __grid_constant__ exchange, int bytes) {
  extern __shared__ __align__(16) unsigned char memory_of_teams[];
  cuda_team<exercise_threads> const team{};
  auto& shared =
      *reinterpret_cast<resident_shared<T, Right>*>(memory_of_teams + team.number * bytes);
  detail::exercise_dates(team, shape, memory, exchange, team.of_block(),
                         reinterpret_cast<std::uint32_t*>(&shared + 1), shared);
}

/// True if sums are few enough for a team to add up those of all tiles in time.
template <class T, class Right>
inline constexpr bool can_stay = regression_sums<T, Right::basis>::size <= 36;

/// The grid of resident_kernel.
struct resident_grid {
  int blocks = 0;          ///< 0 if they do not run at the same time
  int teams = 0;           ///< of a block
  std::size_t of_team = 0; ///< bytes
};
/// As few tiles a team as the place has room for, and as few teams a block, with one block a
/// multiprocessor.
template <class T, class Right>
resident_grid resident_grid_of(gpu const& place, exercise_shape const& shape, int most_blocks) {
  auto const kernel = resident_kernel<T, Right>;
  int together = 0, most = 0;
  check(cudaDeviceGetAttribute(&together, cudaDevAttrCooperativeLaunch, place.device()));
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, place.device()));
  if (together == 0) return {};
  auto const room = static_cast<std::size_t>(most);
  allow_shared(kernel, room, 0);
  int const multiprocessors = smaller(place.multiprocessors(), most_blocks);
  for (int tiles = 1; tiles <= shape.tiles; ++tiles) {
    int const walkers = (shape.tiles + tiles - 1) / tiles;
    std::size_t const of_team = team_bytes<T, Right>(shape, tiles);
    for (int teams = 1; teams <= regress_blocks<T, Right> && teams * of_team <= room; ++teams) {
      int const blocks = 2 + (walkers + teams - 1) / teams;
      if (blocks <= multiprocessors &&
          blocks_per_multiprocessor(kernel, teams * exercise_threads, teams * of_team) > 0)
        return {blocks, teams, of_team};
    }
  }
  return {};
}

template <class T, class Right>
__global__ void exercise_results_kernel(exercise_rules<T, Right> rules, int options,
                                        pricing::estimate const* prices, double const* in_sample,
                                        pricing::exercise_estimate* results) {
  int const i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= options) return;
  auto const result = detail::exercise_result(prices[i], in_sample[i], rules, i);
  store_estimate(&results[i].price, result.price);
  results[i].in_sample = result.in_sample;
  results[i].regressions = result.regressions;
  results[i].least_rank = result.least_rank;
}

/// Bytes of what options that are worked on together need, a part of the workspace.
template <class T, class Right>
std::size_t regression_bytes(exercise_shape const& shape, bool resident) {
  if (resident) return date_exchange<T, Right>::words(shape.tiles) * sizeof(std::uint64_t);
  return static_cast<std::size_t>(shape.apart) * sizeof(T) +
         regression_sums<T, Right::basis>::size * static_cast<std::size_t>(shape.tiles) *
             sizeof(double);
}

/// Learns the rules of one option by blocks that run at the same time. `words` are those of its
/// exchange, which are 0.
template <class T, class Right>
void learn_together(gpu& place, resident_grid const& grid, exercise_shape const& shape,
                    exercise_memory<T, Right> const& memory, std::uint64_t* words) {
  date_exchange<T, Right> const exchange{words, shape.tiles};
  launch(place.stream(),
         {.blocks = grid.blocks,
          .threads = grid.teams * exercise_threads,
          .shared = grid.teams * grid.of_team,
          .together = true},
         resident_kernel<T, Right>, shape, memory, exchange, static_cast<int>(grid.of_team));
}
/// The options that a block takes: as few as let all blocks run at the same time, and at most
/// most_options. Up to so many go one by one if all tiles of one run at the same time and not those
/// of two: 2 of 2^18 paths took 540 us on an NVIDIA H200, and together 680.
template <int most_options, class T, class Right>
std::size_t options_of_block(gpu const& place, std::size_t tiles, std::size_t options) {
  constexpr std::size_t most = most_options, blocks = regress_blocks<T, Right>;
  std::size_t const room = static_cast<std::size_t>(place.multiprocessors()) * blocks;
  bool const fills = blocks > 2 && tiles <= room && 2 * tiles > room;
  if (fills && options <= most) return 1;
  std::size_t const groups = larger<std::size_t>(room / tiles, 1);
  return smaller(most, (options + groups - 1) / groups);
}
/// Learns the rules of options by a kernel a date, whose blocks take `each` of them.
template <int most, class T, class Right>
void learn_dates(gpu& place, exercise_shape const& shape, exercise_memory<T, Right> const& memory,
                 std::size_t options, std::size_t each, int most_blocks) {
  auto* const tickets = reinterpret_cast<unsigned*>(gpu_scratch(place).counters());
  int const capability = place.compute_capability(), last = memory.date_count - 2;
  auto const kernel = regress_kernel<T, Right, most>;
  static kernel_facts const facts = facts_of(kernel, exercise_threads, capability);
  bool const can_be_ahead = facts.waits_for_previous_grid(capability);
  auto const groups = static_cast<std::int64_t>((options + each - 1) / each);
  int const blocks = static_cast<int>(smaller(shape.tiles * groups, std::int64_t{most_blocks}));
  for (int date = last; date >= -1; --date)
    launch(place.stream(), {blocks, exercise_threads, can_be_ahead && date < last}, kernel, shape,
           memory, date, static_cast<int>(options), static_cast<int>(each), tickets);
}
/// Learns the rules of all options, `batch` at a time. A block takes at most `most`.
template <int most, class T, class Right>
void learn_by_date(gpu& place, exercise_shape const& shape, exercise_memory<T, Right> memory,
                   std::size_t options, std::size_t batch, int most_blocks) {
  while (options > 0) {
    std::size_t const now = smaller(batch, options);
    auto const each =
        options_of_block<most, T, Right>(place, static_cast<std::size_t>(shape.tiles), now);
    if (each == 1) learn_dates<1>(place, shape, memory, now, each, most_blocks);
    else learn_dates<most>(place, shape, memory, now, each, most_blocks);
    memory.rights += now;
    memory.rules.of += now;
    memory.in_sample += now;
    options -= now;
  }
}

/// Enqueues the results of all rights. `most_blocks` bounds the grids. `sharing` is null where
/// nobody else prices paths, too; if not, the call blocks. Rules are learned here from all
/// regression paths.
template <class Exercise>
void exercise_gpu(gpu& place, path_plan const& plan, Exercise const& all,
                  pricing::exercise_estimate* results, bool blocking, int most_blocks = 1 << 20,
                  pricing::path_sharing* sharing = nullptr) {
  using Model = typename Exercise::model_type;
  using Right = typename Exercise::right_type;
  using Step = typename Exercise::step_type;
  using T = value_of_model<Model>;
  using rule = exercise_rule<T, Right::basis>;
  using kept_type = kept_paths<typename Right::kept>;
  constexpr std::size_t ample = std::size_t{1} << 30, most_batch = gpu_scratch::counter_count;
  device_guard const current{place.device()};
  exercise_shape const shape = exercise_shape::of(all.regression_paths);
  auto const& steps = all.steps;
  std::size_t const dates = all.dates.size(), rights = all.rights.size();
  std::size_t const kept_bytes = kept_type::bytes(shape.apart, dates);
  // The pieces that stay while others come and go: each begins at a multiple of the alignment.
  std::size_t const fixed = scratch_pieces::rounded(
      kept_bytes + steps.size() * sizeof(Step) + dates * sizeof(typename Right::date) +
      rights * (sizeof(Right) + dates * sizeof(rule) + sizeof(double) + sizeof(pricing::estimate)) +
      8 * scratch_pieces::alignment);
  resident_grid alone;
  if constexpr (can_stay<T, Right>)
    if (rights == 1) alone = resident_grid_of<T, Right>(place, shape, most_blocks);
  std::size_t const of_option = regression_bytes<T, Right>(shape, alone.blocks > 0);
  std::size_t const pricing_bytes = path_workspace<exercised_problems<Exercise>>(
      plan, 0, 1, smaller<std::size_t>(rights, Exercise::most));
  std::size_t const enough_options = smaller(smaller(rights, most_batch), 1 + ample / of_option);
  if (blocking) place.reserve(fixed + larger(enough_options * of_option, pricing_bytes));
  std::size_t const least = fixed + larger(of_option, pricing_bytes);
  std::size_t const room = larger(place.workspace_size(), least) - fixed;
  std::size_t const batch =
      smaller(smaller(rights, most_batch), larger<std::size_t>(room / of_option, 1));
  scratch_pieces pieces(
      gpu_scratch(place).workspace(fixed + larger(batch * of_option, pricing_bytes)));
  kept_type const kept{pieces.take<std::uint32_t>(kept_bytes / sizeof(std::uint32_t)), shape.apart};
  packed_tables tables(
      pieces.take<std::byte>(scratch_pieces::rounded(steps.size() * sizeof(Step)) +
                             scratch_pieces::rounded(dates * sizeof(typename Right::date)) +
                             scratch_pieces::rounded(rights * sizeof(Right))));
  auto const* const there_steps = tables.add(steps.data(), steps.size());
  auto const* const there_dates = tables.add(all.dates.data(), dates);
  auto const* const there_rights = tables.add(all.rights.data(), rights);
  tables.send(place);
  auto* const rules = pieces.take<rule>(rights * dates);
  auto const every = static_cast<std::uint32_t>(rights);
  auto* const in_sample = pieces.take<double>(rights);
  auto* const prices = pieces.take<pricing::estimate>(rights);
  std::uint64_t* words = nullptr;
  if constexpr (can_stay<T, Right>)
    if (alone.blocks > 0) {
      std::size_t const count = date_exchange<T, Right>::words(shape.tiles);
      words = pieces.take<std::uint64_t>(count);
      check(cudaMemsetAsync(words, 0, count * sizeof *words, place.stream()));
    }
  auto const walkers = static_cast<int>(smaller<std::int64_t>(
      (shape.paths + path_threads - 1) / path_threads, std::int64_t{most_blocks}));
  launch(place.stream(), {walkers, path_threads}, keep_paths_kernel<Model, Right, Step>, all.model,
         there_rights, prepared(plan.numbers), there_steps, static_cast<int>(steps.size()), kept,
         shape.paths);
  exercise_memory<T, Right> memory{there_rights, there_dates, static_cast<int>(dates), kept,
                                   nullptr,      nullptr,     {rules, every},          in_sample};
  if constexpr (can_stay<T, Right>)
    if (alone.blocks > 0) detail::learn_together(place, alone, shape, memory, words);
  if (alone.blocks == 0) {
    memory.partials = pieces.take<double>(batch * regression_sums<T, Right::basis>::size *
                                          static_cast<std::size_t>(shape.tiles));
    memory.worth = pieces.take<T>(batch * static_cast<std::size_t>(shape.apart));
    constexpr int most = Exercise::most > 1 ? regressed_together<T, Right> : 1;
    detail::learn_by_date<most>(place, shape, memory, rights, batch, most_blocks);
  }
  exercise_rules<T, Right> const known{
      there_rights, there_dates, {rules, every}, static_cast<int>(dates)};
  auto const simulate = [&](auto const& problems) {
    detail::simulate_gpu(place, pricing_plan(plan), problems,
                         std::vector<path_finish>(rights, {1, 0}), prices, rights, false,
                         most_blocks, sharing, fixed);
  };
  if (Exercise::most == 1 || rights == 1)
    simulate(exercised_problems<Exercise, lone_payoff>{all, known});
  else if constexpr (Exercise::most > 1) simulate(exercised_problems<Exercise>{all, known});
  launch(place.stream(), {static_cast<int>((rights + 127) / 128), 128},
         exercise_results_kernel<T, Right>, known, static_cast<int>(rights), prices, in_sample,
         results);
}

} // namespace

} // namespace warpfold::inline v0::detail
