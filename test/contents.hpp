#pragma once
// Elements in the memory of either place, as a vector.

#include <warpfold/warpfold.hpp>

#include <span>
#include <vector>

namespace test {

template <class T>
std::vector<T> contents(warpfold::host&, std::span<T> view) {
  return {view.begin(), view.end()};
}
template <class T>
std::vector<T> contents(warpfold::gpu& place, warpfold::device_span<T> view) {
  return warpfold::to_vector(place, view);
}

} // namespace test
