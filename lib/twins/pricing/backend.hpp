#pragma once
// Functions of the twins of option pricing. The door has checked their arguments.

#include "pricing/european/monte_carlo_backend.hpp"

namespace warpfold::inline v0::pricing {

namespace gpu_impl {
/// Enqueue prices alone, on a stream of the current device.
template <class T>
void polynomial(cudaStream_t stream, price_call<T> const& call);
template <class T>
void vendor(cudaStream_t stream, price_call<T> const& call);

/// Enqueue values alone, on the place's stream. The place's workspace grows if `may_allocate`.
template <class T>
void simulate_stored(gpu& place, simulation_call<T> const& call, bool may_allocate);
/// With one block an option, or as many as fill the GPU.
template <class T>
void simulate_in_blocks(gpu& place, simulation_call<T> const& call, bool may_be_several);
/// Allocates.
template <class T>
void simulate_vendor(gpu& place, simulation_call<T> const& call);
} // namespace gpu_impl

namespace host_impl {
/// As above, on the host's threads.
template <class T>
void polynomial(host const& place, price_call<T> const& call);
template <class T>
void vendor(host const& place, price_call<T> const& call);

template <class T>
void simulate_vendor(host const& place, simulation_call<T> const& call);
} // namespace host_impl

} // namespace warpfold::inline v0::pricing
