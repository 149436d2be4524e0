#pragma once
// Keeping the elements that a predicate holds for. For predicates, element types and iterators of
// your own, compile with nvcc and include <warpfold/compaction.cuh>.

#include <warpfold/counting.hpp>
#include <warpfold/detail/core/arguments.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {

template <class T, class Predicate>
concept built_in_selection =
    one_of<T, std::int32_t, std::int64_t, float, double> && built_in_predicate<T, Predicate>;
template <class Place, class Range, class Predicate>
concept built_in_compaction = requires {
  requires built_in_selection<element_t<Place, Range>, Predicate>;
};

/// Counts into memory that is accessible to the place; see reduce_to. `blocking` says that the
/// caller will wait, so that scratch memory may be grown.
template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, bool blocking);
template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, bool blocking);

/// Refuses an output that shares memory with the values, and a count that shares memory with
/// either.
void check_output_apart(void const* values, std::size_t values_bytes, void const* output,
                        std::size_t output_bytes, std::uint64_t const* count);
/// And an output that no elements can be written to.
template <class T>
void check_output(T const* values, std::size_t size, T const* output, std::size_t capacity,
                  std::uint64_t const* count) {
  check_elements("output", output, capacity);
  check_output_apart(values, size * sizeof(T), output, capacity * sizeof(T), count);
}

} // namespace detail

// What holds for both verbs.
//
// place, blocking and _async forms, alignment and errors are those of <warpfold/reduction.hpp>;
// predicates those of <warpfold/counting.hpp>. Elements are std::int32_t, std::int64_t, float or
// double.
//
// output      As many of the selected elements as it has room for, the first ones, in the order
//             they have among the values; what is behind them is not touched. It lives where the
//             values do and shares no memory with them.
// count       The number of all that are selected, with and without room. It shares no memory with
//             values or output.
// Determinism The same output and count on every run and place.
// Scratch     A gpu's workspace: 8 bytes for every 32 KiB of values, so that an _async call on more
//             than 4 GiB needs gpu::reserve or a blocking call first.
// Throws      argument_error also for an output that is null with a size, or overlaps the values,
//             and for a count that overlaps either.

/// Copies the elements for which the predicate holds; returns how many there are.
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_compaction<Place, Range, Predicate> std::uint64_t
compact_if(Place&& place, Range const& values, Predicate predicate,
           detail::result_t<Place, detail::element_t<Place, Range>> output) {
  using T = detail::element_t<Place, Range>;
  return detail::compute_now<std::uint64_t>(place, [&](std::uint64_t* count) {
    detail::compact_to<T>(place, detail::span_t<Place, Range>(values), predicate, output, count,
                          true);
  });
}
template <class Place, elements_for<Place> Range, class Predicate>
requires detail::built_in_compaction<Place, Range, Predicate>
void compact_if_async(Place&& place, Range const& values, Predicate predicate,
                      detail::result_t<Place, detail::element_t<Place, Range>> output,
                      detail::result_t<Place, std::uint64_t> count) {
  using T = detail::element_t<Place, Range>;
  detail::compute_later(
      count,
      [&](std::uint64_t* to) {
        detail::compact_to<T>(place, detail::span_t<Place, Range>(values), predicate, output, to,
                              false);
      },
      "count");
}

} // namespace warpfold::inline v0
