#pragma once
// Scans.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/scan.hpp>

#ifndef __CUDACC__
#include <warpfold/detail/scan/scan_host.hpp>
#endif

namespace warpfold::inline v0::detail {

template <class T, class A, class Op>
void scan_to(door_place& place, door_span<T const> values, scan_start<A> start,
             door_span<A> results, bool blocking) {
  check_elements("values", values.data(), values.size());
  check_scan(values.data(), values.size(), results.data(), results.size());
  scan_array(place, values.data(), values.size(), start, Op{}, widened<A, identity>{},
             results.data(), blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  template void scan_to<T, A, Op>(door_place&, door_span<T const>, scan_start<A>, door_span<A>,    \
                                  bool);                                                           \
  }
