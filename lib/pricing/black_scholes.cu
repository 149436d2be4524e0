// Prices and Greeks on a GPU.

#include "mills.cuh"

namespace warpfold::inline v0::pricing::gpu_impl {

template <class T>
void mills(cudaStream_t stream, book_view<T> const& book, outputs_view<T> const& outputs) {
  // On an H200 doubles in packs of 16 bytes run at 2777 GB/s, of 8 at 2661, of 32 with 128
  // registers at 2726, and where all six quantities are arrays those of 16 at 3412 and of 32 at
  // 3086. Prices and eight Greeks in float took 891 us in packs of two (2^25), 1151 us one by one.
  // 2026-11-21.
  if (!outputs.only_prices())
    transform_book<8 / sizeof(T), valuations_of_pack>(stream, book, outputs);
  else transform_book<16 / sizeof(T), prices_of_pack>(stream, book, outputs);
}

#define INSTANTIATE(T)                                                                             \
  template void mills<T>(cudaStream_t, book_view<T> const&, outputs_view<T> const&);
WARPFOLD_FOR_EACH_PRICED(INSTANTIATE)

} // namespace warpfold::inline v0::pricing::gpu_impl
