#pragma once
// Tasks on a GPU: by cub::DeviceReduce, and by the classics. Thrust's are in vendors.cuh.

#include "door.hpp"
#include "forms.hpp"
#include "twins/call.cuh"

#include <cub/device/device_reduce.cuh>

#include <concepts>
#include <cstring>
#include <limits>

namespace warpfold::inline v0::detail {

/// By Thrust; blocks.
template <class T, class Task>
void thrust_on_gpu(gpu& place, device_span<T const> values, Task const& task,
                   typename Task::output output);

namespace {

template <class Store>
storing<Store> cub_output(Store const& store) {
  return {store};
}
template <class A>
A* cub_output(store_plain<A> const& store) {
  return store.result;
}

template <class T, class Task>
void cub_to(gpu& place, device_span<T const> values, Task const& task, typename Task::output output,
            bool may_allocate) {
  auto const form = form_of(task, values.data(), values.size(), output);
  call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
    return ::cub::DeviceReduce::TransformReduce(scratch, bytes, form.first, cub_output(form.store),
                                                form.size, form.op, form.transform, form.init,
                                                place.stream());
  });
}

/// Sums as CUB's users call it: Sum of fewer than 2^31 elements from 0. CUB indexes with the type
/// of the size, and 32 bits are faster. Other sums take TransformReduce with 64 bits: fewer
/// kernels.
template <class T, class A>
void cub_to(gpu& place, device_span<T const> values, reduce_task<A, plus> const& task, A* result,
            bool may_allocate) {
  auto const run = [&](auto size) {
    call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
      if constexpr (std::same_as<T, A> && std::same_as<decltype(size), int>)
        return ::cub::DeviceReduce::Sum(scratch, bytes, values.data(), result, size,
                                        place.stream());
      else
        return ::cub::DeviceReduce::TransformReduce(scratch, bytes, values.data(), result, size,
                                                    plus{}, widened<A, identity>{}, task.init,
                                                    place.stream());
    });
  };
  bool const fits = values.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  A const zero{0};
  bool const from_zero = std::memcmp(&task.init, &zero, sizeof zero) == 0; // and not from -0
  if (fits && (!std::same_as<T, A> || from_zero)) run(static_cast<int>(values.size()));
  else run(values.size());
}

/// ArgMin and ArgMax are right for integers.
template <std::integral T, class A, class Op>
void cub_to(gpu& place, device_span<T const> values, find_task<A, Op> const&, extremum<A>* result,
            bool may_allocate) {
  call_cub(place, may_allocate, [&](void* scratch, std::size_t& bytes) {
    auto const size = static_cast<std::int64_t>(values.size());
    if constexpr (std::same_as<Op, minimum<>>)
      return ::cub::DeviceReduce::ArgMin(scratch, bytes, values.data(), &result->value,
                                         &result->index, size, place.stream());
    else
      return ::cub::DeviceReduce::ArgMax(scratch, bytes, values.data(), &result->value,
                                         &result->index, size, place.stream());
  });
}

} // namespace

template <class T, class Task>
void twin_to(twins::reducer twin, gpu& place, device_span<T const> values, Task const& task,
             typename Task::output output, bool blocking) {
  enter<T>(twin, place, values, task, output, blocking, [&] {
    if (twin.as_vendor() == twins::cub) return cub_to(place, values, task, output, blocking);
    if constexpr (has_thrust<T, Task>) thrust_on_gpu(place, values, task, output);
  });
}

} // namespace warpfold::inline v0::detail

// Task, which has commas
#define INSTANTIATE(T, ...)                                                                        \
  namespace warpfold::inline v0::detail {                                                          \
  template void twin_to<T, __VA_ARGS__>(twins::reducer, gpu&, device_span<T const>,                \
                                        __VA_ARGS__ const&, __VA_ARGS__::output, bool);            \
  }
