#pragma once
// Implementation of the public header: exact sums of segments.

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/segments/run_marks.hpp>
#include <warpfold/detail/segments/segments.hpp>
#include <warpfold/reduction/exact.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

/// The door: results[i] = the rounded sum of segment i.
template <class T, class A>
void exact_segments_to(gpu& place, T const* values, std::size_t size, segment_list const& segments,
                       A* results, bool blocking);
template <class T, class A>
void exact_segments_to(host const& place, T const* values, std::size_t size,
                       segment_list const& segments, A* results, bool blocking);

/// Bytes for `elements` of `size` bytes each, in chunks of 16 KiB.
std::size_t exact_segments_bytes(std::size_t elements, std::size_t size);

/// Writes what is not null: the first keys of marked runs (and the end of the last one behind
/// them), and their lengths.
void write_runs_to(gpu& place, marked_segments const& runs, std::int64_t* begins,
                   std::uint64_t* lengths);
void write_runs_to(host const& place, marked_segments const& runs, std::int64_t* begins,
                   std::uint64_t* lengths);

/// Bytes of offsets, for exact sums of marked runs, and for these sums.
inline std::size_t marked_offsets_bytes(std::size_t keys, std::size_t results) {
  return aligned_size(((keys < results ? keys : results) + 1) * sizeof(std::int64_t));
}
template <class T>
std::size_t exact_marked_bytes(std::size_t keys, std::size_t results) {
  return marked_offsets_bytes(keys, results) + exact_segments_bytes(keys, sizeof(T));
}

/// The exact sums of marked runs.
template <class Place, class T, class A>
void exact_marked_to(Place& place, T const* values, marked_segments runs, A* results,
                     bool blocking) {
  segment_list list{};
  list.offsets = {nullptr, static_cast<std::int64_t>(runs.most()), true};
  if (runs.most() == 0) return;
  std::size_t const bytes = marked_offsets_bytes(runs.keys, runs.capacity);
  run_marks<std::uint64_t const> const marks(runs.marks, runs.keys);
  if constexpr (is_gpu<Place>) {
    list.scratch_begin = runs.scratch_begin + bytes;
    auto* const workspace = static_cast<unsigned char*>(scratch_for(
        place, list.scratch_begin + exact_segments_bytes(runs.keys, sizeof(T)), blocking));
    auto* const offsets = reinterpret_cast<std::int64_t*>(workspace + runs.scratch_begin);
    write_runs_to(place, runs, offsets, nullptr);
    list.offsets.data = offsets;
    list.number = marks.count();
    exact_segments_to<T, A>(place, values, runs.keys, list, results, blocking);
  } else {
    std::vector<std::int64_t> offsets(runs.most() + 1);
    write_runs_to(place, runs, offsets.data(), nullptr);
    list.offsets.data = offsets.data();
    list.number = marks.count();
    list.resolve();
    exact_segments_to<T, A>(place, values, runs.keys, list, results, blocking);
  }
}

template <class Place, class Range, class Segments>
void exact_sum_segments(Place& place, Range const& values, Segments const& segments,
                        exact_result_for<void, Place, Range> results, bool blocking) {
  using A = exact_result_of<void, Place, Range>;
  with_segments<Place, Range, Segments, A>(
      place, values, segments, results, blocking, [&](auto input, auto const& layout) {
        using T = element_t<Place, Range>;
        if constexpr (marks_for<Place, Segments>) {
          exact_marked_to<Place, T, A>(place, input.data(), layout, results.data(), blocking);
        } else {
          segment_list all{};
          if constexpr (std::same_as<Segments, fixed_length>) all.rows = layout;
          else all.offsets = layout;
          exact_segments_to<T, A>(place, input.data(), input.size(), all, results.data(), blocking);
        }
      });
}

} // namespace warpfold::inline v0::detail
