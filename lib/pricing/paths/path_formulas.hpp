#pragma once
// Checks of path-dependent options, and the closed forms that their simulation needs.

#include <warpfold/pricing/path_options.hpp>

#include <span>
#include <string>

namespace warpfold::inline v0::pricing {

/// Refuse what is no option, by the name `which`.
void check_asian(std::string const& which, asian_option const& of);
void check_barrier(std::string const& which, barrier_option const& of);
/// Refuses times that are no fractions of an expiry. They increase.
void check_fractions(char const* which, std::span<double const> times);

/// What a lognormal price's option pays on average, undiscounted: of a variable whose logarithm has
/// this mean and standard deviation.
double lognormal_payoff(option_kind kind, double log_mean, double deviation, double strike);

/// The same of an option on the geometric average, and of one on the price at expiry.
double geometric_payoff(asian_option const& of, std::span<double const> fixings);
double vanilla_payoff(barrier_option const& of);

} // namespace warpfold::inline v0::pricing
