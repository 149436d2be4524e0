// The vendor twins of the extrema on the GPU: cub::DeviceReduce.

#include "tally_cub.cuh"
#include "tally_instances.hpp"

#include <concepts>

namespace warpfold::reduction::gpu_impl {
namespace {

/// ArgMin or ArgMax, which are right for integers.
template <class Op, class T, class A>
cudaError_t arg_extremum(void* scratch, std::size_t& bytes, device_span<T const> values,
                         extremum<A>* result, cudaStream_t stream) {
  auto const size = static_cast<std::int64_t>(values.size());
  if constexpr (std::same_as<Op, minimum<>>)
    return ::cub::DeviceReduce::ArgMin(scratch, bytes, values.data(), &result->value,
                                       &result->index, size, stream);
  else
    return ::cub::DeviceReduce::ArgMax(scratch, bytes, values.data(), &result->value,
                                       &result->index, size, stream);
}

template <class Tally>
struct finish_into {
  Tally tally;
  typename Tally::result* result;
  template <class Index>
  __device__ void operator()(Index, typename Tally::partial const& last) const {
    *result = tally.finish(last);
  }
};

} // namespace

template <class T, class A, class Op>
void find_cub(gpu& place, device_span<T const> values, detail::extremum_tally<A, Op> tally,
              extremum<A>* result, bool may_allocate) {
  if constexpr (std::integral<T>) {
    // Of nothing CUB gives the index 1.
    if (values.empty()) return tally_fold(place, values, tally, result);
    detail::call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
      return arg_extremum<Op>(scratch, bytes, values, result, place.stream());
    });
  } else {
    tally_by_transform(place, values, tally,
                       finish_into<detail::extremum_tally<A, Op>>{tally, result}, may_allocate);
  }
}

template <class T, class Tally>
void tally_cub(gpu& place, device_span<T const> values, Tally tally, typename Tally::result* result,
               bool may_allocate) {
  find_cub(place, values, tally, result, may_allocate);
}

template <class T, nan_policy Nan, class A>
void min_max_cub(gpu& place, device_span<T const> values, min_max<A>* result, bool may_allocate) {
  detail::call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(
        scratch, bytes, values.data(), result, values.size(), detail::min_max_op<Nan>{},
        detail::both_extrema<A>{}, detail::min_max_of_nothing<A>, place.stream());
  });
}

#define INSTANTIATE(T, Op, A)                                                                      \
  template void tally_cub(gpu&, device_span<T const>, detail::extremum_tally<A, Op>, extremum<A>*, \
                          bool);
WARPFOLD_FOR_EACH_SOUGHT(INSTANTIATE)
#undef INSTANTIATE

#define INSTANTIATE(T, Nan, A)                                                                     \
  template void min_max_cub<T, Nan, A>(gpu&, device_span<T const>, min_max<A>*, bool);
WARPFOLD_FOR_EACH_MIN_MAX(INSTANTIATE)

} // namespace warpfold::reduction::gpu_impl
