#pragma once
// Searches for extrema on a GPU by cub::DeviceReduce; Thrust's are in extrema_thrust.cuh.

#include "instances.hpp"
#include "tally_cub.cuh"

#include <concepts>

namespace warpfold::inline v0::detail {
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

template <class Op, class T, class A>
void find_by_cub(gpu& place, device_span<T const> values, extremum<A>* result, bool may_allocate) {
  if constexpr (std::integral<T>) {
    call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
      return arg_extremum<Op>(scratch, bytes, values, result, place.stream());
    });
  } else {
    using tally = extremum_tally<A, Op>;
    tally const of{values.size()};
    tally_by_cub(place, values, of, finish_into<tally>{of, result}, may_allocate);
  }
}

} // namespace

template <class T, class Op, class A>
void find_by(twins::vendor twin, gpu& place, device_span<T const> values, extremum<A>* result,
             bool blocking) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, true, blocking);
  // The vendors have no answer for no elements; CUB gives the index 1.
  if (twin == twins::fold || values.empty()) find_to<T, Op>(place, values, result);
  else if (twin == twins::cub) find_by_cub<Op>(place, values, result, blocking);
  else *result = find_by_thrust<Op, A>(place, values);
}

template <class T, nan_policy Nan, class A>
void min_max_by(twins::vendor twin, gpu& place, device_span<T const> values, min_max<A>* result,
                bool blocking) {
  check_elements("values", values.data(), values.size());
  check_vendor(twin, true, blocking);
  if (twin == twins::fold || (twin == twins::thrust && values.empty()))
    return min_max_to<T, Nan>(place, values, result);
  if (twin == twins::thrust) {
    *result = min_max_by_thrust<Nan, A>(place, values);
    return;
  }
  call_cub(place, blocking, [&](void* scratch, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(scratch, bytes, values.data(), result,
                                                values.size(), min_max_op<Nan>{}, both_extrema<A>{},
                                                min_max_of_nothing<A>, place.stream());
  });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Nan)                                                                     \
  namespace warpfold::inline v0::detail {                                                          \
  template void find_by<T, minimum<Nan>, A>(twins::vendor, gpu&, device_span<T const>,             \
                                            extremum<A>*, bool);                                   \
  template void find_by<T, maximum<Nan>, A>(twins::vendor, gpu&, device_span<T const>,             \
                                            extremum<A>*, bool);                                   \
  template void min_max_by<T, Nan, A>(twins::vendor, gpu&, device_span<T const>, min_max<A>*,      \
                                      bool);                                                       \
  }
