#pragma once
// Segmented scans for those who compile with nvcc: the verbs of <warpfold/scan/segmented.hpp> with
// any element, accumulator and operator that <warpfold/scan.cuh> takes, an accumulator of at most
// 60 bytes. Runs of keys of your own are marked by mark_runs of <warpfold/segments/by_key.cuh>.

#include <warpfold/detail/scan/custom_scan.cuh>
#include <warpfold/scan/segmented.hpp>

namespace warpfold::inline v0::detail {

template <class Op>
struct custom_segmented_scan {
  template <class Place, class Values, class A, class Results>
  static void scan(Place& place, Values values, scan_start<A> start, Op op, Results results,
                   bool blocking) {
    using T = typename Values::value_type;
    static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<T>,
                  "elements and accumulators move between threads as bytes");
    static_assert(sizeof(segment_part<A>) <= 64, "an accumulator has at most 60 bytes");
    auto const [from, fold, transform] = segment_terms(start, op, converting<A, identity>{});
    scan_array(place, values.data(), values.size(), from, fold, transform, results.data(),
               blocking);
  }
};

} // namespace warpfold::inline v0::detail
