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
    using regularity = detail::regularity<T>;
    typename regularity::bits bits = 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = detail::regular_prices<yields_of<known>>(options.of[i]);
      bits |= regularity::of(options.of[i]);
    }
    results.all_regular = bits < regularity::limit;
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
    using regularity = detail::regularity<T>;
    typename regularity::bits bits = 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = detail::regular_valuation<yields_of<known>>(options.of[i]);
      bits |= regularity::of(options.of[i]);
    }
    results.all_regular = bits < regularity::limit;
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
  // On an H200, 2^26 options and an earlier form of the arithmetic: prices in packs of 16, 8 and 4
  // bytes took 486, 549 and 687 us in float; with a kernel of our own in packs of 16 and 8 bytes
  // 528 and 555 us (2^25) in double, prices and eight Greeks in float 891 us in packs of two and
  // 1151 us one by one. thrust::transform, thrust::for_each_n over indices and a kernel of our own
  // differ by 1 % where memory is the limit (the polynomial: 324.5, 324.0, 324.8 us). 2026-11-21.
  constexpr int width = 16 / sizeof(T);
  if (outputs.only_prices()) transform_book<width, prices_of_pack>(stream, book, outputs);
  else transform_book<width / 2, valuations_of_pack>(stream, book, outputs);
}

#define INSTANTIATE(T)                                                                             \
  template void mills<T>(cudaStream_t, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
