#pragma once
// What passes along lines are told of a real transform, so that one loop does every kind, with its
// modes in their natural order and scaled.
//
// Two real lines a and b are transformed as a + i b, by the maps of poisson/lines/lines_maps.hpp.
// With Z the complex Fourier transform of the points, every kind's modes are, of a pair of
// frequencies k and k',
//   first = c Z_k + conj(c) Z_k', second = i (c Z_k - conj(c) Z_k').
// What undoes this, but for a factor, is
//   Z_k = conj(c) (first - i second), Z_k' = c (first + i second).
// A frequency that is its own partner has a first mode alone. The factor c holds the scaling, too.

#include "poisson/complex.hpp"
#include "poisson/lines/lines_maps.hpp"

#include <warpfold/transforms.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace warpfold::inline v0::transforms {

/// A problem whose arguments are right.
struct checked_problem {
  transforms::problem problem;
  std::size_t slower, points, faster; ///< elements before, along and behind the axis
  poisson::transform base;            ///< forward: fourier, or cosine or sine 1, 2 or 4
  bool is_inverse;                    ///< from the base's modes to its points
  double period;                      ///< N

  [[nodiscard]] std::size_t size() const { return slower * points * faster; }
  [[nodiscard]] bool is_orthonormal() const { return problem.scaling == scaling::orthonormal; }
  /// Factor of all modes (inverse: of all points) by scaling; some have others besides.
  [[nodiscard]] double scale() const;
  /// The lines' axis, for passes: without eigenvalues.
  [[nodiscard]] poisson::axis_plan axis() const;
  /// An array of two axes, the lines along one of them, and perhaps a batch; that axis.
  [[nodiscard]] poisson::plan folded() const;
  [[nodiscard]] std::size_t folded_axis() const { return faster == 1; }
};

/// Refuses what a plan says that it refuses on any place, and arrays of more than `memory` bytes.
checked_problem check_problem(problem const& problem, std::size_t element,
                              std::size_t memory = std::numeric_limits<std::ptrdiff_t>::max());

/// exp(-2 pi i k / n) times `radius`, rounded at the end.
template <class T>
poisson::complex<T> scaled_root(double radius, double k, double n);
/// Appends it. (Out of line: what calls this is compiled for every length of a kernel.)
template <class T>
void append_root(std::vector<poisson::complex<T>>& table, double radius, double k, double n);

/// The name of the shape's element that counts a line.
std::string length_name(problem const& problem);

/// The modes of a pair of frequencies.
template <class T>
struct alignas(4 * sizeof(T)) mode_pair {
  poisson::complex<T> factor; ///< c
  std::int32_t first, second; ///< where they stand in a line; the same if there is one
};

/// The transform of a line, for the loops of line_transform. Tables lie where they are used.
template <class T>
struct real_maps {
  int points; ///< of a line
  int length; ///< of the complex transform
  int pairs;
  bool is_inverse;
  bool folds;        ///< even points come first, then odd ones backwards
  bool alternates;   ///< points of odd number change sign
  bool mirrors;      ///< I: the line is continued
  bool is_odd;       ///< as an odd function
  bool tilts_points; ///< IV
  T ends;            ///< I: factor of points that are their own mirror images
  mode_pair<T> const* modes;
  poisson::complex<T> const* tilts; ///< factors of points in the transform's order, if it tilts
};

template <class T>
struct real_tables {
  real_maps<T> maps{};
  std::vector<mode_pair<T>> modes;
  std::vector<std::pair<std::size_t, std::size_t>> frequencies; ///< k and k' of each pair
};
template <class T>
real_tables<T> make_tables(checked_problem const& of);

} // namespace warpfold::inline v0::transforms
