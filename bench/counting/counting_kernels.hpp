#pragma once
// CUB as someone calls it who knows that no count exceeds 32 bits.

#include <warpfold/counting/histogram.hpp>

#include <cstdint>

namespace warpfold::bench {

/// Scratch comes from the place's workspace.
template <class T>
void cub_histogram32(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
                     std::uint32_t* counts);

} // namespace warpfold::bench
