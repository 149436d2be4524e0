#pragma once
// Axes as complex Fourier transforms in shared memory.

#include "lines_butterflies.hpp"
#include "lines_maps.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::poisson {

inline constexpr int most_stages = 8;

WARPFOLD_HOST_DEVICE inline std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
#ifdef __CUDA_ARCH__
  return __umulhi(a, b);
#else
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
#endif
}

/// x / by of integers with x * by < 2^32, by a product.
struct divisor {
  std::uint32_t by = 1, inverse = 0;

  divisor() = default;
  explicit divisor(std::size_t of)
      : by{static_cast<std::uint32_t>(of)},
        inverse{of == 1 ? 0
                        : static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + of - 1) / of)} {}

  WARPFOLD_HOST_DEVICE int divide(int x) const {
    return by == 1 ? x : static_cast<int>(high_product(static_cast<std::uint32_t>(x), inverse));
  }
};

/// In the table: the root, and its fourth power where powers up to that are not enough.
WARPFOLD_HOST_DEVICE constexpr int roots_of_butterfly(int radix) { return radix > 4 ? 2 : 1; }

struct line_stage {
  int radix;
  int butterflies; ///< of a line
  divisor stride;  ///< between the inputs of a butterfly, in elements of a line
  int step;        ///< the same in shared memory
  int twiddles;    ///< where those of the stage begin
};

/// Where in a line two frequencies stand, which make the modes of a slot: k and k', or, of I, k and
/// -k.
struct alignas(4) slot_places {
  std::uint16_t first, second;
};

/// What a kernel knows of an axis.
template <class T>
struct line_axis : line_maps<T> {
  int staged; ///< numbers that the stages transform: `length`, or those of a convolution
  int stages;
  line_stage stage[most_stages];
  /// Element i stands at i + i / s + i / t, which keeps threads off each other's banks; s and t are
  /// strides of stages, so that the inputs of a butterfly are evenly spaced.
  std::uint32_t gaps[2];
  int room; ///< elements that a line takes
  int half; ///< where the frequency in the middle stands, of line_kind::first
  complex<T> const* twiddles;
  complex<T> const* chirp;    ///< of a convolution, see chirp_tables; else null
  complex<T> const* spectrum; ///< in the order in which the stages leave frequencies
  slot_places const* places;

  WARPFOLD_HOST_DEVICE bool convolves() const { return staged != this->length; }
  WARPFOLD_HOST_DEVICE int place(int i) const {
    auto const u = static_cast<std::uint32_t>(i);
    return i + static_cast<int>(high_product(u, gaps[0]) + high_product(u, gaps[1]));
  }
};

/// All that in one axis' tables on the host, of which a line_axis points to a copy.
template <class T>
struct line_tables {
  line_axis<T> axis{};
  std::vector<complex<T>> complexes; ///< twiddles, turns, tilts, chirp, spectrum
  std::vector<T> eigenvalues;
  std::vector<T>
      first_point; ///< factors of the modes in the inverse's first point, of axes with a constant
  std::vector<slot_places> places;
  double period; ///< forward and inverse together multiply by it

  /// The axis with tables from these addresses on.
  line_axis<T> at(complex<T> const* complexes, T const* eigenvalues,
                  slot_places const* places) const;
};

/// Few radices whose product the length is, none above 16; empty if there are none, or of length 1.
std::vector<int> radices_of(std::size_t length);

inline constexpr std::size_t most_line_shared = 227 * 1024; ///< compute capability 9.0

/// Elements that a line may take in shared memory.
constexpr std::size_t most_room(std::size_t staged) { return staged + staged / 8 + 1; }

/// Numbers that the stages of a transform of `length` work on: as many, if its prime factors are
/// small, else those of a convolution; 0 if a line of them, of reals of so many bytes, does not fit
/// in the shared memory of a block.
std::size_t staged_length(std::size_t length, std::size_t element);

/// Where a transform along the axis leaves each frequency, before gaps.
template <class T>
std::vector<std::size_t> frequency_places(line_axis<T> const& axis);

/// For lines of elements one beside the other, 1 << shift of them, or one after the other.
template <class T>
line_tables<T> make_line(axis_plan const& of, int shift);

} // namespace warpfold::inline v0::poisson
