#pragma once
// Implementation of the public header: reductions of runs.

#include <warpfold/detail/segments/exact_segments.hpp>
#include <warpfold/detail/segments/mark_body.hpp>
#include <warpfold/detail/segments/run_marks.hpp>
#include <warpfold/detail/segments/segments.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::detail {

template <class K>
concept built_in_key =
    one_of<K, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
template <class Keys, class Place>
concept built_in_keys = elements_for<Keys, Place> && built_in_key<element_t<Place, Keys>>;
/// Where unique keys go.
template <class Place, class Keys>
using keys_t = result_t<Place, element_t<Place, Keys>>;

/// Where marks and the number of runs go, and whether the caller will wait.
struct marks_output {
  std::uint64_t* marks;
  std::uint64_t* count;
  bool blocking;
};

/// The door: marks the runs of `size` keys, and writes the first key of each, as far as there is
/// room.
template <class K>
void mark_runs_to(gpu& place, K const* keys, std::size_t size, K* unique, std::size_t capacity,
                  marks_output output);
template <class K>
void mark_runs_to(host const& place, K const* keys, std::size_t size, K* unique,
                  std::size_t capacity, marks_output output);

/// Makes bit i % 32 of word i / 32 say that a run begins at key i, of `size`.
template <class K>
void mark_begins_to(gpu& place, K const* keys, std::size_t size, std::uint32_t* begins);
template <class K>
void mark_begins_to(host const& place, K const* keys, std::size_t size, std::uint32_t* begins);
/// Sets the bit of each segment's first element, of `size`, and of the first of all. On a host all
/// were 0.
void mark_begins_to(gpu& place, segment_list const& segments, std::size_t size,
                    std::uint32_t* begins);
void mark_begins_to(host const& place, segment_list const& segments, std::size_t size,
                    std::uint32_t* begins);

constexpr std::size_t marks_memory(std::size_t keys) {
  return run_marks<std::uint64_t>::memory(keys);
}
/// Bytes in which blocks that mark keys add up how many runs begin.
template <class K>
constexpr std::size_t marking_bytes(std::size_t keys) {
  constexpr std::size_t tile = marking_tile<small_marking_tuning, K>; // the most tiles
  return aligned_size(tree_levels<1>((keys + tile - 1) / tile, 1).end * sizeof(std::uint64_t));
}
/// And of marks behind them.
template <class K>
constexpr std::size_t own_marks_bytes(std::size_t keys) {
  return marking_bytes<K>(keys) + aligned_size(marks_memory(keys) * sizeof(std::uint64_t));
}
/// Marks of a call's own: in a gpu's workspace, which has room for `bytes_behind` more, or on the
/// host's heap.
template <class Place>
class own_marks;
template <>
class own_marks<gpu> {
public:
  template <class K>
  own_marks(gpu& place, K const*, std::size_t keys, std::size_t bytes_behind, bool blocking)
      : end_{own_marks_bytes<K>(keys)} {
    auto* const workspace =
        static_cast<unsigned char*>(scratch_for(place, end_ + bytes_behind, blocking));
    words_ = reinterpret_cast<std::uint64_t*>(workspace + marking_bytes<K>(keys));
  }
  [[nodiscard]] std::uint64_t* words() { return words_; }
  [[nodiscard]] std::size_t end() const { return end_; }

private:
  std::uint64_t* words_;
  std::size_t end_;
};
template <>
class own_marks<host> {
public:
  template <class K>
  own_marks(host const&, K const*, std::size_t keys, std::size_t, bool)
      : words_(marks_memory(keys)) {}
  [[nodiscard]] std::uint64_t* words() { return words_.data(); }
  [[nodiscard]] std::size_t end() const { return 0; }

private:
  std::vector<std::uint64_t> words_;
};

/// Arrays of a call by key, without their types; those that it has not are empty.
struct by_key_arrays {
  plain_array keys, values, unique, results;
  char const* results_name;
};
/// Refuses values that are not one a key, and outputs or a count that share memory with others.
void check_by_key(by_key_arrays const& arrays, bool has_values, void const* count);

template <class Array>
void check_array(char const* name, Array const& array) {
  check_elements(name, array.data(), array.size());
}

/// The number of runs, by act(keys, count, blocking).
template <class Place, class Keys, class Act>
auto runs_job(Place& place, Keys const& keys, Act act) {
  return job_of<std::uint64_t>(
      place, [=, view = span_t<Place, Keys>(keys)](std::uint64_t* count, bool blocking) {
        check_array("keys", view);
        act(view, count, blocking);
      });
}

/// The job of values: marks runs, and calls fold(runs, blocking). `bytes_behind`: of scratch memory
/// that the fold needs.
template <class Place, class Keys, class Range, class Results, class Mark, class Fold>
auto fold_by_key_job(Place& place, Keys const& keys, Range const& values,
                     keys_t<Place, Keys> unique, Results results, std::size_t bytes_behind,
                     Mark mark, Fold fold) {
  return runs_job(place, keys,
                  [=, &place, input = span_t<Place, Range>(values)](auto view, std::uint64_t* count,
                                                                    bool blocking) {
                    check_array("values", input);
                    check_array("unique", unique);
                    check_array("results", results);
                    check_by_key({plain_array::from(view), plain_array::from(input),
                                  plain_array::from(unique), plain_array::from(results), "results"},
                                 true, count);
                    own_marks<std::remove_const_t<Place>> marks(place, view.data(), view.size(),
                                                                bytes_behind, blocking);
                    mark(view.data(), view.size(), unique.data(), unique.size(),
                         marks_output{marks.words(), count, blocking});
                    fold(input.data(),
                         marked_segments{marks.words(), view.size(), results.size(), marks.end()},
                         blocking);
                  });
}

/// Marks built-in keys.
template <class Place>
auto marking(Place& place) {
  return [&place]<class K>(K const* keys, std::size_t size, K* unique, std::size_t capacity,
                           marks_output output) {
    mark_runs_to(place, keys, size, unique, capacity, output);
  };
}

template <class Op, class Place, class Keys, class Range, class A>
auto reduce_by_key_job(Place& place, Keys const& keys, Range const& values, A init,
                       keys_t<Place, Keys> unique, result_t<Place, A> results) {
  using T = element_t<Place, Range>;
  std::size_t const size = span_t<Place, Keys>(keys).size();
  return fold_by_key_job(
      place, keys, values, unique, results, long_segments_layout<T, A>(size).bytes, marking(place),
      [=, &place](T const* input, marked_segments runs, bool blocking) {
        segments_to<T, A, Op>(place, input, runs.keys, runs, init, results.data(), blocking);
      });
}

template <class Place, class Keys, class Range, class Results>
auto sum_by_key_job(Place& place, Keys const& keys, Range const& values, keys_t<Place, Keys> unique,
                    Results&& sums) {
  using A = result_element<Place, Results>;
  return reduce_by_key_job<plus>(place, keys, values, A{0}, unique,
                                 result_t<Place, A>(std::forward<Results>(sums)));
}

template <class Place, class Keys, class Range>
auto exact_sum_by_key_job(Place& place, Keys const& keys, Range const& values,
                          keys_t<Place, Keys> unique, exact_result_for<void, Place, Range> sums) {
  using T = element_t<Place, Range>;
  std::size_t const size = span_t<Place, Keys>(keys).size();
  return fold_by_key_job(place, keys, values, unique, sums,
                         exact_marked_bytes<T>(size, sums.size()), marking(place),
                         [=, &place](T const* input, marked_segments runs, bool blocking) {
                           exact_marked_to(place, input, runs, sums.data(), blocking);
                         });
}

template <class Place, class Keys, class Mark>
auto run_length_job(Place& place, Keys const& keys, keys_t<Place, Keys> unique,
                    result_t<Place, std::uint64_t> lengths, Mark mark) {
  return runs_job(place, keys, [=, &place](auto view, std::uint64_t* count, bool blocking) {
    check_array("unique", unique);
    check_array("lengths", lengths);
    check_by_key({plain_array::from(view),
                  {},
                  plain_array::from(unique),
                  plain_array::from(lengths),
                  "lengths"},
                 false, count);
    own_marks<std::remove_const_t<Place>> marks(place, view.data(), view.size(), 0, blocking);
    mark(view.data(), view.size(), unique.data(), unique.size(),
         marks_output{marks.words(), count, blocking});
    write_runs_to(place, {marks.words(), view.size(), lengths.size(), 0}, nullptr, lengths.data());
  });
}

/// Refuses marks for which there is too little memory.
void check_marks(char const* argument, std::size_t size, std::size_t keys);

template <class Place, class Keys, class Mark>
auto mark_runs_job(Place& place, Keys const& keys, keys_t<Place, Keys> unique,
                   result_t<Place, std::uint64_t> marks, Mark mark) {
  return runs_job(place, keys, [=](auto view, std::uint64_t* count, bool blocking) {
    check_array("unique", unique);
    check_array("marks", marks);
    check_marks("marks", marks.size(), view.size());
    check_by_key(
        {plain_array::from(view), {}, plain_array::from(unique), plain_array::from(marks), "marks"},
        false, count);
    mark(view.data(), view.size(), unique.data(), unique.size(),
         marks_output{marks.data(), count, blocking});
  });
}

} // namespace warpfold::inline v0::detail
