#pragma once
// GPU memory of somebody else, whose class knows nothing of warpfold, and what warpfold is told.

#include <warpfold/buffer.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace foreign {

/// An array with names of its own. (Its memory is a device_buffer's, so that it is short.)
template <class T>
class array {
public:
  array(warpfold::gpu const& place, std::vector<T> const& values)
      : memory_(place, std::span<T const>(values)) {}

  T* address() { return memory_.data(); }
  T const* address() const { return memory_.data(); }
  std::size_t count() const { return memory_.size(); }

private:
  warpfold::device_buffer<T> memory_;
};

/// A view, which may be const and its elements not.
template <class T>
struct view {
  T* first;
  int elements;
};

} // namespace foreign

template <class T>
struct warpfold::device_range_traits<foreign::array<T>> {
  static auto span(auto& array) { return device_span(array.address(), array.count()); }
};
template <class T>
struct warpfold::device_range_traits<foreign::view<T>> {
  static auto span(foreign::view<T> all) {
    return device_span(all.first, static_cast<std::size_t>(all.elements));
  }
};
