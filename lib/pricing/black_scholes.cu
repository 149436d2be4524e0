// Prices and Greeks on a GPU.

#include "packs.cuh"

#include <warpfold/detail/black_scholes_terms.hpp>

namespace warpfold::pricing::gpu_impl {
namespace {

template <detail::yields yields>
struct prices_of_pack {
  template <class T, int width>
  __device__ pack<prices<T>, width> operator()(pack<option<T>, width> const& options) const {
    pack<prices<T>, width> results;
    bool all_regular = true;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      results.of[i] = detail::regular_prices<yields>(options.of[i]);
      all_regular = all_regular & detail::is_regular(options.of[i]);
    }
    if (!all_regular) {
#pragma unroll
      for (int i = 0; i < width; ++i)
        if (!detail::is_regular(options.of[i])) results.of[i] = detail::limit_prices(options.of[i]);
    }
    return results;
  }
};

template <detail::yields yields>
struct valuation_of_pack {
  template <class T, int width>
  __device__ pack<valuation<T>, width> operator()(pack<option<T>, width> const& options) const {
    pack<valuation<T>, width> results;
#pragma unroll
    for (int i = 0; i < width; ++i) results.of[i] = detail::mills_valuation<yields>(options.of[i]);
    return results;
  }
};

template <detail::yields yields, class T>
void mills_of(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs) {
  if (outputs.only_prices()) transform_book<4>(stream, book, outputs, prices_of_pack<yields>{});
  else transform_packs<1>(stream, book, outputs, valuation_of_pack<yields>{});
}

} // namespace

template <class T>
void mills(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs) {
  if (has_no_yields(book)) mills_of<detail::yields::none>(stream, book, outputs);
  else mills_of<detail::yields::any>(stream, book, outputs);
}

#define INSTANTIATE(T)                                                                             \
  template void mills<T>(cudaStream_t, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
