#pragma once
// Arrays in the memory of a place, so that one body works on a GPU and on a host.

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace warpfold::bench {

template <class Place>
inline constexpr bool is_gpu = std::is_same_v<Place, gpu>;

template <class Place, class T>
using memory_on = std::conditional_t<is_gpu<Place>, device_buffer<T>, std::vector<T>>;
template <class Place, class T>
using span_on = std::conditional_t<is_gpu<Place>, device_span<T>, std::span<T>>;

/// `size` elements of no particular value.
template <class T, class Place>
memory_on<Place, T> make_on([[maybe_unused]] Place const& place, std::size_t size) {
  if constexpr (is_gpu<Place>) return {place, size};
  else return std::vector<T>(size);
}

/// A copy in the memory of a place; and what is there.
template <class T, class Place>
memory_on<Place, T> put_on([[maybe_unused]] Place const& place, std::vector<T> values) {
  if constexpr (is_gpu<Place>) return {place, std::span<T const>(values)};
  else return values;
}
template <class Place, class Memory>
auto contents_of([[maybe_unused]] Place const& place, Memory const& memory) {
  if constexpr (is_gpu<Place>) return to_vector(place, memory);
  else return memory;
}

} // namespace warpfold::bench
