#pragma once
// Tasks on a GPU by CUB and by Thrust in one object; and Thrust's apart, where tests call them and
// nothing times them, so that they are compiled fast.

#include "cub.cuh"
#include "thrust.hpp"

namespace warpfold::inline v0::detail {

template <class T, class Task>
void thrust_on_gpu(gpu& place, device_span<T const> values, Task const& task,
                   typename Task::output output) {
  thrust_to(place, values, task, output);
}

} // namespace warpfold::inline v0::detail

// Task, which has commas
#define INSTANTIATE_THRUST(T, ...)                                                                 \
  namespace warpfold::inline v0::detail {                                                          \
  template void thrust_on_gpu<T, __VA_ARGS__>(gpu&, device_span<T const>, __VA_ARGS__ const&,      \
                                              __VA_ARGS__::output);                                \
  }
