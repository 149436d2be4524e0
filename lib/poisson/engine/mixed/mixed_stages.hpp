#pragma once
// Transforms of lines of any length with factors 2, 3, 5 and 7, spread over threads: stages of
// different radices, in place, their digits reversed, as in stages.hpp. Radices are parameters of
// templates, so that all that depends on them is known when a kernel is compiled.

#include "poisson/engine/stages.hpp"
#include "poisson/lines/lines_butterflies.hpp"

#include <utility>

namespace warpfold::inline v0::poisson {

template <int First, int... Others>
inline constexpr int last_of = last_of<Others...>;
template <int Only>
inline constexpr int last_of<Only> = Only;

/// The stages of a transform. A thread has as many numbers as the last one has radices, and every
/// radix divides that number, which is even.
template <int... Radices>
struct mixed_stages {
  static constexpr int count = sizeof...(Radices), last = count - 1, length = (Radices * ...);
  static constexpr int held = last_of<Radices...>, points = held / 2;
  static_assert(count > 1 && held % 2 == 0 && ((held % Radices == 0) && ...));

  WARPFOLD_HOST_DEVICE static constexpr int radix(int stage) {
    constexpr int of[] = {Radices...};
    return of[stage];
  }
  WARPFOLD_HOST_DEVICE static constexpr bool is_wide(int) { return false; }
  /// Product of the radices before a stage.
  WARPFOLD_HOST_DEVICE static constexpr int before(int stage) {
    int product = 1;
    for (int i = 0; i < stage; ++i) product *= radix(i);
    return product;
  }
  WARPFOLD_HOST_DEVICE static constexpr int within(int stage) { return length / before(stage); }
  WARPFOLD_HOST_DEVICE static constexpr int stride(int stage) {
    return within(stage) / radix(stage);
  }
  /// As stages::table.
  WARPFOLD_HOST_DEVICE static constexpr int table(int stage) {
    int begin = 0;
    for (int i = 0; i < stage; ++i) begin += 2 * stride(i);
    return begin;
  }
  /// Where the last stage's butterfly of frequencies `first` + i * length / held begins.
  template <int Stage = 0>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static constexpr int group(int first) {
    if constexpr (Stage == last) return 0;
    else {
      constexpr int r = radix(Stage), s = stride(Stage);
      return first % r * s + group<Stage + 1>(first / r);
    }
  }
  /// Where a position lies in shared memory: with a gap at multiples of each stage's stride.
  /// Additive for a butterfly's first position and multiples of its stride.
  template <int Stage = 0>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static constexpr int padded(int position) {
    if constexpr (Stage == last) return position;
    else {
      constexpr unsigned s = stride(Stage);
      return static_cast<int>(static_cast<unsigned>(position) / s) + padded<Stage + 1>(position);
    }
  }
};

/// a exp(-2 pi i K / N); inverse, times its conjugate.
template <int K, int N, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<T> turned_by(complex<T> a) {
  return line_impl::turned_by<K, N, Inverse>(a);
}

/// A transform in registers, in place and in order, of lengths with factors 2, 3, 5 and 7: as
/// products of the shortest ones, without turns between coprime ones (I. J. Good, "The interaction
/// algorithm and practical Fourier analysis", 1958).
template <int N, bool Inverse, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void mixed_butterfly(complex<T>* v) {
  if constexpr (N <= 5 || N == 7 || N == 8 || N == 16) butterfly<N, Inverse>(v);
  else {
    constexpr int a = N % 7 == 0 ? 7 : N % 5 == 0 ? 5 : N % 3 == 0 ? 3 : N % 16 == 0 ? 16 : 8;
    constexpr int b = N / a;
    static_assert(b > 1 && a * b == N);
    constexpr bool are_coprime = b % a != 0 && a % 2 != 0;
    complex<T> part[N];
    unrolled<b>([&](auto j) {
      unrolled<a>([&](auto i) {
        part[j.value * a + i.value] =
            v[are_coprime ? (i.value * b + j.value * a) % N : i.value * b + j.value];
      });
      mixed_butterfly<a, Inverse>(part + j.value * a);
    });
    constexpr auto inverse_of = [](int of, int modulus) { // of * it is 1
      int i = 1;
      while (of * i % modulus != 1 % modulus) ++i;
      return i;
    };
    constexpr int u = are_coprime ? b * inverse_of(b % a, a) : 0,
                  w = are_coprime ? a * inverse_of(a % b, b) : 0;
    unrolled<a>([&](auto i) {
      complex<T> other[b];
      [[maybe_unused]] constexpr int k = i.value;
      unrolled<b>([&](auto j) {
        auto const& number = part[j.value * a + i.value];
        if constexpr (are_coprime) other[j.value] = number;
        else other[j.value] = turned_by<k * j.value, N, Inverse>(number);
      });
      mixed_butterfly<b, Inverse>(other);
      unrolled<b>([&](auto j) {
        v[are_coprime ? (i.value * u + j.value * w) % N : i.value + a * j.value] = other[j.value];
      });
    });
  }
}

/// A thread's part of its line's transform. Line says where, as for transform_of:
///   digits, per_line, rank, factors
///   memory()                    the line in shared memory
/// A thread's butterflies of a stage are numbers rank + b * per_line of all: in registers number j
/// of butterfly b is at b * radix + j.
template <class Line>
struct mixed_transform_of {
  using T = typename Line::number;
  using digits = typename Line::digits;
  static constexpr int held = digits::held;
  template <int Stage>
  static constexpr int butterflies = held / digits::radix(Stage);

  /// The first position of butterfly b.
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static int first(int rank, int b) {
    if constexpr (Stage == digits::last) return digits::group(rank);
    else {
      constexpr unsigned s = digits::stride(Stage), within = digits::within(Stage);
      auto const u = static_cast<unsigned>(rank + b * Line::per_line);
      if constexpr (Stage == 0) return static_cast<int>(u);
      else return static_cast<int>(u / s * within + u % s);
    }
  }
  /// Calls use(number, where it lies in shared memory).
  template <int Stage, class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void each(Line const& line, int rank,
                                                               Use use) {
    constexpr int radix = digits::radix(Stage), stride = digits::stride(Stage);
    WARPFOLD_UNROLL
    for (int b = 0; b < butterflies<Stage>; ++b) {
      auto* const memory = line.shared + digits::padded(first<Stage>(rank, b));
      WARPFOLD_UNROLL
      for (int j = 0; j < radix; ++j)
        use(b * radix + j, memory[Stage == digits::last ? j : digits::padded(j * stride)]);
    }
  }

  template <int Stage = 0, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void forward(Block const& block,
                                                                  Line const& line, complex<T>* v) {
    butterflies_of<Stage, false>(v);
    if constexpr (Stage != digits::last) {
      turn<Stage, false>(line, v);
      swap<Stage, Stage + 1>(block, line, v);
      forward<Stage + 1>(block, line, v);
    }
  }
  template <int Stage = digits::last, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void inverse(Block const& block,
                                                                  Line const& line, complex<T>* v) {
    if constexpr (Stage != digits::last) turn<Stage, true>(line, v);
    butterflies_of<Stage, true>(v);
    if constexpr (Stage != 0) {
      swap<Stage, Stage - 1>(block, line, v);
      inverse<Stage - 1>(block, line, v);
    }
  }

  /// Touches what all stages take from tables.
  template <int Stage = 0>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void touch_factors(Line const& line, T& sum) {
    if constexpr (Stage != digits::last) {
      WARPFOLD_UNROLL
      for (int b = 0; b < butterflies<Stage>; ++b) {
        auto const* const table = table_of<Stage>(line, b);
        touch(table, sum);
        touch(table + digits::stride(Stage), sum);
      }
      touch_factors<Stage + 1>(line, sum);
    }
  }

private:
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static complex<T> const* table_of(Line const& line,
                                                                                int b) {
    return line.factors + digits::table(Stage) +
           first<Stage>(line.rank, b) % static_cast<unsigned>(digits::stride(Stage));
  }
  template <int Stage, bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void butterflies_of(complex<T>* v) {
    constexpr int radix = digits::radix(Stage);
    WARPFOLD_UNROLL
    for (int b = 0; b < butterflies<Stage>; ++b) mixed_butterfly<radix, Inverse>(v + b * radix);
  }
  template <int Stage, bool Inverse>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void turn(Line const& line, complex<T>* v) {
    constexpr int radix = digits::radix(Stage), stride = digits::stride(Stage);
    // True if all butterflies have the same factors.
    constexpr bool shares = Line::per_line % stride == 0;
    complex<T> power[4];
    WARPFOLD_UNROLL
    for (int set = 0; set < (shares ? 1 : butterflies<Stage>); ++set) {
      auto const* const table = table_of<Stage>(line, set);
      power[1] = load_constant(table);
      complex<T> const fourth = radix > 4 ? load_constant(table + stride) : power[1];
      power[2] = power[1] * power[1];
      power[3] = power[2] * power[1];
      complex<T> high = fourth;
      WARPFOLD_UNROLL
      for (int j = 1; j < radix; ++j) {
        if (j % 4 == 0 && j > 4) high = high * fourth;
        auto const w = j < 4 ? power[j] : j % 4 == 0 ? high : high * power[j % 4];
        WARPFOLD_UNROLL
        for (int b = set; b < (shares ? butterflies<Stage> : set + 1); ++b)
          v[b * radix + j] = turned<Inverse>(v[b * radix + j], w);
      }
    }
  }
  template <int From, int To, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void swap(Block const& block, Line const& line,
                                                               complex<T>* v) {
    each<From>(line, line.rank, [&](int i, complex<T>& at) { at = v[i]; });
    block.sync();
    each<To>(line, line.rank, [&](int i, complex<T>& at) { v[i] = at; });
  }
};

} // namespace warpfold::inline v0::poisson
