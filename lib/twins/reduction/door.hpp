#pragma once
// Shared by the doors of both places: the checks, warpfold's own code, and the classics.

#include "classics.hpp"
#include "instances.hpp"
#include "reduction/checks.hpp"
#include "twins/checks.hpp"

namespace warpfold::inline v0::detail {

/// Tasks that the classics can do: sums.
template <class T, class Task>
inline constexpr bool is_plain_sum =
    std::same_as<Task, reduce_task<typename default_accumulator<T>::type, plus>>;

/// Thrust is compiled for default accumulators.
template <class T, class Task>
inline constexpr bool has_thrust = true;
template <class T, class A, class Op, class Transform>
inline constexpr bool has_thrust<T, reduce_task<A, Op, Transform>> = compared_element<T, A>;

template <class Span, class Task>
void check_values(Span values, Task const&) {
  check_elements("values", values.data(), values.size());
}
template <class Span, class T, class A>
void check_values(Span x, dot_task<T, A> const& task) {
  check_pair(x.data(), x.size(), task.y, task.size);
}

/// Checks the arguments and does the task; by_vendor() for CUB and Thrust. The vendors are not
/// asked about no elements, for which some have no answer, and CUB's ArgMin gives the index 1.
template <class T, class Task, class Place, class Span, class ByVendor>
void enter(twins::reducer twin, Place& place, Span values, Task const& task,
           typename Task::output output, bool blocking, ByVendor by_vendor) {
  check_values(values, task);
  if (twin.is_classic()) {
    check_classic(twin, is_plain_sum<T, Task>);
    if constexpr (is_plain_sum<T, Task>)
      if (!values.empty()) {
        if constexpr (std::same_as<Place, gpu>)
          sum_by_classic(twin, place, values, task.init, output, blocking);
        else *output = sum_by_classic(twin, place, values, task.init);
        return;
      }
  } else {
    check_vendor(twin.as_vendor(), std::same_as<Place, gpu>, blocking);
    check_has_thrust(twin.as_vendor(), has_thrust<T, Task>);
    if (twin.as_vendor() != twins::fold && !values.empty()) return by_vendor();
  }
  task.template own<T>(place, values, output);
}

} // namespace warpfold::inline v0::detail
