#pragma once
// A unit of one real line of N = 2 M numbers, as M complex ones: problems of one axis in one pass,
// but for type 1 (lone.hpp).
//
// Periodic and type 2. Numbers 2 j and 2 j + 1 of a line are the complex number z_j; of type 2 the
// even ones come first, then the odd ones backwards (J. Makhoul, A fast cosine transform in one and
// two dimensions, 1980). With Z the Fourier transform of z, E = Z_k + conj(Z_(M - k)) and
// O = -i exp(-i pi k / M) (Z_k - conj(Z_(M - k))), the line's own frequencies are X_k = (E + O) / 2
// and X_(M - k) = conj(E - O) / 2 (J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier
// transform algorithm: programming considerations in the calculation of sine, cosine and Laplace
// transforms, 1970). For type 2 the modes k and N - k are the real and the negated imaginary part
// of exp(-i pi k / 2 N) X_k.
//
// Type 3 undoes type 2: its points are the modes of type 2, and its modes are the points.
//
// Type 4. With z_j = x_2j + i x_(N - 1 - 2j) and u_j = exp(-i pi (j + 1 / 8) / N), the modes 2 k
// and N - 1 - 2 k are the real and the negated imaginary part of u_k times frequency k of u_j z_j.

#include "poisson/engine/axis.hpp"
#include "poisson/engine/division.hpp"
#include "poisson/engine/once.hpp"
#include "poisson/engine/paired_line.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// The lines of one pass, one a right-hand side, packed or lone.
template <class T>
struct packed_pass {
  unit_axis<T> axis;
  unit_symbol<T> symbol; ///< `across` is null
  T const* in;
  T* out;               ///< may be `in`
  std::size_t from, to; ///< distances between lines of `in` and of `out`
  unsigned lines;
  unsigned ahead;         ///< L2 prefetch distance in lines of dense fields; 0 disables it
  bool fixes_first_point; ///< subtracts the first number of a solution from it
};

/// Shape is that of paired units.
template <class Shape>
struct packed_core {
  using shape = Shape;
  using T = typename Shape::number;
  using unit_type = paired_line<Shape>;
  using transform = transform_of<unit_type>;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr int radix = unit_type::last_radix, stride = unit_type::last_stride;
  static constexpr int butterflies = unit_type::butterflies;
  static constexpr int fetched = 2 * length; ///< numbers of a line that are prefetched
  static constexpr bool is_folded = unit_type::is_folded, is_tilted = unit_type::tilted;
  static constexpr bool is_pruned = false, is_third = Shape::kind == unit_kind::third;
  static constexpr bool is_periodic = Shape::kind == unit_kind::fourier;
  /// Types 2 and 3: rotated frequencies are modes.
  static constexpr bool is_rotated = Shape::kind == unit_kind::second || is_third;
  /// False if no problem of this kind leaves a constant open.
  static constexpr bool has_constant = is_periodic || Shape::kind == unit_kind::second;

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[2][points];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE packed_core(unit_axis<T> const& of,
                                                          complex<T>* shared, int rank)
      : unit{.factors = of.factors, .shared = shared, .rank = rank, .tilts = of.tilts}, axis{of} {}

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load(T const* line, bool is_aligned) {
    if constexpr (is_third) each_mode([&](int at, T& mode) { mode = load_once<true>(line + at); });
    else if constexpr (unit_type::digits::is_wide(0))
      unit.each_single(
          v, [&](int p, complex<T>& z) { z = load_once<true>(line + 2 * p, is_aligned); });
    else if constexpr (is_tilted) {
      unit.each_point(v, [&](int p, complex<T>& a, complex<T>& b) {
        auto const low = load_once<true>(line + 2 * p, is_aligned),
                   high = load_once<true>(line + 2 * (length - 1 - p), is_aligned);
        a = {low.re, axis.odd * high.im};
        b = {high.re, axis.odd * low.im};
      });
      tilt<false>();
    } else
      unit.each_point(v, [&](int p, complex<T>& a, complex<T>& b) {
        complex<T> first, second;
        load_four<true>(line + 4 * p, is_aligned, first, second);
        if constexpr (is_folded) {
          a = {first.re, second.re};
          b = axis.odd * complex<T>{second.im, first.im};
        } else {
          a = first;
          b = second;
        }
      });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store(T* line, bool is_aligned, T less) {
    complex<T> const both{less, less};
    if constexpr (is_third) each_mode([&](int at, T mode) { store_once<true>(line + at, mode); });
    else if constexpr (unit_type::digits::is_wide(0))
      unit.each_single(
          v, [&](int p, complex<T> z) { store_once<true>(line + 2 * p, z - both, is_aligned); });
    else if constexpr (is_tilted) {
      tilt<true>();
      unit.each_point(v, [&](int p, complex<T> a, complex<T> b) {
        complex<T> const low{a.re, axis.odd * b.im}, high{b.re, axis.odd * a.im};
        store_once<true>(line + 2 * p, low, is_aligned);
        store_once<true>(line + 2 * (length - 1 - p), high, is_aligned);
      });
    } else
      unit.each_point(v, [&](int p, complex<T> a, complex<T> b) {
        complex<T> first = a, second = b;
        if constexpr (is_folded) {
          complex<T> const odd = axis.odd * b;
          first = {a.re, odd.im};
          second = {a.im, odd.re};
        }
        store_four<true>(line + 4 * p, first - both, second - both, is_aligned);
      });
  }

  /// Points to those of the solution. `shift` is lambda in the symbol's unit; `removes`: the first
  /// mode is a mean, and goes.
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void solve(Block const& block,
                                                         unit_symbol<T> const& symbol, T shift,
                                                         bool removes, std::size_t entry) {
    if constexpr (is_third) {
      to_frequencies();
      unit.restore(v);
      transform::inverse(block, unit, v);
      unit.forget_tables();
      divide_numbers(symbol, shift, entry);
      transform::forward(block, unit, v);
      unit.arrange(v);
      to_modes();
    } else if constexpr (is_tilted) {
      transform::forward(block, unit, v);
      unit.forget_tables();
      forget(unit.rank);
      divide_turned(symbol, shift, entry);
      transform::inverse(block, unit, v);
    } else {
      transform::forward(block, unit, v);
      unit.forget_tables();
      forget(unit.rank);
      unit.arrange(v);
      divide(symbol, shift, removes, entry);
      unit.restore(v);
      transform::inverse(block, unit, v);
    }
  }

  /// Z_k and Z_(M - k) to 2 X_k and 2 conj(X_(M - k)); w = exp(-i pi k / M).
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static two<T> split(complex<T> a, complex<T> b,
                                                                  complex<T> w) {
    auto const odd = quarter_turned<false>(w * (a - conj(b)));
    return {a + conj(b) + odd, a + conj(b) - odd};
  }
  /// Undoes split, times 4.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void
  join(complex<T> x, complex<T> y, complex<T> w, complex<T>& a, complex<T>& b) {
    auto const sum = x + y, difference = quarter_turned<true>(conj(w) * (x - y));
    a = sum + difference;
    b = conj(sum - difference);
  }

  /// Frequencies k and M - k; or, if is_own, 0 and M / 2.
  struct pair {
    int number, i; ///< of a thread's, and of its butterfly's
    int k;
    bool is_own;
    complex<T> first, rotation; ///< of i = 0

    /// exp(-i pi k / M)
    WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> root() const {
      return i == 0 ? first : first * half_turn<T>(i, radix);
    }
    /// exp(-i pi k / 4 M), if is_rotated.
    WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> turn(unit_axis<T> const& axis) const {
      if (i == 0) return rotation;
      return rotation * load_constant(axis.tilts + 2 * butterflies * Shape::per_line + i);
    }
  };
  /// Calls use(pair, Z_k, Z_(M - k)) for all of them, arranged.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_pair(Use use) {
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * butterflies; ++c) {
      int const side = c / butterflies, begin = c % butterflies * radix;
      auto const first = load_constant(axis.turns + c * Shape::per_line + unit.rank);
      complex<T> rotation{1, 0};
      if constexpr (is_rotated)
        rotation = load_constant(axis.tilts + c * Shape::per_line + unit.rank);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i)
        use(pair{c * (radix / 2) + i, i, unit.frequency(side, c % butterflies) + i * stride,
                 c == 0 && i == 0 && unit.has_own(), first, rotation},
            v[side][begin + i], v[1 - side][begin + radix - 1 - i]);
    }
  }

  /// Type 4: calls use(number, frequency, what makes two modes of it).
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_turned(Use use) {
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * butterflies; ++c) {
      auto const first = load_constant(axis.turns + c * Shape::per_line + unit.rank);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix; ++i) {
        int const n = c * radix + i;
        use(n, v[n / points][n % points], i == 0 ? first : first * half_turn<T>(i, 2 * radix));
      }
    }
  }
  /// Calls use(where, mode) for modes of type 2, which are the points of type 3: of the frequencies
  /// k and M - k, arranged, modes k and N - k, then M - k and M + k.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_mode(Use use) {
    // Known when a kernel runs: two loops would make its code twice as long.
    int const begin = axis.is_reversed ? 2 * length - 1 : 0;
    int step = axis.is_reversed ? -1 : 1;
    // In double nvcc 13.0 selected its multiples by a predicate that held a carry meanwhile. Floats
    // would keep more in local memory so.
    if constexpr (sizeof(T) == 8) forget(step);
    WARPFOLD_UNROLL
    for (int c = 0; c < 2 * butterflies; ++c) {
      int const side = c / butterflies, b = c % butterflies;
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i) {
        int const k = unit.frequency(side, b) + i * stride;
        // Frequency 0 has modes 0 and M, and M / 2 those that remain.
        bool const is_own = c == 0 && i == 0 && unit.has_own();
        auto &low = v[side][b * radix + i], &high = v[1 - side][b * radix + radix - 1 - i];
        use(begin + step * k, low.re);
        use(begin + step * (is_own ? length : 2 * length - k), low.im);
        use(begin + step * (is_own ? length / 2 : length - k), high.re);
        use(begin + step * (is_own ? length + length / 2 : length + k), high.im);
      }
    }
  }

private:
  static constexpr T root_2 = T(1.4142135623730950488);
  /// exp(-i pi / 8), of frequency M / 2.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static complex<T> middle_turn() {
    return {T(0.92387953251128675613), T(-0.38268343236508977173)};
  }

  /// `scale` over the divisors of the two modes that the thread has as number n of its table.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>
  quotients(T scale, unit_symbol<T> const& symbol, int n, T shift) const {
    auto const two = load_constant(symbol.along + n * Shape::per_line + unit.rank);
    return {quotient(scale, two.re - shift), quotient(scale, two.im - shift)};
  }
  /// Frequencies, arranged, to those of the solution, times 4.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide(unit_symbol<T> const& symbol, T shift,
                                                          bool removes, std::size_t entry) {
    auto const along = [&](int n) { return quotients(T(1), symbol, n, shift); };
    each_pair([&](pair const& at, complex<T>& a, complex<T>& b) {
      auto const of_x = along(at.number);
      if (at.is_own) return divide_own(symbol, of_x, along(points), a, b, removes, entry);
      auto const w = at.root();
      auto [x, y] = split(a, b, w);
      if constexpr (is_rotated) {
        auto const turn = at.turn(axis);
        x = divided(x, turn, of_x);
        y = divided(y, eighth_turned<true>(turn), along(points + at.number));
      } else {
        x = of_x.re * x;
        y = of_x.im * y;
      }
      join(x, y, w, a, b);
    });
  }
  /// Frequencies 0 and M, both in `a`, and M / 2.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  divide_own(unit_symbol<T> const& symbol, complex<T> by, complex<T> by_middle, complex<T>& a,
             complex<T>& b, bool removes, std::size_t entry) const {
    T const first = a.re + a.im, last = by.im * (a.re - a.im);
    if (symbol.removed_mean)
      symbol.removed_mean[entry] = removes ? symbol.mean_scale * 2 * first : T(0);
    T const kept = removes ? T(0) : by.re * first;
    a = {2 * (kept + last), 2 * (kept - last)};
    if constexpr (is_rotated) b = T(4) * conj(divided(conj(b), middle_turn(), by_middle));
    else b = T(4) * by_middle.re * b;
  }
  /// As divide, of type 4.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide_turned(unit_symbol<T> const& symbol,
                                                                 T shift, std::size_t entry) {
    remove_nothing(symbol, entry);
    each_turned([&](int n, complex<T>& z, complex<T> turn) {
      z = divided(z, turn, quotients(T(4), symbol, n, shift));
    });
  }
  /// For types 3 and 4, of which no problem is singular.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void remove_nothing(unit_symbol<T> const& symbol,
                                                                  std::size_t entry) const {
    if (symbol.removed_mean && unit.rank == 0) symbol.removed_mean[entry] = T(0);
  }
  /// The numbers of a line of type 3 between its transforms are its modes.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide_numbers(unit_symbol<T> const& symbol,
                                                                  T shift, std::size_t entry) {
    remove_nothing(symbol, entry);
    WARPFOLD_UNROLL
    for (int n = 0; n < 2 * points; ++n) {
      auto& z = v[n / points][n % points];
      auto const by = quotients(T(1), symbol, n, shift);
      z = {by.re * z.re, by.im * z.im};
    }
  }

  /// Type 3's points, as each_mode has them, to frequencies, arranged; with to_modes: times 4.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_frequencies() {
    each_pair([&](pair const& at, complex<T>& a, complex<T>& b) {
      if (at.is_own) {
        a = {a.re + root_2 * a.im, a.re - root_2 * a.im};
        b = T(2) * (middle_turn() * b);
        return;
      }
      auto const turn = at.turn(axis);
      join(conj(turn) * conj(a), conj(eighth_turned<true>(turn)) * b, at.root(), a, b);
    });
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void to_modes() {
    each_pair([&](pair const& at, complex<T>& a, complex<T>& b) {
      if (at.is_own) {
        a = {2 * (a.re + a.im), root_2 * (a.re - a.im)};
        b = T(2) * conj(middle_turn() * conj(b));
        return;
      }
      auto const turn = at.turn(axis);
      auto const [x, y] = split(a, b, at.root());
      a = conj(turn * x);
      b = eighth_turned<true>(turn) * y;
    });
  }

  /// The modes of a frequency of types 2 and 4, turned and turned back.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static complex<T>
  divided(complex<T> x, complex<T> turn, complex<T> by) {
    auto const modes = turn * x;
    return conj(turn) * complex<T>{by.re * modes.re, by.im * modes.im};
  }
  /// Type 4's u_j but for that of a half's first number, which the factors have.
  template <bool Back>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void tilt() {
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side) {
      WARPFOLD_UNROLL
      for (int j = 1; j < points; ++j)
        v[side][j] = turned<Back>(v[side][j], half_turn<T>(j, 2 * points));
    }
  }
};

/// True if lines at this distance can be accessed 16 bytes at a time.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool are_aligned(T const* lines, std::size_t distance) {
  return (reinterpret_cast<std::uintptr_t>(lines) | (distance * sizeof(T))) % 16 == 0;
}

/// Lines first ... first + units - 1.
template <class Core, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
solve_lines(Block const& block, packed_pass<T> const& pass, unsigned first, complex<T>* shared) {
  using shape = typename Core::shape;
  int const thread = block.thread_rank(), local = thread / shape::per_line;
  Core core{pass.axis, shared + local * shape::line, thread % shape::per_line};
  unsigned line = first + static_cast<unsigned>(local);
  bool const is_there = line < pass.lines;
  if (!is_there) line = pass.lines - 1;

  block.wait_for_previous_grid();
  core.load(pass.in + line * pass.from, are_aligned(pass.in, pass.from));
  unsigned const later = first + pass.ahead;
  if (thread == 0 && pass.ahead != 0 && later + shape::units <= pass.lines)
    block.prefetch(pass.in + later * pass.from,
                   static_cast<unsigned>(sizeof(T) * Core::fetched * shape::units) / 16 * 16);
  T const lambda = pass.symbol.lambda.of(line);
  core.solve(block, pass.symbol, lambda * pass.symbol.lambda_unit,
             lambda == 0 && pass.symbol.mean_scale != 0, line);
  T less = 0;
  if constexpr (Core::has_constant)
    if (pass.fixes_first_point) {
      // Rank 0 alone has read shared[0]: it needs no barrier before it writes it.
      if (core.unit.rank == 0) core.unit.shared[0] = core.v[0][0];
      block.sync();
      less = core.unit.shared[0].re;
    }
  if (is_there) core.store(pass.out + line * pass.to, are_aligned(pass.out, pass.to), less);
}

} // namespace warpfold::inline v0::poisson
