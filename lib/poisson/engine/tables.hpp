#pragma once
// The tables of units, made on the host.

#include "depths.hpp"
#include "paired.hpp"
#include "poisson/engine/single/packed.hpp"
#include "poisson/plan.hpp"
#include "pruned.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpfold::inline v0::poisson {

// Tables grow out of line, since what fills them is compiled for every length of a kernel.

/// Appends root_of_unity(k, n).
template <class T>
void append_root(std::vector<complex<T>>& table, double k, double n);
/// Appends the roots of k = 0, power, 2 power ... of n, `count` of them.
template <class T>
void append_roots(std::vector<complex<T>>& table, int count, int power, double n);
/// Appends unit_eigenvalue / divisor of two modes.
template <class T>
void append_eigenvalues(std::vector<complex<T>>& table, axis_plan const& of, int first, int second,
                        double divisor);

template <class T, class Stages>
std::vector<complex<T>> factors_of() {
  std::vector<complex<T>> factors;
  for (int stage = 0; stage < Stages::last; ++stage)
    for (int const power : {1, Stages::is_wide(stage) ? 8 : 4})
      append_roots(factors, Stages::stride(stage), power, Stages::within(stage));
  return factors;
}

inline bool is_first_type(axis_plan const& of) {
  return of.forward == transform::cosine_1 || of.forward == transform::sine_1;
}
inline bool is_third_type(axis_plan const& of) {
  return of.forward == transform::cosine_3 || of.forward == transform::sine_3;
}
inline bool is_fourth_type(axis_plan const& of) {
  return of.forward == transform::cosine_4 || of.forward == transform::sine_4;
}
inline unit_kind kind_of(axis_plan const& of) {
  return of.forward == transform::fourier ? unit_kind::fourier
         : is_first_type(of)              ? unit_kind::first
         : is_third_type(of)              ? unit_kind::third
         : is_fourth_type(of)             ? unit_kind::fourth
                                          : unit_kind::second;
}
inline bool is_sine(axis_plan const& of) { return of.forward >= transform::sine_1; }

/// n: half the period of the modes, or that of periodic ones.
inline std::size_t unit_length(axis_plan const& of) {
  return of.forward == transform::cosine_1 ? of.points - 1
         : of.forward == transform::sine_1 ? of.points + 1
                                           : of.points;
}
/// Forward and back together multiply by it.
inline double unit_period(axis_plan const& of) {
  return of.forward == transform::fourier ? 2 * of.period : of.period;
}

/// The scale that forward and inverse transforms leave to the division.
inline double unit_share(plan const& of) {
  double share = 1;
  for (auto const& axis : of.axes) share /= unit_period(axis);
  return share;
}

/// The eigenvalue of frequency k; of type 3 that of number k of the transform's points.
double unit_eigenvalue(axis_plan const& of, int k);

/// The numbers of the two modes of a row's slot, as unit_eigenvalue counts.
inline std::pair<int, int> slot_modes(axis_plan const& of, int slot) {
  int const n = static_cast<int>(unit_length(of));
  if (is_first_type(of)) return {slot + is_sine(of), n - slot - is_sine(of)};
  if (is_third_type(of)) return {2 * slot, 2 * slot + 1};
  if (is_fourth_type(of)) return {slot, n - 1 - slot};
  return {slot, slot == 0 ? n / 2 : n - slot};
}

/// By slot; lambda is not in it.
template <class T>
std::vector<complex<T>> across_of(axis_plan const& of, double divisor) {
  std::vector<complex<T>> all;
  for (int slot = 0; slot < static_cast<int>((of.points + 1) / 2); ++slot) {
    auto const [first, second] = slot_modes(of, slot);
    append_eigenvalues(all, of, first, second, divisor);
  }
  return all;
}

/// Eigenvalues of the planes of a box, in the order in which a pass leaves their modes.
template <class T>
std::vector<T> plane_eigenvalues_of(axis_plan const& of, double divisor) {
  std::vector<T> all;
  for (int z = 0; z < static_cast<int>(of.points); ++z)
    all.push_back(static_cast<T>(
        unit_eigenvalue(of, z + (is_first_type(of) && is_sine(of) ? 1 : 0)) / divisor));
  return all;
}

template <class T>
struct unit_tables {
  std::vector<complex<T>> factors, turns, tilts;
  unit_axis<T> axis{}; ///< without the tables

  [[nodiscard]] unit_axis<T> at(complex<T> const* of_factors, complex<T> const* of_turns,
                                complex<T> const* of_tilts) const {
    unit_axis<T> placed = axis;
    placed.factors = of_factors;
    placed.turns = turns.empty() ? nullptr : of_turns;
    placed.tilts = tilts.empty() ? nullptr : of_tilts;
    return placed;
  }
};

/// The first of the two frequencies that a thread of a paired line has as number i, when arranged.
/// Each radix / 2 of them are a butterfly's.
template <class Line>
int frequency_of(int rank, int i) {
  constexpr int half = Line::last_radix / 2;
  int const c = i / half;
  return Line{nullptr, nullptr, rank}.frequency(c / Line::butterflies, c % Line::butterflies) +
         i % half * Line::last_stride;
}

template <class Core>
auto unit_tables_of(axis_plan const& of) {
  using shape = typename Core::shape;
  using T = typename shape::number;
  constexpr int n = shape::length;
  unit_tables<T> made;
  made.factors = factors_of<T, typename shape::digits>();
  auto& axis = made.axis;
  bool const alternates = is_fourth_type(of) ? !is_sine(of) : is_sine(of) && !is_third_type(of);
  axis.odd = alternates ? T(-1) : T(1);
  axis.is_reversed = is_sine(of) && (is_first_type(of) || is_third_type(of));
  if constexpr (Core::is_pruned) {
    for (int const power : {1, 4})
      append_roots(made.tilts, shape::line_length / 2 + 1, power, 2. * n);
  } else {
    using unit = typename Core::unit_type;
    auto const each = [&](int count, auto use) {
      for (int c = 0; c < count; ++c)
        for (int rank = 0; rank < shape::per_line; ++rank) use(unit{nullptr, nullptr, rank}, c);
    };
    if (of.forward != transform::fourier)
      each(2 * unit::points / unit::last_radix, [&](unit const& one, int c) {
        int const k = frequency_of<unit>(one.rank, c * unit::last_radix / 2);
        append_root(made.turns, 2 * k + unit::shift, 8. * n);
      });
    if (is_fourth_type(of))
      each(2, [&](unit const& one, int side) {
        append_root(made.tilts, one.template first<0>(side), 2. * n);
      });
  }
  return made;
}

/// For a thread's numbers, in the order in which it divides them.
template <class Core>
auto along_of(axis_plan const& of, double divisor) {
  using shape = typename Core::shape;
  using T = typename shape::number;
  using unit = typename Core::unit_type;
  constexpr int n = shape::length, points = shape::points, radix = unit::last_radix;
  std::vector<complex<T>> all;
  for (int i = 0; i < points; ++i)
    for (int rank = 0; rank < shape::per_line; ++rank) {
      if constexpr (Core::is_pruned) {
        unit const one{nullptr, nullptr, rank};
        auto const number = [&](int side) {
          return one.frequency(side, i / radix) + i % radix * (2 * n / radix);
        };
        append_eigenvalues(all, of, number(0), number(1), divisor);
      } else {
        constexpr int shift = unit::shift;
        unit const one{nullptr, nullptr, rank};
        if constexpr (Core::is_third) {
          constexpr int by = shape::digits::stride(0);
          append_eigenvalues(all, of, one.template first<0>(0) + i * by,
                             one.template first<0>(1) + i * by, divisor);
        } else {
          int const k = frequency_of<unit>(rank, i);
          bool const is_own = k == 0 && shift == 0;
          append_eigenvalues(all, of, k, is_own ? n / 2 : n - shift - k, divisor);
        }
      }
    }
  return all;
}

/// Tables of the lines of one axis.
template <class Core>
auto packed_tables_of(axis_plan const& of) {
  if constexpr (Core::is_pruned) return unit_tables_of<Core>(of);
  else {
    using shape = typename Core::shape;
    using T = typename shape::number;
    using unit = typename Core::unit_type;
    constexpr int m = shape::length, radix = Core::radix;
    unit_tables<T> made;
    made.factors = factors_of<T, typename shape::digits>();
    made.axis.odd = is_sine(of) && !Core::is_third ? T(-1) : T(1);
    made.axis.is_reversed = is_sine(of) && Core::is_third;
    for (int c = 0; c < 2 * unit::butterflies; ++c)
      for (int rank = 0; rank < shape::per_line; ++rank) {
        int const k = frequency_of<unit>(rank, c * radix / 2);
        if (Core::is_tilted) append_root(made.turns, 8 * k + 1, 32. * m);
        else append_root(made.turns, k, 2. * m);
        if (Core::is_rotated) append_root(made.tilts, k, 8. * m);
      }
    if (Core::is_rotated) append_roots(made.tilts, radix / 2, 1, 8. * radix);
    for (int side = 0; side < 2 && Core::is_tilted; ++side)
      for (int rank = 0; rank < shape::per_line; ++rank) {
        int const j = unit{nullptr, nullptr, rank}.template first<0>(side);
        append_root(made.tilts, 8 * j + 1, 32. * m);
      }
    return made;
  }
}
/// The two modes that a thread of a packed line has as number n of its table, as unit_eigenvalue
/// counts. Periodic lines: frequencies k and m - k; type 2: k and 2 m - k; from number `points` on
/// those of the middle, of type 2 also m - k and m + k. Type 3: those of z_j. Type 4: those of
/// frequency k.
template <class Core>
std::pair<int, int> packed_modes(int rank, int n) {
  using unit = typename Core::unit_type;
  constexpr int m = Core::length, points = Core::points;
  unit const one{nullptr, nullptr, rank};
  int const half = n / points, i = n % points;
  if constexpr (Core::is_third) {
    int const j = one.template first<0>(half) + i * unit::digits::stride(0);
    return {2 * j, 2 * j + 1};
  } else if constexpr (Core::is_tilted) {
    int const k = one.frequency(half, i / Core::radix) + i % Core::radix * Core::stride;
    return {2 * k, 2 * m - 1 - 2 * k};
  } else {
    int const k = frequency_of<unit>(rank, i);
    if (k == 0) return half == 0 ? std::pair{0, m} : std::pair{m / 2, m + m / 2};
    if (!Core::is_rotated) return {k, m - k};
    return half == 0 ? std::pair{k, 2 * m - k} : std::pair{m - k, m + k};
  }
}
/// By [number][thread].
template <class Core>
auto packed_along_of(axis_plan const& of, double divisor) {
  if constexpr (Core::is_pruned) return along_of<Core>(of, divisor);
  else {
    using T = typename Core::T;
    std::vector<complex<T>> all;
    for (int n = 0; n < (Core::is_periodic ? Core::points + 1 : 2 * Core::points); ++n)
      for (int rank = 0; rank < Core::shape::per_line; ++rank) {
        auto const [first, second] = packed_modes<Core>(rank, n);
        append_eigenvalues(all, of, first, second, divisor);
      }
    return all;
  }
}

/// Tables and facts that a launcher needs for an axis whose modes it divides.
template <class T>
struct divided_axis {
  unit_tables<T> tables;
  std::vector<complex<T>> along;
  int per_line; ///< threads
};
template <class Core>
divided_axis<typename Core::T> divided_axis_of(axis_plan const& of, double divisor) {
  return {unit_tables_of<Core>(of), along_of<Core>(of, divisor), Core::shape::per_line};
}
/// What a launcher needs for an axis across planes, where nothing is divided.
template <class Core>
divided_axis<typename Core::T> depth_axis_of() {
  using shape = typename Core::shape;
  return {
      {.factors = factors_of<typename Core::T, typename shape::digits>(), .turns = {}, .tilts = {}},
      {},
      shape::per_line};
}

/// The pass of a core whose threads take rows one by one: neighbours have those of a tile, where
/// others have pairs of them.
template <class Pass>
Pass by_single_rows(Pass pass, int per_line) {
  pass.beside_log2 = std::min(pass.tile_log2, std::countr_zero(static_cast<unsigned>(per_line)));
  return pass;
}

} // namespace warpfold::inline v0::poisson
