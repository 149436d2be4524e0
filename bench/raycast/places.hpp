#pragma once
// Arrays on either place, so that tests, benchmarks and the tour have one body for both.

#include "raycast.hpp"

#include <warpfold/memory.hpp>

#include <cstring>

namespace warpfold::raycast {

/// `size` elements of no particular value.
template <class T>
device_buffer<T> make(gpu& place, std::size_t size) {
  return {place, size};
}
template <class T>
std::vector<T> make(host const&, std::size_t size) {
  return std::vector<T>(size);
}

template <class T>
device_buffer<T> put(gpu& place, std::vector<T> const& values) {
  return {place, std::span<T const>(values)};
}
template <class T>
std::vector<T> put(host const&, std::vector<T> const& values) {
  return values;
}

template <class T>
std::vector<T> get(gpu& place, device_buffer<T> const& values) {
  return to_vector(place, values.span());
}
template <class T>
std::vector<T> get(host const&, std::vector<T> const& values) {
  return values;
}

template <class T>
view<gpu, T> all(device_buffer<T>& values) {
  return values.span();
}
template <class T>
view<host, T> all(std::vector<T>& values) {
  return values;
}

/// The first `size` of what the generator makes.
template <class T, class Place, class From>
auto filled(Place& place, From const& from, std::size_t size) {
  auto values = make<T>(place, size);
  fill_async(place, from, all(values));
  return values;
}

/// What a ray caster returns, and what it met if that is counted.
struct outcome {
  std::vector<hit> hits;
  totals sum;
};
template <class Place, class Rays>
outcome trace(Place& place, hierarchy<Place> const& tree, Rays& rays, trace_options options = {}) {
  auto hits = make<hit>(place, rays.size());
  auto sum = put(place, std::vector<totals>(1));
  trace_async(place, tree.on_place(), all(rays), all(hits), all(sum), options);
  return {get(place, hits), get(place, sum)[0]};
}

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

} // namespace warpfold::raycast
