#pragma once
// Logarithm and exponential for implied volatilities: the same bits on every place.

#include <warpfold/detail/macros.hpp>

#include <cmath>
#include <cstdint>

namespace warpfold::detail {

/// ln(a / b) of normal positive numbers, within two units in the last place also where a is close
/// to b: twice the inverse hyperbolic tangent of (a - b) / (a + b), whose series is taken where
/// |ln| is at most ln(2) / 2.
WARPFOLD_HOST_DEVICE inline double log_of_ratio(double a, double b) {
  constexpr std::uint64_t one = std::uint64_t{1} << 52;
  std::uint64_t const bits = __builtin_bit_cast(std::uint64_t, a);
  std::uint64_t const difference = bits - __builtin_bit_cast(std::uint64_t, b);
  std::uint64_t const power = (difference + one / 2) & ~(one - 1);
  double const scaled = __builtin_bit_cast(double, bits - power);
  double const exponent = static_cast<double>(static_cast<std::int32_t>(power >> 32)) * 0x1p-20;
  double const f = (scaled - b) / (scaled + b);
  double const z = f * f;
  constexpr double series[] = {2. / 3,  2. / 5,  2. / 7,  2. / 9,  2. / 11, 2. / 13,
                               2. / 15, 2. / 17, 2. / 19, 2. / 21, 2. / 23};
  double sum = series[10];
  WARPFOLD_UNROLL
  for (int i = 9; i >= 0; --i) sum = std::fma(sum, z, series[i]);
  double const tail = std::fma(exponent, 0x1.a39ef35793c76p-33, f * z * sum);
  return std::fma(exponent, 0x1.62e42feep-1, std::fma(2., f, tail));
}

/// exp(x) for |x| <= 700.
WARPFOLD_HOST_DEVICE inline double exponential(double x) {
  constexpr double magic = 0x1.8p52;
  double const sum = std::fma(x, 0x1.71547652b82fep+0, magic);
  double const n = sum - magic;
  double const r = std::fma(n, -0x1.a39ef35793c76p-33, std::fma(n, -0x1.62e42feep-1, x));
  constexpr double series[] = {0.5,
                               0x1.5555555555555p-3,
                               0x1.5555555555555p-5,
                               0x1.1111111111111p-7,
                               0x1.6c16c16c16c17p-10,
                               0x1.a01a01a01a01ap-13,
                               0x1.a01a01a01a01ap-16,
                               0x1.71de3a556c734p-19,
                               0x1.27e4fb7789f5cp-22,
                               0x1.ae64567f544e4p-26,
                               0x1.1eed8eff8d898p-29,
                               0x1.6124613a86d09p-33};
  double tail = series[11];
  WARPFOLD_UNROLL
  for (int i = 10; i >= 0; --i) tail = std::fma(tail, r, series[i]);
  double const value = 1 + std::fma(r * r, tail, r);
  return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, value) +
                                        (__builtin_bit_cast(std::uint64_t, sum) << 52));
}

} // namespace warpfold::detail
