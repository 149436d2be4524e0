// The statistics on the GPU.

#include "tally_backend.hpp"
#include "tally_instances.hpp"

#include <warpfold/detail/tally.cuh>

namespace warpfold::reduction::gpu_impl {

template <class T, class Tally>
void tally_fold(gpu& place, device_span<T const> values, Tally tally,
                typename Tally::result* result) {
  detail::tally_array(place, values.data(), values.size(), tally,
                      detail::widened<typename Tally::element, identity>{}, result);
}

#define INSTANTIATE(T, A)                                                                          \
  template void tally_fold(gpu&, device_span<T const>, full_description<A>, description<A>*);      \
  template void tally_fold(gpu&, device_span<T const>, detail::moment_tally<A>, double*);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
