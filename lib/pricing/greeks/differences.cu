// Differences of simulations on a GPU.

#include "run_recorder.hpp"

#include <warpfold/detail/pricing/paths.cuh>

#include <algorithm>

namespace warpfold::inline v0::pricing {
namespace {

__global__ __launch_bounds__(detail::path_threads) void differences_kernel(
    run_sums runs, difference_batch const batch, difference_ending ending) {
  __shared__ difference_shared shared;
  estimate_differences(detail::cuda_block{}, runs, batch, ending, shared);
}

} // namespace

void finish_differences(gpu& place, run_recorder<gpu> const& runs,
                        std::vector<difference> const& all, std::vector<estimate*> const& to,
                        difference_ending const& ending) {
  constexpr std::size_t capacity = difference_batch::capacity;
  device_guard const current{place.device()};
  auto const& discounts = runs.discounts();
  run_sums there = runs.recorded();
  double* const uploaded = runs.discounts_there();
  detail::upload(place, uploaded, discounts.data(), discounts.size() * sizeof(double));
  there.discounts = uploaded;
  for (std::size_t first = 0; first < all.size(); first += capacity) {
    difference_batch batch{};
    batch.count = static_cast<int>(std::min(capacity, all.size() - first));
    for (std::size_t d = 0; d < static_cast<std::size_t>(batch.count); ++d) {
      batch.of[d] = all[first + d];
      batch.to[d] = to[first + d];
    }
    detail::launch(place.stream(), {batch.count * there.values, detail::path_threads},
                   differences_kernel, there, batch, ending);
  }
}

} // namespace warpfold::inline v0::pricing
