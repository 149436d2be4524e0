#pragma once
// Reductions of runs for those who compile with nvcc: any key, element, accumulator and operator.
//
// The contract is that of <warpfold/segments/by_key.hpp>; values, accumulators and operators are
// those of <warpfold/segments.cuh>. Keys are trivially copyable and default constructible, of up to
// 64 bytes aligned to 16, and have an operator== that the place can call. Sums of such keys' runs
// are reductions with plus from 0, or exact_segmented_sum of marked runs.

#include <warpfold/detail/segments/custom_by_key.cuh>
#include <warpfold/segments.cuh>
#include <warpfold/segments/by_key.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// As in by_key.hpp, with keys, values or operators that are not built in.
template <class Place, elements_for<Place> Range, class A, class Op,
          detail::custom_by_key<Place, Range, A, Op> Keys>
std::uint64_t reduce_by_key(Place&& place, Keys const& keys, Range const& values, A init, Op op,
                            detail::keys_t<Place, Keys> unique,
                            detail::result_t<Place, A> results) {
  return detail::custom_by_key_job(place, keys, values, init, op, unique, results)
      .now("reduce_by_key");
}
template <class Place, elements_for<Place> Range, class A, class Op,
          detail::custom_by_key<Place, Range, A, Op> Keys>
void reduce_by_key_async(Place&& place, Keys const& keys, Range const& values, A init, Op op,
                         detail::keys_t<Place, Keys> unique, detail::result_t<Place, A> results,
                         detail::result_t<Place, std::uint64_t> count) {
  detail::custom_by_key_job(place, keys, values, init, op, unique, results)
      .later("reduce_by_key_async", count, "count");
}
template <class Place, class Keys>
requires detail::custom_keys<Keys, Place> std::uint64_t
run_length_encode(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                  detail::result_t<Place, std::uint64_t> lengths) {
  return detail::run_length_job(place, keys, unique, lengths, detail::custom_marking(place))
      .now("run_length_encode");
}
template <class Place, class Keys>
requires detail::custom_keys<Keys, Place>
void run_length_encode_async(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                             detail::result_t<Place, std::uint64_t> lengths,
                             detail::result_t<Place, std::uint64_t> count) {
  detail::run_length_job(place, keys, unique, lengths, detail::custom_marking(place))
      .later("run_length_encode_async", count, "count");
}
template <class Place, class Keys>
requires detail::custom_keys<Keys, Place> std::uint64_t
mark_runs(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
          detail::result_t<Place, std::uint64_t> marks) {
  return detail::mark_runs_job(place, keys, unique, marks, detail::custom_marking(place))
      .now("mark_runs");
}
template <class Place, class Keys>
requires detail::custom_keys<Keys, Place>
void mark_runs_async(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                     detail::result_t<Place, std::uint64_t> marks,
                     detail::result_t<Place, std::uint64_t> count) {
  detail::mark_runs_job(place, keys, unique, marks, detail::custom_marking(place))
      .later("mark_runs_async", count, "count");
}

} // namespace warpfold::inline v0
