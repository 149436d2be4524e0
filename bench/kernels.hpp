#pragma once
// Functions of the benchmarks that nvcc compiles.

#include <warpfold/execution.hpp>
#include <warpfold/reduction/extrema.hpp>
#include <warpfold/span.hpp>

#include <cstddef>

namespace warpfold::bench {

/// The sum of squares as a user of <warpfold/reduction.cuh> writes it, with a lambda.
void lambda_fold_async(gpu& place, device_span<float const> values, device_span<float> result);

/// cub::DeviceReduce::ArgMin itself, which does not know what a NaN is.
template <class T>
void cub_argmin_async(gpu& place, device_span<T const> values, device_span<extremum<T>> result);

/// Bytes that one block of read_async reads; it reads a whole number of them.
inline constexpr std::size_t read_block_bytes = 512 << 10;

/// Reads the values, 16 bytes at a time, and does next to nothing with them.
/// @param sink room for a value that is never written, which the compiler cannot know
void read_async(gpu& place, device_span<float const> values, device_span<unsigned> sink);

} // namespace warpfold::bench
