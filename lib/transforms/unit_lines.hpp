#pragma once
// Transforms of contiguous lines whose complex transforms are powers of two, by the cores of
// Poisson's solver, in the registers of a block.
//
// Except for type I, a line of N = 2 M numbers is M complex ones (packed.hpp). X is the Fourier
// transform of the line; for types II and III of its even points, then its odd ones backwards. With
// F = c_k X_k, modes k and N - k are
//   re F - mixed im F and turned im F + mixed re F,
// where c_k = exp(-i pi k / 2 N) for types II and III, and 1 for periodic kinds. F of M - k gives
// modes M - k and M + k. So tables alone tell these kinds apart. Type IV has a core of its own.
// Type I: two lines are one pruned unit (pruned.hpp).

#include "poisson/engine/pruned.hpp"
#include "poisson/engine/single/packed.hpp"

#include <cstddef>

namespace warpfold::inline v0::transforms {

/// Constants of a transform. The scale is in the tables, too.
template <class T>
struct unit_maps {
  bool is_folded;               ///< II and III: even points come first, then odd ones backwards
  T mixed, turned;              ///< coefficients of the modes, see the top
  poisson::complex<T> opposite; ///< c_(M-k) c_k, as c_M is
  poisson::complex<T> middle;   ///< 2 c_(M/2) times the scale
  T first, last;                ///< what modes 0 and M are multiplied by
  T scale, ends_in, ends_out;   ///< I: factors of modes, and of points and modes at both ends
};

template <class T>
struct unit_pass {
  poisson::unit_axis<T> axis;
  T const* in;
  T* out; ///< may be in
  unsigned lines;
  int points;     ///< of a line
  unsigned ahead; ///< L2 prefetch distance in lines; 0 disables it
  unit_maps<T> maps;
};

/// A packed line. Core is a packed_core of kind second, which transforms periodic lines as well, or
/// fourth.
template <class Core>
struct packed_transform {
  using T = typename Core::T;
  using complex = poisson::complex<T>;
  static constexpr int length = Core::length;

  Core& core;
  unit_maps<T> const& maps;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_points(T const* line, bool is_aligned) {
    if (Core::is_tilted || maps.is_folded) return core.load(line, is_aligned);
    core.unit.each_point(core.v, [&](int p, complex& a, complex& b) {
      a = poisson::load_once<true>(line + 2 * p, is_aligned);
      b = poisson::load_once<true>(line + 2 * (length - 1 - p), is_aligned);
    });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_points(T* line, bool is_aligned) {
    if (maps.is_folded) return core.store(line, is_aligned, T(0));
    core.unit.each_point(core.v, [&](int p, complex a, complex b) {
      poisson::store_once<true>(line + 2 * p, a, is_aligned);
      poisson::store_once<true>(line + 2 * (length - 1 - p), b, is_aligned);
    });
  }

  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forward(Block const& block) {
    Core::transform::forward(block, core.unit, core.v);
    if constexpr (Core::is_tilted) {
      core.each_turned([](int, complex& z, complex turn) { z = turn * z; });
    } else {
      core.unit.arrange(core.v);
      core.each_pair([&](typename Core::pair const& at, complex& a, complex& b) {
        if (at.is_own) {
          T const sum = a.re + a.im, difference = a.re - a.im;
          a = {maps.first * sum, maps.last * difference};
          b = modes_of(maps.middle * conj(b));
          return;
        }
        auto const turn = at.turn(core.axis);
        auto const [x, y] = Core::split(a, b, at.root());
        a = modes_of(turn * x);
        b = modes_of(maps.opposite * conj(turn) * conj(y));
      });
    }
  }
  /// Undoes that, but for a factor.
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void inverse(Block const& block) {
    core.each_pair([&](typename Core::pair const& at, complex& a, complex& b) {
      if (at.is_own) {
        T const first = maps.first * a.re, last = maps.last * a.im;
        a = {first + last, first - last};
        b = maps.middle * conj(frequency_of(b));
        return;
      }
      auto const turn = at.turn(core.axis);
      Core::join(conj(turn) * frequency_of(a), maps.opposite * conj(turn) * conj(frequency_of(b)),
                 at.root(), a, b);
    });
    core.unit.restore(core.v);
    Core::transform::inverse(block, core.unit, core.v);
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_modes(T const* line) {
    core.each_mode([&](int at, T& mode) { mode = poisson::load_once<true>(line + at); });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_modes(T* line, bool is_aligned) {
    if constexpr (Core::is_tilted) store_turned(line, is_aligned);
    else core.each_mode([&](int at, T mode) { poisson::store_once<true>(line + at, mode); });
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex modes_of(complex f) const {
    return {f.re - maps.mixed * f.im, maps.turned * f.im + maps.mixed * f.re};
  }
  /// Undoes modes_of where modes are not mixed.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex frequency_of(complex modes) const {
    return {modes.re, maps.turned * modes.im};
  }
  /// IV: frequency k has modes 2 k and N - 1 - 2 k, of sines from the end.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_turned(T* line, bool is_aligned) {
    constexpr int radix = Core::radix;
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * Core::butterflies; ++c) {
      int const side = c / Core::butterflies, begin = c % Core::butterflies * radix;
      int const first = core.unit.frequency(side, c % Core::butterflies);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i) {
        int const k = first + i * Core::stride;
        complex const a = core.v[side][begin + i], b = core.v[1 - side][begin + radix - 1 - i];
        complex low{a.re, -b.im}, high{b.re, -a.im};
        if (core.axis.is_reversed) {
          low = {-a.im, b.re};
          high = {-b.im, a.re};
        }
        poisson::store_once<true>(line + 2 * k, low, is_aligned);
        poisson::store_once<true>(line + 2 * (length - 1 - k), high, is_aligned);
      }
    }
  }
};

/// Two lines of type I as one complex one, whose places are numbers: points from GPU memory, and
/// modes to shared memory, since those of neighbouring threads lie far apart.
template <class Core>
struct paired_lines {
  using T = typename Core::T;
  using complex = poisson::complex<T>;
  static constexpr bool has_slots = false;
  T const* in;
  std::size_t second; ///< from a line to the other one; 0 if it is alone
  complex* modes;     ///< in shared memory, by padded(place)
  int last;           ///< the place of an end, as 0 is; -1 without ends
  unit_maps<T> const& maps;

  WARPFOLD_HOST_DEVICE static int at(int x) { return x; }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex get(int from, int j) const {
    int const x = from + j * By;
    complex const points{poisson::load_once<false>(in + x),
                         poisson::load_once<false>(in + second + x)};
    return is_end(x) ? maps.ends_in * points : points;
  }
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(int to, int j, complex mode) const {
    int const x = to + j * By;
    modes[padded(x)] = (is_end(x) ? maps.ends_out : maps.scale) * mode;
  }
  /// Writes the thread's share of all modes.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void write(T* out, int points, int rank) const {
    for (int x = rank; x < points; x += Core::shape::per_line) {
      complex const mode = modes[padded(x)];
      poisson::store_once<false>(out + x, mode.re);
      if (second != 0) poisson::store_once<false>(out + second + x, mode.im);
    }
  }

  /// Neighbouring threads' modes are 2 P apart in lines of two stages, 2 P^2 in those of three.
  WARPFOLD_HOST_DEVICE static constexpr int padded(int x) {
    constexpr int gap = 2 * Core::points;
    return x + x / gap + x / (gap * Core::points);
  }

private:
  WARPFOLD_HOST_DEVICE bool is_end(int x) const { return x == last || (x == 0 && last >= 0); }
};

/// Lines that a unit of the core has.
template <class Core>
inline constexpr unsigned lines_of_unit = Core::is_pruned ? 2 : 1;

/// Lines first ... first + units * lines_of_unit - 1; Inverse: from modes to points.
template <class Core, bool Inverse, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
transform_units(Block const& block, unit_pass<T> const& pass, unsigned first,
                poisson::complex<T>* shared) {
  using shape = typename Core::shape;
  constexpr unsigned each = lines_of_unit<Core>, all = each * shape::units;
  int const thread = block.thread_rank(), local = thread / shape::per_line;
  Core core{pass.axis, shared + local * shape::line, thread % shape::per_line};
  unsigned line = first + each * static_cast<unsigned>(local);
  bool const is_there = line < pass.lines;
  if (!is_there) line = pass.lines - 1;
  auto const points = static_cast<std::size_t>(pass.points);
  T const* const in = pass.in + line * points;
  T* const out = pass.out + line * points;

  block.wait_for_previous_grid();
  auto const fetch = [&] {
    unsigned const later = first + pass.ahead;
    if (thread == 0 && pass.ahead != 0 && later + all <= pass.lines)
      block.prefetch(pass.in + later * points,
                     static_cast<unsigned>(sizeof(T) * points * all) / 16 * 16);
  };
  unit_maps<T> const& maps = pass.maps;
  if constexpr (Core::is_pruned) {
    std::size_t const second = is_there && line + 1 < pass.lines ? points : 0;
    int const last = pass.axis.is_reversed ? -1 : pass.points - 1;
    static_assert(paired_lines<Core>::padded(Core::length) < shape::line);
    paired_lines<Core> const both{in, second, core.unit.shared, last, maps};
    core.load_points(both);
    fetch();
    core.forward(block);
    block.sync();
    core.store_modes(both);
    block.sync();
    if (is_there) both.write(out, pass.points, core.unit.rank);
  } else {
    packed_transform<Core> of{core, maps};
    bool const reads_fours = poisson::are_aligned(pass.in, points),
               writes_fours = poisson::are_aligned(pass.out, points);
    if constexpr (Inverse) of.load_modes(in);
    else of.load_points(in, reads_fours);
    fetch();
    if constexpr (Inverse) of.inverse(block);
    else of.forward(block);
    if (!is_there) return;
    if constexpr (Inverse) of.store_points(out, writes_fours);
    else of.store_modes(out, writes_fours);
  }
}

} // namespace warpfold::inline v0::transforms
