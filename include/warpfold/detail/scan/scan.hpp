#pragma once
// Implementation of the public header: scans.

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/scan/scan_terms.hpp>
#include <warpfold/detail/scan/scan_tree.hpp>
#include <warpfold/reduction.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::detail {

/// Combinations compiled into the library.
template <class T, class A, class Op>
concept built_in_scan = built_in_accumulator<T, A> &&
    (std::same_as<Op, plus> ||
     (std::same_as<A, typename default_accumulator<T>::type> &&
      one_of<Op, multiplies, minimum<>, maximum<>>) ||
     (std::floating_point<T> && std::same_as<A, T> && std::same_as<Op, compensated_plus>));

template <class Range, class Place, class Results, class Op>
concept built_in_inclusive =
    built_in_scan<element_t<Place, room_t<Range>>, result_element<Place, Results>, Op>;
template <class Range, class Place, class A, class Op>
concept built_in_exclusive = built_in_scan<element_t<Place, room_t<Range>>, A, Op>;

/// The door. `blocking` says that the caller will wait, so that memory may be grown.
template <class T, class A, class Op>
void scan_to(gpu& place, device_span<T const> values, scan_start<A> start, device_span<A> results,
             bool blocking, std::uint64_t const* count = nullptr);
template <class T, class A, class Op>
void scan_to(host const& place, std::span<T const> values, scan_start<A> start,
             std::span<A> results, bool blocking, std::uint64_t const* count = nullptr);

/// Refuses results that are not as many as the values, or lie among them otherwise than as they do.
void check_scan(void const* values, std::size_t size, std::size_t element, void const* results,
                std::size_t results_size, std::size_t result, bool may_be_same);
template <class T, class A>
void check_scan(T const* values, std::size_t size, A const* results, std::size_t results_size) {
  check_elements("results", results, results_size);
  check_scan(values, size, sizeof(T), results, results_size, sizeof(A), std::is_same_v<T, A>);
}

/// Does the scan; waits for it where the verb blocks. `twin`: a vendor's tag, or none.
template <class Op, class Place, class Range, class A, class... Twin>
void scan_range(char const* name, Place& place, Range const& values, scan_start<A> start,
                result_t<Place, A> results, bool blocking, Twin... twin) {
  verb const scope(name);
  using T = element_t<Place, room_t<Range>>;
  span_t<Place, room_t<Range>> const from(room_of(values));
  if constexpr (sizeof...(Twin) > 0)
    scan_to<T, A, Op>(place, from, start, results, twin..., blocking);
  else scan_to<T, A, Op>(place, from, start, results, blocking, count_of<Place>(values));
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}
template <class Op, class Place, class Range, class Results, class... Twin>
void scan_inclusive(char const* name, Place& place, Range const& values, Results&& results,
                    bool blocking, Twin... twin) {
  using A = result_element<Place, Results>;
  scan_range<Op, Place, Range, A>(name, place, values, {A{}, false},
                                  result_t<Place, A>(std::forward<Results>(results)), blocking,
                                  twin...);
}

/// Bytes of look-back memory of a scan of so many elements.
template <class A>
constexpr std::size_t scan_lookback_bytes(std::size_t size) {
  return scan_levels(size, scan_unit<A>).end * scan_words<A> * sizeof(std::uint64_t) +
         lookback_memory::offset;
}

/// The terms of the scans that are built in.
template <class A, class Op>
auto terms_of(scan_start<A> start, Op op) {
  return scan_terms<A, Op, plain_transform<A, widened<A, identity>>>{start, op, {}};
}
template <class A>
auto terms_of(scan_start<A> start, compensated_plus op) {
  return scan_terms<exact_pair<A>, compensated_plus, compensated_transform<A>>{
      {{start.init, 0}, start.is_exclusive}, op, {}};
}
template <class A, class Op>
auto terms_of(scan_start<A> start, segmented<Op> op) {
  return segment_terms(start, op.op, identity{});
}
template <class A, class Op>
using scan_accumulator = decltype(terms_of(std::declval<scan_start<A>>(), Op{}).start.init);

} // namespace warpfold::inline v0::detail
