#pragma once
// The door of pricing by simulation, for those who do it with others.

#include "monte_carlo_backend.hpp"

namespace warpfold::pricing {

/// The checked arguments. @throws argument_error
template <class T>
simulation_call<T> checked_call(device_europeans<T> const& book, device_estimates const& outputs,
                                monte_carlo_options const& options);
template <class T>
simulation_call<T> checked_call(host_europeans<T> const& book, host_estimates const& outputs,
                                monte_carlo_options const& options);

} // namespace warpfold::pricing
