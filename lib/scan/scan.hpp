#pragma once
// Scans.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/scan.hpp>

#ifndef __CUDACC__
#include "core/host_loops.hpp"

#include <warpfold/detail/scan/scan_host.hpp>
#endif

namespace warpfold::inline v0::detail {

#ifndef __CUDACC__
template <class T, class... Terms>
host_scan<T const*, Terms...> host_scan_of(scan_terms<Terms...>); // its type
template <class T, class A, class Op>
using built_in_host_scan = decltype(host_scan_of<T>(terms_of(scan_start<A>{}, Op{})));

struct cloned_scan_parts {
  template <class Scan>
  static void add_up(Scan& scan, std::int64_t group) {
    add_up_clones(scan, group);
  }
  template <class Scan>
  static void finish(Scan const& scan, std::int64_t group) {
    finish_clones(scan, group);
  }
};

template <class T, class A, class Op, class Transform>
void scan_array(host const& place, T const* first, counted_size counted, scan_start<A> start, Op op,
                Transform transform, typename Transform::result* results, bool) {
  auto const size = static_cast<std::int64_t>(counted.get());
  if (size == 0) return;
  host_scan<T const*, A, Op, Transform>{first, size, start, op, transform, results}
      .template run<cloned_scan_parts>(place.threads());
}
#endif

template <class T, class A, class Op>
void scan_to(door_place& place, door_span<T const> values, scan_start<A> start,
             door_span<A> results, bool blocking, std::uint64_t const* count) {
  check_elements("values", values.data(), values.size());
  check_scan(values.data(), values.size(), results.data(), results.size());
  check_count_apart(count, results.data(), results.size_bytes(), "results");
  auto const [from, op, transform] = terms_of(start, Op{});
  scan_array(place, values.data(), {values.size(), count}, from, op, transform, results.data(),
             blocking);
}

} // namespace warpfold::inline v0::detail

#ifdef __CUDACC__
#define INSTANTIATE_CLONES(T, A, Op)
#else
// With vectors of 512 bits sums of 10^5 floats take 0.6 ns an element of one thread, without them
// 1.0; of doubles in segments 4.8 and 5.2 (AMD EPYC, 2026-12-01). No other scan that was timed
// gained: sums of doubles and int32, minima and maxima, in segments sums of floats and int32.
#ifdef WARPFOLD_WIDEST_VECTORS
#define SCAN_CLONES WARPFOLD_CLONES
#else
#define SCAN_CLONES WARPFOLD_TWO_CLONES
#endif
#define INSTANTIATE_CLONES(T, A, Op)                                                               \
  SCAN_CLONES void add_up_clones(built_in_host_scan<T, A, Op>& scan, std::int64_t group) {         \
    scan.add_up_units(group);                                                                      \
  }                                                                                                \
  SCAN_CLONES void finish_clones(built_in_host_scan<T, A, Op> const& scan, std::int64_t group) {   \
    scan.scan_group(group);                                                                        \
  }
#endif
#define INSTANTIATE(T, A, Op)                                                                      \
  namespace warpfold::inline v0::detail {                                                          \
  INSTANTIATE_CLONES(T, A, Op)                                                                     \
  template void scan_to<T, A, Op>(door_place&, door_span<T const>, scan_start<A>, door_span<A>,    \
                                  bool, std::uint64_t const*);                                     \
  }
