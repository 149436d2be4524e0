#pragma once
// VkFFT's real transforms of squares. vkfft.cpp includes VkFFT; all other files know these
// declarations alone.

#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace warpfold::bench {

/// VkFFT's version, "1.3.4".
[[nodiscard]] std::string vkfft_version();

/// The real transform along both axes, as VkFFT numbers them. Both 0: of real numbers to complex
/// ones along rows, then of these along columns.
struct vkfft_kind {
  unsigned cosine = 0; ///< type 1 to 4 of the discrete cosine transform
  unsigned sine = 0;   ///< type 1 to 4 of the sine transform
};

/// A planned forward transform of a square, and its normalised inverse, in place: together they
/// leave the values as they were, but for rounding. float or double. Move-only.
template <class T>
class vkfft_square {
public:
  /// Compiles the kernels and allocates. Blocks. The place outlives the object.
  /// @throws error with the name of VkFFT's status
  vkfft_square(gpu& place, std::size_t points, vkfft_kind kind);
  vkfft_square(vkfft_square&&) noexcept;
  vkfft_square& operator=(vkfft_square&&) noexcept;
  ~vkfft_square();

  /// Elements from row to row: rows that become complex have room for one more pair.
  [[nodiscard]] std::size_t pitch() const noexcept;
  /// Elements of the padded square.
  [[nodiscard]] std::size_t size() const noexcept;

  /// Enqueues both transforms on the stream that the place had at construction; can be captured.
  /// @throws error with the name of VkFFT's status
  void round_trip_async(device_span<T> values);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace warpfold::bench
