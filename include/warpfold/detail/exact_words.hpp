#pragma once
// Exact sums as integers: a fixed-point number wide enough for every sum, kept in overlapping
// 64-bit words, and its correct rounding. docs/numerics.md explains it.

#include <warpfold/detail/macros.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::detail {

/// A binary floating-point format as its bits: mantissa digits, and the place of the lowest bit of
/// its smallest number.
template <class T>
struct float_format;
template <>
struct float_format<float> {
  using bits = std::uint32_t;
  static constexpr int digits = 24, lowest = -149, max_biased = 0xff;
};
template <>
struct float_format<double> {
  using bits = std::uint64_t;
  static constexpr int digits = 53, lowest = -1074, max_biased = 0x7ff;
};

/// A finite number m * 2^(lowest + place), or what it is instead.
template <class T>
struct unpacked {
  typename float_format<T>::bits bits;

  WARPFOLD_HOST_DEVICE explicit unpacked(T x) { std::memcpy(&bits, &x, sizeof(T)); }
  WARPFOLD_HOST_DEVICE bool negative() const { return bits >> (8 * sizeof(T) - 1) != 0; }
  WARPFOLD_HOST_DEVICE int biased() const {
    return static_cast<int>(bits >> (float_format<T>::digits - 1)) & float_format<T>::max_biased;
  }
  WARPFOLD_HOST_DEVICE bool is_finite() const { return biased() != float_format<T>::max_biased; }
  WARPFOLD_HOST_DEVICE int place() const { return biased() == 0 ? 0 : biased() - 1; }
  WARPFOLD_HOST_DEVICE auto mantissa() const {
    constexpr auto hidden = typename float_format<T>::bits{1} << (float_format<T>::digits - 1);
    return (bits & (hidden - 1)) | (biased() == 0 ? 0 : hidden);
  }
};

/// The fixed-point number: word k of Words counts units of 2^(Lowest + 32 k). Words are signed and
/// wider than the 32 bits to the next, so that many numbers can be added before anything must be
/// carried; the number is the sum of all. One word more counts what is not finite.
template <int Lowest, int Words>
struct exact_layout {
  static constexpr int lowest = Lowest;
  static constexpr int words = Words;
  static constexpr int specials = Words; ///< index of the word of what is not finite
  static constexpr int size = Words + 1;
};

/// What the word of specials counts, in fields of 20 bits: room to add a million of them up.
inline constexpr std::int64_t no_special = 0;
inline constexpr std::int64_t saw_nan = 1;
inline constexpr std::int64_t saw_infinity = std::int64_t{1} << 20;
inline constexpr std::int64_t saw_minus_infinity = std::int64_t{1} << 40;

template <class T>
WARPFOLD_HOST_DEVICE std::int64_t special_of(unpacked<T> x) {
  constexpr auto fraction =
      (typename float_format<T>::bits{1} << (float_format<T>::digits - 1)) - 1;
  if ((x.bits & fraction) != 0) return saw_nan;
  return x.negative() ? saw_minus_infinity : saw_infinity;
}

/// Which specials have been seen, each counted once.
WARPFOLD_HOST_DEVICE constexpr std::int64_t counted_once(std::int64_t specials) {
  constexpr std::int64_t field = (std::int64_t{1} << 20) - 1;
  return ((specials & field) != 0 ? saw_nan : 0) |
         ((specials >> 20 & field) != 0 ? saw_infinity : 0) |
         ((specials >> 40 & field) != 0 ? saw_minus_infinity : 0);
}

/// Adds +-mantissa * 2^(Lowest + place). Two words are enough: 32 bits go to the lower one, and at
/// most 53 to the upper one, which has room for 2^10 of them.
template <class At>
WARPFOLD_HOST_DEVICE void add_bits(At at, std::uint64_t mantissa, int place, bool negative) {
  int const word = place >> 5, shift = place & 31;
  std::int64_t const low = static_cast<std::uint32_t>(mantissa << shift);
  auto const high = static_cast<std::int64_t>(mantissa >> (32 - shift));
  at(word) += negative ? -low : low;
  at(word + 1) += negative ? -high : high;
}

/// A finite number of either format, exactly. Numbers below the layout's lowest bit are zero or, as
/// the layouts are chosen, multiples of it whose lower bits are all zero.
template <class Layout, class T, class At>
WARPFOLD_HOST_DEVICE void add_number(At at, unpacked<T> x) {
  int const place = x.place() + float_format<T>::lowest - Layout::lowest;
  add_bits(at, x.mantissa(), place < 0 ? 0 : place, x.negative());
}

/// A float in one word, which has room for 2^8 of them.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE void add_float(At at, unpacked<float> x) {
  int const place = x.place() + float_format<float>::lowest - Layout::lowest;
  auto const units = static_cast<std::int64_t>(std::uint64_t{x.mantissa()} << (place & 31));
  at(place >> 5) += x.negative() ? -units : units;
}

/// Moves what a word holds beyond 32 bits to the next one, in one step for all: words are then
/// below 2^33 in magnitude, and have room again.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE void make_room(At at) {
  at(Layout::words - 1) += at(Layout::words - 2) >> 32;
  for (int k = Layout::words - 2; k > 0; --k)
    at(k) = static_cast<std::uint32_t>(at(k)) + (at(k - 1) >> 32);
  at(0) = static_cast<std::uint32_t>(at(0));
}

/// Carries from the first word to the last: then all but the last are within [0, 2^32), and every
/// number has one form.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE void carry(At at) {
  std::int64_t carried = 0;
  for (int k = 0; k < Layout::words - 1; ++k) {
    std::int64_t const sum = at(k) + carried;
    at(k) = static_cast<std::uint32_t>(sum);
    carried = sum >> 32;
  }
  at(Layout::words - 1) += carried;
  at(Layout::specials) = counted_once(at(Layout::specials));
}

/// Carried words with their sign taken away; true if it was minus.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE bool make_magnitude(At at) {
  carry<Layout>(at);
  if (at(Layout::words - 1) >= 0) return false;
  for (int k = 0; k < Layout::words; ++k) at(k) = -at(k);
  carry<Layout>(at);
  return true;
}

/// The bits of a magnitude.
template <class Layout, class At>
struct magnitude_bits {
  At at;

  /// 32 of them, from bit 32 k on; the last word may have twice as many.
  WARPFOLD_HOST_DEVICE std::uint64_t digit(int k) const {
    if (k < 0 || k > Layout::words) return 0;
    std::int64_t const word = k == Layout::words ? at(k - 1) >> 32 : at(k);
    return static_cast<std::uint32_t>(word);
  }
  /// 64 of them, from bit `from` on, which may be negative: there are zeros below bit 0.
  WARPFOLD_HOST_DEVICE std::uint64_t window(int from) const {
    int const k = from >> 5, shift = from & 31;
    std::uint64_t const low = (digit(k) | digit(k + 1) << 32) >> shift;
    return shift == 0 ? low : low | digit(k + 2) << (64 - shift);
  }
  /// Number of the highest one, -1 if there is none.
  WARPFOLD_HOST_DEVICE int highest() const {
    int k = Layout::words;
    while (k >= 0 && digit(k) == 0) --k;
    if (k < 0) return -1;
    int bit = 32 * k;
    for (std::uint64_t rest = digit(k) >> 1; rest != 0; rest >>= 1) ++bit;
    return bit;
  }
  /// Whether any bit below bit `below` is one.
  WARPFOLD_HOST_DEVICE bool any_below(int below) const {
    if (below <= 0) return false;
    int const k = below >> 5, shift = below & 31;
    if ((digit(k) & ((std::uint64_t{1} << shift) - 1)) != 0) return true;
    for (int i = 0; i < k; ++i)
      if (digit(i) != 0) return true;
    return false;
  }
};

/// `kept` * 2^place rounded to nearest, ties to even, given the bit after `kept` and whether any
/// after that is one. `kept` has T's digits, fewer only at T's lowest place.
template <class T>
WARPFOLD_HOST_DEVICE T packed(bool negative, std::uint64_t kept, int place, bool half, bool more) {
  using format = float_format<T>;
  using bits = typename format::bits;
  if (half && (more || (kept & 1) != 0)) ++kept;
  // The hidden bit of `kept` adds itself to the exponent, and so does a carry out of the rounding.
  std::uint64_t const biased = static_cast<std::uint64_t>(place - format::lowest);
  std::uint64_t const infinity = std::uint64_t{format::max_biased} << (format::digits - 1);
  std::uint64_t packed = infinity;
  if (biased < format::max_biased) packed = (biased << (format::digits - 1)) + kept;
  if (packed > infinity) packed = infinity;
  bits const result =
      static_cast<bits>(packed) | static_cast<bits>(bits{negative} << (8 * sizeof(T) - 1));
  T rounded;
  std::memcpy(&rounded, &result, sizeof(T));
  return rounded;
}

/// Of NaN and infinities, the sum as IEEE 754 has it.
template <class T>
WARPFOLD_HOST_DEVICE T sum_of_specials(std::int64_t specials) {
  std::int64_t const seen = counted_once(specials);
  using bits = typename float_format<T>::bits;
  constexpr bits infinity = bits{float_format<T>::max_biased} << (float_format<T>::digits - 1);
  bits const result = seen == saw_infinity         ? infinity
                      : seen == saw_minus_infinity ? infinity | bits{1} << (8 * sizeof(T) - 1)
                                                   : infinity | infinity >> 1; // a quiet NaN
  T sum;
  std::memcpy(&sum, &result, sizeof(T));
  return sum;
}

/// The number rounded to nearest, ties to even; what it was is lost. Zero is +0.
template <class T, class Layout, class At>
WARPFOLD_HOST_DEVICE T round_sum(At at) {
  if (at(Layout::specials) != 0) return sum_of_specials<T>(at(Layout::specials));
  bool const negative = make_magnitude<Layout>(at);
  magnitude_bits<Layout, At> const magnitude{at};
  int const highest = magnitude.highest();
  if (highest < 0) return T{0};
  using format = float_format<T>;
  int place = highest + Layout::lowest - (format::digits - 1);
  if (place < format::lowest) place = format::lowest;
  int const dropped = place - Layout::lowest;
  return packed<T>(negative, magnitude.window(dropped), place,
                   (magnitude.window(dropped - 1) & 1) != 0, magnitude.any_below(dropped - 1));
}

/// Largest r with r * r <= value; value < 2^126.
WARPFOLD_HOST_DEVICE inline std::uint64_t root_of(std::uint64_t high, std::uint64_t low) {
  __extension__ using wide = unsigned __int128;
  wide const value = wide{high} << 64 | low;
  // One bit after the other: the remainder decides each.
  wide rest = 0;
  std::uint64_t root = 0;
  for (int bit = 126; bit >= 0; bit -= 2) {
    rest = rest << 2 | (value >> bit & 3);
    wide const step = wide{root} << 2 | 1;
    root <<= 1;
    if (rest >= step) {
      rest -= step;
      root |= 1;
    }
  }
  return root;
}

/// The number's square root, rounded to nearest, ties to even; what it was is lost. The number is a
/// sum of squares. `Layout::lowest` is even.
template <class T, class Layout, class At>
WARPFOLD_HOST_DEVICE T round_root(At at) {
  static_assert(Layout::lowest % 2 == 0);
  if (at(Layout::specials) != 0) return sum_of_specials<T>(at(Layout::specials));
  carry<Layout>(at);
  magnitude_bits<Layout, At> const magnitude{at};
  int const highest = magnitude.highest();
  if (highest < 0) return T{0};
  using format = float_format<T>;
  int place = ((highest + Layout::lowest) >> 1) - (format::digits - 1);
  if (place < format::lowest) place = format::lowest;
  // root = floor(sqrt(number) / 2^(place - 1)): all digits and the bit after them.
  int const from = 2 * (place - 1) - Layout::lowest;
  std::uint64_t const low = magnitude.window(from), high = magnitude.window(from + 64);
  std::uint64_t const root = root_of(high, low);
  bool const exact = root * root == low && !magnitude.any_below(from);
  return packed<T>(false, root >> 1, place, (root & 1) != 0, !exact);
}

} // namespace warpfold::detail
