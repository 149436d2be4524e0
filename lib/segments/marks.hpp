#pragma once
// Marks of runs of built-in keys.

#include "instances.hpp"
#include "reduction/door.hpp"

#include <warpfold/segments/by_key.hpp>

#ifndef __CUDACC__
#include <warpfold/detail/segments/marks_host.hpp>
#endif

namespace warpfold::inline v0::detail {

/// Integers are equal if their bits are.
template <class K>
struct compared_key {
  using type = K;
};
template <std::signed_integral K>
struct compared_key<K> {
  using type = std::make_unsigned_t<K>;
};

template <class K>
void mark_runs_to(door_place& place, K const* keys, std::size_t size, K* unique,
                  std::size_t capacity, marks_output output) {
  using key = typename compared_key<K>::type;
  mark_runs_array(place, reinterpret_cast<key const*>(keys), size, reinterpret_cast<key*>(unique),
                  capacity, output);
}

template <class K>
void mark_begins_to(door_place& place, K const* keys, std::size_t size, std::uint32_t* begins) {
  using key = typename compared_key<K>::type;
  mark_begins_array(place, reinterpret_cast<key const*>(keys), size, begins);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(K)                                                                             \
  namespace warpfold::inline v0::detail {                                                          \
  template void mark_runs_to<K>(door_place&, K const*, std::size_t, K*, std::size_t,               \
                                marks_output);                                                     \
  template void mark_begins_to<K>(door_place&, K const*, std::size_t, std::uint32_t*);             \
  }
