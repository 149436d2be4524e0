#pragma once
// Transforms of lines whose length is a power of two, spread over threads: each holds 2 * Points
// numbers in registers, and they meet in shared memory between the stages of butterflies.
//
// Forward transforms decimate in frequency and inverse ones in time (W. M. Gentleman and G. Sande,
// Fast Fourier Transforms for Fun and Profit, 1966), in place: numbers stay where they are by
// position, and come out in the order of their digits reversed. A thread writes only positions that
// it read before, so that one barrier between two stages is enough.

#include <warpfold/detail/core/block.hpp>

#include "poisson/butterflies.hpp"
#include "poisson/engine/table_loads.hpp"

#include <bit>

namespace warpfold::inline v0::poisson {

/// The stages of a transform: all of Points, but for those among the bits of Wide, of 2 * Points,
/// which a thread does with both of its halves, and for the last one, which has what is left. Odds
/// is where numbers of odd positions begin in shared memory; 0: each follows the even one before
/// it.
template <int Length, int Points, unsigned Wide = 0, int Odds = 0>
struct stages {
  static constexpr int length = Length, points = Points;
  static constexpr unsigned wide = Wide;
  // By shifts, so that compilers find the constants.
  static constexpr int bits = std::bit_width(static_cast<unsigned>(Length)) - 1;
  static constexpr int digit = std::bit_width(static_cast<unsigned>(Points)) - 1;
  static_assert(Length == 1 << bits && Points == 1 << digit && Length > Points);
  static constexpr int last = (bits - std::popcount(Wide) - 1) / digit;
  static_assert(Wide == 0 || (Wide < 8 && last <= 3 && Wide >> last == 0));
  WARPFOLD_HOST_DEVICE static constexpr bool is_wide(int stage) { return (Wide >> stage & 1) != 0; }
  /// Bits of the stages before one.
  WARPFOLD_HOST_DEVICE static constexpr int before(int stage) {
    return digit * stage + (stage > 0 && is_wide(0) ? 1 : 0) + (stage > 1 && is_wide(1) ? 1 : 0) +
           (stage > 2 && is_wide(2) ? 1 : 0);
  }
  /// Positions that a stage's butterflies stay within.
  WARPFOLD_HOST_DEVICE static constexpr int within(int stage) { return Length >> before(stage); }
  WARPFOLD_HOST_DEVICE static constexpr int radix(int stage) {
    return stage == last ? within(last) : is_wide(stage) ? 2 * Points : Points;
  }
  /// Between the numbers of one butterfly.
  WARPFOLD_HOST_DEVICE static constexpr int stride(int stage) {
    return stage == last ? 1 : within(stage + 1);
  }

  /// Where a stage's table begins among the factors, w = exp(-2 pi i q / within(stage)) for q below
  /// its stride and then their fourth powers, of wide stages eighth ones. The last stage has none.
  /// Whole tables, of all powers, would crowd the caches: 4096^2 took 151 us with them.
  WARPFOLD_HOST_DEVICE static constexpr int table(int stage) {
    int begin = 0;
    for (int i = 0; i < stage; ++i) begin += 2 * stride(i);
    return begin;
  }

  /// The frequency that comes out at a position.
  WARPFOLD_HOST_DEVICE static constexpr int frequency(int position) {
    int k = 0;
    for (int stage = 0; stage <= last; ++stage)
      k += position / stride(stage) % radix(stage) << before(stage);
    return k;
  }
  /// The same backwards for frequencies of which the last digit is 0.
  WARPFOLD_HOST_DEVICE static constexpr int position(int frequency) {
    int p = 0;
    WARPFOLD_UNROLL
    for (int stage = 0; stage < last; ++stage)
      p += (frequency >> before(stage) & (radix(stage) - 1)) << (bits - before(stage + 1));
    return p;
  }

  /// Where a position lies in shared memory, so that threads meet different banks in every stage.
  /// Additive when the operands share no set bits.
  WARPFOLD_HOST_DEVICE static constexpr int padded(int position) {
    auto const p = static_cast<unsigned>(position);
    if constexpr (Odds != 0) return gapped<1>(p >> 1) + static_cast<int>(p & 1) * Odds;
    else return gapped<0>(p);
  }

private:
  /// Number p with gaps at multiples of each stage's stride, that of p shifted by Less.
  template <int Less>
  WARPFOLD_HOST_DEVICE static constexpr int gapped(unsigned p) {
    if constexpr (Wide == 0)
      return static_cast<int>(p + (p >> (digit - Less)) + (p >> (2 * digit - Less)) +
                              (p >> (3 * digit - Less)));
    else
      return static_cast<int>(p + (p >> (bits - before(1) - Less)) +
                              (last > 1 ? p >> (bits - before(2) - Less) : 0) +
                              (last > 2 ? p >> (bits - before(3) - Less) : 0));
  }
};

/// Between the first banks of lines that `beside` neighbouring threads read at once, two threads of
/// each line if that leaves lines over.
template <class T>
constexpr int banks_apart(int beside) {
  constexpr int banks = 64 / static_cast<int>(sizeof(T));
  return beside == 1 ? 0 : beside >= banks / 2 ? 2 : banks / beside;
}
/// Odds for lines of which threads beside each other begin with every second position. Of `beside`
/// lines that are read at once, even and odd positions then meet different banks in all stages.
template <class T, class Stages>
constexpr int odds_for(int beside) {
  constexpr int banks = 64 / static_cast<int>(sizeof(T));
  using split = stages<Stages::length, Stages::points, Stages::wide, 1>;
  int const size = (split::padded(Stages::length - 2) + banks) / banks * banks;
  return size + banks_apart<T>(beside) / 2;
}

/// The size of a line whose last number lies at `last`.
template <class T>
constexpr int line_size(int last, int beside) {
  constexpr int banks = 64 / static_cast<int>(sizeof(T));
  return (last + banks) / banks * banks + banks_apart<T>(beside);
}
template <class T, class Stages>
constexpr int line_size(int beside) {
  return line_size<T>(Stages::padded(Stages::length - 1), beside);
}

/// A thread's factors of all stages but the last; or nothing.
template <class T, int Stages, int Points>
struct kept_factors {
  complex<T> at[Stages][2][Points];
};
struct no_factors {};
struct no_use {
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void operator()() const {}
};

/// What a thread does for its line or lines. Line says where:
///   number, length, points      T, Length and Points
///   first<Stage>(half)          the first position of one half of the registers, and
///   offset<Stage>(half, b)      how much further its butterfly b begins: other bits, constants
///   memory(half)                the line in shared memory
///   factors                     tables of all stages
///   keeps, kept                 whether keep() reads the factors, and where to
///   shares<Stage>               whether both halves have the same factors
///   tilted, tilt(half)          whether halves are multiplied after the first stage, and by what
///   meet<Stage>(block)          waits for all who share the positions within(Stage)
/// TiltsPoints: the butterflies of the first stage are tilted. (Packed lines tilt theirs by other
/// angles, before the first stage and after the last one.)
template <class Line, bool TiltsPoints = false>
struct transform_of {
  using T = typename Line::number;
  static constexpr int points = Line::points;
  using digits = typename Line::digits;
  using registers = complex<T> (&)[2][points];

  /// Reads all factors before the numbers are there, if the line keeps them.
  template <int Stage = 0>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void keep(Line& line) {
    if constexpr (Line::keeps && Stage != digits::last) {
      auto& at = line.kept.at[Stage];
      constexpr bool is_wide = digits::is_wide(Stage);
      if constexpr (is_wide) {
        at[1][0] = wide_base<Stage>(line);
        each_factor<Stage>(line, 0, [&](int j, complex<T> w) {
          at[0][j] = w;
          at[1][j] = w * at[1][0];
        });
      } else {
        WARPFOLD_UNROLL
        for (int side = 0; side < sides<Stage>; ++side)
          each_factor<Stage>(line, side, [&](int j, complex<T> w) { at[side][j] = w; });
      }
      keep<Stage + 1>(line);
      if constexpr (is_wide) pin(at[1][0]);
      WARPFOLD_UNROLL
      for (int side = 0; side < sides<Stage>; ++side) {
        WARPFOLD_UNROLL
        for (int j = 1; j < points; ++j) pin(at[side][j]);
      }
    }
  }

  /// Touches what all stages take from tables.
  template <int Stage = 0>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void touch_factors(Line const& line, T& sum) {
    if constexpr (Stage != digits::last) {
      WARPFOLD_UNROLL
      for (int side = 0; side < (digits::is_wide(Stage) ? 1 : sides<Stage>); ++side) {
        constexpr int stride = digits::stride(Stage);
        auto const* const table =
            line.factors + digits::table(Stage) + line.template first<Stage>(side) % stride;
        touch(table, sum);
        touch(table + stride, sum);
      }
      touch_factors<Stage + 1>(line, sum);
    }
  }

  /// Leaves what the last stage puts out: number j of butterfly b in [half][b * radix + j].
  template <int Stage = 0, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void forward(Block const& block,
                                                                  Line const& line, registers v) {
    butterflies<Stage, false>(v);
    if constexpr (Stage != digits::last) {
      turn<Stage, false>(line, v);
      swap<Stage, Stage + 1>(block, line, v);
      forward<Stage + 1>(block, line, v);
    }
  }

  /// Begins with what forward leaves and leaves what it begins with, times the length. Calls
  /// exchanged() after the thread's last access to shared memory.
  template <int Stage = digits::last, detail::thread_block Block, class Use = no_use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void
  inverse(Block const& block, Line const& line, registers v, Use exchanged = {}) {
    if constexpr (Stage == 0) exchanged();
    if constexpr (Stage != digits::last) turn<Stage, true>(line, v);
    butterflies<Stage, true>(v);
    if constexpr (Stage != 0) {
      swap<Stage, Stage - 1>(block, line, v);
      inverse<Stage - 1>(block, line, v, exchanged);
    }
  }

  /// Makes a transform of 2 * points of two: numbers n of it are [n / points][n % points], and
  /// frequencies k are [k % 2][k / 2].
  template <bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void join(registers v) {
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      if constexpr (!Inverse) butterfly_2<false>(v[0][i], v[1][i]);
      if (2 * i == points) v[1][i] = quarter_turned<Inverse>(v[1][i]);
      else if (4 * i == points) v[1][i] = eighth_turned<Inverse>(v[1][i]);
      else if (4 * i == 3 * points)
        v[1][i] = quarter_turned<Inverse>(eighth_turned<Inverse>(v[1][i]));
      else if (i > 0) v[1][i] = turned<Inverse>(v[1][i], half_turn<T>(i, points));
      if constexpr (Inverse) butterfly_2<true>(v[0][i], v[1][i]);
    }
  }

  /// Calls use(i, where it lies in shared memory) for the numbers of a half in a stage.
  template <int Stage, bool Frequencies, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void each(Line const& line, int side,
                                                               Use use) {
    constexpr int radix = digits::radix(Stage), stride = digits::stride(Stage);
    auto* const memory = line.memory(side) + digits::padded(line.template first<Stage>(side));
    WARPFOLD_UNROLL
    for (int i = 0; i < points; ++i) {
      if constexpr (digits::is_wide(Stage)) {
        int const number = Frequencies ? 2 * i + side : side * points + i;
        use(i, memory[digits::padded(number * stride)]);
      } else {
        use(i, memory[digits::padded(Line::template offset<Stage>(side, i / radix)) +
                      digits::padded(i % radix * stride)]);
      }
    }
  }

private:
  /// Halves that have factors of their own.
  template <int Stage>
  static constexpr int sides = Line::template shares<Stage> ? 1 : 2;

  template <int Stage, bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void butterflies(registers v) {
    static_assert(!TiltsPoints || !digits::is_wide(0));
    if constexpr (digits::is_wide(Stage)) {
      if constexpr (!Inverse) join<false>(v);
      butterfly<points, Inverse>(v[0]);
      butterfly<points, Inverse>(v[1]);
      if constexpr (Inverse) join<true>(v);
    } else if constexpr (Stage == 0 && TiltsPoints) {
      tilted_butterfly<points, Inverse>(v[0]);
      tilted_butterfly<points, Inverse>(v[1]);
    } else {
      constexpr int radix = digits::radix(Stage);
      WARPFOLD_UNROLL
      for (int side = 0; side < 2; ++side) {
        WARPFOLD_UNROLL
        for (int b = 0; b < points / radix; ++b) butterfly<radix, Inverse>(v[side] + b * radix);
      }
    }
  }

  /// Calls use(j, factor) of numbers j = 1 ... points - 1 of one half between a stage and the next;
  /// of a tilted line also of number 0.
  template <int Stage, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void each_factor(Line const& line, int side,
                                                                      Use use) {
    constexpr int stride = digits::stride(Stage);
    auto const* const table =
        line.factors + digits::table(Stage) + line.template first<Stage>(side) % stride;
    constexpr bool is_wide = digits::is_wide(Stage);
    constexpr bool is_tilted = Stage == 0 && Line::tilted;
    complex<T> power[4];
    auto const base = load_table<Line::keeps>(table);
    power[1] = is_wide ? base * base : base; // of wide stages these are the even ones' factors
    complex<T> const fourth =
        points > 4 || is_wide ? load_table<Line::keeps>(table + stride) : power[1];
    // A tilt goes to the powers, or of 16 numbers to what they are multiplied by: fewest products.
    constexpr bool tilts_powers = is_tilted && points <= 8, tilts_high = is_tilted && !tilts_powers;
    power[2] = power[1] * power[1];
    complex<T> high{}; // of the last number that is a multiple of 4
    if constexpr (is_tilted) high = line.tilt(side);
    if constexpr (tilts_powers) {
      power[0] = high;
      power[3] = power[2] * (power[1] * high);
      power[1] = power[1] * high;
      power[2] = power[2] * high;
    } else power[3] = power[2] * power[1];
    WARPFOLD_UNROLL
    for (int j = is_tilted ? 0 : 1; j < points; ++j) {
      if (j % 4 == 0 && j > 0) high = tilts_high || j > 4 ? high * fourth : fourth;
      bool const is_power = !tilts_high && j < 4, is_high = !tilts_powers && j % 4 == 0;
      use(j, is_power ? power[j] : is_high ? high : high * power[j % 4]);
    }
  }

  /// The factor of number 1 of a wide stage.
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static complex<T> wide_base(Line const& line) {
    return load_table<Line::keeps>(line.factors + digits::table(Stage) +
                                   line.template first<Stage>(0) % digits::stride(Stage));
  }

  template <int Stage, bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void turn(Line const& line, registers v) {
    constexpr bool is_wide = digits::is_wide(Stage);
    if constexpr (Line::keeps) {
      auto const& at = line.kept.at[Stage];
      if constexpr (is_wide) v[1][0] = turned<Inverse>(v[1][0], at[1][0]);
      WARPFOLD_UNROLL
      for (int side = 0; side < 2; ++side) {
        WARPFOLD_UNROLL
        for (int j = 1; j < points; ++j) v[side][j] = turned<Inverse>(v[side][j], at[side][j]);
      }
    } else {
      WARPFOLD_UNROLL
      for (int side = 0; side < (is_wide ? 1 : sides<Stage>); ++side) {
        [[maybe_unused]] auto const base = is_wide ? wide_base<Stage>(line) : complex<T>{};
        if constexpr (is_wide) v[1][0] = turned<Inverse>(v[1][0], base);
        auto const turn_one = [&](int j, complex<T> w) {
          v[side][j] = turned<Inverse>(v[side][j], w);
          if constexpr (is_wide) v[1][j] = turned<Inverse>(v[1][j], w * base);
          else if constexpr (sides<Stage> == 1) v[1][j] = turned<Inverse>(v[1][j], w);
        };
        each_factor<Stage>(line, side, turn_one);
      }
    }
  }

  /// From where one stage has its numbers to where another one does.
  template <int From, int To, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void swap(Block const& block, Line const& line,
                                                               registers v) {
    // A forward stage ends with its frequencies, and an inverse one begins with them.
    constexpr bool forward = From < To;
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side)
      each<From, forward>(line, side, [&](int i, complex<T>& at) { at = v[side][i]; });
    line.template meet<(forward ? From : To)>(block);
    WARPFOLD_UNROLL
    for (int side = 0; side < 2; ++side)
      each<To, !forward>(line, side, [&](int i, complex<T>& at) { v[side][i] = at; });
  }
};

} // namespace warpfold::inline v0::poisson
