#pragma once
// The tables of transform_units, made on the host.

#include "poisson/engine/tables.hpp"
#include "tables.hpp"
#include "unit_lines.hpp"

#include <numbers>

namespace warpfold::inline v0::transforms {

/// Factor of a pair's modes beside c_k, of packed lines in either direction.
inline double packed_scale(checked_problem const& of) {
  bool const is_periodic = of.base == poisson::transform::fourier;
  double scale = of.scale();
  // Forward, a packed core gives frequencies twice.
  if (is_periodic && !of.is_inverse) scale /= 2;
  if (is_periodic && of.problem.kind != kind::hartley && of.is_orthonormal())
    scale *= of.is_inverse ? 1 / std::numbers::sqrt2 : std::numbers::sqrt2;
  return scale;
}

template <class T>
unit_maps<T> unit_maps_of(checked_problem const& of) {
  using std::numbers::sqrt2;
  bool const is_periodic = of.base == poisson::transform::fourier,
             is_orthonormal = of.is_orthonormal(), is_hartley = of.problem.kind == kind::hartley;
  double const scale = of.scale();
  unit_maps<T> maps{};
  maps.is_folded = !is_periodic;
  maps.mixed = is_hartley ? T(1) : T(0);
  maps.turned = is_periodic ? T(1) : T(-1);
  maps.opposite = is_periodic ? poisson::complex<T>{1, 0} : scaled_root<T>(1, 1, 8);
  maps.middle = scaled_root<T>(2 * packed_scale(of), is_periodic ? 0 : 1, 16);
  // Frequencies 0 and M are real, and have one mode each.
  double first = scale, last = scale;
  if (!is_periodic) {
    if (!of.is_inverse) first *= 2;
    last *= sqrt2;
    if (is_orthonormal) first *= of.is_inverse ? sqrt2 : 1 / sqrt2;
  }
  maps.first = static_cast<T>(first);
  maps.last = static_cast<T>(last);
  bool const has_ends = of.base == poisson::transform::cosine_1;
  maps.scale = static_cast<T>(scale);
  maps.ends_in = static_cast<T>(has_ends && is_orthonormal ? sqrt2 : 1);
  maps.ends_out = static_cast<T>(has_ends && is_orthonormal ? scale / sqrt2 : scale);
  return maps;
}

template <class Core>
poisson::unit_tables<typename Core::T> unit_tables_of(checked_problem const& of) {
  using T = typename Core::T;
  using shape = typename Core::shape;
  bool const is_sine = poisson::is_sine(of.base);
  poisson::unit_tables<T> made;
  if constexpr (Core::is_pruned) {
    made = poisson::unit_tables_of<Core>(of.axis());
  } else {
    using unit = typename Core::unit_type;
    constexpr int m = shape::length, radix = Core::radix;
    bool const is_periodic = of.base == poisson::transform::fourier;
    double const scale = packed_scale(of);
    made.factors = poisson::factors_of<T, typename shape::digits>();
    for (int c = 0; c < 2 * unit::butterflies; ++c)
      for (int rank = 0; rank < shape::per_line; ++rank) {
        int const k = poisson::frequency_of<unit>(rank, c * radix / 2);
        if (Core::is_tilted) {
          append_root(made.turns, 2 * scale, 8. * k + 1, 32. * m);
        } else {
          append_root(made.turns, 1, k, 2. * m);
          append_root(made.tilts, scale, is_periodic ? 0 : k, 8. * m);
        }
      }
    if (Core::is_tilted) {
      for (int side = 0; side < 2; ++side)
        for (int rank = 0; rank < shape::per_line; ++rank) {
          int const j = unit{nullptr, nullptr, rank}.template first<0>(side);
          append_root(made.tilts, 1, 8. * j + 1, 32. * m);
        }
    } else {
      for (int i = 0; i < radix / 2; ++i)
        append_root(made.tilts, 1, is_periodic ? 0 : i, 8. * radix);
    }
    made.axis.odd = is_sine ? T(-1) : T(1);
    made.axis.is_reversed = is_sine;
  }
  return made;
}

} // namespace warpfold::inline v0::transforms
