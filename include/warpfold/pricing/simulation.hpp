#pragma once
// What every simulation of paths is told.

#include <warpfold/pricing/estimate.hpp>
#include <warpfold/pricing/sampling.hpp>

#include <cstdint>
#include <span>

namespace warpfold::inline v0::pricing {

/// How many paths, along which times, from which random numbers. To be used with designated
/// initialisers.
struct simulation_options {
  /// Simulated in all; an even number where they are antithetic. At most 2^40.
  std::uint64_t paths = 0;
  /// Steps of equal length from 0 to `horizon`. 0 where there are `times`.
  int steps = 0;
  /// Or the times at which steps end and payoffs look at the path: at least 0, each later than the
  /// one before. A time of 0 looks at the start. At most 2^20 of them. Copied before a call
  /// returns.
  std::span<double const> times{};
  double horizon = 1; ///< where `steps` end, in the model's unit of time
  /// The random numbers, see <warpfold/random.hpp>. Path p with n normals takes samples
  /// p m ... p m + n - 1 of this stream, m being n rounded up to a multiple of 4 (double: 2); of
  /// antithetic paths p counts pairs. Sobol's scramblings are of the stream modulo 2^57.
  std::uint64_t seed = 0, stream = 0;
  /// Of the interval, in (0, 1).
  double confidence = 0.95;
  /// Paths come in pairs of opposite normals; a pair is one sample. Not with sampling::sobol.
  bool antithetic = false;
  /// sampling::sobol: a dimension for each time, on a Brownian bridge; for models with one normal a
  /// step. Most of use where a payoff depends smoothly on few features of a path, as an average
  /// does.
  sampling from = sampling::philox;
  /// Of sampling::sobol: 2 to 128, of as many paths each, at most 2^27 paths in all. A power of two
  /// of paths in each is best. For levels above 95 % take many: see sampling::sobol.
  int replicates = 32;
  /// A payoff's control variate is used, if it has one. Its coefficient is estimated from the same
  /// paths, which moves the value by something of the order of the variance over the paths' number:
  /// small beside the standard error, but no longer nothing where there are few paths.
  bool control_variate = true;
  /// Option i of a book has the normals of stream + i. Else all options of a book share them: much
  /// faster, but their errors then depend on each other. Not with sampling::sobol.
  bool independent = false;
};

} // namespace warpfold::inline v0::pricing
