#pragma once
// Products that pay on a schedule: autocallables, phoenix notes, cliquets, lookbacks, and whatever
// else dates, levels and one payment at the end describe.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/pricing/baskets.hpp>
#include <warpfold/pricing/contracts.hpp>
#include <warpfold/pricing/local_volatility.hpp>
#include <warpfold/pricing/option.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

struct schedule;
struct basket_index;

/// Models on whose paths products with a schedule are priced.
template <class Model>
concept schedule_model = std::same_as<Model, black_scholes> || std::same_as<Model, heston> ||
    std::same_as<Model, local_volatility> || std::same_as<Model, basket_index>;

/// Writes an estimate of each product's price, from paths of the model in T: float or double. All
/// products look at the same paths. Blocks.
template <class T = float, schedule_model Model>
void simulate(gpu& place, Model const& model, std::span<schedule const> book,
              std::span<estimate> results, simulation_options const& options);
template <class T = float, schedule_model Model>
void simulate(host const& place, Model const& model, std::span<schedule const> book,
              std::span<estimate> results, simulation_options const& options);

/// Enqueues the work on the place's stream and returns: neither allocates nor waits, and can be
/// captured in a CUDA graph. Model and book are copied before the call returns. On a host it is
/// simulate().
/// @throws argument_error also if the place's workspace is too small, saying which gpu::reserve is
///         needed: 200 kB for each of up to 32 products; for up to 32 of them 8 kB, 170 bytes a
///         date and 8 for each 32 times (double: 16 kB, 330 and 8); and what a step takes with
///         contracts
template <class T = float, schedule_model Model>
void simulate_async(gpu& place, Model const& model, std::span<schedule const> book,
                    device_span<estimate> results, simulation_options const& options);
template <class T = float, schedule_model Model>
void simulate_async(host const& place, Model const& model, std::span<schedule const> book,
                    std::span<estimate> results, simulation_options const& options) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, model, book, results, options);
}

// Contract of all of them:
//
// Levels      A level is the price over the product's reference. A path starts at the level
//             spot / reference. That is 1 without a reference.
// Dates       Each product has dates of its own among the simulation's times. At a date a path
//             meets, in this order: the knock-in level, the coupon, and the call, which ends the
//             product. "At or above" includes equality.
// Payments    Each is discounted from its date by the model's rate.
// Monitoring  Levels count at dates only. For daily monitoring take a date a day: a row of numbers
//             for each product, date and path is cheap beside the path's step.
// Models      As contracts have them: docs of contracts.hpp, local_volatility.hpp and baskets.hpp.
//             Black-Scholes takes one normal a step, and no uniform.
// T           Sums over paths are doubles; sums over the dates and steps of a path are in T: above
//             some 10,000 take double.
// Ranks       <warpfold/comm/pricing.hpp> has the form for a communicator.
// Determinism The same bits on every run, on hosts and GPUs, for any grid or number of threads,
//             whatever products stand beside one, unless they are `independent`: product i then has
//             the numbers of stream + i. Last bits decide over calls, so a host and a GPU take the
//             same decisions.
// Controls    There are none: control_variate changes nothing. Not with sampling::sobol.
// Throws      argument_error, naming what is wrong, as simulate() of contracts for options, models
//             and results; for a product without dates, or whose dates are not increasing or none
//             of the times, to 1e-9 of them; for a reference or a level that is negative, a NaN, an
//             infinite payment, a floor above its cap; for a quantity that is none, or returns
//             compared with another quantity; for calls without a level; and for what is finite but
//             not in T. cuda_error.

/// A number that a path gives a product, up to its last date.
enum class quantity : std::uint8_t {
  one,    ///< 1
  level,  ///< the level at the last date
  low,    ///< the lowest level at a date, or at the start
  high,   ///< the highest level at a date, or at the start
  returns ///< the sum of schedule_date::weight times the bounded return
};

/// A date of a product, and what may happen there.
struct schedule_date {
  /// A level that no price reaches.
  static constexpr double never = std::numeric_limits<double>::infinity();

  double time;               ///< years: one of the simulation's times
  double call_level = never; ///< at or above it the product ends, and pays
  double call_payment = 0;   ///< then
  double coupon_level = 0;   ///< at or above it the product pays
  /// Then, of money; with schedule::memory also those that were missed. 0: there is no coupon on
  /// this date, which pays no missed ones either.
  double coupon = 0;
  double knock_in_level = 0; ///< below it the product ends as schedule::knocked_in
  double weight = 0;         ///< of the return since the date before, or the start, in `returns`
  double return_floor = -never, return_cap = never; ///< bounds of that return
};

/// A payment at the last date: amount + participation * x, where x is `measured` - strike * `less`,
/// but at least `floor` and at most `cap`.
struct redemption {
  /// A bound that is none.
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  double amount = 0;                          ///< of money
  double participation = 0;                   ///< of money
  quantity measured = quantity::level;        ///< see there
  double strike = 0;                          ///< a level, or a multiple of `less`
  quantity less = quantity::one;              ///< not returns
  double floor = -unbounded, cap = unbounded; ///< of x
};

/// A product.
struct schedule {
  std::vector<schedule_date> dates{}; ///< increasing
  redemption at_end{};                ///< paid at the last date, unless called
  redemption knocked_in{};            ///< paid instead if a level was below a knock-in level
  double reference = 0;               ///< the price that has level 1; 0: the spot
  bool memory = false;                ///< a coupon pays those that were missed before, too
};

/// Correlated assets seen as one price: that which is selected from the assets' prices over their
/// spots, each times its weight. It starts at 1, where products have no reference; with a reference
/// of 1, levels are what is selected. The spans are read before a call returns.
struct basket_index {
  std::span<black_scholes const> assets; ///< as basket has them: 2 to 8
  std::span<double const> correlation;   ///< as basket has it
  /// See there; not weighted_product.
  pricing::selection selection = selection::worst_of;
  /// One an asset, from 0 on: spot / first price for levels since then. None: 1, for sums 1 /
  /// assets.
  std::span<double const> weights{};
};

// ---- products as schedules ----------------------------------------------------------------------

/// A note that ends at the first date at whose level it is called, and then pays its notional and
/// that date's payment. If it is never called it pays its notional at the last date; but if it was
/// knocked in, it pays notional * min(level, 1).
struct autocallable {
  std::span<double const> times;       ///< years, increasing
  std::span<double const> call_levels; ///< one a time; schedule_date::never where it has no call
  std::span<double const> call_payments{}; ///< one a time, beside the notional; none: 0
  double knock_in_level = 0;               ///< 0: the notional is safe
  bool knock_in_at_end = true;             ///< that level counts at the last date alone, or at all
  double coupon_level = 0, coupon = 0;     ///< of money, at every time: a phoenix note
  bool memory = false;                     ///< a coupon pays those that were missed before, too
  double notional = 100;                   ///< of money
  double reference = 0;                    ///< the price that has level 1; 0: the spot

  /// The product. At once, on the calling thread.
  /// @throws argument_error for spans of different sizes, or a payment without a call
  operator schedule() const;
};

/// A sum of bounded returns from date to date: pays notional * min(max(sum, floor), cap) at the
/// last date.
struct cliquet {
  std::span<double const> times;                 ///< years, increasing
  double return_floor = -redemption::unbounded;  ///< of each return
  double return_cap = redemption::unbounded;     ///< of each return
  double floor = 0, cap = redemption::unbounded; ///< of their sum
  double notional = 100;                         ///< of money
  double reference = 0;                          ///< the price that has level 1; 0: the spot

  /// The product. At once, on the calling thread.
  /// @throws argument_error for null or misaligned times
  operator schedule() const;
};

/// Pays max(level - low, 0) (call) or max(high - level, 0) (put) with a floating strike, else
/// max(high - strike, 0) (call) or max(strike - low, 0) (put), times `notional`. The start and all
/// dates count.
struct lookback {
  std::span<double const> times;        ///< years, increasing
  option_kind kind = option_kind::call; ///< see there
  bool floating = true;                 ///< the strike is the lowest or highest level
  double strike = 1;                    ///< a level, unless it is floating
  double notional = 100;                ///< of money: the spot makes it the payoff of prices
  double reference = 0;                 ///< the price that has level 1; 0: the spot

  /// The product. At once, on the calling thread.
  /// @throws argument_error for null or misaligned times, and for a kind that is none
  operator schedule() const;
};

} // namespace warpfold::inline v0::pricing
