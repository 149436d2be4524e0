#include "histogram_backend.hpp"

#include <warpfold/detail/histogram.cuh>

namespace warpfold::counting::gpu_impl {

template <class T>
void bin(gpu& place, device_span<T const> values, detail::bins_of<T> const& bins,
         std::uint64_t* counts) {
  detail::histogram_of(place, values.data(), values.size(), detail::bin_function<T>(bins),
                       bins.count, counts);
}

#define INSTANTIATE(T)                                                                             \
  template void bin<T>(gpu&, device_span<T const>, detail::bins_of<T> const&, std::uint64_t*);
WARPFOLD_FOR_EACH_BINNED(INSTANTIATE)

} // namespace warpfold::counting::gpu_impl
