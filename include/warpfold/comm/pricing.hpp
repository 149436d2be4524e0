#pragma once
// Option books priced by all ranks of a communicator.

#include <warpfold/comm/communicator.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/implied_volatility.hpp>
#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/pricing/path_options.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::pricing {

// What holds for the next two verbs, whose books are in host memory.
//
// over        Every rank names the whole book and all outputs, and does the options
//             part_of(options, rank, ranks): on its host, or through its GPU as price() does for
//             one gpu, piece by piece. What a rank does not do it neither reads nor writes: ranks
//             in several processes have their own parts of the outputs, and must have theirs of
//             the book, in arrays of the whole size; ranks of one process name the same arrays,
//             and have all. Blocks until all ranks are done.
// Determinism The bits of the same verb on one place of this kind, for any number of ranks.
// Throws      what that verb throws, and then the other ranks throw communication_error, as all do
//             if they have books of different sizes, or different outputs.

/// price() by all ranks.
template <class T>
void price(communicator<gpu>& over, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs);
template <class T>
void price(communicator<host>& over, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs);

/// implied_volatility() by all ranks.
template <class T>
void implied_volatility(communicator<gpu>& over, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status = {});
template <class T>
void implied_volatility(communicator<host>& over, host_quotes<T> const& book,
                        std::type_identity_t<std::span<T>> volatility,
                        std::span<implied_status> status = {});

/// monte_carlo() by all ranks: each has the whole book and all outputs, in the memory of its
/// place, and simulates some of the paths; all get all estimates. Blocks.
///
/// Determinism: the bits of monte_carlo() on one such place, for any number of ranks.
/// Combining: as there, but with neither a wanted standard error nor progress.
/// @throws what monte_carlo() throws, and argument_error for what does not combine: the other ranks
///         then throw communication_error, as all do if they have books of different sizes or
///         different options
template <class T>
void monte_carlo(communicator<gpu>& over, device_europeans<T> const& book,
                 device_estimates const& outputs, monte_carlo_options const& options = {});
template <class T>
void monte_carlo(communicator<host>& over, host_europeans<T> const& book,
                 host_estimates const& outputs, monte_carlo_options const& options = {});

/// simulate() by all ranks: each has the whole book and simulates some of the paths; all return all
/// estimates. Blocks.
///
/// Determinism: the bits of simulate() on one such place, for any number of ranks.
/// @throws what simulate() throws, and then the other ranks throw communication_error, as all do if
///         they have different books, options or T
template <class T = float>
std::vector<estimate> simulate(communicator<gpu>& over, std::span<asian_option const> book,
                               simulation_options const& options);
template <class T = float>
std::vector<estimate> simulate(communicator<host>& over, std::span<asian_option const> book,
                               simulation_options const& options);
template <class T = float>
std::vector<estimate> simulate(communicator<gpu>& over, std::span<barrier_option const> book,
                               simulation_options const& options);
template <class T = float>
std::vector<estimate> simulate(communicator<host>& over, std::span<barrier_option const> book,
                               simulation_options const& options);

extern template void monte_carlo(communicator<gpu>&, device_europeans<float> const&,
                                 device_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<gpu>&, device_europeans<double> const&,
                                 device_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<host>&, host_europeans<float> const&,
                                 host_estimates const&, monte_carlo_options const&);
extern template void monte_carlo(communicator<host>&, host_europeans<double> const&,
                                 host_estimates const&, monte_carlo_options const&);

} // namespace warpfold::inline v0::pricing
