#pragma once
// What backends on a GPU share besides their kernels.

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpfold::inline v0::poisson::gpu_impl {

/// A host table in GPU memory, rounded.
template <class T>
device_buffer<T> upload(gpu const& place, std::vector<double> const& table) {
  std::vector<T> const rounded(table.begin(), table.end());
  return {place, std::span<T const>(rounded)};
}

/// Parts of a workspace one after the other, each aligned to 256 bytes.
class workspace_shape {
public:
  /// Where the part begins.
  std::size_t add(std::size_t bytes) {
    std::size_t const begin = size_;
    size_ += (bytes + 255) / 256 * 256;
    return begin;
  }
  std::size_t size() const { return size_; }

private:
  std::size_t size_ = 0;
};

/// Blocks of `threads` for so many threads, but no more than a grid may have: kernels go on from
/// there.
inline int blocks_for(std::int64_t count, int threads) {
  std::int64_t const blocks = (count + threads - 1) / threads;
  return static_cast<int>(blocks < (1 << 30) ? blocks : 1 << 30);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
