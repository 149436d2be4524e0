#pragma once
// Lines of which a thread has opposite frequencies, those that sum up to the length.

#include <warpfold/detail/core/block.hpp>

#include "fused_line.hpp"

#include <type_traits>

namespace warpfold::inline v0::poisson {

/// A thread's part of one line, alike for transform_of. In the first stage it has butterflies of
/// neighbours; of a folded line (J. Makhoul, A fast cosine transform in one and two dimensions,
/// 1980: even points forward, then odd ones backward) those of neighbouring points, which come
/// together from both ends.
template <class Shape>
struct paired_line {
  using number = typename Shape::number;
  static constexpr int length = Shape::length, points = Shape::points;
  static constexpr bool same = false;
  using digits = typename Shape::digits;
  using registers = complex<number> (&)[2][points];
  static constexpr int last_radix = digits::radix(digits::last);
  static constexpr int last_stride = length / last_radix; ///< between a butterfly's frequencies
  static constexpr int butterflies = points / last_radix; ///< of a half, in the last stage

  static constexpr bool keeps = Shape::keeps;

  complex<number> const* factors;
  complex<number>* shared;
  int rank; ///< among the line's threads
  std::conditional_t<keeps, kept_factors<number, digits::last, 2, points>, no_factors> kept{};

  WARPFOLD_HOST_DEVICE complex<number>* memory(int) const { return shared; }
  /// The frequencies of the last stage's butterflies, below last_stride, are one half of
  /// low(half) + high(half, b), and the other half those that sum up to last_stride with them.
  WARPFOLD_HOST_DEVICE int low(int side) const { return side == 0 ? rank : Shape::per_line - rank; }
  WARPFOLD_HOST_DEVICE static constexpr int high(int side, int b) {
    return (side == 0 ? b : 2 * (points / last_radix) - 1 - b) * Shape::per_line;
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int side) const {
    if constexpr (Stage == digits::last) return digits::position(low(side) & (Shape::per_line - 1));
    else if constexpr (digits::is_wide(Stage)) {
      constexpr int stride = digits::stride(Stage);
      return rank / stride * (stride * 2 * points) + rank % stride;
    } else if constexpr (Stage == 0 && Shape::folded)
      return side == 0 ? rank : 2 * Shape::per_line - 1 - rank;
    else if constexpr (Stage == 0) return 2 * rank + side;
    else {
      constexpr int stride = digits::stride(Stage);
      int const u = rank + side * Shape::per_line;
      return u / stride * (stride * points) + u % stride;
    }
  }
  template <int Stage>
  WARPFOLD_HOST_DEVICE static constexpr int offset(int side, int b) {
    return Stage == digits::last ? digits::position(high(side, b)) : 0;
  }
  template <int, detail::thread_block Block>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void meet(Block const& block) const {
    block.sync();
  }

  /// Calls use(p, point 2 p, point 2 p + 1) for what the first stage begins with: of a folded line
  /// they are at positions p and length - 1 - p.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_point(registers v, Use use) const {
    WARPFOLD_UNROLL
    for (int side = 0; side < halves; ++side) {
      WARPFOLD_UNROLL
      for (int j = 0; j < points / halves; ++j)
        use(first_point(side) + apart * j, v[side][j],
            v[1 - side][Shape::folded ? points - 1 - j : j]);
    }
  }
  /// Calls use(p, point p) where a wide stage is the first.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_single(registers v, Use use) const {
    static_assert(!Shape::folded);
    WARPFOLD_UNROLL
    for (int j = 0; j < 2 * points; ++j)
      use(rank + j * digits::stride(0), v[j / points][j % points]);
  }

  /// Where p begins, in one half or two, and what is between its values.
  static constexpr int halves = Shape::folded ? 2 : 1, apart = length / (2 * points / halves);
  WARPFOLD_HOST_DEVICE int first_point(int side) const {
    return Shape::folded ? first<0>(side) : rank;
  }

  /// Of what the last stage leaves, makes each [side][b * radix + i] with i < radix / 2 have its
  /// counterpart in [1 - side][b * radix + radix - 1 - i], and 0 the middle.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void arrange(registers v) const {
    constexpr int radix = last_radix;
    if (rank == 0) {
      // Frequency 0 is its own counterpart, and so is the middle, which comes last of its half; the
      // others' are one place later.
      rotate<1>(v);
      auto const own = v[0][radix / 2];
      WARPFOLD_UNROLL
      for (int i = radix / 2; i < radix; ++i) {
        auto const next = i == radix - 1 ? own : v[0][i + 1 == radix ? i : i + 1];
        v[0][i] = v[1][i];
        v[1][i] = next;
      }
    }
  }
  /// Undoes that.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void restore(registers v) const {
    constexpr int radix = last_radix;
    if (rank == 0) {
      auto const own = v[1][radix - 1];
      WARPFOLD_UNROLL
      for (int i = radix - 1; i >= radix / 2; --i) {
        auto const next = i == radix / 2 ? own : v[1][i - 1];
        v[1][i] = v[0][i];
        v[0][i] = next;
      }
      rotate<butterflies - 1>(v);
    }
  }
  /// Of butterfly b's first number in a half, when arranged; number i is i * last_stride further.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int frequency(int side, int b) const {
    return side == 1 && b == 0 && rank == 0 ? last_stride / 2 : low(side) + high(side, b);
  }

private:
  /// Butterfly b of the second half becomes b + By.
  template <int By>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static void rotate(registers v) {
    if constexpr (butterflies > 1) {
      complex<number> old[points];
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) old[i] = v[1][i];
      WARPFOLD_UNROLL
      for (int i = 0; i < points; ++i) v[1][(i + By * last_radix) % points] = old[i];
    }
  }
};

} // namespace warpfold::inline v0::poisson
