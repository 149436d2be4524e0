#pragma once
// Lines of which a thread has opposite frequencies, those that sum up to the length.

#include <warpfold/detail/core/block.hpp>

#include "stages.hpp"

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
  using digits = typename Shape::digits;
  /// (Squares of 1024, which keep their factors, took 13.0 us with two sets and 14.4 with one.)
  template <int Stage>
  static constexpr bool shares = !Shape::keeps && Stage > 0 && !digits::is_wide(Stage) &&
                                 Shape::per_line % digits::stride(Stage) == 0;
  using registers = complex<number> (&)[2][points];
  static constexpr int last_radix = digits::radix(digits::last);
  static constexpr int last_stride = length / last_radix; ///< between a butterfly's frequencies
  static constexpr int butterflies = points / last_radix; ///< of a half, in the last stage

  static constexpr bool is_folded = Shape::folded, keeps = Shape::keeps;
  /// Type 4, whose opposite frequencies sum up to the length less 1.
  static constexpr bool tilted = Shape::tilted;
  static constexpr int shift = tilted ? 1 : 0;

  complex<number> const* factors;
  complex<number>* shared;
  int rank; ///< among the line's threads
  /// Tilted: exp(-i pi j / length) of the first positions, [half][thread].
  complex<number> const* tilts = nullptr;
  std::conditional_t<keeps, kept_factors<number, digits::last, points>, no_factors> kept{};

  WARPFOLD_HOST_DEVICE complex<number>* memory(int) const { return shared; }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE complex<number> tilt(int side) const {
    return load_constant(tilts + side * Shape::per_line + rank);
  }
  /// Between two transforms: see forget.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void forget_tables() {
    forget(factors);
    if constexpr (tilted) forget(tilts);
  }
  /// The frequencies of the last stage's butterflies, below last_stride, are one half of
  /// low(half) + high(half, b), and the other half those that sum up to last_stride with them.
  WARPFOLD_HOST_DEVICE int low(int side) const {
    return side == 0 ? rank : Shape::per_line - shift - rank;
  }
  WARPFOLD_HOST_DEVICE static constexpr int high(int side, int b) {
    return (side == 0 ? b : 2 * butterflies - 1 - b) * Shape::per_line;
  }
  /// True for the thread of frequencies 0 and half the length, if they are their own counterparts.
  WARPFOLD_HOST_DEVICE bool has_own() const { return rank == 0 && shift == 0; }
  template <int Stage>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int first(int side) const {
    if constexpr (Stage == digits::last) return digits::position(low(side) & (Shape::per_line - 1));
    else if constexpr (digits::is_wide(Stage)) {
      constexpr int stride = digits::stride(Stage);
      return rank / stride * (stride * 2 * points) + rank % stride;
    } else if constexpr (Stage == 0 && is_folded)
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
        use(first_point(side) + apart * j, v[side][j], v[1 - side][is_folded ? points - 1 - j : j]);
    }
  }
  /// Calls use(p, point p) where a wide stage is the first.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void each_single(registers v, Use use) const {
    static_assert(!is_folded);
    WARPFOLD_UNROLL
    for (int j = 0; j < 2 * points; ++j)
      use(rank + j * digits::stride(0), v[j / points][j % points]);
  }

  /// Where p begins, in one half or two, and what is between its values.
  static constexpr int halves = is_folded ? 2 : 1, apart = length / (2 * points / halves);
  WARPFOLD_HOST_DEVICE int first_point(int side) const { return is_folded ? first<0>(side) : rank; }

  /// Moves what the last stage leaves: makes each [side][b * radix + i] with i < radix / 2 have its
  /// counterpart in [1 - side][b * radix + radix - 1 - i], and 0 the middle.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void arrange(registers v) const {
    constexpr int radix = last_radix;
    if (has_own()) {
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
    if (has_own()) {
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
  /// The one of butterfly b's first number in a half, when arranged; number i is i * last_stride
  /// further.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE int frequency(int side, int b) const {
    return side == 1 && b == 0 && has_own() ? last_stride / 2 : low(side) + high(side, b);
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
