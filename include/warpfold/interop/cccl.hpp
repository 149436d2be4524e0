#pragma once
// cuda::std::span as GPU memory, as an argument of every verb.
//
// A cuda::std::span does not say where its elements live. A program that includes this header says
// so: its cuda::std::spans are views of GPU memory, which verbs on a host do not read. Only nvcc,
// or a compiler that is told where CCCL is, finds what is included here.

#include <warpfold/span.hpp>

#include <cuda/std/span>

#include <cstddef>

namespace warpfold::inline v0 {

/// A cuda::std::span is a view of GPU memory.
template <class T, std::size_t Extent>
struct device_range_traits<::cuda::std::span<T, Extent>> {
  /// A device_span of the same elements.
  static constexpr device_span<T> span(::cuda::std::span<T, Extent> view) noexcept {
    return {view.data(), view.size()};
  }
};

} // namespace warpfold::inline v0
