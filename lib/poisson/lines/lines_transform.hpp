#pragma once
// Complex Fourier transforms of lines in a block's shared memory, of radices given at run time.

#include <warpfold/detail/core/block.hpp>

#include "lines_plan.hpp"

namespace warpfold::inline v0::poisson {

/// A line in shared memory, and the part in its work of one of the threads that share it: elements
/// first, first + by ... Lines stand one beside the other, 1 << shift of them, or alone.
template <class T, bool Strided>
struct shared_line {
  line_axis<T> const& axis;
  complex<T>* values;
  int shift;
  int first, by;

  WARPFOLD_HOST_DEVICE complex<T>& at(int place) const {
    return values[Strided ? place << shift : place];
  }
};

namespace line_impl {

/// v[k] *= root^k: first by root^(k mod 4), then by what is left, with few powers at a time in
/// registers. `fourth` is root^4, so that no power is a product of more than three rounded ones.
template <bool Inverse, int N, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void turn_by_powers(complex<T> (&v)[N], complex<T> root,
                                                                complex<T> fourth) {
  if (Inverse) root = conj(root), fourth = conj(fourth);
  {
    complex<T> const square = root * root;
    complex<T> const cube = root * square;
    WARPFOLD_UNROLL
    for (int k = 1; k < N; ++k)
      if (k % 4 != 0) v[k] = v[k] * (k % 4 == 1 ? root : k % 4 == 2 ? square : cube);
  }
  complex<T> power = fourth;
  WARPFOLD_UNROLL
  for (int k = 4; k < N; ++k) {
    if (k % 4 == 0 && k > 4) power = k == 8 ? fourth * fourth : power * fourth;
    v[k] = v[k] * power;
  }
}

template <int N, bool Inverse, class T, bool Strided>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void run_stage(line_stage const& stage,
                                                           shared_line<T, Strided> const& line) {
  complex<T> const* const twiddles = line.axis.twiddles + stage.twiddles;
  int const all = stage.butterflies;
  int const stride = static_cast<int>(stage.stride.by);
  int const step = Strided ? stage.step << line.shift : stage.step;
  for (int butterfly = line.first; butterfly < all; butterfly += line.by) {
    int const group = stage.stride.divide(butterfly), within = butterfly - group * stride;
    complex<T>* const from = &line.at(line.axis.place(butterfly + group * stride * (N - 1)));
    complex<T> root{1, 0}, fourth{1, 0};
    constexpr int roots = roots_of_butterfly(N);
    if (stride > 1) {
      root = twiddles[within * roots];
      fourth = twiddles[within * roots + roots - 1];
    }
    complex<T> v[N];
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) v[k] = from[k * step];
    if (!Inverse) short_transform<N, false>(v);
    if (stride > 1) turn_by_powers<Inverse>(v, root, fourth);
    if (Inverse) short_transform<N, true>(v);
    WARPFOLD_UNROLL
    for (int k = 0; k < N; ++k) from[k * step] = v[k];
  }
}

template <bool Inverse, class Line>
WARPFOLD_HOST_DEVICE void run_stage(line_stage const& stage, Line const& line) {
  switch (stage.radix) {
  case 2: return run_stage<2, Inverse>(stage, line);
  case 3: return run_stage<3, Inverse>(stage, line);
  case 4: return run_stage<4, Inverse>(stage, line);
  case 5: return run_stage<5, Inverse>(stage, line);
  case 6: return run_stage<6, Inverse>(stage, line);
  case 7: return run_stage<7, Inverse>(stage, line);
  case 8: return run_stage<8, Inverse>(stage, line);
  case 9: return run_stage<9, Inverse>(stage, line);
  case 10: return run_stage<10, Inverse>(stage, line);
  case 12: return run_stage<12, Inverse>(stage, line);
  case 15: return run_stage<15, Inverse>(stage, line);
  default: return run_stage<16, Inverse>(stage, line);
  }
}

/// By the factors of the first `count` elements, or their conjugates.
template <class T, bool Strided>
WARPFOLD_HOST_DEVICE void multiply(shared_line<T, Strided> const& line, complex<T> const* factors,
                                   int count, bool conjugates) {
  for (int i = line.first; i < count; i += line.by) {
    complex<T>& v = line.at(line.axis.place(i));
    complex<T> const factor = factors[i];
    v = v * (conjugates ? conj(factor) : factor);
  }
}

} // namespace line_impl

/// Leaves frequencies with their digits reversed, or, of a convolution, in their order; the inverse
/// takes them so, but for the factor axis.length. The lines are ready for all threads, and are so
/// afterwards.
template <detail::thread_block Block, class Line>
WARPFOLD_HOST_DEVICE void transform_line(Block const& block, Line const& line, bool is_inverse) {
  auto const& axis = line.axis;
  // A convolution goes there and back, with products before, between and after.
  bool const convolves = axis.convolves();
  if (convolves) {
    line_impl::multiply(line, axis.chirp, axis.length, is_inverse);
    for (int i = axis.length + line.first; i < axis.staged; i += line.by)
      line.at(axis.place(i)) = {0, 0};
    block.sync();
  }
  if (convolves || !is_inverse)
    for (int s = 0; s < axis.stages; ++s) {
      line_impl::run_stage<false>(axis.stage[s], line);
      block.sync();
    }
  if (convolves) {
    line_impl::multiply(line, axis.spectrum, axis.staged, is_inverse);
    block.sync();
  }
  if (convolves || is_inverse)
    for (int s = axis.stages; s-- > 0;) {
      line_impl::run_stage<true>(axis.stage[s], line);
      block.sync();
    }
  if (convolves) {
    line_impl::multiply(line, axis.chirp, axis.length, is_inverse);
    block.sync();
  }
}

} // namespace warpfold::inline v0::poisson
