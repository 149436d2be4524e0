#pragma once
// Runs of keys and values of any type.

#include <warpfold/detail/segments/custom.cuh>
#include <warpfold/detail/segments/marks.cuh>

namespace warpfold::inline v0::detail {

template <class Keys, class Place>
concept custom_keys = elements_for<Keys, Place> && !built_in_key<element_t<Place, Keys>>;
/// Calls whose keys or reduction are not built in.
template <class Keys, class Place, class Range, class A, class Op>
concept custom_by_key = elements_for<Keys, Place> &&
    (!built_in_key<element_t<Place, Keys>> || custom_segments<Range, Place, A, Op>);

/// How kernels compare keys.
template <class K>
struct gpu_comparison {
  __device__ bool on_gpu(K const& a, K const& b) const { return a == b; }
};

/// Marks keys of any type.
template <class Place>
auto custom_marking(Place& place) {
  return [&place]<class K>(K const* keys, std::size_t size, K* unique, std::size_t capacity,
                           marks_output output) {
    static_assert(std::is_trivially_copyable_v<K> && std::is_default_constructible_v<K>,
                  "keys move between threads as bytes, and must be default constructible");
    static_assert(sizeof(K) <= 64 && alignof(K) <= 16,
                  "a key has at most 64 bytes, and an alignment of 16");
    if constexpr (is_gpu<Place>) compile_for_gpu<gpu_comparison<K>>();
    if constexpr (built_in_key<K>) mark_runs_to(place, keys, size, unique, capacity, output);
    else mark_runs_array(place, keys, size, unique, capacity, output);
  };
}

template <class Place, class Keys, class Range, class A, class Op>
auto custom_by_key_job(Place& place, Keys const& keys, Range const& values, A init, Op op,
                       keys_t<Place, Keys> unique, result_t<Place, A> results) {
  using T = element_t<Place, Range>;
  check_custom_segments<Place, T, A, Op>();
  std::size_t const size = span_t<Place, Keys>(keys).size();
  return fold_by_key_job(
      place, keys, values, unique, results, long_segments_layout<T, A>(size).bytes,
      custom_marking(place), [=, &place](T const* input, marked_segments runs, bool blocking) {
        if constexpr (built_in_segments<T, A, Op>)
          segments_to<T, A, Op>(place, input, runs.keys, runs, init, results.data(), blocking);
        else
          fold_segments_of(place, input, runs.keys, runs, init, op, converting<A, identity>{},
                           results.data(), blocking);
      });
}

} // namespace warpfold::inline v0::detail
