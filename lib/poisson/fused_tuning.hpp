#pragma once
// How the passes are divided among threads.

namespace warpfold::poisson {

/// The longest lines there are kernels for, by the size of an element.
constexpr int most_square_points(unsigned long element) { return element == 4 ? 16384 : 8192; }
inline constexpr int least_square_points = 64;

/// A thread has 2 * points numbers of a line: 64 registers for those of long lines, fewer for those
/// of short ones, which wait for each other rather than for memory. Blocks of rows are lines lines,
/// at least 2 where they are short enough, as is wanted for working in place.
template <class T, int Width>
struct row_tuning {
  static constexpr bool is_float = sizeof(T) == 4;
  static constexpr int points = is_float ? (Width >= 1024 ? 16 : 8) : (Width >= 512 ? 8 : 4);
  static constexpr int per_line = Width / (2 * points);
  static constexpr int lines = per_line >= 256 ? 1 : per_line >= 32 ? 2 : 64 / per_line;
  static constexpr int interleaved = 2;
};

/// Blocks of columns take so many pairs of columns that a warp's pieces are 64 bytes.
template <class T, int Height>
struct column_tuning {
  static constexpr bool is_float = sizeof(T) == 4;
  static constexpr int points = is_float ? (Height >= 1024 ? 16 : 8) : (Height >= 512 ? 8 : 4);
  static constexpr int per_line = Height / (2 * points);
  static constexpr int columns = !is_float || per_line >= 256 ? 1 : per_line >= 64 ? 2 : 4;
};

/// Blocks of a multiprocessor, from the registers that one of its threads needs.
constexpr int blocks_for_registers(int threads, int registers) {
  int const blocks = 65536 / (threads * registers);
  return blocks < 1 ? 1 : blocks < 32 ? blocks : 32;
}

} // namespace warpfold::poisson
