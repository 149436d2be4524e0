#pragma once
// Option books priced by all ranks of a communicator.

#include <warpfold/communicator.hpp>
#include <warpfold/pricing/monte_carlo.hpp>

namespace warpfold::pricing {

/// monte_carlo() by all ranks: each has the whole book and all outputs, in the memory of its
/// place, and simulates some of the paths; all get all estimates. Blocks.
///
/// Determinism: the bits of monte_carlo() on one such place, for any number of ranks.
/// Combining: simulation::fused, with all that goes with it but a wanted standard error and
/// progress.
/// @throws what monte_carlo() throws, and argument_error for what does not combine: the other ranks
///         then throw communication_error, as all do if they have books of different sizes or
///         different options
template <class T>
void monte_carlo(communicator<gpu>& over, device_europeans<T> const& book,
                 device_estimates const& outputs, monte_carlo_options const& options = {});
template <class T>
void monte_carlo(communicator<host>& over, host_europeans<T> const& book,
                 host_estimates const& outputs, monte_carlo_options const& options = {});

extern template void monte_carlo(communicator<gpu>&, device_europeans<float> const&,
                                 device_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<gpu>&, device_europeans<double> const&,
                                 device_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<host>&, host_europeans<float> const&,
                                 host_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<host>&, host_europeans<double> const&,
                                 host_estimates const&, monte_carlo_options const&);

} // namespace warpfold::pricing
