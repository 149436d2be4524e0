#pragma once
// Contracts on simulated paths of a price whose volatility depends on time and price, and that
// volatility from the prices of options (Dupire).

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/curve.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

struct local_volatility;

/// Writes an estimate of each contract's price, from paths of the model in T: float or double. All
/// contracts look at the same paths. Blocks.
template <class T = float>
void simulate(gpu& place, local_volatility const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate(host const& place, local_volatility const& model, std::span<contract const> book,
              std::span<estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates on the GPU nor waits, and
/// can be captured in a CUDA graph. Model and book are copied before the call returns. On a host it
/// is simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: 200 kB for each of up to 64 contracts (double: 32), and 1 KiB (double: 2 KiB) a
///         step
template <class T = float>
void simulate_async(gpu& place, local_volatility const& model, std::span<contract const> book,
                    device_span<estimate> results, simulation_options const& options);
template <class T = float>
void simulate_async(host const& place, local_volatility const& model,
                    std::span<contract const> book, std::span<estimate> results,
                    simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them: that of contracts.hpp, but for
//
// Steps       In a step the logarithm of the price over its forward has the variance and the third
//             moment of the diffusion, to second order in the step's length. The price is a
//             martingale. In time the squared volatility is integrated: one that does not depend on
//             the price makes no bias. Others do, by the length of steps: docs/monte-carlo.md has
//             figures. Take steps of a month or less.
// Rows        For each step the volatility is sampled in double on the host, at 126 equidistant
//             log-moneyness: as far as a path comes whose Brownian motion is always six standard
//             deviations away, or a little beyond the outer nodes if those are nearer. Between them
//             it is linear, beyond them constant. A call makes rows anew: some 10 us a step.
// Numbers     A step takes a normal number alone. Not with sampling::sobol.
// Determinism As of contracts.
// Throws      argument_error also for a volatility that is finite but makes no moves in T, and for
//             more than 2^14 steps: each has a row.

/// Volatilities at times and prices: for each time all of its log-moneyness. Log-moneyness is
/// ln(price / forward), or ln(strike / forward); the forward is spot e^((rate - yield) time).
struct volatility_nodes {
  std::span<double const> times;         ///< years: from 0 on, each after the one before
  std::span<double const> log_moneyness; ///< finite, each above the one before
  std::span<double const> values;        ///< of time i and log-moneyness j: [i columns + j]
};

/// A volatility as a function of time and log-moneyness: linear in both between nodes, constant
/// beyond them. One node makes a constant.
class volatility_grid {
public:
  /// Copies the nodes. At once, on the calling thread.
  /// @throws argument_error for values that are negative or not finite, for times or log-moneyness
  ///         as they are not above, and for values that are not as many as times x log-moneyness
  explicit volatility_grid(volatility_nodes const& nodes);

  /// The nodes, as volatility_nodes has them.
  [[nodiscard]] std::span<double const> times() const noexcept { return times_; }
  [[nodiscard]] std::span<double const> log_moneyness() const noexcept { return log_moneyness_; }
  [[nodiscard]] std::span<double const> values() const noexcept { return values_; }

  /// The volatility there; arguments are not NaN.
  [[nodiscard]] double at(double time, double log_moneyness) const noexcept;

private:
  std::vector<double> times_, log_moneyness_, values_;
};

/// A model of a price with this volatility: in place of Black and Scholes's constant one.
struct local_volatility {
  double spot;              ///< price of the underlying
  curve rate;               ///< continuously compounded, a year
  curve dividend_yield = 0; ///< continuously compounded, a year
  volatility_grid grid;     ///< per square root of a year
};

// ---- from the prices of options -----------------------------------------------------------------

/// A way in which prices of options contradict each other.
enum class arbitrage : std::uint8_t {
  calendar, ///< total variance falls with time, at constant log-moneyness
  butterfly ///< the density of the price is not positive
};

/// A node at which they do.
struct violation {
  double time, log_moneyness; ///< of the node
  arbitrage kind;             ///< in which way
};

/// A local volatility, and where it is none.
struct dupire_surface {
  volatility_grid grid;              ///< at the nodes of the surface
  std::size_t calendar, butterfly;   ///< numbers of violations
  std::vector<violation> violations; ///< all of them, in the order of the nodes
};

/// Options of dupire().
struct dupire_options {
  double least = 0; ///< of local volatilities: instead of lower ones, and of calendar arbitrage
  double most = 4;  ///< instead of higher ones, and of butterfly arbitrage
};

/// The local volatility at the same nodes with which options have these implied volatilities
/// (B. Dupire, Pricing with a smile, Risk 7, 1994; J. Gatheral, The volatility surface, 2006). With
/// the total variance w = volatility^2 time as a function of log-moneyness k and time t its square
/// is
///   dw/dt / (1 - k/w dw/dk + (-1/4 - 1/w + k^2/w^2) (dw/dk)^2 / 4 + (d2w/dk2) / 2).
/// Derivatives in k are those of a natural cubic spline, in t those of parabolas through three
/// times, the first of which is 0, where w is 0. There is a calendar violation also where w is
/// lower than at the time before. Before the first time the grid is constant, and between times
/// volatilities are linear, so that quotes alone are too few nodes, without a violation: of 20 % at
/// one year and 25 % at two, 20 % comes back as 25 %. Interpolate quotes first, in total variance:
/// some 25 times, closer near 0, by 40 log-moneynesses. At once, on the calling thread.
/// @throws argument_error as volatility_grid; for times of 0 or volatilities of 0; for options
///         that are not 0 <= least <= most, both finite
dupire_surface dupire(volatility_nodes const& implied, dupire_options const& options = {});

/// dupire() of a total variance as a function, total_variance(time, log_moneyness), at nodes of
/// your choice. Times are not compared with each other. It is twice differentiable in
/// log-moneyness; derivatives are central differences over 2e-3 sqrt(w) and 2e-4 time. At once, on
/// the calling thread, which calls the function.
/// @throws argument_error as the other form, and for a total variance that is not above 0 or not
///         finite; what the function throws
dupire_surface dupire(std::function<double(double, double)> const& total_variance,
                      std::span<double const> times, std::span<double const> log_moneyness,
                      dupire_options const& options = {});

} // namespace warpfold::inline v0::pricing
