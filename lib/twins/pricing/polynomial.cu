// The course's polynomial on a GPU, in its fastest arithmetic.

#include "backend.hpp"
#include "polynomial.hpp"
#include "pricing/packs.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {
namespace {

template <shape is>
struct polynomial_of_pack {
  static constexpr shape known = is;
  template <class T>
  static constexpr int registers = 255;
  static constexpr int turns = 1;
  static constexpr int packs_of_thread = 1; // 4040 GB/s on an H200; with two 3940. 2026-11-21.

  template <class T, int width>
  __device__ result_pack<prices<T>, width> operator()(option_pack<T, width> const& options) const {
    result_pack<prices<T>, width> results;
#pragma unroll
    for (int i = 0; i < width; ++i)
      results.of[i] = detail::polynomial_prices<yields_of<known>>(options.of[i]);
    return results;
  }
  template <class T>
  __device__ static prices<T> limit(option<T> const& one) {
    return detail::polynomial_prices<yields_of<known>>(one);
  }
};

} // namespace

template <class T>
void polynomial(cudaStream_t stream, price_call<T> const& call) {
  transform_book<16 / sizeof(T), polynomial_of_pack>(stream, call);
}

#define INSTANTIATE(T) template void polynomial(cudaStream_t, price_call<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
