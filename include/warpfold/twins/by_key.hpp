#pragma once
// Reductions by key by CUB and Thrust, to be compared with: verbs of <warpfold/segments/by_key.hpp>
// with a tag. twins::fold is the call without one. Link warpfold::twins.
//
// Compiled are keys of std::uint32_t, and values of float, double and std::int32_t with plus and
// results of the values' type.

#include <warpfold/segments/by_key.hpp>
#include <warpfold/twins/tags.hpp>

#include <concepts>
#include <cstdint>

namespace warpfold::inline v0 {

namespace detail {

template <class Keys, class Place>
concept compared_keys =
    elements_for<Keys, Place> && std::same_as<element_t<Place, Keys>, std::uint32_t>;
template <class T, class A, class Op>
concept compared_by_key =
    std::same_as<T, A> && one_of<T, float, double, std::int32_t> && std::same_as<Op, plus>;

/// Refuses a vendor that the place has not.
void check_by_key_vendor(twins::vendor twin, bool on_gpu);
/// Refuses outputs that have not room for as many runs as there are keys.
void check_by_key_room(by_key_arrays const& arrays, twins::vendor twin);
/// Refuses an initial value other than 0.
void check_by_key_init(double init, twins::vendor twin);

// The vendor of the place, with the number of runs in *count.

template <class K, class T>
void sum_by_key_of_vendor(gpu& place, device_span<K const> keys, T const* values, K* unique,
                          T* results, std::uint64_t* count, bool blocking);
template <class K, class T>
void sum_by_key_of_vendor(host const& place, std::span<K const> keys, T const* values, K* unique,
                          T* results, std::uint64_t* count, bool blocking);
template <class K>
void run_lengths_of_vendor(gpu& place, device_span<K const> keys, K* unique, std::uint64_t* lengths,
                           std::uint64_t* count, bool blocking);
template <class K>
void run_lengths_of_vendor(host const& place, std::span<K const> keys, K* unique,
                           std::uint64_t* lengths, std::uint64_t* count, bool blocking);

template <class Op, class Place, class Keys, class Range, class A>
auto reduce_by_key_twin(Place& place, Keys const& keys, Range const& values, A init,
                        keys_t<Place, Keys> unique, result_t<Place, A> results,
                        twins::vendor twin) {
  auto const own = reduce_by_key_job<Op>(place, keys, values, init, unique, results);
  return job_of<std::uint64_t>(place, [=, &place, view = span_t<Place, Keys>(keys),
                                       input = span_t<Place, Range>(values)](std::uint64_t* count,
                                                                             bool blocking) {
    check_by_key_vendor(twin, is_gpu<Place>);
    if (twin == twins::fold) return own.enqueue(count, blocking);
    check_array("keys", view);
    check_array("values", input);
    check_array("unique", unique);
    check_array("results", results);
    by_key_arrays const arrays{plain_array::from(view), plain_array::from(input),
                               plain_array::from(unique), plain_array::from(results), "results"};
    check_by_key(arrays, true, count);
    check_by_key_room(arrays, twin);
    check_by_key_init(static_cast<double>(init), twin);
    sum_by_key_of_vendor(place, view, input.data(), unique.data(), results.data(), count, blocking);
  });
}

template <class Place, class Keys>
auto run_length_twin(Place& place, Keys const& keys, keys_t<Place, Keys> unique,
                     result_t<Place, std::uint64_t> lengths, twins::vendor twin) {
  auto const own = run_length_job(place, keys, unique, lengths, marking(place));
  return job_of<std::uint64_t>(
      place, [=, &place, view = span_t<Place, Keys>(keys)](std::uint64_t* count, bool blocking) {
        check_by_key_vendor(twin, is_gpu<Place>);
        if (twin == twins::fold) return own.enqueue(count, blocking);
        check_array("keys", view);
        check_array("unique", unique);
        check_array("lengths", lengths);
        by_key_arrays const arrays{plain_array::from(view),
                                   {},
                                   plain_array::from(unique),
                                   plain_array::from(lengths),
                                   "lengths"};
        check_by_key(arrays, false, count);
        check_by_key_room(arrays, twin);
        run_lengths_of_vendor(place, view, unique.data(), lengths.data(), count, blocking);
      });
}

} // namespace detail

// Contract of every verb below.
//
// Results     cub adds up in an order that depends on which blocks are done first: sums of
//             floating-point numbers may differ from run to run. Thrust's order depends on the
//             number of threads.
// cub         on a gpu: cub::DeviceReduce::ReduceByKey and cub::DeviceRunLengthEncode::Encode, for
//             up to 2^31 - 1 keys, whose number is an int: with 64 bits CUB is slower. Scratch
//             memory is the gpu's workspace, which blocking calls grow.
// thrust      thrust::reduce_by_key on a host, on OpenMP.
// Throws      what the call without a tag throws; argument_error for `twin` if it is no vendor, for
//             cub on a host, and for thrust on a gpu, where it is CUB; for `unique`, `results` or
//             `lengths` if a vendor has not room for as many runs as there are keys; for `init`, if
//             it is not 0: vendors have none.

/// reduce_by_key() by a vendor.
template <class Place, detail::compared_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
requires detail::compared_by_key<detail::element_t<Place, Range>, A, Op> std::uint64_t
reduce_by_key(Place&& place, Keys const& keys, Range const& values, A init, Op,
              detail::keys_t<Place, Keys> unique, detail::result_t<Place, A> results,
              twins::vendor twin) {
  return detail::reduce_by_key_twin<Op>(place, keys, values, init, unique, results, twin)
      .now("reduce_by_key");
}
template <class Place, detail::compared_keys<Place> Keys, elements_for<Place> Range, class A,
          class Op>
requires detail::compared_by_key<detail::element_t<Place, Range>, A, Op>
void reduce_by_key_async(Place&& place, Keys const& keys, Range const& values, A init, Op,
                         detail::keys_t<Place, Keys> unique, detail::result_t<Place, A> results,
                         detail::result_t<Place, std::uint64_t> count, twins::vendor twin) {
  detail::reduce_by_key_twin<Op>(place, keys, values, init, unique, results, twin)
      .later("reduce_by_key_async", count, "count");
}

/// run_length_encode() by a vendor.
template <class Place, detail::compared_keys<Place> Keys>
std::uint64_t run_length_encode(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                                detail::result_t<Place, std::uint64_t> lengths,
                                twins::vendor twin) {
  return detail::run_length_twin(place, keys, unique, lengths, twin).now("run_length_encode");
}
template <class Place, detail::compared_keys<Place> Keys>
void run_length_encode_async(Place&& place, Keys const& keys, detail::keys_t<Place, Keys> unique,
                             detail::result_t<Place, std::uint64_t> lengths,
                             detail::result_t<Place, std::uint64_t> count, twins::vendor twin) {
  detail::run_length_twin(place, keys, unique, lengths, twin)
      .later("run_length_encode_async", count, "count");
}

} // namespace warpfold::inline v0
