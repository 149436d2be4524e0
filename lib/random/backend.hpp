#pragma once
// Checks of random numbers, and what their backends provide on arguments so checked.

#include <warpfold/detail/random/philox.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/random.hpp>

#include <cstddef>

namespace warpfold::inline v0::random {

using detail::variate;

/// Refuses samples behind the end of a sequence.
void check_range(std::uint64_t offset, std::size_t size);

/// Samples first ... first + size - 1 of a sequence, and where they go.
template <class T>
struct wanted {
  /// Samples that a block of words gives, and elements of an access of 16 bytes.
  static constexpr int width = 16 / sizeof(T);

  detail::address sequence;
  std::uint64_t first;
  T* output;
  std::size_t size;

  /// Samples of the first block that precede sample `first`.
  WARPFOLD_HOST_DEVICE int skipped() const { return static_cast<int>(first % width); }
  WARPFOLD_HOST_DEVICE std::uint64_t first_block() const { return first / width; }
  WARPFOLD_HOST_DEVICE std::uint64_t blocks() const {
    return (size + static_cast<std::size_t>(skipped()) + width - 1) / width;
  }
};

namespace gpu_impl {
template <class T>
void fill(cudaStream_t stream, variate what, wanted<T> const& all);
}
namespace host_impl {
template <class T>
void fill(host const& place, variate what, wanted<T> const& all);
}

} // namespace warpfold::inline v0::random
