// Marked runs on a gpu, as offsets and lengths.

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/segments/by_key.hpp>
#include <warpfold/detail/segments/marked_body.hpp>

namespace warpfold::inline v0::detail {
namespace {

__global__ __launch_bounds__(segment_threads) void runs_kernel(run_marks<std::uint64_t const> marks,
                                                               std::uint64_t capacity,
                                                               std::int64_t* begins,
                                                               std::uint64_t* lengths) {
  __shared__ std::uint16_t begin[segment_warps][run_marks_keys + 1];
  int const warp = cuda_block{}.thread_rank() / warp_size;
  write_runs(cuda_block{}, marks, std::int64_t{cuda_block{}.block_rank()} * segment_warps + warp,
             capacity, begins, lengths, begin[warp]);
}

} // namespace

void write_runs_to(gpu& place, marked_segments const& runs, std::int64_t* begins,
                   std::uint64_t* lengths) {
  if (runs.most() == 0) return;
  device_guard const current{place.device()};
  run_marks<std::uint64_t const> const marks(runs.marks, runs.keys);
  launch(place.stream(),
         {static_cast<int>((marks.parts() + segment_warps - 1) / segment_warps), segment_threads},
         runs_kernel, marks, runs.capacity, begins, lengths);
}

} // namespace warpfold::inline v0::detail
