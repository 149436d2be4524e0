#pragma once
// Reductions of runs: neighbouring elements with equal keys. For key and element types and
// operators of your own, compile with nvcc and include <warpfold/segments/by_key.cuh>.
//
// Contract of every verb below:
//
// place, values, op, init, blocking and _async forms and errors are those of
// <warpfold/segments.hpp>.
//
// keys        std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float or double, at any
//             alignment that the type has. A run ends where a key does not equal its neighbour by
//             ==. Keys need not be sorted: those that come again later begin another run. -0 equals
//             0; a NaN equals nothing, so that every NaN is a run of its own.
// unique      The first key of each run.
// results     One for each run, with exactly the bits of reduce(place, the run's values alone,
//             init, op): on every gpu and on the host, wherever the run lies.
// Room        Unique keys, results and lengths are the first ones of all, as many as there is room
//             for; what is behind them is not touched. No room at all is fine: what is not asked
//             for is not computed. They share no memory with keys, values or each other.
// count       The number of all runs, with and without room. It shares no memory with the others.
// _async      The count stays on the gpu, and nothing waits for it. A call needs scratch memory
//             (by_key_workspace, run_length_workspace, mark_runs_workspace).
// Throws      argument_error also where there are not as many values as keys.

#include <warpfold/detail/segments/by_key.hpp>
#include <warpfold/segments/exact_segments.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0 {

/// Folds each run of equal neighbouring keys: results[i] = op(init, the values of run i folded with
/// op). Returns the number of runs.
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op> std::uint64_t
reduce_by_key(Place&& place, Keys const& keys, Range const& values, A init, Op,
              detail::keys_t<Place, Keys> unique, detail::result_t<Place, A> results) {
  return detail::reduce_by_key_job<Op>(place, keys, values, init, unique, results)
      .now("reduce_by_key");
}
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
requires detail::built_in_segments<detail::element_t<Place, Range>, A, Op>
void reduce_by_key_async(Place&& place, Keys const& keys, Range const& values, A init, Op,
                         detail::keys_t<Place, Keys> unique, detail::result_t<Place, A> results,
                         detail::result_t<Place, std::uint64_t> count) {
  detail::reduce_by_key_job<Op>(place, keys, values, init, unique, results)
      .later("reduce_by_key_async", count, "count");
}

/// The sum of each run: reduce_by_key with plus from 0, in the accumulator of the results.
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range,
          detail::results_for<Place> Results>
requires detail::built_in_segments<detail::element_t<Place, Range>,
                                   detail::result_element<Place, Results>, plus>
    std::uint64_t sum_by_key(Place&& place, Keys const& keys, Range const& values,
                             detail::keys_t<Place, Keys> unique, Results&& results) {
  return detail::sum_by_key_job(place, keys, values, unique, results).now("sum_by_key");
}
template <class Place, detail::built_in_keys<Place> Keys, elements_for<Place> Range,
          detail::results_for<Place> Results>
requires detail::built_in_segments<detail::element_t<Place, Range>,
                                   detail::result_element<Place, Results>, plus>
void sum_by_key_async(Place&& place, Keys const& keys, Range const& values,
                      detail::keys_t<Place, Keys> unique, Results&& results,
                      detail::result_t<Place, std::uint64_t> count) {
  detail::sum_by_key_job(place, keys, values, unique, results)
      .later("sum_by_key_async", count, "count");
}

/// The correctly rounded sum of each run: see <warpfold/reduction/exact.hpp> for what it promises.
template <class Place, detail::built_in_keys<Place> Keys, detail::exact_elements<Place> Range>
std::uint64_t exact_sum_by_key(Place&& place, Keys const& keys, Range const& values,
                               detail::keys_t<Place, Keys> unique,
                               detail::exact_result_for<void, Place, Range> results) {
  return detail::exact_sum_by_key_job(place, keys, values, unique, results).now("exact_sum_by_key");
}
template <class Place, detail::built_in_keys<Place> Keys, detail::exact_elements<Place> Range>
void exact_sum_by_key_async(Place&& place, Keys const& keys, Range const& values,
                            detail::keys_t<Place, Keys> unique,
                            detail::exact_result_for<void, Place, Range> results,
                            detail::result_t<Place, std::uint64_t> count) {
  detail::exact_sum_by_key_job(place, keys, values, unique, results)
      .later("exact_sum_by_key_async", count, "count");
}

/// The length of each run, in keys. Returns the number of runs.
template <class Place, detail::built_in_keys<Place> Keys>
std::uint64_t run_length_encode(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                                detail::result_t<Place, std::uint64_t> lengths) {
  return detail::run_length_job(place, keys, unique, lengths, detail::marking(place))
      .now("run_length_encode");
}
template <class Place, detail::built_in_keys<Place> Keys>
void run_length_encode_async(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                             detail::result_t<Place, std::uint64_t> lengths,
                             detail::result_t<Place, std::uint64_t> count) {
  detail::run_length_job(place, keys, unique, lengths, detail::marking(place))
      .later("run_length_encode_async", count, "count");
}

/// Marks where runs begin, for several columns of values with the same keys: the keys are read
/// once. Returns the number of runs.
///
/// @param marks memory of the place for run_marks_size() words, which marked_runs reads. Their
///              values are not documented, and are the same on a gpu and the host.
template <class Place, detail::built_in_keys<Place> Keys>
std::uint64_t mark_runs(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                        detail::result_t<Place, std::uint64_t> marks) {
  return detail::mark_runs_job(place, keys, unique, marks, detail::marking(place)).now("mark_runs");
}
template <class Place, detail::built_in_keys<Place> Keys>
void mark_runs_async(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                     detail::result_t<Place, std::uint64_t> marks,
                     detail::result_t<Place, std::uint64_t> count) {
  detail::mark_runs_job(place, keys, unique, marks, detail::marking(place))
      .later("mark_runs_async", count, "count");
}

/// Marked runs as the segments of segmented_reduce and exact_segmented_sum: one value for each key,
/// and results as far as there is room. Other marks than those of mark_runs() for as many keys are
/// undefined behaviour.
template <class Marks>
struct marked_runs {
  Marks const& marks; ///< a range of std::uint64_t in the place's memory
};
template <class Marks>
marked_runs(Marks const&) -> marked_runs<Marks>;

/// Words of memory for the marks of so many keys: a bit a key, 64 bits for every 1024, and up to
/// two words.
[[nodiscard]] constexpr std::size_t run_marks_size(std::size_t keys) {
  return detail::marks_memory(keys);
}

/// Bytes of scratch memory that the _async forms need on a gpu at most, for so many keys of type K,
/// values of type T and results of type A: of mark_runs,
template <class K>
[[nodiscard]] constexpr std::size_t mark_runs_workspace(std::size_t keys) {
  return detail::marking_bytes<K>(keys);
}
/// run_length_encode,
template <class K>
[[nodiscard]] constexpr std::size_t run_length_workspace(std::size_t keys) {
  return detail::own_marks_bytes<K>(keys);
}
/// reduce_by_key and sum_by_key,
template <class K, class T, class A = typename detail::default_accumulator<T>::type>
[[nodiscard]] constexpr std::size_t by_key_workspace(std::size_t keys) {
  return detail::own_marks_bytes<K>(keys) + segmented_workspace<T, A>(keys);
}
/// exact_sum_by_key, and exact_segmented_sum of marked runs (with so many results).
template <class K, class T>
[[nodiscard]] std::size_t exact_by_key_workspace(std::size_t keys, std::size_t results) {
  return detail::own_marks_bytes<K>(keys) + detail::exact_marked_bytes<T>(keys, results);
}

} // namespace warpfold::inline v0
