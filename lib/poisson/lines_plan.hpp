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
#include "plan.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::poisson {

inline constexpr int most_stages = 8;

/// x / by of integers x with x * by < 2^32, by a product.
struct divisor {
  std::uint32_t by = 1, inverse = 0;

  divisor() = default;
  explicit divisor(std::uint32_t of)
      : by{of}, inverse{of == 1 ? 0
                                : static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + of - 1) /
                                                             of)} {}

  WARPFOLD_HOST_DEVICE int divide(int x) const {
    auto const u = static_cast<std::uint32_t>(x);
    return by == 1 ? x : static_cast<int>((std::uint64_t{u} * inverse) >> 32);
  }
};

struct line_stage {
  int radix;
  divisor stride; ///< between the inputs of a butterfly, in elements of a line
  int twiddles;   ///< where those of the stage begin
};

enum class line_kind : std::uint8_t {
  fourier,
  second, ///< cosine or sine II, or III, its inverse
  fourth,
  first ///< I
};

/// What a kernel knows of an axis. Tables lie in the memory of where it runs.
template <class T>
struct line_axis {
  int points; ///< of a line
  int length; ///< of the complex transform
  int slots;  ///< pairs of frequencies, see mode_slot; of line_kind::first, modes
  line_kind kind;
  bool is_sine;
  bool is_third; ///< II backwards
  int stages;
  line_stage stage[most_stages];
  complex<T> const* twiddles;
  complex<T> const* turns;     ///< c_k; null of fourier and first
  complex<T> const* tilts;     ///< exp(-i pi j / m), of fourth
  std::uint16_t const* places; ///< of frequencies in the transform
  /// Of modes, in the order in which a pass leaves them.
  T const* eigenvalues;
};

/// All that in one axis' tables on the host, of which a line_axis points to a copy.
template <class T>
struct line_tables {
  line_axis<T> axis{};
  std::vector<complex<T>> complexes; ///< twiddles, turns, tilts
  std::vector<T> eigenvalues;
  std::vector<T>
      first_point; ///< factors of the modes in the inverse's first point, of axes with a constant
  std::vector<std::uint16_t> places;
  double period; ///< forward and inverse together multiply by it

  /// The axis with tables from these addresses on.
  line_axis<T> at(complex<T> const* complexes, T const* eigenvalues,
                  std::uint16_t const* places) const;
};

/// The length of the complex transform that an axis needs.
std::size_t transform_length(axis_plan const& of);

/// The fewest radices whose product the length is, none above 16; empty if there are none, or of
/// length 1.
std::vector<int> radices_of(std::size_t length);

template <class T>
line_tables<T> make_line(axis_plan const& of);

} // namespace warpfold::poisson
