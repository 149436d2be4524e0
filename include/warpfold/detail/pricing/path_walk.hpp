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
/// The first ones, more than half, which a model uses that leaves out the others.
template <class Model>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int used_normals(Model const& model) {
  if constexpr (requires { requires Model::leaves_out; }) return model.used;
  else return normals_per_step<Model>;
}

/// Words of a uniform number each, beside the normals.
template <class Model>
inline constexpr int uniforms_per_step = 0;
template <class Model>
requires requires { Model::uniforms; }
inline constexpr int uniforms_per_step<Model> = Model::uniforms;
template <class Model>
inline constexpr bool takes_uniforms = uniforms_per_step<Model> != 0;

/// True if a step takes one normal and nothing else: it may come from a stored Brownian motion.
/// Models with an own_step have constants of their own instead of lengths.
template <class Model>
inline constexpr bool can_be_stored =
    normals_per_step<Model> == 1 && !takes_uniforms<Model> && !requires {
  typename Model::own_step;
};

template <class Payoff>
inline constexpr int path_results = 1;
template <class Payoff>
requires requires { Payoff::results; }
inline constexpr int path_results<Payoff> = Payoff::results;

/// True for a payoff that pays on the way: observe() gets a function pay(k, worth), as does
/// finish() at a path's end if there is one. It is called once for every value. A value that may be
/// below 0 has pay(k, worth, paid). Such a payoff has no control variate.
template <class Payoff>
inline constexpr bool pays_early = requires {
  typename Payoff::early_payoff;
};

/// What says how a payoff is to observe(), for one that is compiled in several variants: its
/// choose(use) calls use(variant). One choice is then made for a chunk of steps, not in each of
/// them. A payoff that knows when a path is over has with_bits(use) for that: path_living.hpp.
struct no_variant {};
template <class Payoff, class Use>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void in_variant(Payoff const& payoff, Use use) {
  if constexpr (requires { typename Payoff::has_variants; }) payoff.choose(use);
  else use(no_variant{});
}

/// The values that it has: results, or of one that pays on the way `count`, which may be fewer.
template <class Payoff>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int values_of(Payoff const& payoff) {
  if constexpr (pays_early<Payoff>) return payoff.count;
  else return path_results<Payoff>;
}

template <class Model>
using value_of_model = typename Model::value_type;

/// The number of normals of one block of random words.
template <class T>
inline constexpr int normals_per_block = 16 / sizeof(T);

/// The numbers of the fewest steps that use up whole blocks of random words.
template <class Model>
struct path_chunk {
  using T = value_of_model<Model>;
  static constexpr int per_step = normals_per_step<Model>, per_block = normals_per_block<T>;
  static constexpr int words_per_step = uniforms_per_step<Model>;
  static constexpr int gcd = std::gcd(std::gcd(per_step, words_per_step), per_block);
  static constexpr int steps = per_block / gcd;
  static constexpr int blocks = per_step / gcd, word_blocks = words_per_step / gcd;

  T of[steps][per_step];
  bits_of<T> words[steps][words_per_step > 0 ? words_per_step : 1]{}; ///< of the uniforms
};

/// Blocks of random words that `steps` steps with `numbers` numbers each use; no other path shares
/// them.
template <class T>
WARPFOLD_HOST_DEVICE constexpr std::uint64_t blocks_of_steps(int steps, int numbers) {
  constexpr std::uint64_t per_block = normals_per_block<T>;
  return (static_cast<std::uint64_t>(numbers) * static_cast<std::uint64_t>(steps) + per_block - 1) /
         per_block;
}

/// Writes the normals of a block of random words, or the words of its uniforms.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void write_block(float* to, philox_words const& w) {
  four_normals const four = normals_of(w);
  WARPFOLD_UNROLL
  for (int i = 0; i < 4; ++i) to[i] = four.of[i];
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void write_block(double* to, philox_words const& w) {
  two_normals const two = double_normals_of(w);
  to[0] = two.of[0], to[1] = two.of[1];
}
template <std::unsigned_integral Word>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void write_block(Word* to, philox_words const& w) {
  WARPFOLD_UNROLL
  for (int i = 0; i < 16 / int{sizeof(Word)}; ++i)
    if constexpr (sizeof(Word) == 4) to[i] = w.of[i];
    else to[i] = two_words(w.of[2 * i], w.of[2 * i + 1]);
}

/// Writes the numbers of a chunk's steps, of blocks from number `block` on. Normals behind the
/// first `used` of a step, more than half of them, may be 0.
template <class Number, int steps, int per_step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
write_chunk(Number (&to)[steps][per_step], prepared_address const& numbers, std::uint64_t block,
            int used = per_step) {
  constexpr int per_block = 16 / sizeof(Number);
  Number all[steps * per_step]{};
  auto const is_used = [&](int i) { return steps > 1 || i <= per_step / 2 || i < used; };
  WARPFOLD_UNROLL
  for (int b = 0; b < steps * per_step / per_block; ++b) {
    if (!is_used(b * per_block)) continue;
    auto const words = prepared_words(numbers, block + static_cast<std::uint64_t>(b));
    if (per_block < 4 || is_used(b * per_block + 2)) {
      write_block(all + b * per_block, words);
    } else {
      auto const pair = box_muller(words.of[0], words.of[1]);
      all[b * per_block] = static_cast<Number>(pair.first);
      all[b * per_block + 1] = static_cast<Number>(pair.second);
    }
  }
  WARPFOLD_UNROLL
  for (int s = 0; s < steps; ++s) {
    WARPFOLD_UNROLL
    for (int i = 0; i < per_step; ++i) to[s][i] = all[s * per_step + i];
  }
}

/// Takes a step of a path.
WARPFOLD_CALLS_USER
template <class Model, class State, class T, int normals, class Words, class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void take_step(Model const& model, State& path,
                                                           T const (&z)[normals],
                                                           Words const& words, Step const& both) {
  auto const& now = detail::step_of_model(both);
  if constexpr (takes_uniforms<Model>) model.step(path, z, words, now);
  else if constexpr (normals == 1 && !requires { model.step(path, z, now); })
    model.step(path, z[0], now);
  else model.step(path, z, now);
}
/// Looks at the path, if the payoff does here. pay(k, worth) is for payoffs that pay on the way.
WARPFOLD_CALLS_USER
template <class Payoff, class Seen, class State, class Step, class Pay, class Variant>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void look(Payoff const& payoff, Seen& seen,
                                                      State const& path, Step const& both, Pay pay,
                                                      Variant variant) {
  if (!detail::is_observed(both)) return;
  constexpr bool is_plain = std::is_same_v<Variant, no_variant>;
  auto const& now = detail::step_of_payoff(both);
  if constexpr (pays_early<Payoff> && is_plain) payoff.observe(seen, path, now, pay);
  else if constexpr (pays_early<Payoff>) payoff.observe(seen, path, now, pay, variant);
  else if constexpr (is_plain) payoff.observe(seen, path, now);
  else payoff.observe(seen, path, now, variant);
}
/// Value number k of a path.
WARPFOLD_CALLS_USER
template <class T, class Payoff, class Seen, class State>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pricing::path_value<T>
value_of_path(Payoff const& payoff, Seen const& seen, State const& path, int k) {
  auto const result = [](auto of) -> pricing::path_value<T> {
    if constexpr (std::convertible_to<decltype(of), T>) return {of, T{0}};
    else return of;
  };
  if constexpr (requires { payoff.value(seen, path, k); })
    return result(payoff.value(seen, path, k));
  else return result(payoff.value(seen, path));
}

/// Puts a value into a place of the round; it paid if it is above 0, or as it says.
template <bool antithetic, class T, class Round>
struct path_payer {
  Round& round;
  int place;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void operator()(int k, T worth) const {
    (*this)(k, worth, worth > 0);
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void operator()(int k, T worth, bool paid) const {
    if constexpr (antithetic) round.add_half(k, place, worth, int{paid});
    else round.put(k, place, {worth, T{0}}, int{paid});
  }
};

template <class Model>
using path_state = decltype(std::declval<Model const&>().start());
template <class Model, class Payoff>
using path_memory =
    decltype(std::declval<Payoff const&>().start(std::declval<path_state<Model>&>()));

/// A path on its way, and what the payoff remembers of it. They are two variables: a payoff whose
/// memory needs an address leaves the path in registers.
template <class State, class Seen>
struct walked_path {
  State& path;
  Seen& seen;
};
template <class State, class Seen>
walked_path(State&, Seen&) -> walked_path<State, Seen>;

/// Puts the values of a path, or of a pair of antithetic ones, that are not paid on the way into
/// that place of the round.
template <bool antithetic, class T, class Payoff, class Round, class Path>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
finish_sample(Payoff const& payoff, Round& round, int place, Path path, Path mirrored) {
  if constexpr (pays_early<Payoff>) {
    path_payer<antithetic, T, Round> const pay{round, place};
    if constexpr (requires { payoff.finish(path.seen, pay); }) {
      payoff.finish(path.seen, pay);
      if constexpr (antithetic) payoff.finish(mirrored.seen, pay);
    }
  } else {
    WARPFOLD_UNROLL
    for (int k = 0; k < path_results<Payoff>; ++k) {
      auto const a = detail::value_of_path<T>(payoff, path.seen, path.path, k);
      if constexpr (antithetic) {
        auto const b = detail::value_of_path<T>(payoff, mirrored.seen, mirrored.path, k);
        round.put(k, place, {T(0.5) * (a.payoff + b.payoff), T(0.5) * (a.control + b.control)},
                  int{a.payoff > 0} + int{b.payoff > 0});
      } else {
        round.put(k, place, a, int{a.payoff > 0});
      }
    }
  }
}

/// Walks a path, or a pair of antithetic ones.
template <bool antithetic, class Model, class Payoff>
struct sample_paths {
  using T = value_of_model<Model>;
  using walked = walked_path<path_state<Model>, path_memory<Model, Payoff>>;
  static constexpr int normals = normals_per_step<Model>;

  Model const& model;
  Payoff const& payoff;
  walked path, mirrored;

  /// Values that are paid on the way go to that place of the round.
  template <class Words, class Step, class Round, class Variant>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(T const (&z)[normals], Words const& words,
                                                        Step const& now, Round& round, int place,
                                                        Variant variant) {
    path_payer<antithetic, T, Round> const pay{round, place};
    detail::take_step(model, path.path, z, words, now);
    detail::look(payoff, path.seen, path.path, now, pay, variant);
    if constexpr (antithetic) {
      T opposite[normals];
      WARPFOLD_UNROLL
      for (int i = 0; i < normals; ++i) opposite[i] = -z[i];
      std::remove_cvref_t<Words> inverted{};
      WARPFOLD_UNROLL
      for (int i = 0; i < uniforms_per_step<Model>; ++i) inverted[i] = ~words[i];
      detail::take_step(model, mirrored.path, opposite, inverted, now);
      detail::look(payoff, mirrored.seen, mirrored.path, now, pay, variant);
    }
  }
};

/// Calls walk(paths) with sample_paths at their start. Then it puts all values that are not paid on
/// the way into that place of the round.
WARPFOLD_CALLS_USER
template <bool antithetic, class Model, class Payoff, class Round, class Walk>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
with_paths(Model const& model, Payoff const& payoff, Round& round, int place, Walk walk) {
  path_state<Model> path = model.start(), mirrored = model.start();
  path_memory<Model, Payoff> seen = payoff.start(path), seen_mirrored = payoff.start(mirrored);
  sample_paths<antithetic, Model, Payoff> paths{
      model, payoff, {path, seen}, {mirrored, seen_mirrored}};
  walk(paths);
  detail::finish_sample<antithetic, value_of_model<Model>>(payoff, round, place, paths.path,
                                                           paths.mirrored);
}

/// The uniforms' address beside the normals': stream + 2^63.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE prepared_address of_uniforms(prepared_address of) {
  of.stream[1] ^= std::uint32_t{1} << 31;
  return of;
}

/// Where the normals of a path come from: random numbers,
template <class Model>
struct random_path {
  using of_steps = path_chunk<Model>;
  prepared_address const& numbers;
  std::uint64_t first_block, first_words;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE of_steps
  chunk(int c, int used = normals_per_step<Model>) const {
    auto const number = static_cast<std::uint64_t>(c);
    of_steps result;
    write_chunk(result.of, numbers, first_block + number * of_steps::blocks, used);
    if constexpr (takes_uniforms<Model>)
      write_chunk(result.words, of_uniforms(numbers), first_words + number * of_steps::word_blocks);
    return result;
  }
};
template <bool pairs>
struct random_source {
  static constexpr bool antithetic = pairs;

  template <class Model, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE random_path<Model>
  path(prepared_address const& numbers, std::int64_t sample, std::int64_t, Step const*,
       int count) const {
    using T = value_of_model<Model>;
    auto const p = static_cast<std::uint64_t>(sample);
    return {numbers, p * blocks_of_steps<T>(count, normals_per_step<Model>),
            p * blocks_of_steps<T>(count, uniforms_per_step<Model>)};
  }
};

/// or Brownian motions that are there, of which they are the increments.
template <class Model, class Step>
struct stored_path {
  static_assert(can_be_stored<Model>);
  using T = value_of_model<Model>;
  T const* motion; ///< at the end of every step, `stride` elements apart
  std::int64_t stride;
  Step const* steps;
  int count;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_chunk<Model> chunk(int c, int = 1) const {
    path_chunk<Model> z;
    WARPFOLD_UNROLL
    for (int s = 0; s < path_chunk<Model>::steps; ++s) {
      int const j = c * path_chunk<Model>::steps + s;
      z.of[s][0] = T{0};
      if (j >= count) continue;
      pricing::path_step<T> const step = detail::step_of_model(steps[j]);
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

  template <class Model, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE stored_path<Model, Step>
  path(prepared_address const&, std::int64_t, std::int64_t column, Step const* steps,
       int count) const {
    return {motions + column, stride, steps, count};
  }
};

/// Simulates a sample with these normals and puts its values into that place of the round. There is
/// at least one step.
template <bool antithetic, class Model, class Payoff, class Normals, class Step, class Round>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
walk_path(Model const& model, Payoff const& payoff, Normals const& normals, Step const* steps,
          int count, Round& round, int place) {
  using chunk = path_chunk<Model>;
  if constexpr (antithetic && pays_early<Payoff>) round.clear(payoff.count, place);
  detail::with_paths<antithetic>(model, payoff, round, place, [&](auto& paths) {
    chunk z = normals.chunk(0, detail::used_normals(model));
    int j = 0;
    // The next normals are made while payoffs are busy with these: each has what the other lacks.
    WARPFOLD_UNROLL_BY(1)
    for (int c = 1; j + chunk::steps < count; j += chunk::steps, ++c) {
      chunk const next = normals.chunk(c, detail::used_normals(model));
      detail::in_variant(payoff, [&](auto variant) {
        WARPFOLD_UNROLL
        for (int s = 0; s < chunk::steps; ++s)
          paths.step(z.of[s], z.words[s], steps[j + s], round, place, variant);
      });
      z = next;
    }
    detail::in_variant(payoff, [&](auto variant) {
      WARPFOLD_UNROLL
      for (int s = 0; s < chunk::steps; ++s)
        if (j + s < count) paths.step(z.of[s], z.words[s], steps[j + s], round, place, variant);
    });
  });
}

} // namespace warpfold::inline v0::detail
