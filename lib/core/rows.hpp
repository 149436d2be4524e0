#pragma once
// Rows of an array within a GPU's memory, however far apart: the runtime's calls for two dimensions
// take no pitch above cudaDeviceProp::memPitch, 2^31 - 1 bytes.

#include <warpfold/error.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0::detail {

inline constexpr std::size_t largest_pitch = std::numeric_limits<std::int32_t>::max();

/// Enqueues copies of `count` rows of `width` elements, which are as far apart as the pitches say.
template <class T>
void copy_rows(T* to, std::size_t to_pitch, T const* from, std::size_t from_pitch,
               std::size_t width, std::size_t count, cudaStream_t stream) {
  if (count > 1 && std::max(to_pitch, from_pitch) <= largest_pitch / sizeof(T))
    return check(cudaMemcpy2DAsync(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T),
                                   width * sizeof(T), count, cudaMemcpyDeviceToDevice, stream));
  for (std::size_t y = 0; y < count; ++y)
    check(cudaMemcpyAsync(to + y * to_pitch, from + y * from_pitch, width * sizeof(T),
                          cudaMemcpyDeviceToDevice, stream));
}

/// Enqueues zeros for `count` rows of `width` elements.
template <class T>
void clear_rows(T* to, std::size_t pitch, std::size_t width, std::size_t count,
                cudaStream_t stream) {
  if (count > 1 && pitch <= largest_pitch / sizeof(T))
    return check(cudaMemset2DAsync(to, pitch * sizeof(T), 0, width * sizeof(T), count, stream));
  for (std::size_t y = 0; y < count; ++y)
    check(cudaMemsetAsync(to + y * pitch, 0, width * sizeof(T), stream));
}

} // namespace warpfold::inline v0::detail
