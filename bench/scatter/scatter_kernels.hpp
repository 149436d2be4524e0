#pragma once
// Inputs of sums by index, made on the GPU.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <cstdint>

namespace warpfold::bench {

/// Enqueues indices below `bins`, a power of two: uniform ones, or of particles that lie in the
/// order of their cells give or take some, whose indices are off by two (standard deviation).
void fill_indices(gpu& place, device_span<std::uint32_t> indices, std::uint32_t bins,
                  bool is_clustered);
/// Enqueues integers -8 ... 8, or multiples of 2^-23 in [-1, 1).
void fill_values(gpu& place, device_span<float> values, bool are_integers);

} // namespace warpfold::bench
