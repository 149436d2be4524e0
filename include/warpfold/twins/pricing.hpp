#pragma once
// Option prices by the vendors' code and the course's, to be compared with: the verbs of
// <warpfold/pricing/black_scholes.hpp> and <warpfold/pricing/monte_carlo.hpp> with a tag. The first
// tag of each kind is the call without one.
//
// Compiled are float and double, in all forms that are declared here. Link warpfold::twins.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/pricing/monte_carlo.hpp>
#include <warpfold/twins/tags.hpp>

#include <type_traits>

namespace warpfold::inline v0::pricing {

// Contract of price() with a tag, beside that of the call without.
//
// Inputs      Where expiry, volatility, spot or strike are 0 or infinite, prices may be NaN. The
//             polynomial's may be negative.
// Outputs     formula::polynomial and formula::vendor have calls and puts alone.
// Determinism The same bits on every run on one machine.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no formula, or
//             if it does not compute an output.

/// price_async() by a formula.
template <class T>
void price_async(gpu& place, device_book<T> const& book,
                 std::type_identity_t<device_outputs<T>> const& outputs, twins::formula twin);

/// price() by a formula: in GPU memory, on a host, and of host memory through a GPU.
template <class T>
void price(gpu& place, device_book<T> const& book,
           std::type_identity_t<device_outputs<T>> const& outputs, twins::formula twin);
template <class T>
void price(host const& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, twins::formula twin);
template <class T>
void price(gpu& place, host_book<T> const& book,
           std::type_identity_t<host_outputs<T>> const& outputs, twins::formula twin);

/// As price() by a formula: done on return.
template <class T>
void price_async(host const& place, host_book<T> const& book,
                 std::type_identity_t<host_outputs<T>> const& outputs, twins::formula twin) {
  detail::verb const scope("pricing::price_async");
  price<T>(place, book, outputs, twin);
}

// Contract of simulate() with a tag, beside that of the call without.
//
// Normals     simulation::stored has those of simulation::fused, and its bits. With
//             simulation::block_reduce and blocks_reduce path i of stream s is normal i of cuRAND's
//             Philox4x32-10 with the same seed, in subsequence s: random::normal's words by
//             cuRAND's transform. simulation::vendor derives a seed from seed and stream: on a gpu
//             for cuRAND's Philox4x32-10, on a host for std::mt19937_64.
// Blocks      simulation::block_reduce has one block of 256 threads an option, as CUDA's sample
//             MonteCarloMultiGPU. simulation::blocks_reduce has as many for each as run at once,
//             and a second kernel adds their sums. (The course of 2008 had several where paths /
//             options was 8192 or more.)
// Combining   Values alone, and none of independent, antithetic, control_variate, importance,
//             sampling::sobol, standard_error and progress: those are for simulation::fused.
// Scratch     On a gpu simulation::stored keeps all normals in scratch memory; simulation::vendor
//             allocates, and is for blocking calls.
// Determinism The same bits on every run on one machine.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no simulation,
//             or does not combine; in the form with _async if it allocates; on a host if it needs a
//             gpu (block_reduce, blocks_reduce). vendor_error if cuRAND fails.

/// simulate_async() by a simulation.
template <class T>
void simulate_async(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
                    twins::simulation twin, european_simulation_options const& options = {});

/// simulate() by a simulation: on a GPU, and on a host.
template <class T>
void simulate(gpu& place, device_europeans<T> const& book, device_estimates const& outputs,
              twins::simulation twin, european_simulation_options const& options = {});
template <class T>
void simulate(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
              twins::simulation twin, european_simulation_options const& options = {});

/// As simulate() by a simulation: done on return.
template <class T>
void simulate_async(host const& place, host_europeans<T> const& book, host_estimates const& outputs,
                    twins::simulation twin, european_simulation_options const& options = {}) {
  detail::verb const scope("pricing::simulate_async");
  simulate<T>(place, book, outputs, twin, options);
}

} // namespace warpfold::inline v0::pricing
