#pragma once
// Normals by the inverse of their distribution: the same bits on the host and on a GPU, as those of
// normals.hpp.

#include <warpfold/detail/random/normals.hpp>

namespace warpfold::inline v0::detail {

/// The normal quantile of u, divided by u - 1/2, as a function of w = -ln(4 u (1 - u)); w is at
/// most 31 ln 2 (double: 65 ln 2). Polynomials in w and, in the tails, its root: M. Giles,
/// Approximating the erfinv function, GPU Computing Gems (2011); the coefficients are ours:
/// lib/random/fit_normals.py.
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float quantile_quotient(float w) {
  if (w <= 6)
    return horner(std::fma(w, 0.333333333F, -1.0F), 4.59207027F, 2.050302F, -0.146070561F,
                  -0.0638579755F, 0.0447042423F, -0.00873487134F, -0.00366161736F, 0.00277383057F,
                  -0.000340265939F, -0.000304722506F, 0.000104473026F);
  return horner(std::fma(rounded_root(w), 0.914922228F, -3.24109261F), 9.55522798F, 3.11504894F,
                0.0102314318F, -0.00700197906F, 0.00379974138F, -0.00243526265F, 0.00198461719F,
                -0.001267225F, 0.000206648376F, 0.000120948919F);
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double quantile_quotient(double w) {
  if (w <= 8)
    return horner(std::fma(w, 0.25, -1.0), 5.2574212605000997, 2.5835383442880162,
                  -0.32678786939510855, -0.03692287916755816, 0.086076713802411231,
                  -0.044936648868231448, 0.0056367097942133641, 0.0082136426461349273,
                  -0.0061979097276714287, 0.0013717300682776301, 0.00086304370232216344,
                  -0.00085134817466747818, 0.00024871681296285556, 8.8429363172008025e-5,
                  -0.00011669978777756165, 4.1869329660354926e-5, 7.9206208329798089e-6,
                  -1.5995531227738902e-5, 7.1020223094440857e-6, 5.441746378458836e-7,
                  -2.5106089797338904e-6, 1.1082528015712594e-6, 2.4976709318242965e-7,
                  -3.5101565594677831e-7, 4.2518939224667107e-8, 3.9666975843741108e-8,
                  -1.0358310839805665e-8);
  double const root = rounded_root(w);
  if (w <= 20)
    return horner(std::fma(root, 1.2167605132909616, -4.4415184401122529), 9.862561809585552,
                  2.3436799536854187, 0.0047278759956843325, -0.0024083274145895238,
                  0.00090911316850253525, -0.00040707840185931379, 0.00020995180306826139,
                  -9.9786092035838038e-5, 3.6472879914248197e-5, -7.756388890446123e-6,
                  -7.9993655473130386e-7, 1.4766372788914718e-6, -6.2891894158549651e-7,
                  1.1562424896000845e-7, 2.0159320245161688e-8, -2.1017958941208436e-8,
                  6.6154058385599213e-9, -5.7761453791159605e-10, -3.9979548713900323e-10,
                  1.7838281145690606e-10, -2.4103454201575704e-11);
  return horner(std::fma(root, 0.89280377005601718, -4.9927398408266913), 15.409621853492615,
                3.1995897915083833, -0.0014003743192319145, -0.00035276948145353891,
                0.00015953155039878963, -4.4670515178246701e-5, 1.072287829837755e-5,
                -2.3782283504578185e-6, 5.022794025329536e-7, -1.0334525839454549e-7,
                2.1760657759768783e-8, -5.4065632084944002e-9, 1.9761847723129819e-9,
                -1.0181182946689304e-9, 5.4674932288665832e-10, -2.773794731727641e-10,
                1.4848061031274622e-10, -6.7880709858700546e-11, 1.5078845700360211e-11);
}

/// The x above which a normal is with probability p, for p <= 1/2; and what p is less than that.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T upper_quantile(T p, T less_than_half) {
  auto const split = split_exponent(4 * std::fma(-p, p, p));
  return less_than_half * quantile_quotient(minus_log(split.mantissa - 1, split.exponent));
}

/// The x below which a normal is with probability u, for 2^-33 <= u < 1 (double: 2^-67).
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T inverse_normal(T u) {
  return -upper_quantile(u < T(0.5) ? u : 1 - u, T(0.5) - u);
}

/// inverse_normal of the fraction that word w stands for, as exact above 1/2 as below it.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T inverse_normal_of_word(bits_of<T> w) {
  using bits = bits_of<T>;
  constexpr bits half = ~(~bits{0} >> 1);
  bits const from_end = (w & half) != 0 ? ~w : w;
  T const x =
      upper_quantile(word_fraction<T>::of(from_end), word_fraction<T>::of(half - 1 - from_end));
  return cast_bits<T>(cast_bits<bits>(x) ^ (~w & half));
}
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE float normal_by_inverse(std::uint32_t word) {
  return inverse_normal_of_word<float>(word);
}

} // namespace warpfold::inline v0::detail
