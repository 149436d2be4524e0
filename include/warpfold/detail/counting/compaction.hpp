#pragma once
// Implementation of the public header: compactions.

#include <warpfold/detail/counting/count.hpp>

#include <cstdint>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
concept built_in_selection =
    one_of<T, std::int32_t, std::int64_t, float, double> && built_in_predicate<T, Predicate>;
template <class Range, class Place, class Predicate>
concept built_in_compaction = requires {
  requires built_in_selection<element_t<Place, Range>, Predicate>;
};

/// Where the selected elements of a range go.
template <class Place, class Range>
using output_t = result_t<Place, element_t<Place, Range>>;

/// See reduce_to. `blocking` says that the caller will wait, so that scratch memory may be grown.
template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, bool blocking);
template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, bool blocking);

/// Refuses an output or a count that shares memory with the values or the other.
void check_output_apart(void const* values, std::size_t values_bytes, void const* output,
                        std::size_t output_bytes, std::uint64_t const* count);
/// And an output that no elements can be written to.
template <class T>
void check_output(T const* values, std::size_t size, T const* output, std::size_t capacity,
                  std::uint64_t const* count) {
  check_elements("output", output, capacity);
  check_output_apart(values, size * sizeof(T), output, capacity * sizeof(T), count);
}

/// Where a compaction's count goes, and whether the caller will wait.
struct compaction_count {
  std::uint64_t* count;
  bool blocking;
};

template <class Place, class Predicate, built_in_compaction<Place, Predicate> Range>
void compact_range(Place& place, Range const& values, Predicate predicate,
                   output_t<Place, Range> output, compaction_count result) {
  compact_to<element_t<Place, Range>>(place, span_t<Place, Range>(values), predicate, output,
                                      result.count, result.blocking);
}

/// The count that compact_range(place, arguments..., count) writes.
template <class Place, class... Arguments>
std::uint64_t compact_now(Place& place, Arguments const&... arguments) {
  return compute_now<std::uint64_t>(place, [&](std::uint64_t* count) {
    compact_range(place, arguments..., compaction_count{count, true});
  });
}
template <class Place, class... Arguments>
void compact_later(Place& place, result_t<Place, std::uint64_t> result,
                   Arguments const&... arguments) {
  compute_later(
      result,
      [&](std::uint64_t* count) {
        compact_range(place, arguments..., compaction_count{count, false});
      },
      "count");
}

} // namespace warpfold::inline v0::detail
