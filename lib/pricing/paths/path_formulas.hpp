#pragma once
// Checks of path-dependent options, and the closed forms that their simulation needs.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/path_options.hpp>

#include <cmath>
#include <numbers>
#include <span>

namespace warpfold::inline v0::pricing {

constexpr bool is_up(barrier_type type) {
  return type == barrier_type::up_and_out || type == barrier_type::up_and_in;
}
constexpr bool is_out(barrier_type type) {
  return type == barrier_type::up_and_out || type == barrier_type::down_and_out;
}

/// The binary logarithm of the price: per unit of Brownian motion, and its drift until expiry.
struct binary_motion {
  double deviation, drift;

  explicit binary_motion(option<double> const& of)
      : deviation{of.volatility * std::sqrt(of.expiry) * std::numbers::log2e},
        drift{(of.rate - of.dividend_yield - of.volatility * of.volatility / 2) * of.expiry *
              std::numbers::log2e} {}
};

inline double discount_of(option<double> const& of) { return std::exp(-of.rate * of.expiry); }

/// Refuse what is no option, by the name `which`.
void check_contract(detail::text const& which, asian_option const& contract);
void check_contract(detail::text const& which, barrier_option const& contract);
/// Refuses an option, of finite numbers, that has others in T.
template <class T, class Option>
void check_range(detail::text const& which, Option const& contract);
/// Refuses times that are no fractions of an expiry. They increase.
void check_fractions(char const* which, std::span<double const> times);

/// The mean payoff, undiscounted, of an option on a variable whose logarithm is normal with this
/// mean and standard deviation.
double lognormal_payoff(option_kind kind, double log_mean, double deviation, double strike);

/// The mean payoff of an option on the geometric average, and of one on the price at expiry.
double geometric_payoff(asian_option const& of, std::span<double const> fixings);
double vanilla_payoff(barrier_option const& of);

} // namespace warpfold::inline v0::pricing
