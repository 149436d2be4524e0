#pragma once
// Simulated paths on a gpu: the kernels and their launch.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/streaming.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfold::inline v0::detail {

namespace {

/// Host memory on its way to the GPU as a kernel's parameter: nothing to wait for, and a graph
/// keeps its own.
struct parcel {
  static constexpr std::size_t capacity = 16384;
  uint4 of[capacity / sizeof(uint4)];
};

__global__ void unpack_kernel(parcel const __grid_constant__ from, int size, uint4* to) {
  uint4 const* const pieces = unknown(from.of);
  cuda_block{}.wait_for_previous_grid();
  for (int i = static_cast<int>(threadIdx.x); i < size; i += static_cast<int>(blockDim.x))
    to[i] = pieces[i];
}

/// Scratch memory, dealt out in aligned pieces.
class scratch_pieces {
public:
  static constexpr std::size_t alignment = 256;

  explicit scratch_pieces(void* memory) : next_{static_cast<std::byte*>(memory)} {}
  template <class T>
  T* take(std::size_t count) {
    T* const piece = reinterpret_cast<T*>(next_);
    next_ += rounded(count * sizeof(T));
    return piece;
  }
  static constexpr std::size_t rounded(std::size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  }

private:
  std::byte* next_;
};

/// True if the kernels here that begin with the wait for their predecessor start ahead of their
/// turn: they are compiled together.
inline bool starts_ahead(gpu const& place) {
  int const capability = place.compute_capability();
  static kernel_facts const facts = facts_of(unpack_kernel, 256, capability);
  return facts.waits_for_previous_grid(capability);
}

/// Enqueues a copy of host memory, which may go at once. There is room for a multiple of 16 bytes.
inline void upload(gpu& place, void* to, void const* from, std::size_t bytes) {
  parcel of{};
  for (std::size_t done = 0; done < bytes; done += parcel::capacity) {
    std::size_t const now = smaller(parcel::capacity, bytes - done);
    std::memcpy(of.of, static_cast<std::byte const*>(from) + done, now);
    launch(place.stream(), {1, 256, starts_ahead(place)}, unpack_kernel, of,
           static_cast<int>((now + sizeof(uint4) - 1) / sizeof(uint4)),
           reinterpret_cast<uint4*>(static_cast<std::byte*>(to) + done));
  }
}

/// Tables that go to the GPU together.
class packed_tables {
public:
  /// There is room for them at `there`, each rounded as scratch_pieces do.
  explicit packed_tables(std::byte* there) : there_{there} {}

  /// Copies a table; returns where it will be.
  template <class T>
  T* add(T const* from, std::size_t count) {
    return static_cast<T*>(add_bytes(from, count * sizeof(T)));
  }
  /// Enqueues those that were added since the last time.
  WARPFOLD_NOINLINE void send(gpu& place) {
    upload(place, there_ + sent_, of_.data() + sent_, of_.size() - sent_);
    sent_ = of_.size();
  }
  /// The bytes so far; and forgets those that came later: others take their place.
  std::size_t size() const { return of_.size(); }
  WARPFOLD_NOINLINE void forget_after(std::size_t size) {
    of_.resize(size);
    sent_ = smaller(sent_, size);
  }

private:
  WARPFOLD_NOINLINE void* add_bytes(void const* from, std::size_t bytes) {
    std::size_t const at = of_.size();
    of_.resize(at + scratch_pieces::rounded(bytes));
    if (bytes > 0) std::memcpy(of_.data() + at, from, bytes);
    return there_ + at;
  }

  std::byte* there_;
  std::vector<std::byte> of_;
  std::size_t sent_ = 0;
};

/// Blocks that a multiprocessor has room for at least. 0 leaves that to the compiler, which then
/// saves registers: with a bound of 1 most kernels took longer, up to 1.4 times.
template <class Problem, class Source>
constexpr int resident_blocks() {
  using model = decltype(std::declval<Problem const&>().model(0));
  using payoff = std::remove_cvref_t<decltype(std::declval<Problem const&>().payoff(0))>;
  if constexpr (can_be_over<model, payoff, Source>) return payoff::living_blocks;
  else if constexpr (requires { payoff::resident_blocks; }) return payoff::resident_blocks;
  else return 0;
}

template <class Shared, class Problem, class Source, class Step>
__global__ __launch_bounds__(path_threads, resident_blocks<Problem, Source>()) void simulate_kernel(
    path_run run, Problem const __grid_constant__ problem, Source source, Step const* steps,
    path_finish const* finish, tile_range range, int groups, path_sums* partials, int row) {
  extern __shared__ __align__(16) unsigned char path_memory[];
  auto& shared = *reinterpret_cast<Shared*>(path_memory);
  cuda_block{}.wait_for_previous_grid();
  detail::simulate_tiles(cuda_block{}, run, problem, source, steps, finish, range, groups, partials,
                         row, shared);
}

/// Motions for a range of tiles from number first_tile on: `columns` of them.
template <class T>
__global__
__launch_bounds__(path_threads) void make_motions_kernel(path_shape shape, quasi_tables<T> from,
                                                         std::int64_t first_tile,
                                                         std::int64_t columns, T* motions) {
  std::int64_t const column = std::int64_t{blockIdx.x} * path_threads + threadIdx.x;
  if (column < columns) make_column(shape, from, first_tile, column, motions, columns);
}

__global__ __launch_bounds__(path_threads) void finish_paths_kernel(pricing::sum_places partials,
                                                                    int tiles, int values,
                                                                    path_finish const* finish,
                                                                    path_ending ending,
                                                                    pricing::estimate* results) {
  __shared__ path_sums shared[path_threads];
  cuda_block{}.wait_for_previous_grid();
  finish_values(cuda_block{}, partials, tiles, values, finish, ending, results, shared);
}

/// Quasi-random motions in the place's memory, a strip of tiles at a time.
template <class T>
class quasi_strips {
public:
  /// Motions are made by a thread each: of a year of days in float, 2^17 at a time.
  static constexpr std::size_t ample = std::size_t{128} << 20;

  explicit quasi_strips(path_plan const& plan) : shape_{plan.run.shape}, memory_(plan) {
    tile_elements_ = static_cast<std::size_t>(shape_.tile_samples()) * plan.times.size();
  }
  std::size_t table_bytes() const {
    return memory_.directions.size() * 4 + memory_.keys.size() * 4 +
           memory_.bridge.size() * sizeof(bridge_step<T>) + 4 * scratch_pieces::alignment;
  }
  std::size_t tile_bytes() const { return tile_elements_ * sizeof(T); }
  std::size_t ample_bytes() const {
    return smaller(static_cast<std::size_t>(shape_.tiles()), 1 + ample / tile_bytes()) *
           tile_bytes();
  }
  /// Takes `bytes` bytes for motions, at least those of a tile.
  void place_in(gpu& place, scratch_pieces& pieces, std::size_t bytes) {
    strip_ =
        static_cast<int>(smaller(static_cast<std::size_t>(shape_.tiles()), bytes / tile_bytes()));
    auto const send = [&](auto const& values) {
      using element = typename std::remove_cvref_t<decltype(values)>::value_type;
      auto* const there = pieces.take<element>(values.size());
      upload(place, there, values.data(), values.size() * sizeof(element));
      return there;
    };
    auto const* const directions = send(memory_.directions);
    auto const* const keys = send(memory_.keys);
    tables_ = memory_.tables(directions, keys, send(memory_.bridge));
    motions_ = pieces.take<T>(static_cast<std::size_t>(strip_) * tile_elements_);
  }
  /// Calls enqueue(source, range) after the motions of every strip of a range of tiles.
  template <class Enqueue>
  void for_each(gpu& place, tile_range of, Enqueue enqueue) const {
    int const end = of.first + of.count;
    for (int first = of.first; first < end; first += strip_) {
      tile_range const range{first, smaller(strip_, end - first)};
      std::int64_t const columns = range.count * shape_.tile_samples();
      launch(place.stream(), {static_cast<int>(columns / path_threads), path_threads},
             make_motions_kernel<T>, shape_, tables_, std::int64_t{first}, columns, motions_);
      enqueue(stored_source<T>{motions_, columns}, range);
    }
  }

private:
  path_shape shape_;
  quasi_memory<T> memory_;
  std::size_t tile_elements_;
  int strip_ = 0;
  quasi_tables<T> tables_{};
  T* motions_ = nullptr;
};

/// Bytes of scratch memory for `groups` groups at a time, with room for the pieces' alignment.
/// `values`: rows of sums; a single group may have fewer than it has places.
template <class Problems>
std::size_t path_workspace(path_plan const& plan, std::size_t group_bytes, std::size_t groups,
                           std::size_t values) {
  auto const tiles = static_cast<std::size_t>(plan.run.shape.tiles());
  std::size_t const steps = plan.times.size() * sizeof(step_of_problems<Problems>);
  return 4 * scratch_pieces::alignment + steps + groups * group_bytes +
         values * (sizeof(path_finish) + tiles * sizeof(path_sums));
}

/// Enqueues the first `wanted` estimates of all groups' values, in as many batches as the workspace
/// asks for; none if `results` is null. finish has an element for every value. The grid has at most
/// `most_blocks` blocks. `sharing` is null where nobody else takes part. The first `taken` bytes of
/// the workspace are the caller's.
template <class Problems>
void simulate_gpu(gpu& place, path_plan const& plan, Problems const& problems,
                  std::vector<path_finish> const& finish, pricing::estimate* results,
                  std::size_t wanted, bool blocking, int most_blocks = 1 << 20,
                  pricing::path_sharing* sharing = nullptr, std::size_t taken = 0) {
  using T = value_of_model<model_of<Problems>>;
  constexpr int values = path_results_of<Problems>;
  constexpr std::size_t ample = std::size_t{64} << 20;
  std::size_t const groups = problems.groups(), group_bytes = problems.group_bytes();
  auto const rows = [&](std::size_t of_groups) { return path_rows<Problems>(of_groups, wanted); };
  auto const workspace = [&](std::size_t of_groups) {
    return path_workspace<Problems>(plan, group_bytes, of_groups, rows(of_groups));
  };
  if (sharing) taken += sharing->taken();
  std::optional<quasi_strips<T>> strips;
  if (plan.quasi) strips.emplace(plan);
  std::size_t const one = workspace(1);
  std::size_t const more = path_workspace<Problems>(plan, group_bytes, 1, values) -
                           path_workspace<Problems>(plan, group_bytes, 0, 0);
  std::size_t const least =
      one + (strips ? strips->table_bytes() + strips->tile_bytes() : std::size_t{0});
  std::size_t const enough =
      larger(one, smaller(workspace(groups), ample)) +
      (strips ? strips->table_bytes() + strips->ample_bytes() : std::size_t{0});
  if (blocking) place.reserve(taken + enough);
  // Workspaces of ranks differ: they agree on what all have.
  std::size_t const known = !sharing ? place.workspace_size() : blocking ? taken + enough : 0;
  // The rest beside a single group, or a single tile's motions.
  std::size_t room = larger(known, taken + least) - taken - least;
  std::size_t motions = 0;
  if (strips) {
    motions = strips->tile_bytes() + smaller(room, strips->ample_bytes() - strips->tile_bytes());
    room -= motions - strips->tile_bytes();
  }
  std::size_t const batch = smaller(groups, 1 + room / more);
  device_guard const current{place.device()};
  scratch_pieces pieces(
      static_cast<std::byte*>(gpu_scratch(place).workspace(taken + workspace(batch) + motions +
                                                           (strips ? strips->table_bytes() : 0))) +
      taken);
  auto const& steps = problems.steps_of(plan);
  auto const tiles = static_cast<int>(plan.run.shape.tiles());
  packed_tables tables(
      pieces.template take<std::byte>(scratch_pieces::rounded(steps.size() * sizeof(steps[0])) +
                                      scratch_pieces::rounded(rows(batch) * sizeof(path_finish)) +
                                      scratch_pieces::rounded(batch * group_bytes)));
  auto const* const there_steps = tables.add(steps.data(), steps.size());
  std::size_t const kept = tables.size();
  auto partials = pricing::sum_places::whole(
      pieces.template take<path_sums>(rows(batch) * static_cast<std::size_t>(tiles)),
      static_cast<std::uint32_t>(tiles));
  tile_range own{0, tiles};
  if (sharing) {
    sharing->begin(plan, finish, sizeof(T));
    auto const some = sharing->own(static_cast<std::uint32_t>(tiles));
    own = {static_cast<int>(some.first), static_cast<int>(some.count)};
  }
  if (strips) strips->place_in(place, pieces, motions);
  for (std::size_t first = 0; first < groups; first += batch) {
    std::size_t const now = smaller(batch, groups - first);
    std::size_t const now_rows = smaller(now * values, finish.size() - first * values);
    tables.forget_after(kept);
    auto const* const there_finish = tables.add(finish.data() + first * values, now_rows);
    auto const* const there_groups = tables.add(
        static_cast<std::byte const*>(problems.data()) + first * group_bytes, now * group_bytes);
    tables.send(place);
    auto const problem = problems.at(there_groups, first);
    // The sums of a range of tiles. Estimates do not depend on how tiles are dealt out.
    auto const simulate = [&]<class Source>(Source const& source, tile_range range) {
      auto const units = std::int64_t{range.count} * static_cast<std::int64_t>(now);
      // Blocks of a few early payoffs leave room for others, and for L1.
      int const used = pays_early<payoff_of<Problems>>
                           ? static_cast<int>(smaller<std::size_t>(wanted, values))
                           : values;
      using shared_type = path_shared_of<Problems, Source>;
      static_assert(shared_type::bytes(values) <= 48 * 1024);
      launch(place.stream(),
             {.blocks = static_cast<int>(smaller<std::int64_t>(units, most_blocks)),
              .threads = path_threads,
              .ahead = starts_ahead(place),
              .shared = shared_type::bytes(used)},
             simulate_kernel<shared_type, std::remove_const_t<decltype(problem)>, Source,
                             step_of_problems<Problems>>,
             plan.run, problem, source, there_steps, there_finish, range, static_cast<int>(now),
             partials.at<path_sums>(0, static_cast<std::uint32_t>(range.first)),
             static_cast<int>(partials.width));
    };
    if (sharing)
      partials = sharing->open(now_rows, static_cast<std::uint32_t>(tiles), sizeof(path_sums));
    if (own.count == 0) { // fewer tiles than ranks
    } else if (!strips) {
      with_random_source(plan, [&](auto source) { simulate(source, own); });
    } else if constexpr (can_be_stored<model_of<Problems>>) {
      strips->for_each(place, own, simulate);
    }
    if (sharing) sharing->share();
    if (!results) continue;
    auto const estimates = static_cast<int>(smaller(now * values, wanted - first * values));
    launch(place.stream(), {smaller(estimates, most_blocks), path_threads, starts_ahead(place)},
           finish_paths_kernel, partials, tiles, estimates, there_finish, plan.ending,
           results + first * values);
  }
  if (sharing) sharing->settle();
}

} // namespace

} // namespace warpfold::inline v0::detail
