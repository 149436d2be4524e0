// The vendor twins of the statistics on the GPU: cub::DeviceReduce::TransformReduce.

#include "tally_cub.cuh"
#include "tally_instances.hpp"

namespace warpfold::reduction::gpu_impl {
namespace {

/// Writes the description, or what is asked for of it. One reduction serves all of them, because
/// each takes CUB seconds to compile.
template <class A>
struct write_statistics {
  full_description<A> tally;
  description<A>* all;
  double* one;
  detail::moment which;
  template <class Index>
  __device__ void operator()(Index, typename full_description<A>::partial const& last) const {
    description<A> const made = tally.finish(last);
    if (all) *all = made;
    if (one) *one = detail::moment_of(made, which);
  }
};

} // namespace

template <class T, class A>
void describe_cub(gpu& place, device_span<T const> values, full_description<A> tally,
                  description<A>* result, bool may_allocate) {
  tally_by_transform(place, values, tally, write_statistics<A>{tally, result, nullptr, {}},
                     may_allocate);
}
template <class T, class A>
void describe_cub(gpu& place, device_span<T const> values, detail::moment_tally<A> tally,
                  double* result, bool may_allocate) {
  full_description<A> const all{tally.size};
  tally_by_transform(place, values, all, write_statistics<A>{all, nullptr, result, tally.which},
                     may_allocate);
}

template <class T, class Tally>
void tally_cub(gpu& place, device_span<T const> values, Tally tally, typename Tally::result* result,
               bool may_allocate) {
  describe_cub(place, values, tally, result, may_allocate);
}

#define INSTANTIATE(T, A)                                                                          \
  template void tally_cub(gpu&, device_span<T const>, full_description<A>, description<A>*, bool); \
  template void tally_cub(gpu&, device_span<T const>, detail::moment_tally<A>, double*, bool);
WARPFOLD_FOR_EACH_ELEMENT(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
