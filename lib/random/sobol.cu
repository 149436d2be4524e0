// Sobol's sequence on a GPU.

#include "backend.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/streaming.hpp>

#include <cstring>

namespace warpfold::inline v0::random::gpu_impl {
namespace {

constexpr unsigned threads = 256;
/// Points that a thread makes together; a step takes all threads that much further.
constexpr unsigned width = 4, step = threads * width, steps = 16, tile = step * steps;

template <class T>
__device__ void write_four(T* to, T const (&values)[width], bool aligned) {
  if (aligned) {
    uint4 bits[sizeof(T) / 4];
    std::memcpy(bits, values, sizeof(bits));
#pragma unroll
    for (unsigned k = 0; k < sizeof(T) / 4; ++k) __stcs(reinterpret_cast<uint4*>(to) + k, bits[k]);
  } else {
#pragma unroll
    for (unsigned k = 0; k < width; ++k) detail::write_once(to + k, values[k]);
  }
}

/// One dimension a row of the grid. A point's word is the exclusive-or of what the bits of its
/// index stand for, and what bit j stands for is point 2^j: so a tile's bits, a thread's and a
/// step's are combined one by one; steps go in the order of Gray's code, to change one bit at a
/// time.
template <variate what, scrambling method, class T>
__global__ void __launch_bounds__(threads)
    points_kernel(wanted_points<T> const all, unsigned tiles_of_dimension) {
  unsigned const dimension = blockIdx.x / tiles_of_dimension;
  // Indices below are counted from the first tile's, which may begin before the first point.
  std::uint64_t const tile_first =
      all.first / tile * tile + std::uint64_t{blockIdx.x % tiles_of_dimension} * tile;
  std::uint32_t const* const directions = all.directions + dimension * detail::sobol_bits;
  auto const of_bit = [&](unsigned j) {
    return j == 0 ? directions[0] : directions[j] ^ directions[j - 1];
  };
  detail::sobol_key const key = detail::sobol_key_of(all.seed, all.replicate, dimension);

  std::uint32_t word =
      detail::sobol_word(directions, static_cast<std::uint32_t>(tile_first) + threadIdx.x * width);
  std::uint32_t const first_bit = of_bit(0), second_bit = of_bit(1);
  std::uint32_t step_bits[4];
#pragma unroll
  for (unsigned j = 0; j < 4; ++j) step_bits[j] = of_bit(10 + j);
  static_assert(step == 1U << 10 && steps == 1U << 4);

  T* const out = all.output + dimension * all.points;
  bool const aligned = (reinterpret_cast<std::uintptr_t>(out) / sizeof(T) - all.first) % 4 == 0;
#pragma unroll
  for (unsigned s = 0; s < steps; ++s) {
    if (s > 0) word ^= step_bits[s % 2 ? 0 : s % 4 ? 1 : s % 8 ? 2 : 3];
    std::uint32_t const words[width] = {word, word ^ first_bit, word ^ second_bit,
                                        word ^ first_bit ^ second_bit};
    T values[width];
#pragma unroll
    for (unsigned k = 0; k < width; ++k)
      values[k] = from_sobol_word<what, T>(scrambled<method>(words[k], key));
    // Before the first point this is a large number, not below the number of them.
    std::uint64_t const at = tile_first + (s ^ s / 2) * step + threadIdx.x * width - all.first;
    if (at < all.points && at + width <= all.points) {
      write_four(out + at, values, aligned);
    } else {
#pragma unroll
      for (unsigned k = 0; k < width; ++k)
        if (at + k < all.points) detail::write_once(out + (at + k), values[k]);
    }
  }
}

template <variate what, scrambling method, class T>
void launch_points(cudaStream_t stream, wanted_points<T> const& all) {
  auto const tiles = static_cast<unsigned>((all.first % tile + all.points + tile - 1) / tile);
  detail::launch(stream, {static_cast<int>(tiles * all.dimensions), threads},
                 points_kernel<what, method, T>, all, tiles);
}

template <variate what, class T>
void launch_scrambled(cudaStream_t stream, wanted_points<T> const& all) {
  switch (all.scrambling) {
  case scrambling::none: return launch_points<what, scrambling::none>(stream, all);
  case scrambling::digital_shift:
    return launch_points<what, scrambling::digital_shift>(stream, all);
  case scrambling::owen: return launch_points<what, scrambling::owen>(stream, all);
  }
}

} // namespace

template <class T>
void fill_points(cudaStream_t stream, variate what, wanted_points<T> const& all) {
  if constexpr (std::is_floating_point_v<T>) {
    if (what == variate::uniform) launch_scrambled<variate::uniform>(stream, all);
    else launch_scrambled<variate::inverse>(stream, all);
  } else launch_scrambled<variate::bits>(stream, all);
}

template void fill_points(cudaStream_t, variate, wanted_points<std::uint32_t> const&);
template void fill_points(cudaStream_t, variate, wanted_points<float> const&);
template void fill_points(cudaStream_t, variate, wanted_points<double> const&);

} // namespace warpfold::inline v0::random::gpu_impl
