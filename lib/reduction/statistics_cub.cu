// The vendor twins of the statistics on the GPU: cub::DeviceReduce::TransformReduce.

#include "tally_cub.cuh"
#include "tally_instances.hpp"

namespace warpfold::reduction::gpu_impl {

template <class T, class Tally>
void tally_cub(gpu& place, device_span<T const> values, Tally tally, typename Tally::result* result,
               bool may_allocate) {
  tally_by_transform(place, values, tally, result, may_allocate);
}

#define INSTANTIATE(T, A)                                                                          \
  template void tally_cub(gpu&, device_span<T const>, full_description<A>, description<A>*, bool); \
  template void tally_cub(gpu&, device_span<T const>, detail::moment_tally<A>, double*, bool);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
