#pragma once
// Numbers as integers: multiples of a power of two, whose sums do not depend on the order of
// additions.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/reduction/exact_words.hpp>

#include <cmath>
#include <cstdint>

namespace warpfold::inline v0 {

/// What is known of the values and results of scatter_sum. Both are finite, and 0 <= value <= sum.
struct scatter_bound {
  double value; ///< the largest magnitude of a value
  double sum;   ///< the largest magnitude of a result; partial sums may be larger
};

namespace detail {

/// A multiple of the unit: the first word counts units, the second one, if there is one, 2^-32 of
/// them. Words are signed, and wrap around.
template <int Words>
struct fixed_words {
  std::uint64_t word[Words];

  WARPFOLD_HOST_DEVICE fixed_words& operator+=(fixed_words const& other) {
    WARPFOLD_UNROLL
    for (int w = 0; w < Words; ++w) word[w] += other.word[w];
    return *this;
  }
};

/// The integer nearest to x, |x| < 2^63; ties to even.
WARPFOLD_HOST_DEVICE inline std::int64_t nearest_integer_to(float x) {
#ifdef __CUDA_ARCH__
  return __float2ll_rn(x);
#else
  return std::llrint(x);
#endif
}
WARPFOLD_HOST_DEVICE inline std::int64_t nearest_integer_to(double x) {
#ifdef __CUDA_ARCH__
  return __double2ll_rn(x);
#else
  return std::llrint(x);
#endif
}

/// The least k with x <= 2^k, for a finite x > 0.
WARPFOLD_HOST_DEVICE inline int ceil_log2(double x) {
  unpacked<double> const parts(x);
  return float_format<double>::lowest + parts.position() + 64 - leading_zeros(parts.mantissa() - 1);
}
/// 2^k as a normal number.
template <class T>
WARPFOLD_HOST_DEVICE T power_of_two_as(int k) {
  using format = float_format<T>;
  int const biased = k - format::lowest - (format::digits - 1) + 1;
  return cast_bits<T>(static_cast<typename format::bits>(biased) << (format::digits - 1));
}
/// The finite T nearest to a non-negative number that is not above it.
template <class T>
WARPFOLD_HOST_DEVICE T rounded_down(double x) {
  using format = float_format<T>;
  using bits = typename format::bits;
  T const largest = cast_bits<T>((bits{format::max_biased} << (format::digits - 1)) - 1);
  if (x >= static_cast<double>(largest)) return largest;
  T const near = static_cast<T>(x);
  return static_cast<double>(near) > x ? cast_bits<T>(cast_bits<bits>(near) - 1) : near;
}

/// How T's, float or double, become integers and integers T's. The unit is 2^-s with
/// s = 62 - ceil(log2(bound of sums)).
template <class T>
class fixed_point {
  using format = float_format<T>;

public:
  WARPFOLD_HOST_DEVICE explicit fixed_point(scatter_bound bound)
      : fixed_point(rounded_down<T>(bound.value), rounded_down<T>(bound.sum),
                    bound.sum > 0 ? ceil_log2(bound.sum) : format::lowest) {}
  /// For `size` values of magnitudes up to `largest`; for all finite T's if that is not finite.
  WARPFOLD_HOST_DEVICE fixed_point(T largest, std::uint64_t size) {
    double const most = static_cast<double>(largest);
    T const value = rounded_down<T>(unpacked<T>(largest).is_finite() ? most : HUGE_VAL);
    int const count = size > 1 ? 64 - leading_zeros(size - 1) : 0; // size <= 2^count
    *this = fixed_point(value, value,
                        value > 0 ? ceil_log2(static_cast<double>(value)) + count : format::lowest);
  }

  /// True if a value can be added.
  WARPFOLD_HOST_DEVICE bool accepts(T x) const { return std::fabs(x) <= most_value_; }
  /// True if what is in results can be.
  WARPFOLD_HOST_DEVICE bool accepts_result(T x) const { return std::fabs(x) <= most_sum_; }

  /// x rounded to nearest, ties to even.
  template <int Words>
  WARPFOLD_HOST_DEVICE fixed_words<Words> words_of(T x) const {
    static_assert(Words == 1 || Words == 2);
    // Exact, or far below half of the last unit.
    T const scaled = x * first_factor_ * second_factor_;
    std::int64_t const whole = nearest_integer_to(scaled);
    if constexpr (Words == 1) {
      return {{static_cast<std::uint64_t>(whole)}};
    } else {
      T const rest = scaled - static_cast<T>(whole); // exact: |rest| <= 1 / 2
      return {{static_cast<std::uint64_t>(whole),
               static_cast<std::uint64_t>(nearest_integer_to(rest * T{4294967296}))}};
    }
  }

  /// Rounds a sum to nearest, ties to even. Returns false, and NaN, if it is beyond the bound.
  WARPFOLD_HOST_DEVICE bool round(fixed_words<1> sum, T& result) const {
    return round(sum.word[0], 0, result);
  }
  WARPFOLD_HOST_DEVICE bool round(fixed_words<2> sum, T& result) const {
    auto const carry = static_cast<std::uint64_t>(static_cast<std::int64_t>(sum.word[1]) >> 32);
    return round(sum.word[0] + carry, sum.word[1] << 32, result);
  }

  /// NaN
  WARPFOLD_HOST_DEVICE static T none() {
    using bits = typename format::bits;
    constexpr bits infinity = bits{format::max_biased} << (format::digits - 1);
    return cast_bits<T>(static_cast<bits>(infinity | infinity >> 1));
  }

private:
  WARPFOLD_HOST_DEVICE fixed_point(T most_value, T most_sum, int log2_of_sum)
      : most_value_{most_value}, most_sum_{most_sum} {
    // A unit finer than all T's makes no difference, nor does one beyond all floats.
    bits_ = 62 - log2_of_sum;
    if (bits_ > -format::lowest) bits_ = -format::lowest;
    if (bits_ < 2 * format::lowest + 60) bits_ = 2 * format::lowest + 60;
    first_factor_ = power_of_two_as<T>(bits_ / 2);
    second_factor_ = power_of_two_as<T>(bits_ - bits_ / 2);
  }

  /// head + tail / 2^64 units.
  WARPFOLD_HOST_DEVICE bool round(std::uint64_t head, std::uint64_t tail, T& result) const {
    bool const negative = head >> 63 != 0;
    if (negative) {
      tail = 0 - tail;
      head = 0 - head - (tail != 0 ? 1 : 0);
    }
    // 2^62, and what roundings of up to 2^57 values may add.
    constexpr std::uint64_t most = (std::uint64_t{1} << 62) + (std::uint64_t{1} << 56);
    if (head > most) {
      result = none();
      return false;
    }
    int exponent = 63 - bits_;
    if (head == 0) {
      head = tail;
      tail = 0;
      exponent -= 64;
    }
    if (head == 0) {
      result = T{0};
      return true;
    }
    if (int const zeros = leading_zeros(head); zeros > 0) {
      head = head << zeros | tail >> (64 - zeros);
      tail <<= zeros;
      exponent -= zeros;
    }
    result = round_head<T>(negative, head, exponent, tail != 0);
    return true;
  }

  T most_value_, most_sum_;
  T first_factor_, second_factor_; ///< their product is 2^bits_
  int bits_;
};

} // namespace detail
} // namespace warpfold::inline v0
