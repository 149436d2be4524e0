#pragma once
// How the passes are divided among threads. Figures: NVIDIA H200, 2026-11-21 and 22, us a solve of
// N^2 points in float if not said otherwise, cuFFT's R2C, division and C2R in the same run beside
// them; a scratch program that launched the passes with other shapes, from graphs of 3 to 16 solves
// over buffers larger than the L2 cache. Those of keeps and streams, of N = 1024 and of double:
// from graphs of 42 to 64 solves of one problem, as in the benchmark (double 2048: 21).

#include "fused_row_pass.hpp"

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::poisson {

/// The longest lines of units there are kernels for, by the size of an element, and of squares:
/// longer ones of these are units, too, which were faster. NVIDIA H100, 2026-11-25, us, units and
/// squares, float: N = 1024 13.5 and 12.5, 2048 33.5 and 33.0, 4096 152 and 157, 8192 604 and 678,
/// 16384 2886 and 3079; double: 256 5.9 and 5.6, 512 10.5 and 10.8, 4096 359 and 356, 8192 1522 and
/// 1586.
constexpr std::size_t most_unit_points(std::size_t element) {
  return element == sizeof(float) ? 16384 : 8192;
}
constexpr std::size_t most_square_points(std::size_t element) {
  return element == sizeof(float) ? 1024 : 256;
}
inline constexpr std::size_t least_points = 64;

/// Boxes of three axes: points of all of them, in units of all but the last one.
inline constexpr std::size_t most_box_points = 1024;
/// Passes between the rows of a box work on this many bytes at a time, so that they find the data
/// in L2: slices of a box, or several right-hand sides.
inline constexpr std::size_t box_slice = std::size_t{32} << 20;

/// use(points) of a power of two from Least to Most, as a number that the compiler knows.
template <int Least, int Most, class Use>
auto with_power(std::size_t points, Use use) {
  if constexpr (Least < Most)
    if (points != Least) return with_power<2 * Least, Most>(points, use);
  return use(std::integral_constant<int, Least>{});
}
/// Of an axis of units, of a square, and of a box.
template <class T, class Use>
auto with_points(std::size_t points, Use use) {
  return with_power<least_points, most_unit_points(sizeof(T))>(points, use);
}
template <class T, class Use>
auto with_square_points(std::size_t points, Use use) {
  return with_power<least_points, most_square_points(sizeof(T))>(points, use);
}
template <class Use>
auto with_box_points(std::size_t points, Use use) {
  return with_power<least_points, most_box_points>(points, use);
}

/// A thread has 2 * points numbers of a line: 64 registers for those of long lines, fewer for those
/// of short ones, which wait for each other rather than for memory (N = 128: 4 points 4.07, 8
/// points 6.66; cuFFT 11.5).
template <class T, int Width>
struct row_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Width >= 2048  ? 16
                                            : Width >= 512 ? 8
                                                           : 4)
                                         : (Width >= 512 ? 8 : 4);
  /// N = 1024: 8 points and 2 lines 11.7, 4 lines 12.1, 16 points and 2 lines 13.9; cuFFT 26.4.
  /// N = 256, double: 2 lines 5.19, 4 lines 6.10; cuFFT 14.2.
  static constexpr int lines = is_float ? (Width == 64     ? 8
                                           : Width == 128  ? 4
                                           : Width == 256  ? 2
                                           : Width == 512  ? 4
                                           : Width <= 8192 ? 2
                                                           : 1)
                                        : (Width <= 128    ? 4
                                           : Width <= 2048 ? 2
                                                           : 1);
  /// Whether factors are read and computed while the pass before this one ends, and kept in
  /// registers. N = 512: 6.63 with, 6.87 without; N = 256: 4.31 and 4.22; N = 64: 3.50 and 3.23.
  static constexpr bool keeps =
      is_float ? Width == 128 || Width == 512 || Width == 1024 : Width <= 256;
  /// Whether squares leave no room in the L2 cache for what rows read and write, which then is to
  /// leave it first. N = 256: 4.60 with, 4.22 without; N = 2048: 32.3 and 30.5, double 86.8
  /// and 88.8.
  static constexpr bool streams = std::size_t{Width} * Width * sizeof(T) >= std::size_t{32} << 20;
  static constexpr row_layout layout() {
    return {.points = points, .lines = lines, .interleaved = 2, .keeps = keeps, .streams = streams};
  }
};

template <class T, int Height>
struct column_tuning {
  static constexpr bool is_float = sizeof(T) == sizeof(float);
  static constexpr int points = is_float ? (Height >= 2048   ? 16
                                            : Height >= 1024 ? 8
                                                             : 4)
                                         : (Height >= 512 ? 8 : 4);
  /// N = 4096: 2 pairs of columns 63, 1 pair 70.
  static constexpr int columns = is_float ? (Height == 64     ? 8
                                             : Height == 128  ? 4
                                             : Height == 256  ? 2
                                             : Height == 512  ? 4
                                             : Height <= 4096 ? 2
                                                              : 1)
                                          : (Height <= 1024 ? 2 : 1);
  /// As in row_tuning.
  static constexpr bool keeps =
      is_float ? Height == 128 || Height == 512 || Height == 1024 : Height <= 256;
};

/// Blocks of a multiprocessor that leave each thread so many registers.
constexpr int blocks_for_registers(int threads, int registers) {
  int const blocks = 65536 / (threads * registers);
  return blocks < 1 ? 1 : blocks < 32 ? blocks : 32;
}

/// Enough for a thread's numbers and what it does with them.
template <class Shape>
inline constexpr int blocks_wanted = blocks_for_registers(
    Shape::threads, Shape::points * sizeof(typename Shape::number) >= 64   ? 128
                    : !Shape::keeps                                        ? 64
                    : Shape::points * sizeof(typename Shape::number) == 32 ? 168
                                                                           : 128);

/// Whether all blocks are at work at once, so that what each has before it starts is of use. They
/// may then have as many registers as that takes.
constexpr bool are_few(std::size_t blocks, int multiprocessors) {
  return blocks <= 2 * static_cast<std::size_t>(multiprocessors);
}
} // namespace warpfold::inline v0::poisson
