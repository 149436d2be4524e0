#pragma once
// Complex Fourier transforms of lines in a block's shared memory, of radices given at run time.

#include "lines_plan.hpp"

namespace warpfold::poisson {

/// Lines in shared memory: one beside the other, 1 << shift of them, or one after the other.
template <class T, bool Strided>
struct line_tile {
  line_axis<T> const& axis;
  complex<T>* values;
  int lines;
  int shift;

  /// What stands at a place of a line.
  WARPFOLD_HOST_DEVICE complex<T>& at(int place, int line) const {
    return values[Strided ? (place << shift) + line : line * axis.room + place];
  }
};

namespace line_impl {

/// v[k] *= root^k
template <bool Inverse, int N, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void turn_by_powers(complex<T> (&v)[N],
                                                                complex<T> root) {
  if (Inverse) root = conj(root);
  complex<T> power[N];
  power[1] = root;
  v[1] = v[1] * root;
  WARPFOLD_UNROLL
  for (int k = 2; k < N; ++k) {
    power[k] = power[k / 2] * power[k - k / 2];
    v[k] = v[k] * power[k];
  }
}

template <int N, bool Inverse, class Block, class T, bool Strided>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
run_stage(Block const& block, line_stage const& stage, line_tile<T, Strided> const& tile) {
  complex<T> const* const twiddles = tile.axis.twiddles + stage.twiddles;
  int const of_line = static_cast<int>(stage.butterflies.by), all = of_line * tile.lines;
  int const stride = static_cast<int>(stage.stride.by);
  int const step = Strided ? stage.step << tile.shift : stage.step;
  for (int b = block.thread_rank(); b < all; b += block.size()) {
    int line, butterfly;
    if constexpr (Strided) {
      line = b & (tile.lines - 1);
      butterfly = b >> tile.shift;
    } else {
      line = tile.lines == 1 ? 0 : stage.butterflies.divide(b);
      butterfly = b - line * of_line;
    }
    int const group = stage.stride.divide(butterfly), within = butterfly - group * stride;
    complex<T>* const from = &tile.at(tile.axis.place(butterfly + group * stride * (N - 1)), line);
    complex<T> root{1, 0};
    if (stride > 1) root = twiddles[within];
    complex<T> v[N];
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) v[k] = from[k * step];
    if (!Inverse) short_transform<N, false>(v);
    if (stride > 1) turn_by_powers<Inverse>(v, root);
    if (Inverse) short_transform<N, true>(v);
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) from[k * step] = v[k];
  }
}

template <bool Inverse, class Block, class Tile>
WARPFOLD_HOST_DEVICE void run_stage(Block const& block, line_stage const& stage, Tile const& tile) {
  switch (stage.radix) {
  case 2: return run_stage<2, Inverse>(block, stage, tile);
  case 3: return run_stage<3, Inverse>(block, stage, tile);
  case 4: return run_stage<4, Inverse>(block, stage, tile);
  case 5: return run_stage<5, Inverse>(block, stage, tile);
  case 6: return run_stage<6, Inverse>(block, stage, tile);
  case 7: return run_stage<7, Inverse>(block, stage, tile);
  case 8: return run_stage<8, Inverse>(block, stage, tile);
  case 9: return run_stage<9, Inverse>(block, stage, tile);
  case 10: return run_stage<10, Inverse>(block, stage, tile);
  case 12: return run_stage<12, Inverse>(block, stage, tile);
  case 15: return run_stage<15, Inverse>(block, stage, tile);
  default: return run_stage<16, Inverse>(block, stage, tile);
  }
}

} // namespace line_impl

/// Leaves frequencies with their digits reversed. The tile is ready for all threads, and is so
/// afterwards.
template <class Block, class Tile>
WARPFOLD_HOST_DEVICE void transform_tile(Block const& block, Tile const& tile) {
  for (int s = 0; s < tile.axis.stages; ++s) {
    line_impl::run_stage<false>(block, tile.axis.stage[s], tile);
    block.sync();
  }
}

/// Takes it back, but for the factor axis.length.
template <class Block, class Tile>
WARPFOLD_HOST_DEVICE void transform_tile_back(Block const& block, Tile const& tile) {
  for (int s = tile.axis.stages; s-- > 0;) {
    line_impl::run_stage<true>(block, tile.axis.stage[s], tile);
    block.sync();
  }
}

} // namespace warpfold::poisson
