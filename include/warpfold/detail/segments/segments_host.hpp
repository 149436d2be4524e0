#pragma once
// Segmented reductions on the host: every segment in the tree of its own length.

#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/segments/marks_host.hpp>
#include <warpfold/detail/segments/segments_shape.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfold::inline v0::detail {

/// Memory for the lanes of one block of the tree.
template <class T, class A>
class lane_storage {
public:
  lane_storage()
      : lanes_{std::make_unique_for_overwrite<A[]>(max_fold_threads * lanes_per_thread<T>)} {}
  A* data() { return lanes_.get(); }

private:
  std::unique_ptr<A[]> lanes_;
};

/// Elements above which a segment is given to all threads.
template <class T>
inline constexpr std::int64_t shared_segment = (1 << 20) / static_cast<int>(sizeof(T));

/// op(init, fold of `size` elements), by one thread.
template <class A, class Iterator, class Op, class Transform>
A fold_whole_segment(Iterator elements, std::int64_t size, A init, Op op, Transform transform,
                     A* lanes) {
  using T = iterator_element<Iterator>;
  if (size <= 0) return init;
  if (size <= warp_size * lanes_per_thread<T>) {
    for (std::int64_t i = 0; i < size; ++i) lanes[i] = transform(elements[i]);
    return op(init, detail::fold_pairs(lanes, size, op));
  }
  fold_shape const shape = fold_shape_of<T>(static_cast<std::size_t>(size), sizeof(A));
  if (shape.blocks > 1)
    return fold_host(1, elements, static_cast<std::size_t>(size), init, op, transform);
  return op(init, detail::fold_block_striped(lanes, elements,
                                             std::int64_t{shape.threads} * lanes_per_thread<T>,
                                             shape.last_block_rows, shape.tail, op, transform));
}

/// results[i] = op(init, fold of segment i), which begins at element `begin_of(i)`, has
/// `length_of(i)` elements, and comes at `place_of(i)` in the sequence of segments and elements,
/// `places` in all. Threads get equal parts of the sequence; they share the longest segments.
template <class T, class A, class Begin, class Length, class Place, class Op, class Transform>
void fold_segments_host(int threads, T const* elements, std::int64_t count, std::int64_t places,
                        Begin begin_of, Length length_of, Place place_of, A init, Op op,
                        Transform transform, A* results) {
  std::int64_t const parts = std::clamp<std::int64_t>(places / 4096, 1, std::int64_t{8} * threads);
  auto const first_of = [&](std::int64_t part) {
    std::int64_t const target = places / parts * part;
    std::int64_t low = 0, high = count;
    while (low < high) {
      std::int64_t const middle = low + (high - low) / 2;
      if (place_of(middle) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  auto const is_shared = [&](std::int64_t i) {
    return threads > 1 && length_of(i) > shared_segment<T>;
  };
  parallel_for(threads, parts, [&](std::int64_t part) {
    lane_storage<T, A> lanes;
    std::int64_t const end = part + 1 == parts ? count : first_of(part + 1);
    for (std::int64_t i = first_of(part); i < end; ++i)
      if (!is_shared(i))
        results[i] = fold_whole_segment(elements + begin_of(i), length_of(i), init, op, transform,
                                        lanes.data());
  });
  for (std::int64_t i = 0; i < count; ++i)
    if (is_shared(i))
      results[i] = fold_host(threads, elements + begin_of(i),
                             static_cast<std::size_t>(length_of(i)), init, op, transform);
}

template <class T, class A, class Op, class Transform>
void fold_segments_of(host const& place, T const* elements, std::size_t,
                      segment_offsets const& offsets, A init, Op op, Transform transform,
                      A* results, bool) {
  if (offsets.count == 0) return;
  std::int64_t const origin = offsets.at(0);
  fold_segments_host(
      place.threads(), elements, offsets.count, offsets.at(offsets.count) - origin + offsets.count,
      [&](std::int64_t i) { return offsets.at(i); },
      [&](std::int64_t i) { return offsets.at(i + 1) - offsets.at(i); },
      [&](std::int64_t i) { return offsets.at(i) - origin + i; }, init, op, transform, results);
}

/// Runs that begin in a share are one thread's, but all share the last one if it is long.
template <class T, class A, class Op, class Transform>
void fold_segments_of(host const& place, T const* elements, std::size_t,
                      marked_segments const& runs, A init, Op op, Transform transform, A* results,
                      bool) {
  run_marks<std::uint64_t const> const marks(runs.marks, runs.keys);
  struct run {
    std::uint64_t number;
    std::int64_t begin, end;
  };
  std::vector<run> left(static_cast<std::size_t>(marks_shares(marks)));
  for_each_marks_share(place.threads(), marks, [&](std::int64_t first, std::int64_t end) {
    lane_storage<T, A> lanes;
    for_each_run(
        marks, first, end, runs.capacity,
        [&](std::uint64_t number, std::int64_t begin, std::int64_t behind) {
          if (behind - begin > shared_segment<T> && behind > end * run_marks_keys)
            left[static_cast<std::size_t>(first / host_marks_parts)] = {number, begin, behind};
          else
            results[number] = fold_whole_segment(elements + begin, behind - begin, init, op,
                                                 transform, lanes.data());
        });
  });
  for (run const& one : left)
    if (one.end > 0)
      results[one.number] =
          fold_host(place.threads(), elements + one.begin,
                    static_cast<std::size_t>(one.end - one.begin), init, op, transform);
}

template <class T, class A, class Op, class Transform>
void fold_segments_of(host const& place, T const* elements, std::size_t, segment_rows const& rows,
                      A init, Op op, Transform transform, A* results, bool) {
  fold_segments_host(
      place.threads(), elements, rows.count, rows.count * (rows.length + 1),
      [&](std::int64_t i) { return i * rows.pitch; }, [&](std::int64_t) { return rows.length; },
      [&](std::int64_t i) { return i * (rows.length + 1); }, init, op, transform, results);
}

/// Columns are copied together, some at a time, and folded as rows.
template <class T, class A, class Op, class Transform>
void fold_segments_of(host const& place, T const* elements, std::size_t,
                      segment_columns const& columns, A init, Op op, Transform transform,
                      A* results, bool) {
  constexpr std::int64_t at_once = sizeof(T) < 64 ? 64 / sizeof(T) : 1;
  std::int64_t const rows = columns.rows;
  parallel_for(place.threads(), (columns.count + at_once - 1) / at_once, [&](std::int64_t tile) {
    std::int64_t const first = tile * at_once, count = std::min(at_once, columns.count - first);
    lane_storage<T, A> lanes;
    auto const copied = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count * rows));
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < count; ++j)
        copied[j * rows + i] = elements[i * columns.pitch + first + j];
    for (std::int64_t j = 0; j < count; ++j)
      results[first + j] = fold_whole_segment(static_cast<T const*>(copied.get()) + j * rows, rows,
                                              init, op, transform, lanes.data());
  });
}

} // namespace warpfold::inline v0::detail
