#pragma once
// Complex Fourier transforms of lines in a block's shared memory, of radices given at run time.

#include "lines_plan.hpp"

namespace warpfold::poisson {

/// Lines in shared memory, element i of line c at place(i << shift | c), c < 1 << shift, or one
/// after the other with shift 0.
template <class T>
struct line_tile {
  complex<T>* values;
  int size; ///< of all lines together
  int shift;

  /// A gap after every 128 bytes keeps strides of powers of two off the same banks.
  static WARPFOLD_HOST_DEVICE int place(int at) { return at + (at >> (sizeof(T) == 4 ? 4 : 3)); }
  /// Elements that so many take.
  static constexpr int room(int size) { return size + (size >> (sizeof(T) == 4 ? 4 : 3)) + 1; }

  WARPFOLD_HOST_DEVICE complex<T>& operator[](int at) const { return values[place(at)]; }
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

template <int N, bool Inverse, class T, class Block>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
run_stage(Block const& block, line_stage const& stage, complex<T> const* twiddles,
          line_tile<T> const& tile) {
  int const line_stride = static_cast<int>(stage.stride.by);
  int const stride = line_stride << tile.shift, count = tile.size / N;
  for (int butterfly = block.thread_rank(); butterfly < count; butterfly += block.size()) {
    int const group = stage.stride.divide(butterfly >> tile.shift);
    int const within = butterfly - group * stride;
    int const base = group * stride * N + within;
    complex<T> v[N];
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) v[k] = tile[base + k * stride];
    complex<T> root{1, 0};
    if (line_stride > 1) root = twiddles[within >> tile.shift];
    if (!Inverse) short_transform<N, false>(v);
    if (line_stride > 1) turn_by_powers<Inverse>(v, root);
    if (Inverse) short_transform<N, true>(v);
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) tile[base + k * stride] = v[k];
  }
}

template <bool Inverse, class T, class Block>
WARPFOLD_HOST_DEVICE void run_stage(Block const& block, line_stage const& stage,
                                    complex<T> const* all_twiddles, line_tile<T> const& tile) {
  complex<T> const* const twiddles = all_twiddles + stage.twiddles;
  switch (stage.radix) {
  case 2: return run_stage<2, Inverse>(block, stage, twiddles, tile);
  case 3: return run_stage<3, Inverse>(block, stage, twiddles, tile);
  case 4: return run_stage<4, Inverse>(block, stage, twiddles, tile);
  case 5: return run_stage<5, Inverse>(block, stage, twiddles, tile);
  case 6: return run_stage<6, Inverse>(block, stage, twiddles, tile);
  case 7: return run_stage<7, Inverse>(block, stage, twiddles, tile);
  case 8: return run_stage<8, Inverse>(block, stage, twiddles, tile);
  case 9: return run_stage<9, Inverse>(block, stage, twiddles, tile);
  case 10: return run_stage<10, Inverse>(block, stage, twiddles, tile);
  case 12: return run_stage<12, Inverse>(block, stage, twiddles, tile);
  case 15: return run_stage<15, Inverse>(block, stage, twiddles, tile);
  default: return run_stage<16, Inverse>(block, stage, twiddles, tile);
  }
}

} // namespace line_impl

/// Leaves frequency k at axis.places[k]. The tile is ready for all threads, and is so afterwards.
template <class T, class Block>
WARPFOLD_HOST_DEVICE void transform_tile(Block const& block, line_axis<T> const& axis,
                                         line_tile<T> const& tile) {
  for (int s = 0; s < axis.stages; ++s) {
    line_impl::run_stage<false>(block, axis.stage[s], axis.twiddles, tile);
    block.sync();
  }
}

/// Takes it back, but for the factor axis.length.
template <class T, class Block>
WARPFOLD_HOST_DEVICE void transform_tile_back(Block const& block, line_axis<T> const& axis,
                                              line_tile<T> const& tile) {
  for (int s = axis.stages; s-- > 0;) {
    line_impl::run_stage<true>(block, axis.stage[s], axis.twiddles, tile);
    block.sync();
  }
}

} // namespace warpfold::poisson
