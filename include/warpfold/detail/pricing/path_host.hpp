#pragma once
// Simulated paths on the host: the kernel's paths, rounds, lanes and trees.

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/detail/core/tile_sharing.hpp>
#include <warpfold/detail/pricing/path_plan.hpp>

#include <memory>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Samples that a host walks side by side: two vectors of 512 bits, or four of 256.
template <class T>
inline constexpr int paths_abreast = 128 / sizeof(T);

/// Room for trivially copyable elements, which need no default.
template <class T, int size>
union room_for {
  T of[size];
  room_for() {}
};

/// Writes the numbers of a chunk of steps of paths side by side, a column each. The first one's are
/// in blocks from number `block` on, those of the others `apart` blocks after one another.
template <class Number, int rows, int abreast>
WARPFOLD_ALWAYS_INLINE void write_abreast(Number (&to)[rows][abreast],
                                          prepared_address const& numbers, std::uint64_t block,
                                          std::uint64_t apart) {
  constexpr int per_block = 16 / sizeof(Number);
  for (int row = 0; row < rows; row += per_block, ++block)
    for (int i = 0; i < abreast; ++i) {
      Number of[per_block];
      write_block(of, prepared_words(numbers, block + static_cast<std::uint64_t>(i) * apart));
      for (int k = 0; k < per_block; ++k) to[row + k][i] = of[k];
    }
}

/// Random numbers of paths, or of pairs of antithetic ones. Which is known when it runs: a host
/// compiles one walk for both.
struct host_source : random_source<false> {
  bool antithetic;
};

/// A path_payer for both.
template <class T, class Round>
struct host_payer {
  Round& round;
  int place;
  bool antithetic;

  template <class... Paid>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void operator()(int k, T worth, Paid... paid) const {
    if (antithetic) path_payer<true, T, Round>{round, place}(k, worth, paid...);
    else path_payer<false, T, Round>{round, place}(k, worth, paid...);
  }
};

/// Walks samples first ... first + count - 1, at most paths_abreast, and puts their values into the
/// round from `place` on: bit for bit as walk_path. The numbers of a chunk of steps are made first;
/// a step then is a loop over all paths without branches, of which the compiler makes vectors.
/// Those beyond `count` are walked in vain.
template <class Model, class Payoff, class Source, class Step, class Round>
WARPFOLD_ALWAYS_INLINE void walk_abreast(Model const& model, Payoff const& payoff,
                                         Source const& source, prepared_address const& numbers,
                                         std::int64_t first, int place, int count,
                                         Step const* steps, int step_count, Round& round) {
  using T = value_of_model<Model>;
  using word = bits_of<T>;
  using chunk = path_chunk<Model>;
  // A small step is copied, so that no branch of the model's reads memory.
  using step_type = std::conditional_t<(sizeof(Step) > 512), Step const&, Step const>;
  bool const antithetic = source.antithetic;
  int const copies = antithetic ? 2 : 1;
  constexpr int abreast = paths_abreast<T>;
  constexpr int normals = chunk::per_step, words = uniforms_per_step<Model>;
  room_for<path_state<Model>, abreast> paths[2];
  room_for<path_memory<Model, Payoff>, abreast> seen[2];
  for (int copy = 0; copy < copies; ++copy)
    for (int i = 0; i < abreast; ++i) {
      auto const* const path = std::construct_at(paths[copy].of + i, model.start());
      std::construct_at(seen[copy].of + i, payoff.start(*path));
    }
  if constexpr (pays_early<Payoff>)
    if (antithetic)
      for (int i = 0; i < count; ++i) round.clear(payoff.count, place + i);
  T z[chunk::steps * normals][abreast];
  word w[words > 0 ? chunk::steps * words : 1][abreast];
  for (int c = 0, j = 0; j < step_count; ++c) {
    auto const from = [&](int i) {
      return source.template path<Model>(numbers, first + i, place + i, steps, step_count);
    };
    if constexpr (requires { from(0).first_block; }) {
      auto const number = static_cast<std::uint64_t>(c);
      auto const one = from(0), next = from(1);
      write_abreast(z, numbers, one.first_block + number * chunk::blocks,
                    next.first_block - one.first_block);
      if constexpr (takes_uniforms<Model>)
        write_abreast(w, of_uniforms(numbers), one.first_words + number * chunk::word_blocks,
                      next.first_words - one.first_words);
    } else {
      for (int i = 0; i < abreast; ++i) {
        chunk const made = from(i).chunk(c);
        for (int s = 0; s < chunk::steps; ++s) z[s][i] = made.of[s][0];
      }
    }
    auto const walk = [&](auto variant) __attribute__((always_inline)) {
      for (int s = 0; s < chunk::steps && j < step_count; ++s, ++j) {
        step_type now = steps[j];
        for (int copy = 0; copy < copies; ++copy) {
          T const sign = copy == 0 ? T{1} : T{-1};
          word const flip = copy == 0 ? word{0} : ~word{0};
          for (int i = 0; i < abreast; ++i) {
            T numbers_of_step[normals];
            word words_of_step[words > 0 ? words : 1]{};
            for (int k = 0; k < normals; ++k) numbers_of_step[k] = sign * z[s * normals + k][i];
            for (int k = 0; k < words; ++k) words_of_step[k] = w[s * words + k][i] ^ flip;
            auto path = paths[copy].of[i];
            detail::take_step(model, path, numbers_of_step, words_of_step, now);
            paths[copy].of[i] = path;
          }
          for (int i = 0; i < count; ++i)
            detail::look(payoff, seen[copy].of[i], paths[copy].of[i], now,
                         host_payer<T, Round>{round, place + i, antithetic}, variant);
        }
      }
    };
    if constexpr (requires { typename Payoff::has_variants; }) payoff.choose(walk);
    else walk(no_variant{});
  }
  for (int i = 0; i < count; ++i) {
    walked_path const path{paths[0].of[i], seen[0].of[i]};
    walked_path const mirrored{paths[copies - 1].of[i], seen[copies - 1].of[i]};
    if (antithetic) detail::finish_sample<true, T>(payoff, round, place + i, path, mirrored);
    else detail::finish_sample<false, T>(payoff, round, place + i, path, mirrored);
  }
}

/// True for paths that can be walked side by side: copied freely, and so small that a thread's
/// stack has room for all of them.
template <class Model, class Payoff>
constexpr bool go_abreast() {
  using state = path_state<Model>;
  using seen = path_memory<Model, Payoff>;
  bool const are_copied_freely = std::is_trivially_copyable_v<state> &&
                                 std::is_copy_assignable_v<state> &&
                                 std::is_trivially_copyable_v<seen>;
  return are_copied_freely && sizeof(state) + sizeof(seen) <= 4096;
}

/// Puts the values of `count` samples from number `first` on, the first of which is what is stored,
/// into a round.
struct plain_walk {
  template <class Model, class Payoff, class Source, class Step, class Round>
  WARPFOLD_ALWAYS_INLINE void operator()(Model const& model, Payoff const& payoff,
                                         Source const& source, prepared_address const& numbers,
                                         std::int64_t first, int count, Step const* steps,
                                         int step_count, Round& round) const {
    constexpr int abreast = paths_abreast<value_of_model<Model>>;
    static_assert(path_threads % abreast == 0); // there are stored columns beyond `count`
    if constexpr (go_abreast<Model, Payoff>())
      for (int i = 0; i < count; i += abreast)
        detail::walk_abreast(model, payoff, source, numbers, first + i, i,
                             smaller(count - i, abreast), steps, step_count, round);
    else
      for (int i = 0; i < count; ++i) {
        auto const normals = source.template path<Model>(numbers, first + i, i, steps, step_count);
        if (source.antithetic)
          detail::walk_path<true>(model, payoff, normals, steps, step_count, round, i);
        else detail::walk_path<false>(model, payoff, normals, steps, step_count, round, i);
      }
  }
};

/// Sums over tile `tile` of group `group`, for all values. before(replicate, first, count) makes
/// what the source has stored of a round's samples.
template <class Walk, class Problem, class Source, class Before, class Step, class T, int results,
          bool controls>
void simulate_tile_host(path_run const& run, Problem const& problem, Walk walk,
                        Source const& source, Before before, Step const* steps,
                        path_finish const* finish, std::int64_t tile, int group,
                        path_round<T, results, controls>& round, path_sums (&sums)[results]) {
  auto const model = problem.model(group);
  auto const& payoff = problem.payoff(group);
  prepared_address const numbers = run.numbers_of(problem.first_group + group);
  constexpr int lanes_of_value = path_lanes<results>;
  int const values = detail::values_of(payoff);
  path_sums lanes[results * lanes_of_value]{};
  for (std::int64_t r = 0; r < run.shape.rounds; ++r) {
    std::int64_t const start = run.shape.first_sample(tile) + r * path_threads;
    int const count = samples_in_round(run.shape.samples, start);
    if (count == 0) break;
    before(tile / run.shape.replicate_tiles(), start, count);
    walk(model, payoff, source, numbers, start, count, steps, run.steps, round);
    for (int rank = 0; rank < values * lanes_of_value; ++rank) {
      path_slot<lanes_of_value> const slot(rank);
      add_round(slot, round, count, finish[group * results + slot.k].control_mean, lanes[rank]);
    }
  }
  for (int k = 0; k < results; ++k) sums[k] = add_lanes<lanes_of_value>(lanes + k * lanes_of_value);
}

/// The estimate of a value, from its partials.
inline pricing::estimate finish_value_host(pricing::sum_places const& partials, int value,
                                           int tiles, path_finish const& finish,
                                           path_ending const& ending) {
  path_sums shared[path_threads];
  for (int rank = 0; rank < path_threads; ++rank)
    shared[rank] = add_part(partials, value, tiles, ending.replicates, rank);
  if (ending.replicates > 1) return ending(shared, finish);
  for (int left = path_threads / 2; left > 0; left /= 2)
    for (int rank = 0; rank < left; ++rank) shared[rank] = shared[rank] + shared[rank + left];
  return ending(shared[0], finish);
}

/// The first `wanted` estimates of all groups' values, unless `results` is null. finish has an
/// element for every value; `sharing` is null where nobody else takes part.
template <class Problems, class Walk = plain_walk>
void simulate_host(int threads, path_plan const& plan, Problems const& problems,
                   std::vector<path_finish> const& finish, pricing::estimate* results,
                   std::size_t wanted, Walk walk = {}, pricing::path_sharing* sharing = nullptr) {
  using T = value_of_model<model_of<Problems>>;
  constexpr int values = path_results_of<Problems>;
  auto const& steps = problems.steps_of(plan);
  auto const tiles = static_cast<std::size_t>(plan.run.shape.tiles());
  std::size_t const groups = problems.groups();
  auto const problem = problems.at(problems.data(), 0);
  auto const counted = static_cast<std::uint32_t>(tiles);
  std::size_t const rows = path_rows<Problems>(groups, wanted);
  auto const alone = std::make_unique_for_overwrite<path_sums[]>(sharing ? 0 : rows * tiles);
  pricing::piece_range own{0, counted};
  auto partials = pricing::sum_places::whole(alone.get(), counted);
  if (sharing) {
    sharing->begin(plan, finish, sizeof(T));
    own = sharing->own(counted);
    partials = sharing->open(rows, counted, sizeof(path_sums));
  }
  auto const simulate = [&](auto make_source) {
    parallel_for(threads, static_cast<std::int64_t>(groups * own.count), [&](std::int64_t unit) {
      auto const group = static_cast<std::size_t>(unit) / own.count;
      auto const tile =
          own.first + static_cast<std::uint32_t>(static_cast<std::size_t>(unit) % own.count);
      auto const round = std::make_unique_for_overwrite<round_of_problems<Problems>>();
      path_sums sums[values];
      make_source([&](auto const& source, auto before) {
        detail::simulate_tile_host(plan.run, problem, walk, source, before, steps.data(),
                                   finish.data(), static_cast<std::int64_t>(tile),
                                   static_cast<int>(group), *round, sums);
      });
      for (std::size_t k = 0, row = group * values; k < values && row < rows; ++k, ++row)
        *partials.at<path_sums>(row, tile) = sums[k];
    });
  };
  if (!plan.quasi) {
    simulate([&](auto use) {
      use(host_source{{}, plan.antithetic}, [](std::int64_t, std::int64_t, int) {});
    });
  } else if constexpr (can_be_stored<model_of<Problems>>) {
    quasi_memory<T> const memory(plan);
    simulate([&](auto use) {
      std::vector<T> motions(plan.times.size() * path_threads);
      use(stored_source<T>{motions.data(), path_threads},
          [&](std::int64_t replicate, std::int64_t first, int count) {
            for (int i = 0; i < count; ++i)
              make_motion(memory.tables(), replicate, first + i, motions.data() + i, path_threads);
          });
    });
  }
  if (sharing) {
    sharing->share();
    sharing->settle();
  }
  for (std::size_t v = 0; results && v < wanted; ++v)
    results[v] = finish_value_host(partials, static_cast<int>(v), static_cast<int>(tiles),
                                   finish[v], plan.ending);
}

} // namespace warpfold::inline v0::detail
