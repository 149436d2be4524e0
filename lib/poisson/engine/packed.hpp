#pragma once
// A unit of one real line of 2 * length numbers, which are complex ones two by two: problems of one
// axis, periodic or of type 2, in one pass.
//
// A line has N = 2 M numbers (type 2: the even ones, then the odd ones backwards: J. Makhoul, A
// fast cosine transform in one and two dimensions, 1980); numbers 2 j and 2 j + 1 are the complex
// number z_j. With Z their Fourier transform, E = Z_k + conj(Z_(M - k)) and
// O = -i exp(-i pi k / M) (Z_k - conj(Z_(M - k))), the line's own frequencies are X_k = (E + O) / 2
// and X_(M - k) = conj(E - O) / 2 (J. W. Cooley, P. A. W. Lewis, P. D. Welch, The fast Fourier
// transform algorithm: programming considerations in the calculation of sine, cosine and Laplace
// transforms, 1970). For type 2 the modes k and N - k are the real and the negated imaginary part
// of exp(-i pi k / 2 N) X_k.

#include "axis.hpp"
#include "division.hpp"
#include "once.hpp"
#include "paired_line.hpp"

#include <cstddef>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// The lines of one pass, one a right-hand side.
template <class T>
struct packed_pass {
  unit_axis<T> axis;
  unit_symbol<T> symbol; ///< `across` is null
  T const* in;
  T* out;               ///< may be `in`
  std::size_t from, to; ///< distances between lines of `in` and of `out`
  unsigned lines;
  unsigned ahead;         ///< L2 prefetch distance in lines; 0 disables it
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
  static constexpr int radix = unit_type::last_radix;
  static constexpr bool is_folded = unit_type::is_folded, is_pruned = false, is_third = false;
  static constexpr bool is_periodic = Shape::kind == unit_kind::fourier;
  static_assert(!unit_type::tilted);

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[2][points];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE packed_core(unit_axis<T> const& of,
                                                          complex<T>* shared, int rank)
      : unit{.factors = of.factors, .shared = shared, .rank = rank}, axis{of} {}

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load(T const* line, bool is_aligned) {
    if constexpr (unit_type::digits::is_wide(0))
      unit.each_single(
          v, [&](int p, complex<T>& z) { z = load_once<true>(line + 2 * p, is_aligned); });
    else
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
    if constexpr (unit_type::digits::is_wide(0))
      unit.each_single(
          v, [&](int p, complex<T> z) { store_once<true>(line + 2 * p, z - both, is_aligned); });
    else
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

  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forward(Block const& block) {
    transform::forward(block, unit, v);
    unit.arrange(v);
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void inverse(Block const& block) {
    unit.restore(v);
    transform::inverse(block, unit, v);
  }

  /// Frequencies to those of the solution, times 4. `shift` is lambda in the symbol's unit;
  /// `removes`: the first mode is a mean, and goes.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide(unit_symbol<T> const& symbol, T shift,
                                                          bool removes, std::size_t entry) {
    auto const along = [&](int n) {
      auto const two = load_constant(symbol.along + n * Shape::per_line + unit.rank);
      return complex<T>{quotient(T(1), two.re - shift), quotient(T(1), two.im - shift)};
    };
    WARPFOLD_UNROLL
    for (int c = 0; c < points / radix * 2; ++c) {
      int const side = c / (points / radix), begin = c % (points / radix) * radix;
      auto const first = load_constant(axis.turns + c * Shape::per_line + unit.rank);
      complex<T> rotation{1, 0};
      if constexpr (is_folded)
        rotation = load_constant(axis.tilts + c * Shape::per_line + unit.rank);
      WARPFOLD_UNROLL
      for (int i = 0; i < radix / 2; ++i) {
        int const n = c * (radix / 2) + i;
        auto &a = v[side][begin + i], &b = v[1 - side][begin + radix - 1 - i];
        auto const of_a = along(n);
        if (n == 0 && unit.has_own()) {
          divide_own(symbol, of_a, along(points), a, b, removes, entry);
          continue;
        }
        auto const w = i == 0 ? first : first * half_turn<T>(i, radix);
        auto const odd = quarter_turned<false>(w * (a - conj(b)));
        auto x = a + conj(b) + odd, y = a + conj(b) - odd;
        if constexpr (is_folded) {
          auto const turn =
              i == 0
                  ? rotation
                  : rotation * load_constant(axis.tilts + 2 * points / radix * Shape::per_line + i);
          x = divided(x, turn, of_a);
          y = divided(y, eighth_turned<true>(turn), along(points + n));
        } else {
          x = of_a.re * x;
          y = of_a.im * y;
        }
        auto const sum = x + y, difference = quarter_turned<true>(conj(w) * (x - y));
        a = sum + difference;
        b = conj(sum - difference);
      }
    }
  }

private:
  /// The modes of a frequency of type 2, turned and turned back.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static complex<T>
  divided(complex<T> x, complex<T> turn, complex<T> by) {
    auto const modes = turn * x;
    return conj(turn) * complex<T>{by.re * modes.re, by.im * modes.im};
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
    if constexpr (is_folded) {
      complex<T> const eighth{T(0.92387953251128675613), T(-0.38268343236508977173)};
      b = T(4) * conj(divided(conj(b), eighth, by_middle));
    } else {
      b = T(4) * by_middle.re * b;
    }
  }
};

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
  auto const is_aligned = [](T const* array, std::size_t distance) {
    return (reinterpret_cast<std::uintptr_t>(array) | (distance * sizeof(T))) % 16 == 0;
  };

  block.wait_for_previous_grid();
  core.load(pass.in + line * pass.from, is_aligned(pass.in, pass.from));
  unsigned const later = first + pass.ahead;
  if (thread == 0 && pass.ahead != 0 && later + shape::units <= pass.lines)
    block.prefetch(pass.in + later * pass.from,
                   static_cast<unsigned>(2 * sizeof(T) * shape::length * shape::units) / 16 * 16);
  T const lambda = pass.symbol.lambda.of(line);
  core.forward(block);
  core.divide(pass.symbol, lambda * pass.symbol.lambda_unit,
              lambda == 0 && pass.symbol.mean_scale != 0, line);
  core.inverse(block);
  T less = 0;
  if (pass.fixes_first_point) {
    // Rank 0 alone has read shared[0]: it needs no barrier before it writes it.
    if (core.unit.rank == 0) core.unit.shared[0] = core.v[0][0];
    block.sync();
    less = core.unit.shared[0].re;
  }
  if (is_there) core.store(pass.out + line * pass.to, is_aligned(pass.out, pass.to), less);
}

} // namespace warpfold::inline v0::poisson
