// Prices and Greeks on a GPU.

#include "packs.cuh"

namespace warpfold::pricing::gpu_impl {
namespace {

template <shape is>
struct prices_of_pack {
  static constexpr shape known = is;

  template <class T, int width>
  __device__ result_pack<prices<T>, width> operator()(option_pack<T, width> const& options) const {
    result_pack<prices<T>, width> results;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = detail::regular_prices<yields_of<known>>(options.of[i]);
      results.all_regular = results.all_regular & detail::is_regular(options.of[i]);
    }
    return results;
  }
  template <class T>
  __device__ static prices<T> limit(option<T> const& one) {
    return detail::limit_prices(one);
  }
};

template <shape is>
struct valuations_of_pack {
  static constexpr shape known = is;

  template <class T, int width>
  __device__ result_pack<valuation<T>, width>
  operator()(option_pack<T, width> const& options) const {
    result_pack<valuation<T>, width> results;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = detail::regular_valuation<yields_of<known>>(options.of[i]);
      results.all_regular = results.all_regular & detail::is_regular(options.of[i]);
    }
    return results;
  }
  template <class T>
  __device__ static valuation<T> limit(option<T> const& one) {
    return detail::limit_valuation(one);
  }
};

} // namespace

template <class T>
void mills(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs) {
  // Packs of 16 bytes, and half as many of the many results. On an H200 with the limit of 64
  // registers that this file is compiled with, 2^26 floats: TODO
  constexpr int width = 16 / sizeof(T);
  if (outputs.only_prices()) transform_book<width, prices_of_pack>(stream, book, outputs);
  else transform_book<width / 2, valuations_of_pack>(stream, book, outputs);
}

#define INSTANTIATE(T)                                                                             \
  template void mills<T>(cudaStream_t, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
