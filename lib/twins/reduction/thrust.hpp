#pragma once
// Tasks by Thrust, on a place for which there is call_thrust.

#include "forms.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>

#include <concepts>

namespace warpfold::inline v0::detail {

/// The value at an address of the place's memory; blocks.
template <class T>
T value_at(gpu const& place, T const* address) {
  device_guard const current{place.device()};
  T value;
  check(cudaMemcpyAsync(&value, address, sizeof(T), cudaMemcpyDeviceToHost, place.stream()));
  place.synchronize();
  return value;
}

template <class T>
T value_at(host const&, T const* address) {
  return *address;
}

/// There is at least one element.
template <class Place, class Span, class Task>
void thrust_to(Place& place, Span values, Task const& task, typename Task::output output) {
  auto const form = form_of(task, values.data(), values.size(), output);
  form.store(call_thrust(place, [&](auto const& policy) {
    return ::thrust::transform_reduce(policy, form.first,
                                      form.first + static_cast<std::int64_t>(form.size),
                                      form.transform, form.init, form.op);
  }));
}

template <class Place, class Span, class T, class A>
void thrust_to(Place& place, Span x, dot_task<T, A> const& task, A* result) {
  *result = call_thrust(place, [&](auto const& policy) {
    return ::thrust::inner_product(policy, x.data(), x.data() + x.size(), task.y, A{}, plus{},
                                   widened_product<A>{});
  });
}

template <class Place, class Span, class Predicate>
void thrust_to(Place& place, Span values, count_task<Predicate> const& task,
               count_answer const& answer) {
  answer(static_cast<std::uint64_t>(call_thrust(place, [&](auto const& policy) {
    return ::thrust::count_if(policy, values.data(), values.data() + values.size(), task.predicate);
  })));
}

/// A strict weak order of all elements, NaN too, in which what is sought comes first. It chooses at
/// run time, as any_extremum.
template <class A>
struct comes_first {
  bool greatest, ignores_nan;

  template <class T>
  WARPFOLD_HOST_DEVICE bool operator()(T const& a, T const& b) const {
    A const x = widen<A>(a), y = widen<A>(b);
    bool const x_is_nan = x != x, y_is_nan = y != y;
    if (x_is_nan || y_is_nan) return x_is_nan != y_is_nan && x_is_nan != ignores_nan;
    return greatest ? x > y : x < y;
  }
};

template <class Place, class Span, class A, class Op>
void thrust_to(Place& place, Span values, find_task<A, Op> const&, extremum<A>* result) {
  using sought = sought_by<Op>;
  comes_first<A> const order{sought::template before<A>(1, 0), sought::nan == nan_policy::ignore};
  auto const* const first = values.data();
  auto const* const found = call_thrust(place, [&](auto const& policy) {
    return ::thrust::min_element(policy, first, first + values.size(), order);
  });
  using tally = extremum_tally<A, Op>;
  *result = tally{values.size()}.finish(
      tally::of(widen<A>(value_at(place, found)), static_cast<std::uint64_t>(found - first)));
}

/// For integers. Floating-point elements take a fold, since no order puts NaN at both ends.
template <class Place, class Span, std::integral A, nan_policy Nan>
void thrust_to(Place& place, Span values, min_max_task<A, Nan> const&, min_max<A>* result) {
  auto const found = call_thrust(place, [&](auto const& policy) {
    return ::thrust::minmax_element(policy, values.data(), values.data() + values.size());
  });
  *result = {value_at(place, found.first), value_at(place, found.second)};
}

} // namespace warpfold::inline v0::detail
