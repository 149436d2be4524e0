#pragma once
// Tasks on a host: by Thrust on OpenMP, and by the classics.

#include "door.hpp"
#include "thrust.hpp"
#include "twins/call.hpp"

namespace warpfold::inline v0::detail {

template <class T, class Task>
void twin_to(twins::reducer twin, host const& place, std::span<T const> values, Task const& task,
             typename Task::output output, bool blocking) {
  enter<T>(twin, place, values, task, output, blocking, [&] {
    if constexpr (has_thrust<T, Task>) thrust_to(place, values, task, output);
  });
}

} // namespace warpfold::inline v0::detail

// Task, which has commas
#define INSTANTIATE(T, ...)                                                                        \
  namespace warpfold::inline v0::detail {                                                          \
  template void twin_to<T, __VA_ARGS__>(twins::reducer, host const&, std::span<T const>,           \
                                        __VA_ARGS__ const&, __VA_ARGS__::output, bool);            \
  }
