#pragma once
// What the tests of groups share.

#include <warpfold/collective.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace test {

inline constexpr int group_sizes[] = {1, 2, 3, 5, 8};

/// An array where a place works.
template <class Place, class T>
class on;
template <class T>
class on<warpfold::host, T> {
public:
  on(warpfold::host const&, std::vector<T> values) : values_{std::move(values)} {}
  T* data() { return values_.data(); }
  T const* data() const { return values_.data(); }
  std::span<T const> span() const { return values_; }
  std::vector<T> read(warpfold::host const&) const { return values_; }

private:
  std::vector<T> values_;
};
template <class T>
class on<warpfold::gpu, T> {
public:
  on(warpfold::gpu const& place, std::vector<T> const& values)
      : values_{place, std::span<T const>(values)} {}
  T* data() { return values_.data(); }
  T const* data() const { return values_.data(); }
  warpfold::device_span<T const> span() const { return values_.span(); }
  std::vector<T> read(warpfold::gpu const& place) const { return to_vector(place, span()); }

private:
  warpfold::device_buffer<T> values_;
};

inline cudaStream_t stream_of(warpfold::gpu const& place) { return place.stream(); }
inline cudaStream_t stream_of(warpfold::host const&) { return nullptr; }

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The name of the argument that a call refuses.
template <class Call>
std::string argument_of(Call call) {
  try {
    call();
  } catch (warpfold::argument_error const& error) {
    return error.argument();
  }
  return "none";
}

} // namespace test
