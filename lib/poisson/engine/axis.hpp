#pragma once
// What a kernel knows of an axis. All transforms are unnormalised, and linear over the complex
// numbers, so that the two lines of a unit stay apart as real and imaginary parts.
//
//   paired  periodic, types 2 and 3, and 4, of as many complex numbers as there are points. With Z
//           the Fourier transform of the points (of types 2 and 4 the even ones, then the odd ones
//           backwards: J. Makhoul, A fast cosine transform in one and two dimensions, 1980; of type
//           4 tilted by exp(-i pi j / n)), A = c_k Z_k and B = conj(c_k) Z_k', the modes of a slot
//           are A + B and i (A - B), where k' = n - k, of type 4 n - 1 - k, and c_k = 1, of type 2
//           exp(-i pi k / 2 n) and of type 4 exp(-i pi (k + 1/2) / 2 n). Type 3 goes as what undoes
//           type 2.
//   pruned  type 1: the Fourier transform of the line continued evenly or oddly to 2 n numbers, of
//           which only the half is computed (pruned.hpp).
//   packed  one axis alone, of any type but 1, and periodic rows of long units (long.hpp): one real
//           line as half as many complex numbers (packed.hpp). For type 1 a line is a pruned unit,
//           together with zeros (lone.hpp).

#include "poisson/complex.hpp"
#include "poisson/lambda.hpp"

#include <cstdint>

namespace warpfold::inline v0::poisson {

/// Periodic axes, and the types of cosine and sine transforms; `first` is pruned.
enum class unit_kind : std::uint8_t { fourier, first, second, third, fourth };

template <class T>
struct unit_axis {
  complex<T> const* factors; ///< of the stages
  /// Paired: c_k of each butterfly's first frequency, [butterfly][thread]; of periodic axes null.
  /// Packed: exp(-i pi k / length) of the same, of type 4 exp(-i pi (k + 1 / 8) / 2 length).
  complex<T> const* turns;
  /// Type 4: exp(-i pi j / n) of the first points, [half][thread]; else null. Pruned: exp(-i pi j /
  /// n) for j up to n / points, then their fourth powers. Packed, types 2 and 3: exp(-i pi k / 4
  /// length) as in turns, then exp(-i pi i / 4 radix) for i < radix / 2; type 4: exp(-i pi (j + 1 /
  /// 8) / 2 length) of the first numbers, [half][thread].
  complex<T> const* tilts;
  T odd;            ///< the sign of points of odd number; pruned: of the continuation
  bool is_reversed; ///< sines of type 3: modes count from the end. Pruned: sines, without ends.
  bool is_touched;  ///< tables are read before a kernel's turn: its blocks are few
};

/// What modes are divided by: the sum of their eigenvalues, less lambda. All of these are in units
/// that make it the transforms' scale, too.
template <class T>
struct unit_symbol {
  complex<T> const* across; ///< by slot: eigenvalues of the two columns; packed: null
  /// Eigenvalues of a thread's modes, two at a time: [number][thread].
  complex<T> const* along;
  entry_lambda<T> lambda;
  T lambda_unit;   ///< what makes it one of that unit
  T mean_scale;    ///< of the first mode, where lambda is 0; 0 if that is no constant
  T* removed_mean; ///< by right-hand side; or null
};

} // namespace warpfold::inline v0::poisson
