#pragma once
// A view with what is asked of an mdspan, and no more: this compiler has none.

#include <array>
#include <cstddef>

namespace test {

template <class T, std::size_t Rank>
struct strided {
  T* first;
  std::array<std::size_t, Rank> extents, strides;

  static constexpr std::size_t rank() { return Rank; }
  T* const& data_handle() const { return first; }
  std::size_t extent(std::size_t d) const { return extents[d]; }
  std::size_t stride(std::size_t d) const { return strides[d]; }
};

} // namespace test
