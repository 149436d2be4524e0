// The course's polynomial on a GPU, in its fastest arithmetic.

#include "packs.cuh"

namespace warpfold::pricing::gpu_impl {
namespace {

template <detail::yields yields>
struct polynomial_of_pack {
  template <class T, int width>
  __device__ result_pack<prices<T>, width> operator()(option_pack<T, width> const& options) const {
    result_pack<prices<T>, width> results;
#pragma unroll
    for (int i = 0; i < width; ++i)
      results.of[i] = detail::polynomial_prices<yields>(options.of[i]);
    return results;
  }
  template <class T>
  __device__ static prices<T> limit(option<T> const& one) {
    return detail::polynomial_prices<yields>(one);
  }
};

} // namespace

template <class T>
void polynomial(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs) {
  if (has_no_yields(book))
    transform_book<4>(stream, book, outputs, polynomial_of_pack<detail::yields::none>{});
  else transform_book<4>(stream, book, outputs, polynomial_of_pack<detail::yields::any>{});
}

#define INSTANTIATE(T)                                                                             \
  template void polynomial<T>(cudaStream_t, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::pricing::gpu_impl
