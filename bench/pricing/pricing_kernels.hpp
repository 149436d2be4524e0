#pragma once
// Thrust as it is usually called for option pricing.

#include <warpfold/warpfold.hpp>

namespace warpfold::bench {

/// thrust::transform over zipped arrays of spot, strike and expiry, one option at a time; erfc
/// twice and the put by parity, which costs digits and saves time.
template <class T>
void zip_by_parity_async(gpu& place, pricing::device_book<T> const& book, device_span<T> call,
                         device_span<T> put);

} // namespace warpfold::bench
