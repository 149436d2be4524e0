#pragma once
// Checks of path-dependent options, and the closed forms that their simulation needs.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/path_options.hpp>

#include <span>

namespace warpfold::inline v0::pricing {

constexpr bool is_up(barrier_type type) {
  return type == barrier_type::up_and_out || type == barrier_type::up_and_in;
}
constexpr bool is_out(barrier_type type) {
  return type == barrier_type::up_and_out || type == barrier_type::down_and_out;
}

/// Refuse what is no option, by the name `which`.
void check_contract(detail::text const& which, asian_option const& contract);
void check_contract(detail::text const& which, barrier_option const& contract);
/// Refuses times that are no fractions of an expiry. They increase.
void check_fractions(char const* which, std::span<double const> times);

/// The mean payoff, undiscounted, of an option on a variable whose logarithm is normal with this
/// mean and standard deviation.
double lognormal_payoff(option_kind kind, double log_mean, double deviation, double strike);

/// The mean payoff of an option on the geometric average, and of one on the price at expiry.
double geometric_payoff(asian_option const& of, std::span<double const> fixings);
double vanilla_payoff(barrier_option const& of);

} // namespace warpfold::inline v0::pricing
