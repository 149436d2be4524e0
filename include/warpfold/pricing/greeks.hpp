#pragma once
// Greeks of contracts and of products with a schedule, on simulated paths: derivatives of prices by
// differences of simulations on the same paths, each with the standard error of the difference, or
// of contracts as means over the paths of one: of payoffs' derivatives, or of payoffs times scores.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/local_volatility.hpp>
#include <warpfold/pricing/schedules.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <cstdint>
#include <span>

namespace warpfold::inline v0::pricing {

template <class Span>
struct greek_spans;

/// Estimates in host memory, and in memory of a gpu.
using greeks = greek_spans<std::span<estimate>>;
using device_greeks = greek_spans<device_span<estimate>>;

/// The argument of a local volatility where the spot is bumped: log-moneyness, so that it moves
/// with the spot, or the price, so that it stays, as in Dupire's model. Where rates and yields are
/// bumped it moves with the forward in any case.
enum class sticky : std::uint8_t { moneyness, price };

/// How derivatives are estimated.
enum class greek_method : std::uint8_t {
  bumps, ///< differences of prices, in the time of two each: for everything
  /// Means of the derivatives of payoffs along their paths, without a bump's bias; those of a
  /// contract all together in the time of some 1.5 prices, on a host 8. Not for gammas, digitals,
  /// schedules, jumps, local volatilities and some parameters of Heston's model: see `Pathwise`.
  pathwise,
  /// Means of payoffs times the derivative of the logarithm of the price's density, without a
  /// bump's bias, gamma too: for digitals. Other payoffs have smaller errors by the others. For
  /// contracts on the price at expiry alone: see `Likelihood ratio` below.
  likelihood_ratio
};

/// How Greeks are estimated, and for bumps how far a parameter is moved, up and down. A larger bump
/// has a larger bias, of the order of its square. A smaller one has larger errors where a payoff
/// jumps, its slope does, or a step of Heston's model changes its branch. The last five are for
/// that model.
struct bumps {
  greek_method method = greek_method::bumps; ///< with others than bumps the rest is not read
  /// Part of the spot. A gamma looks at the paths that end within it around the strike: one in 25,
  /// for a volatility of 20 % and a year.
  double spot = 0.01;
  double volatility = 0.01;     ///< a point, the market's unit
  double rate = 1e-3;           ///< ten basis points: its square is nothing beside any error
  double dividend_yield = 1e-3; ///< the same
  double variance = 0.002;      ///< a twentieth of 20 % squared: a bias of 3e-4 of the derivative
  double reversion = 0.1;       ///< small beside 1 or 2 a year
  double mean = 0.002;          ///< as `variance`
  double vol_of_vol = 0.02;     ///< small beside 0.5
  double correlation = 0.02;    ///< small beside the range from -1 to 1
  pricing::sticky sticky = pricing::sticky::moneyness; ///< of a local volatility
};

/// The models of contracts.
template <class Model>
concept contract_model = std::same_as<Model, black_scholes> || std::same_as<Model, heston> ||
    std::same_as<Model, local_volatility>;

/// Writes an estimate of each contract's or product's price and Greeks, from paths of the model in
/// T: float or double. Blocks.
template <class T = float, contract_model Model>
void simulate(gpu& place, Model const& model, std::span<contract const> book, greeks const& results,
              simulation_options const& options, bumps const& sizes = {});
template <class T = float, contract_model Model>
void simulate(host const& place, Model const& model, std::span<contract const> book,
              greeks const& results, simulation_options const& options, bumps const& sizes = {});
template <class T = float, contract_model Model>
void simulate(gpu& place, Model const& model, std::span<schedule const> book, greeks const& results,
              simulation_options const& options, bumps const& sizes = {});
template <class T = float, contract_model Model>
void simulate(host const& place, Model const& model, std::span<schedule const> book,
              greeks const& results, simulation_options const& options, bumps const& sizes = {});

/// Enqueues the work on the place's stream and returns: neither allocates on the GPU nor waits, and
/// can be captured in a CUDA graph. Model and book are copied before the call returns. On a host it
/// is simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: for each run, and once more, 200 kB for each of up to 64 contracts (double, and
///         products: 32), and what simulate_async() of prices needs for steps and dates. Pathwise
///         and by likelihood ratios: 200 kB for each of up to 64 results of the book (double: 32),
///         128 bytes (double: 224) a step, and 16 kB
template <class T = float, contract_model Model>
void simulate_async(gpu& place, Model const& model, std::span<contract const> book,
                    device_greeks const& results, simulation_options const& options,
                    bumps const& sizes = {});
template <class T = float, contract_model Model>
void simulate_async(host const& place, Model const& model, std::span<contract const> book,
                    greeks const& results, simulation_options const& options,
                    bumps const& sizes = {}) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options, sizes);
}
template <class T = float, contract_model Model>
void simulate_async(gpu& place, Model const& model, std::span<schedule const> book,
                    device_greeks const& results, simulation_options const& options,
                    bumps const& sizes = {});
template <class T = float, contract_model Model>
void simulate_async(host const& place, Model const& model, std::span<schedule const> book,
                    greeks const& results, simulation_options const& options,
                    bumps const& sizes = {}) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options, sizes);
}

// Contract of every form: that of contracts.hpp, local_volatility.hpp and schedules.hpp, but for
//
// Method      A run is a simulation of prices with one parameter of the model moved. All runs have
//             the same random numbers. Prices are u with the parameter moved up by h, d with it
//             moved down, and p as it is. A derivative is (u - d) / 2h, gamma (u - 2p + d) / h^2:
//             for any payoff, jumps too. A bump may leave the model's domain: a variance below 0, a
//             correlation above 1. Then the other side alone is taken, with a bias of order h.
// Pathwise    A Greek is the mean of the payoff's derivatives along paths whose random numbers stay
//             (M. Broadie, P. Glasserman, Estimating security price derivatives using simulation,
//             Management Science 42, 1996; P. Glasserman, Monte Carlo Methods in Financial
//             Engineering, 2003, chapter 7). Error and interval are those of a mean, as of prices.
//             Only `method` of `bumps` is read, and `sticky` checked. A delta of a realized
//             variance is 0. In Heston's model it is the derivative of the scheme's price, with the
//             bias of its steps. It lacks the part of steps that change their branch, which was
//             below the errors of measurements, docs/monte-carlo.md. In the variance, the
//             reversion, the mean and the vol_of_vol derivatives have heavy tails where variances
//             stay near 0. They are refused above a vol_of_vol of sqrt(8 reversion mean);
//             near it, and over many years, bumps have smaller errors.
// Likelihood ratio  A Greek is the mean of the payoff times the derivative of the logarithm of the
//             density of the price at expiry, given the path of variances (same sources). It is
//             the derivative of the scheme's price in the spot, in rates and yields, and in Black
//             and Scholes's volatility. Payoffs may jump. Errors are those of a mean, and grow
//             where the price spreads little: those of a delta like 1 / deviation, of a gamma like
//             1 / deviation^2. `bumps` is read as pathwise.
// Errors      By bumps: tiles of at least 128 samples (antithetic: pairs) are independent. The
//             standard error is that of the difference, from how the tiles' differences vary; the
//             interval has Student's quantile for that many tiles. A last tile of less than half
//             the samples counts with the one before. With one tile the error is infinite; with
//             fewer than 20, of 2,560 samples, it is itself uncertain by a sixth or more. The bias
//             of the bump, and that of the model's steps, are not part of it.
// paying      A Greek has the fewest paths that paid in any of its runs; by the other methods those
//             of the price. By bumps a gamma, and of a digital any Greek, is made of fewer: the
//             paths that end within a bump around a strike. Take as many that these are some
//             hundreds, or a larger bump.
// value       The bits of simulate() of prices.
// Time        By bumps a run takes the time of simulate() of prices; runs are those that the wanted
//             results need. A derivative needs two, delta and gamma share theirs, value is one, and
//             gamma and one-sided differences need that too. Pathwise 64 results (double: 32) of a
//             book, value among them, take some 1.5 runs, on a host 8; by likelihood ratios on a
//             gpu little more than one.
// Memory      A host keeps 48 bytes for each run and tile, for each contract of up to 64 (double,
//             and products: 32); a gpu keeps them in its workspace, ranks in the communicator's
//             memory. There are at most 4096 tiles.
// Reference   A product's reference does not move. Where it is 0 it is the spot of `model`.
// Float       A payoff in float is rounded to 6e-8 of the price. That is nothing in a bump of the
//             default size, on as many paths as make 1e-4 of a Greek its error. No error holds it.
//             A vol_of_vol below 1e-5 counts as 0, for which steps take other random numbers: a
//             derivative there has the error of independent runs.
// Throws      argument_error, before anything is written, also for results that overlap, that are
//             neither empty nor of the book's size, or that the model has not; if nothing is wanted
//             of a book that is not empty; for a wanted bump that is not above 0 and finite, is 1
//             or more of the spot or less than 1e-5 of it (double, and products: 1e-10), or leaves
//             the domain on both sides; and for moved models that simulate() of prices refuses.
//             Pathwise for a gamma, products with a schedule, a local volatility and jumps; for
//             derivatives in Heston's parameters with a vol_of_vol below 1e-5 or, but for the
//             correlation, above the one said; for one in a variance of 0; for that in a
//             correlation beyond 0.99, whose error would grow like 1 / sqrt(1 - correlation^2);
//             where steps are so long and the correlation is so high that a step may lack its
//             martingale correction; for digitals; and for a spot whose reciprocal is infinite in
//             T. By likelihood ratios for products with a schedule, a local volatility and jumps;
//             for measures other than the price; for parameters of Heston's model; where scores
//             have no finite variance: an expiry of 0, a volatility of 0 until an expiry, Heston's
//             variance of 0 at the start, a correlation beyond 0.99; and for such spots, and with
//             gamma for those whose square has an infinite reciprocal.

/// Estimates of prices and of their derivatives, in the order of the book. One that is left out, or
/// empty, is neither computed nor written. A derivative is per unit of its parameter: a vega is for
/// a volatility that rises by 1, which is 100 points. Parallel shifts move all values of a curve,
/// or of a grid.
template <class Span>
struct greek_spans {
  Span value{};        ///< the price
  Span delta{};        ///< in the spot
  Span gamma{};        ///< in the spot, twice
  Span vega{};         ///< parallel shift of the volatility; Heston's model has none
  Span rho{};          ///< parallel shift of the rate, which also discounts
  Span dividend_rho{}; ///< parallel shift of the dividend yield
  /// Heston's model: in its parameter of this name.
  Span variance{}, reversion{}, mean{}, vol_of_vol{}, correlation{};
};

} // namespace warpfold::inline v0::pricing
