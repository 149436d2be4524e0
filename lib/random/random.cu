// Words, uniform and normal numbers on a GPU.

#include "backend.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/streaming.hpp>

#include <type_traits>

namespace warpfold::inline v0::random::gpu_impl {
namespace {

constexpr int threads = 256;
/// Blocks of words that a thread takes. An H200, 200 M samples, an earlier form of the arithmetic:
/// 1, 2, 4 and 8 took 361, 325, 303 and 290 us for normals in float, 833, 805, 697 and 673 us in
/// double, 223, 196, 174 and 179 us for uniform numbers; grids of as many blocks as run at once
/// took up to 5 % longer. 2026-11-21.
constexpr int turns = 8;
constexpr unsigned tile = threads * turns;
/// Blocks of threads that a multiprocessor is to have room for, which limits the registers: normals
/// in float with 96, 48, 40 and 32 of them took 285, 279, 275 and 279 us; in double 669 us with 86
/// and 691 us with 48.
template <variate what, class T>
constexpr int room = what == variate::box_muller && sizeof(T) == 4 ? 6 : 1;

/// Streaming: nobody reads them soon.
template <class T>
__device__ void write_pack(T* to, pack<T> const& values) {
  using vector = std::conditional_t<sizeof(T) == 4, float4, double2>;
  __stcs(reinterpret_cast<vector*>(to), detail::cast_bits<vector>(values));
}

/// The part of a block that is wanted, one by one.
template <variate what, class T>
__device__ void write_part(detail::prepared_address const& from, wanted<T> const& all,
                           std::uint64_t block) {
  auto const values = sample<what, T>(detail::prepared_words(from, all.first_block() + block));
  // Before the first element this is a large number, not below the size.
  std::uint64_t const at = block * wanted<T>::width - static_cast<std::uint64_t>(all.skipped());
#pragma unroll
  for (int k = 0; k < wanted<T>::width; ++k)
    if (at + k < all.size) detail::write_once(all.output + (at + k), values.of[k]);
}

/// Aligned: those of a block of words lie at a multiple of 16 bytes.
template <variate what, bool aligned, class T>
__global__ void __launch_bounds__(threads, room<what, T>)
    fill_kernel(detail::prepared_address const from, wanted<T> const all) {
  constexpr std::uint64_t width = wanted<T>::width;
  std::uint64_t const first = std::uint64_t{blockIdx.x} * tile;
  std::uint64_t const skipped = static_cast<std::uint64_t>(all.skipped());
  std::uint64_t const counter = all.first_block() + first;
  bool const whole = aligned && (first > 0 || skipped == 0) &&
                     (first + tile) * width - skipped <= all.size &&
                     static_cast<std::uint32_t>(counter) <= 0U - tile;
  if (whole) {
    T* const out = all.output + (first * width - skipped) + threadIdx.x * width;
    auto const low = static_cast<std::uint32_t>(counter) + threadIdx.x;
    auto const high = static_cast<std::uint32_t>(counter >> 32); // as long as low does not wrap
#pragma unroll
    for (unsigned turn = 0; turn < turns; ++turn)
      write_pack(out + turn * threads * width,
                 sample<what, T>(detail::philox4x32_10(
                     {{low + turn * threads, high, from.stream[0], from.stream[1]}}, from.keys)));
  } else {
    std::uint64_t const blocks = all.blocks();
    for (std::uint64_t block = first + threadIdx.x; block < first + tile; block += threads)
      if (block < blocks) write_part<what>(from, all, block);
  }
}

template <variate what, class T>
void launch_fill(cudaStream_t stream, wanted<T> const& all) {
  auto const at = reinterpret_cast<std::uintptr_t>(all.output) / sizeof(T);
  bool const aligned = at % wanted<T>::width == static_cast<std::uintptr_t>(all.skipped());
  auto const blocks = static_cast<int>((all.blocks() + tile - 1) / tile);
  auto const from = detail::prepared(all.sequence);
  if (aligned) detail::launch(stream, {blocks, threads}, fill_kernel<what, true, T>, from, all);
  else detail::launch(stream, {blocks, threads}, fill_kernel<what, false, T>, from, all);
}

} // namespace

template <class T>
void fill(cudaStream_t stream, variate what, wanted<T> const& all) {
  if constexpr (std::is_floating_point_v<T>) {
    if (what == variate::uniform) launch_fill<variate::uniform>(stream, all);
    else if (what == variate::box_muller) launch_fill<variate::box_muller>(stream, all);
    else launch_fill<variate::inverse>(stream, all);
  } else launch_fill<variate::bits>(stream, all);
}

template void fill(cudaStream_t, variate, wanted<std::uint32_t> const&);
template void fill(cudaStream_t, variate, wanted<float> const&);
template void fill(cudaStream_t, variate, wanted<double> const&);

} // namespace warpfold::inline v0::random::gpu_impl
