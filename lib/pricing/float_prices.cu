// Prices in float on a GPU, compiled for fewer registers than the rest: many warps make it faster.

#include "mills.cuh"

namespace warpfold::pricing::gpu_impl {

void float_prices(cudaStream_t stream, book_view<float> const& book,
                  outputs_view<float> const& outputs) {
  // Limits of 40, 44, 48 and 56 registers, on an H200: 3324, 3307, 3299 and 3185 GB/s for the usual
  // book; 2825 (it spills), 3424, 3740 and 3646 where all six quantities are arrays. 2026-11-21.
  transform_book<4, prices_of_pack>(stream, book, outputs);
}

} // namespace warpfold::pricing::gpu_impl
