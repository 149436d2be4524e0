#pragma once
// Axes as complex Fourier transforms.
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
// A derivative's cosines are sines and the other way round: each mode changes places with the other
// one of its slot, times its wavenumber.
//
// A transform leaves Z with its digits reversed, and its inverse takes it so.

#include "poisson/complex.hpp"
#include "poisson/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {

/// use(kind), as a constant.
template <class Use>
auto with_kind(line_kind kind, Use use) {
  using enum line_kind;
  switch (kind) {
  case fourier: return use(std::integral_constant<line_kind, fourier>{});
  case second: return use(std::integral_constant<line_kind, second>{});
  case third: return use(std::integral_constant<line_kind, third>{});
  case fourth: return use(std::integral_constant<line_kind, fourth>{});
  default: return use(std::integral_constant<line_kind, first>{});
  }
}

enum class line_role : std::uint8_t {
  forward,
  backward,
  solve ///< forward, division by the symbol, backward
};

/// What the maps before and after an axis' transform know of it. Tables lie where they are used.
template <class T>
struct line_maps {
  int points; ///< of a line
  int length; ///< of the complex transform
  int slots;  ///< pairs of frequencies, see mode_slot; of line_kind::first, modes
  line_kind kind;
  bool is_sine;
  complex<T> const* turns; ///< c_k, of second, third and fourth
  complex<T> const* tilts; ///< exp(-i pi j / m), of fourth
  /// For modes, in the order in which a pass leaves them.
  T const* eigenvalues;

  /// The frequencies of a slot: k and k', or, of I, k and -k.
  std::pair<std::size_t, std::size_t> frequencies(std::size_t slot) const;
};

/// All that in tables of their own.
template <class T>
struct map_tables {
  line_maps<T> maps{};
  std::vector<complex<T>> turns, tilts;
  std::vector<T> eigenvalues;
  /// For modes, by which derivatives multiply them.
  std::vector<T> wavenumbers;
  /// Factors of the modes in the inverse's first point, of axes with a constant.
  std::vector<T> first_point;
  double period; ///< forward and inverse together multiply by it
};
template <class T>
map_tables<T> make_maps(axis_plan const& of);

/// Distances between lines in memory, in elements.
struct line_strides {
  std::size_t step;  ///< between the points of a line
  std::size_t next;  ///< between the lines of a row
  std::size_t row;   ///< between the rows of a group
  std::size_t group; ///< between the groups of a right-hand side
  std::size_t entry; ///< between right-hand sides
};

/// Lines along an axis, in groups; of three axes, the two faster ones are passed plane by plane.
struct line_geometry {
  std::size_t axes, axis, width; ///< of the problem; the lines' own; points of the last one
  bool is_strided;
  std::size_t lines, groups; ///< of a group; of all right-hand sides
  std::size_t planes;        ///< groups of a right-hand side
  std::size_t beside;        ///< lines of a row, which are as far apart as `next` says
  line_strides in, out;

  /// The geometry for an input and an output of these complete layouts.
  [[nodiscard]] line_geometry between(field_layout const& from, field_layout const& to) const;

  /// Where a group begins, and a line in it.
  [[nodiscard]] std::size_t begin(line_strides const& by, std::size_t group) const {
    return group / planes * by.entry + group % planes * by.group;
  }
  [[nodiscard]] std::size_t begin_in_group(line_strides const& by, std::size_t line) const {
    if (beside == lines) return line * by.next;
    return line / beside * by.row + line % beside * by.next;
  }
};
/// The geometry of an axis in dense fields.
line_geometry geometry_of(plan const& of, std::size_t axis);

/// What a pass for line_role::solve is told of the problem; `scale` is one over all axes' periods,
/// eigenvalues(axis) are where the pass runs.
template <class Pass, class Eigenvalues>
void set_division(Pass& pass, plan const& of, double scale, Eigenvalues eigenvalues) {
  std::size_t const axes = of.axes.size();
  if (axes > 1) {
    pass.faster = eigenvalues(axes - 1);
    pass.fastest = static_cast<int>(of.axes.back().points);
  }
  if (axes > 2) pass.slower = eigenvalues(1);
  using number = decltype(pass.scale);
  pass.lambda = {nullptr, static_cast<number>(of.problem.lambda)};
  pass.scale = static_cast<number>(scale);
  pass.is_singular = of.has_constant();
}

/// The length of the complex transform that an axis needs.
std::size_t transform_length(axis_plan const& of);

/// Few radices whose product the length is, out of those given, which fall; empty if there are
/// none, or of length 1.
std::vector<int> radices_of(std::size_t length, std::span<int const> given);

/// Where a transform by these radices leaves each frequency.
std::vector<std::size_t> frequency_places(std::size_t length, std::vector<int> const& radices);

} // namespace warpfold::inline v0::poisson
