#pragma once
// Estimates of simulations, where their normals come from, and the options of simulate().

#include <warpfold/pricing/bits.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace warpfold::inline v0::pricing {

/// A discounted mean over simulated paths, and how far to trust it.
struct estimate {
  double value;          ///< the mean
  double standard_error; ///< of the value; infinite where there is one sample only
  double lower, upper;   ///< the confidence interval: value -+ the level's quantile standard errors
  std::uint64_t paths;   ///< simulated
  /// Paths that end in the money. Without a variance the strike itself is out of it. With one,
  /// paths of a European option that end at the strike may count.
  std::uint64_t paying;
  /// Fewer than 100 paths paid. The error is estimated from those, so value, error and interval may
  /// all be far too small: simulate more paths or, for European options, use `importance`.
  /// It does not flag calls whose volatility sqrt(expiry) is large, from about 2.5 on. There a few
  /// of the paying paths make the mean: thousands pay, and the interval still misses. For European
  /// options `importance` is the remedy, up to about 4 `control_variate`, too.
  bool too_few_paid;
};

/// The kind of normal numbers.
enum class sampling : std::uint8_t {
  philox, ///< independent ones, by Box and Muller
  /// Sobol's sequence with Owen's scrambling. Points of one sequence depend on each other, so paths
  /// come in replicates with independent scramblings. The replicates' means are the samples of the
  /// error, with Student's distribution for the interval. These means are skewed, so intervals hold
  /// the price less often than they say. They held a European option's value at levels of 95, 99
  /// and 99.9 %: with 8 replicates 89, 94.8 and 97.8 % or more; with 32 (the default) 92.5, 97
  /// and 98.9; with 64 93.6, 97.8 and 99.4; with 128 93.6, 98.5 and 99.7; with 512 94.6, 98.7 and
  /// 99.7. For levels of 99 or 99.9 % take 128 or more. Payoffs with jumps, as those of deltas, are
  /// worse: a jump shifts few of a replicate's points, and few replicates may all agree.
  /// docs/monte-carlo.md has the figures.
  sobol
};

/// A simulation in batches, after one of them.
struct simulation_progress {
  std::uint64_t paths;      ///< an option, so far
  std::uint64_t most_paths; ///< european_simulation_options::paths
  double standard_error;    ///< the largest of the values
};

/// Options of simulate() for books of European options.
struct european_simulation_options {
  std::uint64_t paths = std::uint64_t{1} << 20; ///< an option; 1 to 2^42, even where antithetic
  /// Address of the normals, see <warpfold/random.hpp>: path i is normal i of the stream, or of the
  /// first option's.
  std::uint64_t seed = 0, stream = 0;
  double confidence = 0.95; ///< level of the interval, in (0, 1)
  /// Option i has the normals of stream + i, and independent errors. Else all options share theirs.
  bool independent = false;
  /// Every other path is the mirror image of the one before; a pair is one sample.
  bool antithetic = false;
  /// Corrects the value by the error of the mean final price of the underlying. The coefficient is
  /// estimated from the same paths, which biases the value: by order 1 / samples, where its
  /// standard error is of order 1 / sqrt(samples).
  bool control_variate = false;
  /// Options that fewer than one path in 44 pays for (two standard deviations) get paths that drift
  /// to where they pay, weighted by the likelihood ratio, and no control variate. So do calls whose
  /// volatility sqrt(expiry) is above 2, to where payoff times density is largest. In the money
  /// these calls have larger errors of `rho` and `gamma` than without a drift. Beyond 9 deviations
  /// (in double 26) paths do not drift, nor where that volatility is larger: squares of weights
  /// would underflow.
  bool importance = false;
  pricing::sampling sampling = pricing::sampling::philox; ///< source of the normals
  /// Replicates of sampling::sobol: at least 8, and 128 for levels above 95 %: see there.
  int replicates = 32;
  /// Native, because an evaluation is six instructions then and some twenty otherwise, and a
  /// payoff's last bits are far below any standard error. Greeks and reduced variances have it,
  /// too.
  pricing::bits bits = pricing::bits::native;
  /// Above 0, in blocking calls and on hosts: simulates in batches, each as large as all before
  /// it, until `paths` are done, or no value's standard error is larger and none has too few paying
  /// paths.
  double standard_error = 0;
  /// Called after every batch by the calling thread. If it returns false the simulation ends; the
  /// results are those of the paths so far.
  std::function<bool(simulation_progress const&)> progress{};
};

/// Options of simulate() for paths: Asian and barrier options, contracts on a model's paths, models
/// and payoffs of your own.
struct simulation_options {
  std::uint64_t paths = std::uint64_t{1} << 20; ///< at most 2^40; even where antithetic
  /// Steps of equal length from 0 to `horizon`: 1 to 2^20. 0 where there are `times`.
  int steps = 0;
  /// Or the ends of steps, at which payoffs look at the path: at least 0, increasing, at most 2^20
  /// of them; in years, but for asian_option and barrier_option in fractions of the option's
  /// expiry. A time of 0 looks at the start. Copied before a call returns.
  std::span<double const> times{};
  double horizon = 1; ///< end of `steps`, in the model's unit of time; above 0 if there are several
  /// 0: one step from each time to the next. Above 0: longer intervals are divided into the fewest
  /// equal steps that are no longer. Payoffs see only the times. There are at most 2^20 steps then.
  /// Not for asian_option and barrier_option, whose steps are exact.
  double longest_step = 0;
  /// Address of the normals, see <warpfold/random.hpp>. Path p with n normals, of all its steps,
  /// takes samples p m ... p m + n - 1 of the stream, m being n rounded up to a multiple of 4
  /// (double: 2); with antithetic paths p counts pairs. Sobol's scramblings are of the stream
  /// modulo 2^57.
  std::uint64_t seed = 0, stream = 0;
  double confidence = 0.95; ///< level of the interval, in (0, 1)
  /// Option i of a book has the normals of stream + i, and independent errors. Else all options
  /// share their normals: much faster. Not with sampling::sobol.
  bool independent = false;
  /// Paths come in pairs of opposite normals; a pair is one sample. Not with sampling::sobol.
  bool antithetic = false;
  /// Uses the payoff's control variate, if it has one. The coefficient is estimated from the same
  /// paths, which biases the value by order variance / paths: small beside the standard error.
  bool control_variate = false;
  /// sampling::sobol: a dimension for each time, on a Brownian bridge; for models with one normal a
  /// step. Gains most where a payoff depends smoothly on few features of a path, as averages do.
  pricing::sampling sampling = pricing::sampling::philox;
  /// Replicates of sampling::sobol: 2 to 128, of as many paths each, best a power of two; at most
  /// 2^27 paths in all. For levels above 95 % take 128: see sampling::sobol.
  int replicates = 32;
  /// Left out: portable, so that prices and decisions to exercise are the same everywhere; but
  /// native for asian_option and barrier_option, which take a power of two an option and step.
  /// Schedules are portable always. Models and payoffs of your own, by the functions that they
  /// call: leave it out.
  std::optional<pricing::bits> bits{};
  /// For options with early exercise: other paths, from which they learn when to exercise; at most
  /// 2^31. 0: as many as `paths`, but no more than 2^18.
  std::uint64_t regression_paths = 0;
};

} // namespace warpfold::inline v0::pricing
