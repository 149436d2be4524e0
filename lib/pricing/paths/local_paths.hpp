#pragma once
// Paths of a price whose volatility is a function of time and price: the same bits on both places.
//
// A step reads B and its slope from a row of equidistant cells. With q = B dB/dx it moves
// x = ln(price / forward) by
//   A + B z + q / 2 z^2, A = -B^2 / (1 - q) / 2 + ln(1 - q) / 2,
// so that the price is a martingale for any B (the mean of exp(a z + b z^2), b < 1/2), but for
// powers of q above the third. lib/pricing/paths/local_steps.hpp makes rows for which the first
// three moments are those of the diffusion, to second order in the step's length.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/random/elementary.hpp>

#include <cmath>

namespace warpfold::inline v0::pricing {

/// A step's row: B of log2(price / forward), linear within each of its cells.
template <class T>
struct alignas(128) local_step {
  /// An odd number: the last end is a tie, and rounded to an even cell. A row fills 1 KiB (double:
  /// 2 KiB).
  static constexpr int cells = 125;
  struct alignas(2 * sizeof(T)) cell {
    T middle, rise; ///< the value in its middle, and how much it rises within
  };

  T scale, first;  ///< scale x + first is the place of x, in cells from the middle of the first
  T growth;        ///< of the forward until the step's end: log2(forward / spot)
  int observation; ///< the number of this time among those that contracts see, or -1
  cell row[cells];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool observed() const { return observation >= 0; }

  /// Cell number i: one load, by a GPU through its read-only cache.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE cell cell_at(detail::bits_of<T> i) const {
#ifdef __CUDA_ARCH__
    if constexpr (sizeof(T) == 4) {
      auto const of = __ldg(reinterpret_cast<float2 const*>(row) + i);
      return {of.x, of.y};
    } else {
      auto const of = __ldg(reinterpret_cast<double2 const*>(row) + i);
      return {of.x, of.y};
    }
#else
    return row[i];
#endif
  }
};
static_assert(sizeof(local_step<float>) == 1024 && sizeof(local_step<double>) == 2048);

/// A model of a price with a local volatility.
template <class T>
struct local_model {
  using value_type = T;
  using own_step = local_step<T>;
  static constexpr int normals = 1;
  struct state {
    T log_price; ///< log2(price / forward)
  };

  WARPFOLD_HOST_DEVICE state start() const { return {T{0}}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& path, T const (&z)[1],
                                                        local_step<T> const& now) const {
    constexpr T ends = T(0.5), last = T(local_step<T>::cells - 0.5);
    T const scale = now.scale;
    T const place = within(std::fma(path.log_price, scale, now.first), -ends, last);
    auto const near = detail::nearest_integer(place);
    auto const cell = now.cell_at(near.bits & 127);
    T const b = std::fma(place - near.whole, cell.rise, cell.middle); // of log2(price)
    T const b_e = ln2 * b;                                            // of ln(price)
    T const q = cell.rise * scale * b_e;
    // -ln(1 - q) / q and 1 / (1 - q), to the power 2.
    T const tail = std::fma(-q, std::fma(q, T(1. / 3), T(0.5)), std::fma(z[0], z[0], T(-1)));
    T const drift = T(-0.5) * b_e * std::fma(q, q + 1, T(1));
    path.log_price = std::fma(b, z[0] + drift, std::fma(half_log2_e * q, tail, path.log_price));
  }

private:
  static constexpr T ln2 = T(0.6931471805599453), half_log2_e = T(0.7213475204444817);

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T within(T x, T least, T most) {
#ifdef __CUDA_ARCH__
    return fmin(fmax(x, least), most); // an instruction each, unlike a comparison and a choice
#else
    T const above = x > least ? x : least;
    return above < most ? above : most;
#endif
  }
};

} // namespace warpfold::inline v0::pricing
