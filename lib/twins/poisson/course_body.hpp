#pragma once
// The kernels of NVIDIA's course of 2008, for any block: a thread has one number of a tile, and a
// block one tile.

#include "poisson/complex.hpp"

#include <warpfold/detail/core/block.hpp>
#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

namespace warpfold::inline v0::poisson {

/// The tiles of a batch of arrays.
struct course_tiles {
  static constexpr int side = 16; ///< as then

  std::int64_t rows, columns, batch;

  WARPFOLD_HOST_DEVICE std::int64_t count() const {
    return (rows + side - 1) / side * ((columns + side - 1) / side) * batch;
  }
  // Tiles down and along one array, in 32 bits: a grid has fewer than 2^31 blocks. Divisions of 64
  // bits would take longer than the memory accesses.
  WARPFOLD_HOST_DEVICE unsigned down() const {
    return static_cast<unsigned>((rows + side - 1) / side);
  }
  WARPFOLD_HOST_DEVICE unsigned along() const {
    return static_cast<unsigned>((columns + side - 1) / side);
  }
};

/// A thread's number, if it has one.
struct course_number {
  std::int64_t row, column, array, first, at;
  bool inside;

  /// Neighbours in a block are neighbours in memory, or a row apart if not `coalesced`.
  template <detail::thread_block Block>
  WARPFOLD_HOST_DEVICE course_number(course_tiles const& of, Block const& block,
                                     bool coalesced = true) {
    int const fast = block.thread_rank() % of.side, slow = block.thread_rank() / of.side;
    int const x = coalesced ? fast : slow, y = coalesced ? slow : fast;
    auto const number = static_cast<unsigned>(block.block_rank()), strip = number / of.along();
    column = std::int64_t{number - strip * of.along()} * of.side + x;
    array = strip / of.down();
    row = (strip - array * of.down()) * of.side + y;
    first = array * of.rows * of.columns;
    at = first + row * of.columns + column;
    inside = row < of.rows && column < of.columns;
  }
};

template <class T>
struct course_modes {
  complex<T>* modes;
  T const* row_wavenumbers;
  T const* column_wavenumbers;
  T* means; ///< null, or where those of right-hand sides are wanted, which the course does not ask
  T scale;

  WARPFOLD_HOST_DEVICE void divide(course_number const& number, T k, T l) const {
    complex<T>& mode = modes[number.at];
    T divisor = -(k * k + l * l);
    if (number.at == number.first) {
      divisor = T{1};
      if (means) means[number.array] = mode.re * scale;
    }
    mode = (T{1} / divisor) * mode;
  }
};

template <class T>
struct course_shared_wavenumbers {
  T row[course_tiles::side], column[course_tiles::side];
};

template <detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE void course_to_complex(Block const& block, course_tiles const& of,
                                            T const* real, complex<T>* modes) {
  course_number const number(of, block);
  if (number.inside) modes[number.at] = {real[number.at], T{0}};
}

template <detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE void course_solve(Block const& block, course_tiles const& of,
                                       course_modes<T> const& by) {
  course_number const number(of, block);
  if (number.inside)
    by.divide(number, by.row_wavenumbers[number.row], by.column_wavenumbers[number.column]);
}

/// Reads each wavenumber once a tile.
template <detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE void course_solve_shared(Block const& block, course_tiles const& of,
                                              course_modes<T> const& by,
                                              course_shared_wavenumbers<T>& shared) {
  int const x = block.thread_rank() % of.side, y = block.thread_rank() / of.side;
  course_number const number(of, block);
  if (y == 0 && number.column < of.columns) shared.column[x] = by.column_wavenumbers[number.column];
  if (x == 0 && number.row < of.rows) shared.row[y] = by.row_wavenumbers[number.row];
  block.sync();
  if (number.inside) by.divide(number, shared.row[y], shared.column[x]);
}

/// Real parts, scaled, less that of the first point.
template <bool Coalesced, detail::thread_block Block, class T>
WARPFOLD_HOST_DEVICE void course_to_real(Block const& block, course_tiles const& of,
                                         complex<T> const* numbers, T* real, T scale) {
  course_number const number(of, block, Coalesced);
  if (number.inside) real[number.at] = (numbers[number.at].re - numbers[number.first].re) * scale;
}

} // namespace warpfold::inline v0::poisson
