#pragma once
// A path's worth to a European option: functions of one normal number, and the sums over them.

#include <warpfold/detail/pricing/estimate.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>
#include <warpfold/pricing/option.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace warpfold::inline v0::pricing {

// As variables, since device code may read those but not call numeric_limits.
template <class T>
inline constexpr T simulated_nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T simulated_most = std::numeric_limits<T>::max();

template <class T>
inline constexpr T simulated_infinity = std::numeric_limits<T>::infinity();

/// NaN, negative or infinite inputs and a kind that is none make a price that is NaN.
template <class T>
WARPFOLD_HOST_DEVICE bool can_be_simulated(option_kind kind, option<T> const& of) {
  constexpr T most = simulated_most<T>;
  auto const positive = [&](T x) { return x >= 0 && x <= most; };
  auto const finite = [&](T x) { return x >= -most && x <= most; };
  bool const is_kind = kind == option_kind::call || kind == option_kind::put;
  return is_kind && positive(of.spot) && positive(of.strike) && positive(of.expiry) &&
         positive(of.volatility) && finite(of.rate) && finite(of.dividend_yield);
}

/// An option's payoff is unit max(sign (2^(a + b z) - 1), 0): the strike is taken out, so that the
/// exponent is positive or negative as the option pays or does not.
struct option_scale {
  double unit;      ///< the strike, see scale_of
  double discount;  ///< from expiry to today; NaN where an input is none
  double a, b;      ///< b = log2(e) deviation
  double deviation; ///< volatility sqrt(expiry), of the logarithm
};

/// log2(x / y), for what prices are.
WARPFOLD_HOST_DEVICE inline double log2_ratio(double x, double y) {
  auto const within = [](double price) {
    return price < 0x1p-500 ? 0x1p-500 : price > 0x1p500 ? 0x1p500 : price;
  };
  return 2 * detail::half_log2_ratio(within(x), within(y));
}

/// 2^x, infinite where it is too large; the same bits on both places.
WARPFOLD_HOST_DEVICE inline double exp2_or_infinity(double x) {
  return x < 1024 ? detail::portable_power_of_two(x) : simulated_infinity<double>;
}

/// What cannot be simulated has paths that are all alike, which a GPU and a host count alike, and
/// no discount.
template <class T>
WARPFOLD_HOST_DEVICE option_scale scale_of(option_kind kind, option<T> const& of) {
  if (!can_be_simulated(kind, of)) return {1, simulated_nan<double>, 0, 0, 0};
  constexpr double log2_e = 1.4426950408889634;
  double const expiry = of.expiry, rate = of.rate, volatility = of.volatility;
  double const drift = rate - double{of.dividend_yield} - volatility * volatility / 2;
  // A strike of next to nothing changes nothing but a call's unit; a put's is its own strike, since
  // that is the most that it pays.
  double const spot = of.spot, least = spot * 0x1p-30;
  double const strike = of.strike > least ? double{of.strike} : least;
  double const a = spot > 0 ? log2_ratio(spot, strike) + drift * expiry * log2_e : -200;
  double const root =
      expiry > 0x1p-500 && expiry < 0x1p500 ? detail::rounded_root(expiry) : sqrt(expiry);
  double const deviation = spot > 0 ? volatility * root : 0; // what is worth nothing stays so
  double const unit = kind == option_kind::call ? strike : double{of.strike};
  return {unit, exp2_or_infinity(-rate * expiry * log2_e), a, deviation * log2_e, deviation};
}

/// 2^x, within 2 units in the last place, and NaN of NaN, which stands for no path.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T exp2_or_nan(T x, [[maybe_unused]] bits how) {
#ifdef __CUDA_ARCH__
  if (sizeof(T) == 4 && how == bits::native) return detail::power_of_two(x);
#endif
  T const power = detail::portable_power_of_two(x);
  return x == x ? power : x;
}

/// 1 for a negative number; 0 for one that is not, a GPU's NaN among them.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t sign_bit(float x) {
  return detail::cast_bits<std::uint32_t>(x) >> 31;
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t sign_bit(double x) {
  return static_cast<std::uint32_t>(detail::cast_bits<std::uint64_t>(x) >> 63);
}

// The other one where one is NaN: a GPU has an instruction for that.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T larger(T x, T bound) {
#ifdef __CUDA_ARCH__
  return fmax(x, bound);
#else
  return x > bound ? x : bound;
#endif
}
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T smaller(T x, T bound) {
#ifdef __CUDA_ARCH__
  return fmin(x, bound);
#else
  return x < bound ? x : bound;
#endif
}

/// Sums over the samples of a tile.
template <int Sums>
struct tile_sums {
  double of[Sums];
  std::uint64_t paying; ///< paths

  WARPFOLD_HOST_DEVICE void operator+=(tile_sums const& other) {
    WARPFOLD_UNROLL
    for (int m = 0; m < Sums; ++m) of[m] += other.of[m];
    paying += other.paying;
  }
};

/// A replicate as a sample: the means of its quantities, and their squares.
template <int Sums>
WARPFOLD_HOST_DEVICE tile_sums<Sums> of_means(tile_sums<Sums> const& replicate,
                                              std::uint64_t samples) {
  tile_sums<Sums> means{};
  WARPFOLD_UNROLL
  for (int m = 0; m < Sums; m += 2) {
    means.of[m] = replicate.of[m] / static_cast<double>(samples);
    means.of[m + 1] = means.of[m] * means.of[m];
  }
  means.paying = replicate.paying;
  return means;
}

/// The sums over an option's samples.
struct sampled {
  double const* sums;
  std::uint64_t samples, paths, paying;
  double quantile;

  /// The mean of a quantity of which sums[m] and sums[m + 1] are the sum and that of its squares,
  /// times `factor`.
  WARPFOLD_HOST_DEVICE estimate mean(int m, double factor) const {
    double const n = static_cast<double>(samples), average = sums[m] / n;
    double const variance = (sums[m + 1] - sums[m] * average) / (n - 1);
    return detail::estimate_of(average, variance, samples, factor, quantile, paths, paying);
  }
};

/// Which options there are.
enum class kinds { calls, puts, both };

// An evaluation has
//   terms           what a thread keeps of an option, made by terms_of(kind, scale)
//   most_per_thread options of a thread
//   sums            how many sums it keeps, in pairs: of a quantity and of its squares
//   paths           of a sample: one, or two that are antithetic
//   add(terms, z, at, negative)   adds a sample's quantities to the sums at(0), at(1) ... and to
//                   `negative` the number of its paths that end below the strike
//   close(kind, of, evaluated, paths, negative)   makes the sums over samples of what was added for
//                   `evaluated` of them, those among them without a path having been NaN
//   finish(kind, option, all, put)   calls put(k, estimate) for outputs k

/// The payoff of a path.
template <class T, kinds which, bits how = bits::native>
struct plain_evaluation {
  static constexpr int sums = 2;
  static constexpr std::uint32_t most_per_thread = sizeof(T) == 4 ? 8 : 4;
  struct terms {
    T a, b;
    T least, most; ///< of what counts of the final price
  };

  WARPFOLD_HOST_DEVICE static constexpr int paths() { return 1; }
  WARPFOLD_HOST_DEVICE terms terms_of(option_kind kind, option_scale const& scale) const {
    bool const is_call = kind == option_kind::call;
    return {static_cast<T>(scale.a), static_cast<T>(scale.b), is_call ? T(1) : T(0),
            is_call ? simulated_most<T> : T(1)};
  }
  /// Adds the final price, but at least (of a put, at most) the strike: six
  /// instructions of a GPU, with one more where there are both. Its square loses digits of the
  /// payoff's; of options with a deviation of 0.002 or more, fewer than the estimated variance does
  /// not have anyway.
  /// NVIDIA H200, 2026-11-21, 256 options and 2^24 paths: 1275 us, and 1412 us with one instruction
  /// more. Instructions are the limit, not ex2.
  template <class At>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(terms const& of, T z, At at,
                                                       std::uint32_t& negative) const {
    T const x = std::fma(of.b, z, of.a);
    T price = exp2_or_nan(x, how);
    if constexpr (which == kinds::calls) price = larger(price, T(1));
    else if constexpr (which == kinds::puts) price = smaller(price, T(1));
    else price = smaller(larger(price, of.least), of.most);
    at(0) += price;
    at(1) = std::fma(price, price, at(1));
    negative += sign_bit(x);
  }
  WARPFOLD_HOST_DEVICE void close(option_kind kind, double (&of)[sums], std::uint64_t evaluated,
                                  std::uint64_t paths, std::uint64_t negative,
                                  std::uint64_t& paying) const {
    bool const is_call = kind == option_kind::call;
    // A normal that is no path counts as the strike; but not in a put's two bounds, of which 0 is
    // one.
    std::uint64_t const added = which == kinds::both && !is_call ? paths : evaluated;
    double const n = static_cast<double>(added), sum = of[0], squares = of[1];
    of[0] = is_call ? sum - n : n - sum;
    of[1] = (squares - sum) - (sum - n);
    paying = is_call ? paths - negative : negative;
  }
  template <class Put>
  WARPFOLD_HOST_DEVICE void finish(option_kind, option<T> const&, option_scale const& scale,
                                   sampled const& all, Put put) const {
    put(0, all.mean(0, scale.unit * scale.discount));
  }
};

} // namespace warpfold::inline v0::pricing
