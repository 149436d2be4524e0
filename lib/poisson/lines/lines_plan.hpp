#pragma once
// Axes as complex Fourier transforms in shared memory.
//
// All data are real; two lines a and b are transformed at once as a + i b, by maps that are linear
// over the complex numbers, so that a's part stays real and b's imaginary. With Z the complex
// Fourier transform of the m numbers v, the cosine transforms II and IV (v the line's even points,
// then its odd ones backwards: Makhoul, "A fast cosine transform in one and two dimensions", 1980)
// and the real Fourier transform are, for pairs of frequencies k and k',
//   A = c_k Z_k, B = conj(c_k) Z_k', first = A + B, second = i (A - B),
// where k' = -k, and of IV, for which v is turned by exp(-i pi j / m) first, -1 - k. What undoes
// this is conj(c_k) (first - i second), c_k (first + i second) and the inverse transform. III is
// the inverse of II. Sines are cosines of points with alternating signs, their modes reversed. I is
// the Fourier transform of the line continued evenly or oddly.
//
// A transform leaves Z with its digits reversed, and its inverse takes it so.

#include "lines_butterflies.hpp"
#include "poisson/plan.hpp"

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

enum class line_kind : std::uint8_t {
  fourier,
  second, ///< cosine or sine II
  third,  ///< its inverse
  fourth,
  first ///< I
};

/// Where in a line two frequencies stand, which make the modes of a slot: k and k', or, of I, k and
/// -k.
struct alignas(4) slot_places {
  std::uint16_t first, second;
};

/// What a kernel knows of an axis. Tables lie in the memory of where it runs.
template <class T>
struct line_axis {
  int points; ///< of a line
  int length; ///< of the complex transform
  int slots;  ///< pairs of frequencies, see mode_slot; of line_kind::first, modes
  line_kind kind;
  bool is_sine;
  int stages;
  line_stage stage[most_stages];
  /// Element i stands at i + i / s + i / t, which keeps threads off each other's banks; s and t are
  /// strides of stages, so that the inputs of a butterfly are evenly spaced.
  std::uint32_t gaps[2];
  int room; ///< elements that a line takes
  int half; ///< where the frequency in the middle stands, of line_kind::first
  complex<T> const* twiddles;
  complex<T> const* turns; ///< c_k, of second, third and fourth
  complex<T> const* tilts; ///< exp(-i pi j / m), of fourth
  slot_places const* places;
  /// Of modes, in the order in which a pass leaves them.
  T const* eigenvalues;

  WARPFOLD_HOST_DEVICE int place(int i) const {
    auto const u = static_cast<std::uint32_t>(i);
    return i + static_cast<int>(high_product(u, gaps[0]) + high_product(u, gaps[1]));
  }
};

/// All that in one axis' tables on the host, of which a line_axis points to a copy.
template <class T>
struct line_tables {
  line_axis<T> axis{};
  std::vector<complex<T>> complexes; ///< twiddles, turns, tilts
  std::vector<T> eigenvalues;
  std::vector<T>
      first_point; ///< factors of the modes in the inverse's first point, of axes with a constant
  std::vector<slot_places> places;
  double period; ///< forward and inverse together multiply by it

  /// The axis with tables from these addresses on.
  line_axis<T> at(complex<T> const* complexes, T const* eigenvalues,
                  slot_places const* places) const;
};

/// The length of the complex transform that an axis needs.
std::size_t transform_length(axis_plan const& of);

/// Few radices whose product the length is, none above 16; empty if there are none, or of length 1.
std::vector<int> radices_of(std::size_t length);

/// Elements that a line may take in shared memory.
constexpr std::size_t most_room(std::size_t length) { return length + length / 8 + 1; }

/// For lines of elements one beside the other, 1 << shift of them, or one after the other.
template <class T>
line_tables<T> make_line(axis_plan const& of, int shift);

} // namespace warpfold::inline v0::poisson
