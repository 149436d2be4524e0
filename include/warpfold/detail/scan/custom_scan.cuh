#pragma once
// Scans of iterators and ranges with elements, operators and transforms of a user's own.

#include <warpfold/detail/reduction/custom_fold.cuh>
#include <warpfold/detail/scan/scan.cuh>
#include <warpfold/detail/scan/scan_host.hpp>

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class A, class Place, class Iterator, class Op, class Transform>
void scan_custom(char const* name, Place& place, Iterator first, std::size_t size, Op op,
                 Transform transform, scan_start<A> start, result_t<Place, A> results,
                 bool blocking) {
  verb const scope(name);
  using T = iterator_element<Iterator>;
  check_operands<Place, T, A, Op, Transform>();
  static_assert(!is_gpu<Place> || sizeof(A) <= 64, "an accumulator of a scan has at most 64 bytes");
  static_assert(std::is_default_constructible_v<A>, "accumulators must be default constructible");
  detail::check_first<Place>(first, size);
  auto const* const values = detail::address_of(first);
  if (values) check_scan(values, size, results.data(), results.size());
  check_elements("results", results.data(), results.size());
  check_scan(values, size, values ? sizeof(T) : 0, results.data(), results.size(), sizeof(A),
             std::is_same_v<T, A>);
  scan_array(place, first, size, start, op,
             plain_transform<A, converting<A, Transform>>{{transform}}, results.data(), blocking);
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}

template <class A, class Place, class Range, class Op>
void scan_custom_range(char const* name, Place& place, Range const& values, Op op,
                       scan_start<A> start, result_t<Place, A> results, bool blocking) {
  verb const scope(name);
  auto const input = checked<Place>(values);
  scan_custom<A>(name, place, input.data(), input.size(), op, identity{}, start, results, blocking);
}

/// Segmented scans that are not built in.
template <class Op>
struct needs_scan_cuh {
  template <class Place, class Values, class A, class Results>
  static void scan(Place& place, Values values, scan_start<A> start, Op op, Results results,
                   bool blocking) {
    check_operands<Place, std::remove_const_t<typename Values::element_type>, A, Op>();
    static_assert(!is_gpu<Place> || sizeof(segment_part<A>) <= 64,
                  "an accumulator of a segmented scan has at most 60 bytes");
    auto const [from, fold, transform] = segment_terms(start, op, converting<A, identity>{});
    scan_array(place, values.data(), values.size(), from, fold, transform, results.data(),
               blocking);
  }
};

} // namespace warpfold::inline v0::detail
