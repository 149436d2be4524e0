#pragma once
// Elements in the memory of either place, as a vector.

#include <warpfold/warpfold.hpp>

#include <cstring>
#include <random>
#include <span>
#include <vector>

namespace test {

template <class Place, class T>
using view_t =
    std::conditional_t<std::same_as<Place, warpfold::gpu>, warpfold::device_span<T>, std::span<T>>;

template <class T>
std::vector<T> contents(warpfold::host&, std::span<T> view) {
  return {view.begin(), view.end()};
}
template <class T>
std::vector<T> contents(warpfold::gpu& place, warpfold::device_span<T> view) {
  return warpfold::to_vector(place, view);
}

template <class T>
std::vector<T> part_of(std::vector<T> const& all, std::size_t first, std::size_t size) {
  auto const part = std::span(all).subspan(first, size);
  return {part.begin(), part.end()};
}

/// Returns true if all bits agree.
template <class T>
bool same_elements(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Between -1 and 1.
template <class T>
std::vector<T> random_values(std::mt19937_64& random, std::size_t size) {
  std::uniform_real_distribution<double> any{-1, 1};
  std::vector<T> values(size);
  for (T& x : values) x = static_cast<T>(any(random));
  return values;
}

} // namespace test
