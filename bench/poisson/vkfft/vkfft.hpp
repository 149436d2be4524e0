#pragma once
// VkFFT's real transforms of squares and of lines. vkfft.cpp includes VkFFT; all other files know
// these declarations alone.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace warpfold::bench {

/// VkFFT's version, "1.3.4".
[[nodiscard]] std::string vkfft_version();

/// The real transform along each axis, as VkFFT numbers them. Both 0: of real numbers to complex
/// ones along rows, then of these along columns.
struct vkfft_kind {
  unsigned cosine = 0; ///< type 1 to 4 of the discrete cosine transform
  unsigned sine = 0;   ///< type 1 to 4 of the sine transform
};

/// Rows of so many points, all as long; a square goes along its columns, too.
struct vkfft_shape {
  std::size_t rows, points;
  bool is_square;
};

/// A planned forward transform, and its normalised inverse, in place: together they leave the
/// values as they were, but for rounding. float or double. Move-only.
template <class T>
class vkfft_plan {
public:
  /// Compiles the kernels and allocates. Blocks. The place outlives the object.
  /// @throws error with the name of VkFFT's status
  vkfft_plan(gpu& place, vkfft_shape const& shape, vkfft_kind kind);
  vkfft_plan(vkfft_plan&&) noexcept;
  vkfft_plan& operator=(vkfft_plan&&) noexcept;
  ~vkfft_plan();

  /// Elements from row to row: rows that become complex have room for one more pair.
  [[nodiscard]] std::size_t pitch() const noexcept;
  /// Elements of all rows, with what pads them.
  [[nodiscard]] std::size_t size() const noexcept;

  /// Enqueues both transforms on the stream that the place had at construction; can be captured.
  /// @throws error with the name of VkFFT's status
  void round_trip_async(device_span<T> values);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace warpfold::bench
