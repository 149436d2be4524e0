#pragma once
// A unit of type 1: a line of n + 1 points (sines: n - 1, between two that are 0) continued evenly
// (oddly) to 2 n numbers, whose Fourier transform is even (odd). Its first stage, of a radix R of
// twice the points of a thread's half, gives R sums for each of 2 n / R = J numbers; with j come
// those of J - j, and sums r and R - r are each other's mirror images. So R / 2 + 1 transforms of J
// numbers remain of R: 1 + 2 / R of the work of a periodic line. There is no running sum (which
// FFTPACK's cosine transform has), and rounding errors do not grow with it.
//
//   B_r(j) = sum over m < R of x_(j + J m) w_R^(m r), x continued; w_m = exp(-2 pi i / m)
//   y^r_j = w_2n^(j r) B_r(j) and y^r_(J-j) = +-w_2n^(-j r) B_(R-r)(j), j = 0 ... J / 2
//   X_(R k + r) = sum over j < J of y^r_j w_J^(j k), and X_(2n-m) = +-X_m
//
// The inverse goes the same way back. Line r of those transforms has frequencies R k + r; lines 0
// and R / 2 have each twice, but for their mirror images.

#include "axis.hpp"
#include "division.hpp"
#include "memory.hpp"
#include "stages.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// As paired_shape; Length is n.
template <class T, int Length, int Points, int Units, int Beside>
struct pruned_shape {
  using number = T;
  static constexpr unit_kind kind = unit_kind::first;
  static constexpr int length = Length, points = Points, units = Units, beside = Beside;
  static constexpr bool keeps = false;
  static constexpr int lines = Points + 1, line_length = Length / Points;
  static constexpr int per_line = lines * line_length / (2 * Points), threads = per_line * Units;
  static_assert(line_length % (2 * Points) == 0);
  /// A first stage of twice the radix, where the last one would have one of 2 without.
  static constexpr bool is_wide =
      stages<line_length, Points>::radix(stages<line_length, Points>::last) == 2;
  using digits = stages<line_length, Points, is_wide ? 1 : 0>;
  static constexpr int line = line_size<T>(digits::padded(lines * line_length - 1), Beside);
  static constexpr std::size_t shared = sizeof(complex<T>) * line * Units;
};

/// For transform_of: all of the lines are one.
template <class Shape>
struct pruned_unit {
  using number = typename Shape::number;
  static constexpr int length = Shape::line_length, points = Shape::points;
  static constexpr bool keeps = false, tilted = false;
  template <int>
  static constexpr bool shares = false;
  using digits = typename Shape::digits;
  static constexpr int last_radix = digits::radix(digits::last);

  complex<number> const* factors;
  complex<number>* shared;
  int rank;

  WARPFOLD_HOST_DEVICE complex<number>* memory(int) const { return shared; }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int side) const {
    if constexpr (Stage == digits::last) return (rank + side * Shape::per_line) * points;
    else {
      constexpr int apart = digits::stride(Stage);
      constexpr int each = digits::is_wide(Stage) ? 2 * points : points;
      int const u = digits::is_wide(Stage) ? rank : rank + side * Shape::per_line;
      return u / apart * (apart * each) + u % apart;
    }
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE static constexpr int offset(int, int b) {
    return Stage == digits::last ? b * last_radix : 0;
  }
  template <int, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    block.sync();
  }
  /// The frequency of number 0 of the last stage's butterfly b; number i's is i * 2 n / radix
  /// higher.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int frequency(int side, int b) const {
    int const at = first<digits::last>(side) + b * last_radix;
    return 2 * points * digits::frequency(at % length) + at / length;
  }
};

template <class Shape>
struct pruned_core {
  using shape = Shape;
  using T = typename Shape::number;
  using unit_type = pruned_unit<Shape>;
  using transform = transform_of<unit_type>;
  using digits = typename Shape::digits;
  static constexpr bool is_pruned = true, is_third = false, is_periodic = false, takes_two = false;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr int line_length = Shape::line_length, radix = unit_type::last_radix;
  static constexpr int butterflies = points / radix;
  static_assert(radix >= 4);

  unit_type unit;
  unit_axis<T> const& axis;
  complex<T> v[2][points];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE pruned_core(unit_axis<T> const& of,
                                                          complex<T>* shared, int rank)
      : unit{of.factors, shared, rank}, axis{of} {}

  /// Numbers of a line that is not there.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void clear() {
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) v[0][i] = v[1][i] = {0, 0};
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forward(Block const& block) {
    if (has_sums()) {
      big_butterfly<false>();
      each_line([&](int r, complex<T> w, complex<T>& here, complex<T>& mirrored) {
        here = w * sum(r);
        if (is_inner()) mirrored = axis.odd * (conj(w) * sum((2 * points - r) % (2 * points)));
      });
    }
    block.sync();
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side)
      transform::template each<0, false>(unit, side,
                                         [&](int i, complex<T>& at) { v[side][i] = at; });
    transform::forward(block, unit, v);
  }
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void inverse(Block const& block) {
    transform::inverse(block, unit, v);
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side)
      transform::template each<0, false>(unit, side,
                                         [&](int i, complex<T>& at) { at = v[side][i]; });
    block.sync();
    if (!has_sums()) return;
    each_line([&](int r, complex<T> w, complex<T> here, complex<T> mirrored) {
      auto const a = conj(w) * here, b = axis.odd * (w * mirrored);
      // Both are the same sum for lines 0 and R / 2; what they differ by is rounding.
      if (r == 0 || r == points) sum(r) = T(.5) * (a + b);
      else {
        sum(r) = a;
        sum(2 * points - r) = b;
      }
    });
    big_butterfly<true>();
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void touch_tables(complex<T> const* along,
                                                                T& sum) const {
    transform::touch_factors(unit, sum);
    touch(axis.tilts + unit.rank % (line_length / 2 + 1), sum);
    touch(axis.tilts + line_length / 2 + 1 + unit.rank % (line_length / 2 + 1), sum);
    if (along) {
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) touch(along + i * Shape::per_line + unit.rank, sum);
    }
  }

  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_points(Memory const& memory) {
    if (!has_sums()) return;
    each_point(memory, [&](auto from, auto by, int side, int j) {
      bool const is_end = j == 0 && axis.is_reversed && unit.rank == 0;
      complex<T> const x = is_end ? complex<T>{0, 0} : memory.template get<by>(from, j);
      v[side][j] = side == 0 ? x : axis.odd * x;
    });
  }
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_points(Memory const& memory, T less) {
    if (!has_sums()) return;
    complex<T> const both{less, less};
    each_point(memory, [&](auto to, auto by, int side, int j) {
      bool const is_end = j == 0 && axis.is_reversed && unit.rank == 0;
      // The first thread has most points twice, and the last one all.
      bool const is_copy = side == 1 && (unit.rank == line_length / 2 || (j > 0 && unit.rank == 0));
      if (!is_end && !is_copy)
        memory.template put<by>(to, j, (side == 0 ? v[side][j] : axis.odd * v[side][j]) - both);
    });
  }

  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void fetch(Block const& block, Memory const& memory) {
    if (has_sums())
      each_point(memory, [&](auto from, auto by, int, int j) {
        bool const is_end = j == 0 && axis.is_reversed && unit.rank == 0;
        if (!is_end) block.prefetch(memory.template moved<by>(from, j));
      });
  }

  template <detail::thread_block Block, class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void load_modes(Block const&, Memory const& memory) {
    each_mode(memory, [&](auto places, auto by, int i, complex<T>& lower, complex<T>& upper, bool,
                          bool is_end) {
      two<T> const got = is_end ? two<T>{{0, 0}, {0, 0}} : places.template get<by>(memory, i);
      lower = from_mode(got.first);
      upper = from_mode(got.second);
      // The frequency above n of the two stands for its mirror image.
      (i < radix / 4 ? upper : lower) = axis.odd * (i < radix / 4 ? upper : lower);
    });
  }
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void store_modes(Memory const& memory) {
    each_mode(memory, [&](auto places, auto by, int i, complex<T>& lower, complex<T>& upper,
                          bool is_own, bool is_end) {
      auto const a = to_mode(i < radix / 4 ? lower : axis.odd * lower),
                 b = to_mode(i < radix / 4 ? axis.odd * upper : upper);
      if (is_own && !is_end) places.template put<by>(memory, i, {a, b});
    });
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void divide(unit_symbol<T> const& symbol,
                                                          complex<T> across, bool has_first,
                                                          bool removes_first, std::size_t batch) {
    forget(unit.factors);
    // Frequencies of sines are modes over i: the second line's are real.
    if (axis.is_reversed) across = {across.im, across.re};
    auto first = static_cast<std::size_t>(unit.rank);
    forget(first); // and do not load before the registers are there
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      auto const along = load_constant(symbol.along + first + i * Shape::per_line);
      auto &a = v[0][i], &b = v[1][i];
      bool const is_first = i == 0 && has_first && unit.rank == 0;
      bool const removes = is_first && removes_first;
      if (is_first && symbol.removed_mean)
        symbol.removed_mean[batch] = removes ? symbol.mean_scale * a.re : T(0);
      scale_two(a, b, quotients_of<false>(across, along, removes));
      // Sines have no modes 0 and n: zero, but for rounding.
      if (axis.is_reversed && unit.rank == 0 && (i == 0 || i == radix / 2)) a = {0, 0};
    }
  }

private:
  /// True for the threads that have a part in the first stage.
  WARPFOLD_HOST_DEVICE bool has_sums() const { return unit.rank <= line_length / 2; }
  WARPFOLD_HOST_DEVICE bool is_inner() const {
    return unit.rank != 0 && unit.rank != line_length / 2;
  }
  /// The sums of the first stage.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T>& sum(int r) { return v[r % 2][r / 2]; }
  template <bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void big_butterfly() {
    if constexpr (!Inverse) transform::template join<false>(v);
    butterfly<points, Inverse>(v[0]);
    butterfly<points, Inverse>(v[1]);
    if constexpr (Inverse) transform::template join<true>(v);
  }
  /// Calls use(r, w^r, number j of line r, number J - j of it) for all lines.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_line(Use use) {
    complex<T> power[4];
    power[1] = load_constant(axis.tilts + unit.rank);
    complex<T> const fourth = load_constant(axis.tilts + line_length / 2 + 1 + unit.rank);
    power[2] = power[1] * power[1];
    power[3] = power[2] * power[1];
    complex<T> high{1, 0};
    auto* const here = unit.shared + digits::padded(unit.rank);
    auto* const mirrored =
        unit.shared + digits::padded((line_length - unit.rank) & (line_length - 1));
    WARPFOLD_UNROLL
    for (int r = 0; r <= points; ++r) {
      if (r % 4 == 0 && r > 0) high = r == 4 ? fourth : high * fourth;
      auto const w = r < 4        ? (r == 0 ? complex<T>{1, 0} : power[r])
                     : r % 4 == 0 ? high
                                  : high * power[r % 4];
      use(r, w, here[digits::padded(r * line_length)], mirrored[digits::padded(r * line_length)]);
    }
  }

  /// Calls use(from, by, half, number) for the points of the first stage.
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(Memory const& memory, Use use) {
    auto const up = memory.at(unit.rank - axis.is_reversed);
    auto const down = memory.at(length - unit.rank - axis.is_reversed);
    WARPFOLD_UNROLL
    for (int j = 0; j < points; ++j) {
      use(up, std::integral_constant<int, line_length>{}, 0, j);
      use(down, std::integral_constant<int, -line_length>{}, 1, j);
    }
  }
  /// Where modes m and n - m of a run of butterflies lie: a slot, or two places.
  template <class Memory>
  struct mode_places {
    decltype(std::declval<Memory const&>().at(0)) first, second;

    template <int By>
    WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two<T> get(Memory const& memory, int i) const {
      if constexpr (Memory::has_slots) return memory.template get_slot<By>(first, i);
      else return {memory.template get<By>(first, i), memory.template get<-By>(second, i)};
    }
    template <int By>
    WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(Memory const& memory, int i,
                                                         two<T> v) const {
      if constexpr (Memory::has_slots) memory.template put_slot<By>(first, i, v);
      else {
        memory.template put<By>(first, i, v.first);
        memory.template put<-By>(second, i, v.second);
      }
    }
  };
  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mode_places<Memory> places_of(Memory const& memory,
                                                                            int mode) const {
    int const number = mode - axis.is_reversed;
    if constexpr (Memory::has_slots) return {memory.slot(number), nullptr};
    else return {memory.at(number), memory.at(length - mode - axis.is_reversed)};
  }
  /// Calls use(places, by, number, mode m, mode n - m, whether it is this thread's to store,
  /// whether it is none), m at most n / 2.
  template <class Memory, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_mode(Memory const& memory, Use use) {
    constexpr int by = 2 * length / radix;
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side) {
      WARPFOLD_UNROLL
      for (int b = 0; b < butterflies; ++b) {
        int const first = unit.frequency(side, b), line = first & (2 * points - 1);
        bool const is_single = line != 0 && line != points;
        auto const up = places_of(memory, first), down = places_of(memory, length - first);
        auto* const numbers = v[side] + b * radix;
        bool const has_ends = side == 0 && b == 0 && first == 0;
        WARPFOLD_UNROLL
        for (int i = 0; i < radix / 2; ++i) {
          auto &low = numbers[i], &high = numbers[i + radix / 2];
          if (i < radix / 4)
            use(up, std::integral_constant<int, by>{}, i, low, high, true,
                i == 0 && has_ends && axis.is_reversed);
          else
            use(down, std::integral_constant<int, -by>{}, i, high, low,
                is_single || (i == radix / 4 && has_ends), false);
        }
      }
    }
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> to_mode(complex<T> a) const {
    return axis.is_reversed ? quarter_turned<true>(a) : a;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> from_mode(complex<T> a) const {
    return axis.is_reversed ? quarter_turned<false>(a) : a;
  }
};

} // namespace warpfold::inline v0::poisson
