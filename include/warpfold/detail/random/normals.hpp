#pragma once
// Uniform and normal numbers from random words: the same bits on the host and on a GPU. Only
// + - * sqrt, explicit fma and integers; what includes this is compiled without contraction
// (-ffp-contract=off, -fmad=false).

#include <warpfold/detail/random/elementary.hpp>
#include <warpfold/detail/random/philox.hpp>

#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

template <class T>
struct normal_pair {
  T first, second;
};

/// A word as a number, rounded once. A host makes a double of two numbers with parts of the word as
/// their last bits: most have no vector instruction for it.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float number_of_word(std::uint32_t w) {
  return static_cast<float>(w);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double number_of_word(std::uint64_t w) {
#ifdef __CUDA_ARCH__
  return static_cast<double>(w);
#else
  double const high = cast_bits<double>(cast_bits<std::uint64_t>(0x1p84) | w >> 32);
  double const low = cast_bits<double>(cast_bits<std::uint64_t>(0x1p52) | (w & 0xFFFFFFFF));
  return (high - (0x1p84 + 0x1p52)) + low;
#endif
}
/// A signed word as a number, rounded once.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float number_of_signed(std::uint32_t w) {
  return static_cast<float>(static_cast<std::int32_t>(w));
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double number_of_signed(std::uint64_t w) {
#ifdef __CUDA_ARCH__
  return static_cast<double>(static_cast<std::int64_t>(w));
#else
  constexpr std::uint64_t sign = std::uint64_t{1} << 31;
  double const high = cast_bits<double>(cast_bits<std::uint64_t>(0x1p84) | (w >> 32 ^ sign));
  double const low = cast_bits<double>(cast_bits<std::uint64_t>(0x1p52) | (w & 0xFFFFFFFF));
  return (high - (0x1p84 + 0x1p63 + 0x1p52)) + low;
#endif
}

/// A word as a fraction, (word + 1/2) / 2^32: of 64 bits for doubles.
template <class T>
struct word_fraction {
  using word = bits_of<T>;
  static constexpr T unit = sizeof(T) == 4 ? T(0x1p-32) : T(0x1p-64);

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T of(word w) {
    return std::fma(number_of_word(w), unit, unit / 2);
  }
  /// A signed word's fraction, from -1/2 to 1/2.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T of_signed(word w) {
    return std::fma(number_of_signed(w), unit, unit / 2);
  }
};

/// In the open interval (0, 1), from 2^-33 to 1 - 2^-24 in float and from 2^-65 to 1 - 2^-53 in
/// double: (word + 1/2) / 2^32 or / 2^64, rounded once, but never to 1. The word's first bits
/// become the mantissa of a number above 1, its last bits and the half that of a number above the
/// first one's unit u: less 1 + u the first is exact, so that the sum alone rounds.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T uniform_of_word(bits_of<T> w) {
  using bits = bits_of<T>;
  constexpr int width = sizeof(T) == 4 ? 23 : 52, left = 8 * sizeof(T) - width;
  constexpr T unit = sizeof(T) == 4 ? T(0x1p-23) : T(0x1p-52);
  constexpr bits one_bits = (sizeof(T) == 4 ? bits{0x7F} : bits{0x3FF}) << width;
  constexpr bits unit_bits = one_bits - (bits{width} << width);
  constexpr bits half = bits{1} << (width - left - 1), mantissa = (bits{1} << width) - 1;
  constexpr T last = 1 - unit / 2;
  T const first = cast_bits<T>(one_bits | w >> left) - (1 + unit);
  T const rest = cast_bits<T>(unit_bits | half | (w << (width - left) & mantissa));
  T const u = first + rest;
  return u < last ? u : last;
}

/// A coordinate of Sobol's sequence, whose word becomes a float first: so it is rounded twice.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float coordinate_of(std::uint32_t word) {
  constexpr float last = 1 - 0x1p-24F;
  float const u = word_fraction<float>::of(word);
  return u < last ? u : last;
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint64_t two_words(std::uint32_t low,
                                                                    std::uint32_t high) {
  return std::uint64_t{high} << 32 | low;
}

/// A number as 2^n mantissa, the mantissa being from sqrt(1/2) to sqrt(2).
template <class T>
struct mantissa_and_exponent {
  T mantissa;
  std::int32_t exponent; ///< n 2^23, or for doubles n 2^20
};
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE mantissa_and_exponent<T> split_exponent(T x) {
  using bits = bits_of<T>;
  constexpr bits least = sizeof(T) == 4 ? bits{0x3F3504F3} : static_cast<bits>(0x3FE6A09E667F3BCD);
  constexpr bits fraction = (bits{1} << mantissa_bits<T>)-1;
  bits const above = (cast_bits<bits>(x) - least) & ~fraction;
  return {cast_bits<T>(cast_bits<bits>(x) - above),
          static_cast<std::int32_t>(above >> (8 * sizeof(T) - 32))};
}

/// -ln(2^n (1 + f)), where 1 + f is a mantissa as above. Relatively accurate, near 1 too: there n
/// is 0, and f may be known better than 1 + f. Coefficients: lib/random/fit_normals.py.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float minus_log(float f, std::int32_t exponent) {
  constexpr float ln2 = static_cast<float>(0.69314718055994531 * 0x1p-23);
  float const rest = horner(f, -0.499999168F, 0.333341978F, -0.250057066F, 0.199564788F,
                            -0.165032531F, 0.149141855F, -0.146817264F, 0.091421864F);
  return std::fma(static_cast<float>(exponent), -ln2, std::fma(-(f * f), rest, -f));
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double minus_log(double f, std::int32_t exponent) {
  constexpr double ln2 = 0.69314718055994531 * 0x1p-20;
  double const s = f * rounded_reciprocal(f + 2), square = s * s;
  double const rest =
      horner(square, 0.66666666666667355, 0.39999999999406985, 0.28571428744261879,
             0.22222198365232251, 0.18183575898217583, 0.15313735916893609, 0.147992752266174);
  return std::fma(static_cast<double>(exponent), -ln2, std::fma(s, std::fma(-square, rest, f), -f));
}

/// -ln of a word's fraction, (w + 1/2) / 2^32 or / 2^64. Near 1 the fraction is known by its
/// distance from there.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T minus_log_of_word(bits_of<T> w) {
  auto const split = split_exponent(word_fraction<T>::of(w));
  T const f = split.exponent == 0 ? word_fraction<T>::of_signed(w) : split.mantissa - 1;
  return minus_log(f, split.exponent);
}

/// sqrt(2) times the cosine and the sine of pi y / 2, for |y| <= 1/2; same source.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE normal_pair<float> cosine_sine(float y) {
  float const z = y * y;
  return {horner(z, 1.41421356F, -1.74471603F, 0.358742398F, -0.0295004044F, 0.00127754813F),
          y * horner(z, 2.22144146F, -0.913530286F, 0.112684583F, -0.006507727F)};
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE normal_pair<double> cosine_sine(double y) {
  double const z = y * y;
  return {horner(z, 1.414213562373095, -1.7447160499097199, 0.35874285843417109,
                 -0.029505417453843865, 0.0013000303480273904, -3.5641070108183305e-5,
                 6.6621819783636071e-7, -9.0316200622602514e-9, 9.2009992932168334e-11),
          y * horner(z, 2.2214414690791831, -0.91353118749942984, 0.11270239285845933,
                     -0.0066210001938584268, 0.00022689809940225238, -5.0895321711520595e-6,
                     8.0495991572227721e-8, -9.372602631863224e-10)};
}

/// Two normals from two words, that give a radius and a direction: G. E. P. Box, M. E. Muller, A
/// note on the generation of random normal deviates, Annals of Mathematical Statistics 29, 1958.
///
/// The radius is sqrt(-2 ln u), u being the first word's fraction. The second word is two bits and
/// a signed number x of 30: with the angle a = pi / 2 (x + 1/2) / 2^30, up to pi / 4 to either
/// side, the normals are radius cos a and radius sin a; exchanged, if the first bit is set; and
/// both negative, if the second is. So all directions are as likely, with no more than a
/// polynomial's range to cover.
template <class Word>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto box_muller(Word for_radius, Word for_angle) {
  using T = std::conditional_t<sizeof(Word) == 4, float, double>;
  using bits = bits_of<T>;
  using signed_bits = std::make_signed_t<bits>;
  constexpr bits sign = ~(~bits{0} >> 1);
  T const radius = rounded_root(minus_log_of_word<T>(for_radius));
  T const signed_radius = cast_bits<T>(cast_bits<bits>(radius) ^ (for_angle << 1 & sign));
  // Two bits are shifted out: a quarter of the unit is still half of the last bit of what is left.
  auto const direction = cosine_sine(std::fma(number_of_signed(static_cast<bits>(for_angle << 2)),
                                              word_fraction<T>::unit, 2 * word_fraction<T>::unit));
  bool const exchanged = static_cast<signed_bits>(for_angle) < 0;
  return normal_pair<T>{signed_radius * (exchanged ? direction.second : direction.first),
                        signed_radius * (exchanged ? direction.first : direction.second)};
}

struct four_normals {
  float of[4];
};
struct two_normals {
  double of[2];
};

/// Four normals from a block of words.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE four_normals normals_of(philox_words const& words) {
  auto const a = box_muller(words.of[0], words.of[1]), b = box_muller(words.of[2], words.of[3]);
  return {{a.first, a.second, b.first, b.second}};
}
/// Two, of doubles.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE two_normals
double_normals_of(philox_words const& words) {
  auto const a =
      box_muller(two_words(words.of[0], words.of[1]), two_words(words.of[2], words.of[3]));
  return {{a.first, a.second}};
}

} // namespace warpfold::inline v0::detail
