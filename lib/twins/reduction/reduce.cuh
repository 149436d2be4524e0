#pragma once
// Reductions on a GPU by cub::DeviceReduce, by thrust::transform_reduce, and by the classics.

#include "classics.hpp"
#include "instances.hpp"
#include "twins/call.cuh"
#include "twins/checks.hpp"

#include <cub/device/device_reduce.cuh>
#include <thrust/transform_reduce.h>

#include <concepts>
#include <limits>

namespace warpfold::inline v0::detail {
namespace {

/// cub::DeviceReduce as its users call it: Sum where there is one. CUB indexes with the type of
/// `size`, so that 32 bits are worth a kernel of their own where speed is compared.
template <class Op, class Transform, class T, class A, class Size>
cudaError_t device_reduce(void* temporary, std::size_t& bytes, T const* values, A* result,
                          Size size, A init, cudaStream_t stream) {
  if constexpr (std::same_as<T, A> && std::same_as<Transform, identity> && std::same_as<Op, plus>)
    if (init == A{0})
      return ::cub::DeviceReduce::Sum(temporary, bytes, values, result, size, stream);
  return ::cub::DeviceReduce::TransformReduce(temporary, bytes, values, result, size, Op{},
                                              widened<A, Transform>{}, init, stream);
}

template <class Op, class Transform, class T, class A>
void reduce_by_cub(gpu& place, device_span<T const> values, A init, A* result, bool may_allocate) {
  auto const run = [&](auto size) {
    call_cub(place, may_allocate, [&](void* temporary, std::size_t& bytes) {
      return device_reduce<Op, Transform>(temporary, bytes, values.data(), result, size, init,
                                          place.stream());
    });
  };
  if constexpr (std::same_as<Transform, identity> && std::same_as<Op, plus>)
    if (values.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()))
      return run(static_cast<int>(values.size()));
  run(values.size());
}

template <class Op, class Transform, class T, class A>
A reduce_by_thrust(gpu& place, device_span<T const> values, A init) {
  return call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, values.data(), values.data() + values.size(),
                                      widened<A, Transform>{}, init, Op{});
  });
}

} // namespace

template <class T, class A, class Op, class Transform>
void reduce_by(twins::reducer twin, gpu& place, device_span<T const> values, A init, A* result,
               bool blocking) {
  check_elements("values", values.data(), values.size());
  constexpr bool has_thrust = compared_element<T, A>, is_sum = is_plain_sum<T, A, Op, Transform>;
  if (twin.is_classic()) {
    check_classic(twin, is_sum);
    if constexpr (is_sum)
      if (!values.empty()) return sum_by_classic<T, A>(twin, place, values, init, result, blocking);
  } else {
    check_vendor(twin.as_vendor(), true, blocking);
    check_has_thrust(twin.as_vendor(), has_thrust);
    if (twin.as_vendor() == twins::cub)
      return reduce_by_cub<Op, Transform>(place, values, init, result, blocking);
    if constexpr (has_thrust)
      if (twin.as_vendor() == twins::thrust) {
        *result = reduce_by_thrust<Op, Transform>(place, values, init);
        return;
      }
  }
  reduce_to<T, A, Op, Transform>(place, values, init, result);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op, Transform)                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void reduce_by<T, A, Op, Transform>(twins::reducer, gpu&, device_span<T const>, A, A*,  \
                                               bool);                                              \
  }
