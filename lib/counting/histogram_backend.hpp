#pragma once
// What the backends of histograms provide; see backend.hpp.

#include <warpfold/histogram.hpp>

// X(element)
#define WARPFOLD_FOR_EACH_BINNED(X)                                                                \
  X(std::uint8_t)                                                                                  \
  X(std::int32_t)                                                                                  \
  X(std::uint32_t)                                                                                 \
  X(float)                                                                                         \
  X(double)

namespace warpfold::counting::gpu_impl {

template <class T>
void bin(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
         std::uint64_t* counts);

/// Scratch comes from the place's workspace, which grows if `may_allocate`.
template <class T>
void cub_histogram(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
                   std::uint64_t* counts, bool may_allocate);

} // namespace warpfold::counting::gpu_impl
