#pragma once
// One path: a model's steps, which a payoff looks at, alike on both places.

#include <warpfold/detail/pricing/path_shape.hpp>
#include <warpfold/detail/pricing/path_step.hpp>
#include <warpfold/detail/random/normals.hpp>

#include <concepts>
#include <cstdint>
#include <numeric>

namespace warpfold::inline v0::detail {

template <class Model>
inline constexpr int normals_per_step = 1;
template <class Model>
requires requires { Model::normals; }
inline constexpr int normals_per_step<Model> = Model::normals;

template <class Payoff>
inline constexpr int path_results = 1;
template <class Payoff>
requires requires { Payoff::results; }
inline constexpr int path_results<Payoff> = Payoff::results;

template <class Model>
using value_of_model = typename Model::value_type;

/// The number of normals of one block of random words.
template <class T>
inline constexpr int normals_per_block = 16 / sizeof(T);

/// The normals of the fewest steps that use up whole blocks of random words.
template <class Model>
struct path_chunk {
  using T = value_of_model<Model>;
  static constexpr int per_step = normals_per_step<Model>, per_block = normals_per_block<T>;
  static constexpr int gcd = std::gcd(per_step, per_block);
  static constexpr int steps = per_block / gcd, blocks = per_step / gcd;

  T of[steps][per_step];
};

/// Blocks of random words that a path of `steps` steps uses; no other path shares them.
template <class Model>
WARPFOLD_HOST_DEVICE constexpr std::uint64_t blocks_per_path(int steps) {
  using chunk = path_chunk<Model>;
  std::uint64_t const normals = std::uint64_t{chunk::per_step} * static_cast<std::uint64_t>(steps);
  return (normals + chunk::per_block - 1) / chunk::per_block;
}

/// Writes the normals of a block of random words.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void block_of_normals(float* to,
                                                                  philox_words const& w) {
  four_normals const four = normals_of(w);
  WARPFOLD_UNROLL
  for (int i = 0; i < 4; ++i) to[i] = four.of[i];
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void block_of_normals(double* to,
                                                                  philox_words const& w) {
  two_normals const two = double_normals_of(w);
  to[0] = two.of[0];
  to[1] = two.of[1];
}

template <class Model>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_chunk<Model>
normals_of_chunk(prepared_address const& numbers, std::uint64_t block) {
  using chunk = path_chunk<Model>;
  typename chunk::T all[chunk::blocks * chunk::per_block];
  WARPFOLD_UNROLL
  for (int b = 0; b < chunk::blocks; ++b)
    block_of_normals(all + b * chunk::per_block,
                     prepared_words(numbers, block + static_cast<std::uint64_t>(b)));
  chunk result;
  WARPFOLD_UNROLL
  for (int s = 0; s < chunk::steps; ++s) {
    WARPFOLD_UNROLL
    for (int i = 0; i < chunk::per_step; ++i) result.of[s][i] = all[s * chunk::per_step + i];
  }
  return result;
}

/// A path on its way, and what the payoff remembers of it.
template <class Model, class Payoff>
struct path_state {
  using T = value_of_model<Model>;
  decltype(std::declval<Model const&>().start()) path;
  decltype(std::declval<Payoff const&>().start(path)) seen;

  WARPFOLD_HOST_DEVICE path_state(Model const& model, Payoff const& payoff)
      : path{model.start()}, seen{payoff.start(path)} {}

  template <int normals>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(Model const& model, Payoff const& payoff,
                                                        T const (&z)[normals],
                                                        pricing::path_step<T> const& now) {
    if constexpr (normals == 1 && !requires { model.step(path, z, now); })
      model.step(path, z[0], now);
    else model.step(path, z, now);
    payoff.observe(seen, path, now);
  }
  /// Value number k.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::path_value<T> value(Payoff const& payoff,
                                                                           int k) const {
    auto const of = [&] {
      if constexpr (requires { payoff.value(seen, path, k); }) return payoff.value(seen, path, k);
      else return payoff.value(seen, path);
    }();
    if constexpr (std::convertible_to<decltype(of), T>) return {of, T{0}};
    else return of;
  }
};

/// A path, or a pair of antithetic ones.
template <bool antithetic, class Model, class Payoff>
class sample_paths {
public:
  using T = value_of_model<Model>;
  static constexpr int normals = normals_per_step<Model>;

  WARPFOLD_HOST_DEVICE sample_paths(Model const& model, Payoff const& payoff)
      : model_{model}, payoff_{payoff}, path_(model, payoff), mirrored_(model, payoff) {}

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(T const (&z)[normals],
                                                        pricing::path_step<T> const& now) {
    path_.step(model_, payoff_, z, now);
    if constexpr (antithetic) {
      T opposite[normals];
      WARPFOLD_UNROLL
      for (int i = 0; i < normals; ++i) opposite[i] = -z[i];
      mirrored_.step(model_, payoff_, opposite, now);
    }
  }
  /// Puts all values into that place of a round.
  template <class Round>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void finish(Round& round, int place) const {
    WARPFOLD_UNROLL
    for (int k = 0; k < path_results<Payoff>; ++k) {
      auto const a = path_.value(payoff_, k);
      if constexpr (antithetic) {
        auto const b = mirrored_.value(payoff_, k);
        round.put(k, place, {T(0.5) * (a.payoff + b.payoff), T(0.5) * (a.control + b.control)},
                  int{a.payoff > 0} + int{b.payoff > 0});
      } else {
        round.put(k, place, a, int{a.payoff > 0});
      }
    }
  }

private:
  Model const& model_;
  Payoff const& payoff_;
  path_state<Model, Payoff> path_, mirrored_;
};

/// Where the normals of a path come from: random numbers,
template <class Model>
struct random_path {
  prepared_address const& numbers;
  std::uint64_t first_block;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_chunk<Model> chunk(int c) const {
    return normals_of_chunk<Model>(numbers, first_block + static_cast<std::uint64_t>(c) *
                                                              path_chunk<Model>::blocks);
  }
};
template <bool pairs>
struct random_source {
  static constexpr bool antithetic = pairs;

  template <class Model, class T>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE random_path<Model>
  path(prepared_address const& numbers, std::int64_t sample, std::int64_t,
       pricing::path_step<T> const*, int count) const {
    return {numbers, static_cast<std::uint64_t>(sample) * blocks_per_path<Model>(count)};
  }
};

/// or Brownian motions that are there, of which they are the increments.
template <class Model>
struct stored_path {
  static_assert(normals_per_step<Model> == 1);
  using T = value_of_model<Model>;
  T const* motion; ///< at the end of every step, `stride` elements apart
  std::int64_t stride;
  pricing::path_step<T> const* steps;
  int count;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_chunk<Model> chunk(int c) const {
    path_chunk<Model> z;
    WARPFOLD_UNROLL
    for (int s = 0; s < path_chunk<Model>::steps; ++s) {
      int const j = c * path_chunk<Model>::steps + s;
      z.of[s][0] = T{0};
      if (j >= count) continue;
      pricing::path_step<T> const step = steps[j];
      T const before = j > 0 ? motion[(j - 1) * stride] : T{0};
      if (step.length > 0) z.of[s][0] = (motion[j * stride] - before) * (step.root * step.inverse);
    }
    return z;
  }
};
template <class T>
struct stored_source {
  static constexpr bool antithetic = false;
  T const* motions; ///< one a column
  std::int64_t stride;

  template <class Model>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE stored_path<Model>
  path(prepared_address const&, std::int64_t, std::int64_t column,
       pricing::path_step<T> const* steps, int count) const {
    return {motions + column, stride, steps, count};
  }
};

/// Simulates a sample with these normals and puts its values into that place of the round. There is
/// at least one step.
template <bool antithetic, class Model, class Payoff, class Normals, class Round>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
walk_path(Model const& model, Payoff const& payoff, Normals const& normals,
          pricing::path_step<value_of_model<Model>> const* steps, int count, Round& round,
          int place) {
  using chunk = path_chunk<Model>;
  sample_paths<antithetic, Model, Payoff> paths(model, payoff);
  chunk z = normals.chunk(0);
  int j = 0;
  // The next normals are made while the payoffs are busy with these: one has what the other lacks.
  WARPFOLD_UNROLL_BY(1)
  for (int c = 1; j + chunk::steps < count; j += chunk::steps, ++c) {
    chunk const next = normals.chunk(c);
    WARPFOLD_UNROLL
    for (int s = 0; s < chunk::steps; ++s) paths.step(z.of[s], steps[j + s]);
    z = next;
  }
  WARPFOLD_UNROLL
  for (int s = 0; s < chunk::steps; ++s)
    if (j + s < count) paths.step(z.of[s], steps[j + s]);
  paths.finish(round, place);
}

} // namespace warpfold::inline v0::detail
