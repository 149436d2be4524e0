// Marked runs on a gpu, as offsets and lengths, and marks of segments.

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

__global__ __launch_bounds__(segment_threads) void begins_kernel(segment_list segments,
                                                                 std::uint64_t size,
                                                                 std::uint32_t* begins) {
  mark_begins(cuda_block{}, segments, size, begins);
}

} // namespace

void mark_begins_to(gpu& place, segment_list const& segments, std::size_t size,
                    std::uint32_t* begins) {
  if (size == 0) return;
  device_guard const current{place.device()};
  check(cudaMemsetAsync(begins, 0, (size + 31) / 32 * sizeof(*begins), place.stream()));
  launch(place.stream(),
         {static_cast<int>(segments.count() / segment_threads + 1), segment_threads}, begins_kernel,
         segments, static_cast<std::uint64_t>(size), begins);
}

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
