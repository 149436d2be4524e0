#pragma once
// Implementation of the public header: segmented scans.

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/scan/scan.hpp>
#include <warpfold/segments/by_key.hpp>

#include <algorithm>
#include <vector>

namespace warpfold::inline v0::detail {

/// Combinations compiled into the library.
template <class T, class A, class Op>
concept built_in_segmented_scan = std::same_as<T, A> &&
    one_of<T, std::int32_t, std::int64_t, float, double> && one_of<Op, plus, minimum<>, maximum<>>;
/// Others: include <warpfold/scan.cuh>, which defines it.
template <class Op>
struct needs_scan_cuh;

/// Inclusive scans have nothing before them.
template <class Place, class Results>
auto inclusive_start() {
  return scan_start<result_element<Place, Results>>{};
}

/// Runs of equal keys, as segments.
template <class Keys>
struct runs_of {
  Keys const& keys;
};

/// Bytes of a bit for each value.
constexpr std::size_t begins_bytes(std::size_t values) {
  return (values + 31) / 32 * sizeof(std::uint32_t);
}

/// Calls scan(begins) with memory of the call's own, in which mark(begins) sets bits.
template <class A, class Place, class Mark, class Scan>
void with_own_begins(Place& place, std::size_t size, bool blocking, Mark mark, Scan scan) {
  auto const both = [&](std::uint32_t* begins) {
    mark(begins);
    scan(begins);
  };
  if constexpr (is_gpu<Place>) {
    std::size_t const bytes = scan_lookback_bytes<segment_part<A>>(size);
    if (blocking) place.reserve_lookback(bytes);
    static_cast<void>(gpu_scratch(place).lookback(bytes)); // or the scan would be refused later
    both(static_cast<std::uint32_t*>(scratch_for(place, begins_bytes(size), blocking)));
  } else {
    both(std::vector<std::uint32_t>(begins_bytes(size) / sizeof(std::uint32_t)).data());
  }
}

/// Checks segments, and calls scan(begins). Results may be the values, of which there are `size`.
template <class A, class Place, class Segments, class Scan>
void with_begins(Place& place, std::size_t size, Segments const& segments, plain_array results,
                 bool blocking, Scan scan) {
  plain_array const values{nullptr, size, 0};
  if constexpr (marks_for<Place, Segments>) {
    span_t<Place, typename marks_of<Segments>::type> const marks(segments.marks);
    check_array("segments", marks);
    checked_marks(values, results, plain_array::from(marks));
    scan(run_marks(marks.data(), size).bits);
  } else if constexpr (requires { segments.keys; }) {
    span_t<Place, std::remove_cvref_t<decltype(segments.keys)>> const keys(segments.keys);
    check_array("keys", keys);
    check_by_key({plain_array::from(keys), values, {}, results, "results"}, true, nullptr);
    auto const mark = [&](std::uint32_t* begins) {
      mark_begins_to(place, keys.data(), size, begins);
    };
    with_own_begins<A>(place, size, blocking, mark, scan);
  } else {
    segment_list list{};
    if constexpr (offsets_for<Place, Segments>) {
      span_t<Place, Segments> const offsets(segments);
      check_array("segments", offsets);
      auto const from = plain_array::from(offsets);
      plain_array const each{nullptr, std::max<std::size_t>(from.size, 1) - 1, 0};
      list.offsets = checked_layout(values, each, from, !is_gpu<Place>);
      if (share_memory(results.data, results.size * results.element_bytes, from.data,
                       from.size * from.element_bytes))
        refuse("results", "memory that it shares with the segments", "other memory");
    } else {
      plain_array const each{nullptr, size / std::max<std::size_t>(segments.elements, 1), 0};
      list.rows = checked_layout(values, each, segments);
    }
    auto const mark = [&](std::uint32_t* begins) { mark_begins_to(place, list, size, begins); };
    with_own_begins<A>(place, size, blocking, mark, scan);
  }
}

/// Does a segmented scan; waits for it where the verb blocks.
template <class Place, class Range, class Segments, class A, class Op>
void scan_segments(char const* name, Place& place, Range const& values, Segments const& segments,
                   scan_start<A> start, Op op, result_t<Place, A> results, bool blocking) {
  verb const scope(name);
  using T = element_t<Place, Range>;
  span_t<Place, Range> const input(values);
  check_array("values", input);
  check_scan(input.data(), input.size(), results.data(), results.size());
  auto const scan = [&](std::uint32_t const* begins) {
    start.begins = begins;
    if constexpr (built_in_segmented_scan<T, A, Op>)
      scan_to<T, A, segmented<Op>>(place, input, start, results, blocking);
    else needs_scan_cuh<Op>::scan(place, input, start, op, results, blocking);
  };
  with_begins<A>(place, input.size(), segments, plain_array::from(results), blocking, scan);
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}

} // namespace warpfold::inline v0::detail
