#pragma once
// Excesses over the value at risk as terms of two exact sums: of themselves, and of their squares.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/reduction/exact_terms.hpp>
#include <warpfold/reduction/operations.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// A loss that counts as far as it is above the threshold.
template <class T>
struct loss_above {
  T loss, threshold;

  WARPFOLD_HOST_DEVICE bool is_above() const { return loss > threshold; } // no NaN is
  WARPFOLD_HOST_DEVICE double excess() const {
    return static_cast<double>(loss) - static_cast<double>(threshold);
  }
};

/// What losses are compared with: a number that a kernel before writes, or is known.
template <class T>
struct risk_threshold {
  T const* at; ///< null if it is known
  T known;

  WARPFOLD_HOST_DEVICE T value() const { return at ? *at : known; }
};

/// Terms of exact sums whose squares are rounded to doubles.
template <class T>
struct excess_terms {
  using element = loss_above<T>;
  static constexpr bool are_products = false;
  static constexpr bool are_floats = std::is_same_v<T, float>;
  /// Differences of floats are below 2^129 and multiples of 2^-149, so that their squares are below
  /// 2^258 and multiples of 2^-298.
  using layout = std::conditional_t<
      are_floats, exact_layout_of_two<exact_layout<-202, 48, 8>, exact_layout<-352, 48, 14>>,
      exact_layout_of_two<exact_layout<-1074, 48, 45>, exact_layout<-1074, 48, 45>>>;
  static constexpr int parts = 4; ///< two of each sum's expansion
  static constexpr int additions = 1000;
  static constexpr int span = layout::words;

  WARPFOLD_HOST_DEVICE static std::uint64_t add_fast(expansion<parts>& sum, element x) {
    if (!x.is_above()) return 0; // as most are
    double const excess = x.excess();
    return lost(sum.template add<0, 2>(excess)) | lost(sum.template add<2, 4>(square(excess)));
  }
  /// batch[i] by selections, for arrays in registers.
  template <int N>
  WARPFOLD_HOST_DEVICE static element picked(element const (&batch)[N], int i) {
    if constexpr (N == 1) {
      return batch[0];
    } else {
      static_assert(N % 2 == 0);
      element half[N / 2];
      WARPFOLD_UNROLL
      for (int k = 0; k < N / 2; ++k) half[k] = (i & N / 2) != 0 ? batch[k + N / 2] : batch[k];
      return picked(half, i);
    }
  }
  /// A loop over those above, which are few: a warp takes as many turns as its busiest thread.
  template <int N>
  WARPFOLD_HOST_DEVICE static std::uint64_t add_batch(expansion<parts>& sum,
                                                      element const (&batch)[N]) {
    static_assert(N <= 32);
    std::uint32_t above = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < N; ++i) above |= batch[i].is_above() ? std::uint32_t{1} << i : 0;
    std::uint64_t rest = 0;
    WARPFOLD_UNROLL_BY(1)
    for (; above != 0; above &= above - 1) rest |= add_fast(sum, picked(batch, lowest_bit(above)));
    return rest;
  }
  WARPFOLD_HOST_DEVICE static word_pair pair_of_part(int i, double part) {
    if (i < 2) return pair_of<typename layout::first>(unpacked<double>(part));
    return layout::of_second(pair_of<typename layout::second>(unpacked<double>(part)));
  }
  template <class At>
  WARPFOLD_HOST_DEVICE static int add(At at, element x) {
    if (!x.is_above()) return 0;
    add_pair(at, pair_of<typename layout::first>(unpacked<double>(x.excess())));
    unpacked<double> const squared(square(x.excess()));
    // The last word of a double's layout counts units of 2^1038: a sum with one is too large, too.
    if (squared.is_finite())
      add_pair(at, layout::of_second(pair_of<typename layout::second>(squared)));
    else at(layout::words - 1) += 1;
    return 0;
  }
  WARPFOLD_HOST_DEVICE static bool is_finite(element x) {
    return !x.is_above() || unpacked<double>(x.excess()).is_finite();
  }
  WARPFOLD_HOST_DEVICE static std::int64_t special_of(element) { return saw_infinity; }

private:
  WARPFOLD_HOST_DEVICE static double square(double x) { return multiplies{}(x, x); }
  WARPFOLD_HOST_DEVICE static int lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return std::countr_zero(bits);
#endif
  }
};

/// Reads losses and a threshold. Losses that are not there are not above it.
template <class Reader, class T>
struct excess_reader {
  static constexpr int lanes = Reader::lanes;
  using pack = typename Reader::pack;

  Reader losses;
  T threshold;

  WARPFOLD_HOST_DEVICE void advance(std::int64_t by) { losses.advance(by); }
  WARPFOLD_HOST_DEVICE pack load(int offset) const { return losses.load(offset); }
  WARPFOLD_HOST_DEVICE pack load_first(int offset, int count) const {
    pack loaded = losses.load_first(offset, count);
    WARPFOLD_UNROLL
    for (int v = 0; v < lanes; ++v)
      if (v >= count) loaded.element[v] = threshold;
    return loaded;
  }
  WARPFOLD_HOST_DEVICE loss_above<T> operator()(pack const& loaded, int v) const {
    return {losses(loaded, v), threshold};
  }
};

} // namespace warpfold::inline v0::detail
