#pragma once
// The memory that a gpu keeps for the calls of its verbs.

#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// Words through which the blocks of a kernel speak to each other. Each holds the number of the
/// kernel that wrote it, so that nobody need clear them before a kernel; no other verb writes here.
struct lookback_memory {
  static constexpr std::size_t offset = 256; ///< of the words, in bytes: they begin a line
  std::uint64_t* epoch;                      ///< kernels before
  std::uint64_t* words;
  std::uint64_t capacity; ///< number of words
};

/// A view of a gpu's scratch memory. Waits for nothing, unless it says so.
class gpu_scratch {
public:
  explicit gpu_scratch(gpu& place) noexcept : place_{place} {}

  /// At least `bytes`, aligned to 256.
  /// @throws argument_error if the place has less: an `_async` call never allocates
  [[nodiscard]] void* workspace(std::size_t bytes) const;

  /// The place's look-back memory.
  /// @throws argument_error if it has less than `bytes`
  [[nodiscard]] lookback_memory lookback(std::size_t bytes) const;

  /// A counter in GPU memory that is 0 between kernels.
  [[nodiscard]] unsigned* ticket() const noexcept;

  /// Counters in GPU memory that are 0 between kernels, and their number.
  [[nodiscard]] std::uint64_t* counters() const noexcept;
  static constexpr std::size_t counter_count = 256;

  /// Page-locked memory that the GPU writes a blocking call's result into.
  /// @throws argument_error for more than 4096 bytes
  [[nodiscard]] void* result_slot(std::size_t bytes) const;

  /// Page-locked memory of at least `bytes`, which is kept. Not to be asked for while the GPU works
  /// with what it gave before. Blocks where it has to grow.
  /// @throws cuda_error if memory cannot be had
  [[nodiscard]] void* staging(std::size_t bytes) const;

  /// Makes grids as small as for `count` multiprocessors, or of one block for 0. No result depends
  /// on that.
  void assume_multiprocessors(int count) const noexcept { place_.multiprocessors_ = count; }

private:
  gpu& place_;
};

/// Scratch memory for a call that may allocate if it blocks.
inline void* scratch_for(gpu& place, std::size_t bytes, bool blocking) {
  if (blocking) place.reserve(bytes);
  return gpu_scratch(place).workspace(bytes);
}

} // namespace warpfold::inline v0::detail
