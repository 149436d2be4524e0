#pragma once
// Exact sums as integers: a fixed-point number wide enough for every sum, kept in overlapping
// 64-bit words, and its correct rounding. docs/numerics.md explains it.

#include <warpfold/reduction/operations.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::detail {

/// A format's bits: mantissa digits, and the position of the lowest bit of its smallest number.
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

/// A finite number m * 2^(lowest + position), or what it is instead.
template <class T>
struct unpacked {
  typename float_format<T>::bits bits;

  WARPFOLD_HOST_DEVICE explicit unpacked(T x)
      : bits{cast_bits<typename float_format<T>::bits>(x)} {}
  WARPFOLD_HOST_DEVICE bool negative() const { return bits >> (8 * sizeof(T) - 1) != 0; }
  WARPFOLD_HOST_DEVICE int biased() const {
    return static_cast<int>(bits >> (float_format<T>::digits - 1)) & float_format<T>::max_biased;
  }
  WARPFOLD_HOST_DEVICE bool is_finite() const { return biased() != float_format<T>::max_biased; }
  WARPFOLD_HOST_DEVICE int position() const { return biased() == 0 ? 0 : biased() - 1; }
  WARPFOLD_HOST_DEVICE auto mantissa() const {
    constexpr auto hidden = typename float_format<T>::bits{1} << (float_format<T>::digits - 1);
    return (bits & (hidden - 1)) | (biased() == 0 ? 0 : hidden);
  }
};

/// The fixed-point number: the sum of Words words, of which word k counts units of 2^(Lowest + Step
/// k). They are signed and wider than Step bits, so that many numbers can be added before anything
/// must be carried. One word more counts what is not finite. The first Own words may be a
/// number of their own, which carries nothing to the others.
template <int Lowest, int Step, int Words, int Own = 0>
struct exact_layout {
  static constexpr int lowest = Lowest;
  static constexpr int step = Step;
  static constexpr int words = Words;
  static constexpr int specials = Words; ///< index of the word of what is not finite
  static constexpr int size = Words + 1;

  /// True if word k is a number's last, which carries nothing.
  WARPFOLD_HOST_DEVICE static constexpr bool is_last(int k) {
    return k >= words - 1 || (Own > 0 && k == Own - 1);
  }
  /// The bits of word k that it keeps, all of the last ones', and those that go to the next word.
  WARPFOLD_HOST_DEVICE static std::int64_t own(std::int64_t word, int k) {
    return is_last(k) ? word : word & ((std::int64_t{1} << step) - 1);
  }
  WARPFOLD_HOST_DEVICE static std::int64_t next(std::int64_t word, int k) {
    return is_last(k) ? 0 : word >> step;
  }
};

struct exact_row {
  std::int64_t* first;
  WARPFOLD_HOST_DEVICE std::int64_t& operator()(int k) const { return first[k]; }
};

/// Words [first, end) of a number; the others are zero.
struct word_range {
  int first, end;
};

/// Counts in the word of specials, in fields of 20 bits: room to add a million of them up.
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

/// A number as what it adds to two neighbouring words.
struct word_pair {
  int word;
  std::int64_t low, high; ///< to words `word` and `word` + 1
};

/// The words of two sums, one after the other. NaN and infinities are counted for both.
template <class First, class Second>
struct exact_layout_of_two
    : exact_layout<First::lowest, First::step, First::words + Second::words, First::words> {
  static_assert(First::step == Second::step);
  using first = First;
  using second = Second;
  /// The second sum's words, and where a pair of its own lies among those of both.
  WARPFOLD_HOST_DEVICE static exact_row second_of(exact_row row) {
    return {row.first + First::words};
  }
  WARPFOLD_HOST_DEVICE static word_pair of_second(word_pair pair) {
    return {pair.word + First::words, pair.low, pair.high};
  }
};

/// +-mantissa * 2^(Lowest + position), 53 bits at most. Words have room for 2^10 of them.
template <class Layout>
WARPFOLD_HOST_DEVICE word_pair pair_of_bits(std::uint64_t mantissa, int position, bool negative) {
  int const word = static_cast<int>(static_cast<unsigned>(position) / unsigned{Layout::step});
  int const shift = position - word * Layout::step;
  constexpr std::uint64_t own = (std::uint64_t{1} << Layout::step) - 1;
  auto const low = static_cast<std::int64_t>(mantissa << shift & own);
  auto const high = static_cast<std::int64_t>(mantissa >> (Layout::step - shift));
  return {word, negative ? -low : low, negative ? -high : high};
}

/// A finite number of either format, exactly. Numbers below the layout's lowest bit are zero or, as
/// the layouts are chosen, multiples of it whose lower bits are all zero.
template <class Layout, class T>
WARPFOLD_HOST_DEVICE word_pair pair_of(unpacked<T> x) {
  int const position = x.position() + float_format<T>::lowest - Layout::lowest;
  return pair_of_bits<Layout>(x.mantissa(), position < 0 ? 0 : position, x.negative());
}

/// Adds a pair and returns its first word.
template <class At>
WARPFOLD_HOST_DEVICE int add_pair(At at, word_pair pair) {
  at(pair.word) += pair.low;
  at(pair.word + 1) += pair.high;
  return pair.word;
}

/// Adds a float to one word, which has room for 2^8 of them.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE int add_float(At at, unpacked<float> x) {
  static_assert(Layout::step == 32);
  int const position = x.position() + float_format<float>::lowest - Layout::lowest;
  auto const units = static_cast<std::int64_t>(std::uint64_t{x.mantissa()} << (position & 31));
  at(position >> 5) += x.negative() ? -units : units;
  return position >> 5;
}

/// Gives words room again: moves what they hold beyond their own bits to the next one, once each.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE void make_room(At at) {
  for (int k = Layout::words - 1; k > 0; --k)
    at(k) = Layout::own(at(k), k) + Layout::next(at(k - 1), k - 1);
  at(0) = Layout::own(at(0), 0);
}

/// Carries from the first word to the last: then all but the last have no more than their own bits,
/// and every number has one form.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE void carry(At at, word_range range = {0, Layout::words}) {
  std::int64_t carried = 0;
  WARPFOLD_UNROLL_BY(1)
  for (int k = range.first; k < range.end - 1; ++k) {
    std::int64_t const sum = at(k) + carried;
    at(k) = sum & ((std::int64_t{1} << Layout::step) - 1);
    carried = sum >> Layout::step;
  }
  at(range.end - 1) += carried;
}

template <class Layout, class At>
WARPFOLD_HOST_DEVICE word_range range_of(At at) {
  word_range range{0, Layout::words};
  while (range.end > 0 && at(range.end - 1) == 0) --range.end;
  while (range.first < range.end && at(range.first) == 0) ++range.first;
  return range;
}

/// Takes the sign away; true if it was minus.
template <class Layout, class At>
WARPFOLD_HOST_DEVICE bool make_magnitude(At at, word_range range) {
  carry<Layout>(at, range);
  if (at(range.end - 1) >= 0) return false;
  WARPFOLD_UNROLL_BY(1)
  for (int k = range.first; k < range.end; ++k) at(k) = -at(k);
  carry<Layout>(at, range);
  return true;
}

WARPFOLD_HOST_DEVICE inline int leading_zeros(std::uint64_t x) {
#ifdef __CUDA_ARCH__
  return __clzll(static_cast<long long>(x));
#else
  return std::countl_zero(x);
#endif
}

/// The bits of a magnitude, number 0 being the lowest of word 0. Outside of the range all are 0.
template <class Layout, class At>
struct magnitude_bits {
  At at;
  word_range range;

  WARPFOLD_HOST_DEVICE std::uint64_t digit(int k) const {
    if (k < range.first || k > range.end) return 0;
    std::int64_t const word = k == range.end ? at(k - 1) >> Layout::step : at(k);
    return static_cast<std::uint64_t>(word) & ((std::uint64_t{1} << Layout::step) - 1);
  }
  /// 64 of them, from bit `from` on.
  WARPFOLD_HOST_DEVICE std::uint64_t window(int from) const {
    constexpr int offset = 64; // words, so that the division rounds down
    int k = (from + offset * Layout::step) / Layout::step - offset;
    int const shift = from - k * Layout::step;
    std::uint64_t bits = digit(k) >> shift;
    WARPFOLD_UNROLL
    for (int filled = Layout::step; filled < 64 + Layout::step; filled += Layout::step)
      if (filled - shift < 64) bits |= digit(++k) << (filled - shift);
    return bits;
  }
  /// Number of the highest one, -1 if there is none.
  WARPFOLD_HOST_DEVICE int highest() const {
    int k = range.end;
    while (k >= range.first && digit(k) == 0) --k;
    if (k < range.first) return -1;
    return Layout::step * k + 63 - leading_zeros(digit(k));
  }
  /// True if any bit below bit `below` is one.
  WARPFOLD_HOST_DEVICE bool any_below(int below) const {
    for (int k = range.first; k <= range.end && k * Layout::step < below; ++k) {
      int const own = below - k * Layout::step;
      std::uint64_t const bits =
          own < Layout::step ? digit(k) & ((std::uint64_t{1} << own) - 1) : digit(k);
      if (bits != 0) return true;
    }
    return false;
  }
};

/// The number whose highest 64 bits are `head`, bit 63 being worth 2^exponent, and of which more
/// bits that are not all zero follow if `more`: rounded to nearest, ties to even.
template <class T>
WARPFOLD_HOST_DEVICE T round_head(bool negative, std::uint64_t head, int exponent, bool more) {
  using format = float_format<T>;
  using bits = typename format::bits;
  int position = exponent - (format::digits - 1); // of the last bit that is kept
  if (position < format::lowest) position = format::lowest;
  int const count = exponent - position + 1; // of bits that are kept; none below T's range
  std::uint64_t kept = 0, rest = head;
  if (count > 0) {
    kept = head >> (64 - count);
    rest = head << count;
  } else if (count < 0) {
    rest = 0;
    more = true;
  }
  bool const half = rest >> 63 != 0;
  if (half && (more || rest << 1 != 0 || (kept & 1) != 0)) ++kept;
  // The hidden bit of `kept` adds itself to the exponent, and so does a carry out of the rounding.
  constexpr std::uint64_t infinity = std::uint64_t{format::max_biased} << (format::digits - 1);
  auto const biased = static_cast<std::uint64_t>(position - format::lowest);
  std::uint64_t result = infinity;
  if (biased < format::max_biased) result = (biased << (format::digits - 1)) + kept;
  if (result > infinity) result = infinity;
  bits const packed =
      static_cast<bits>(result) | static_cast<bits>(bits{negative} << (8 * sizeof(T) - 1));
  return cast_bits<T>(packed);
}

/// The sum of NaN and infinities as IEEE 754 has it.
template <class T>
WARPFOLD_HOST_DEVICE T sum_of_specials(std::int64_t specials) {
  std::int64_t const seen = counted_once(specials);
  using bits = typename float_format<T>::bits;
  constexpr bits infinity = bits{float_format<T>::max_biased} << (float_format<T>::digits - 1);
  bits const result = seen == saw_infinity         ? infinity
                      : seen == saw_minus_infinity ? infinity | bits{1} << (8 * sizeof(T) - 1)
                                                   : infinity | infinity >> 1; // a quiet NaN
  return cast_bits<T>(result);
}

/// Room for a carry out of the range.
template <class Layout>
WARPFOLD_HOST_DEVICE word_range with_room(word_range range) {
  return {range.first, range.end < Layout::words ? range.end + 1 : range.end};
}

/// The finite number rounded to nearest, ties to even; what it was is lost. Zero is +0.
template <class T, class Layout, class At>
WARPFOLD_HOST_DEVICE T round_finite_sum(At at, word_range range) {
  if (range.first >= range.end) return T{0};
  range = with_room<Layout>(range);
  bool const negative = make_magnitude<Layout>(at, range);

  int top = range.end - 1;
  while (top >= range.first && at(top) == 0) --top;
  if (top < range.first) return T{0};
  auto const digit = [&](int k) { return k < range.first ? 0 : static_cast<std::uint64_t>(at(k)); };
  // The highest word and the next 64 bits, those of two words or their upper part, and the rest.
  constexpr int step = Layout::step, pair = 2 * step;
  static_assert(pair >= float_format<T>::digits && step < 64);
  std::uint64_t const second = digit(top - 1), third = digit(top - 2);
  std::uint64_t next = second << (64 - step), rest = 0;
  if constexpr (pair >= 64) {
    next |= third >> (pair - 64);
    rest = third & ((std::uint64_t{1} << (pair - 64)) - 1);
  } else {
    next |= third << (64 - pair);
  }
  WARPFOLD_UNROLL_BY(1)
  for (int k = range.first; k < top - 2; ++k) rest |= static_cast<std::uint64_t>(at(k));
  std::uint64_t head = digit(top);
  int const zeros = leading_zeros(head);
  if (zeros > 0) head = head << zeros | next >> (64 - zeros);
  return round_head<T>(negative, head, Layout::lowest + step * top + 63 - zeros,
                       (next << zeros | rest) != 0);
}

/// The number rounded in that way, or what the specials make of it.
template <class T, class Layout, class At>
WARPFOLD_HOST_DEVICE T round_sum(At at, word_range range) {
  if (at(Layout::specials) != 0) return sum_of_specials<T>(at(Layout::specials));
  return round_finite_sum<T, Layout>(at, range);
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
/// sum of squares, and Layout::lowest is even.
template <class T, class Layout, class At>
WARPFOLD_HOST_DEVICE T round_root(At at, word_range range) {
  static_assert(Layout::lowest % 2 == 0);
  if (at(Layout::specials) != 0) return sum_of_specials<T>(at(Layout::specials));
  if (range.first >= range.end) return T{0};
  range = with_room<Layout>(range);
  carry<Layout>(at, range);
  magnitude_bits<Layout, At> const magnitude{at, range};
  int const highest = magnitude.highest();
  if (highest < 0) return T{0}; // what was added came to 0 only now
  // The root of the highest 125 or 126 bits, the last of which is worth an even power of two, has
  // 63 bits, the first of them one.
  int const from = highest / 2 * 2 - 124;
  std::uint64_t const low = magnitude.window(from), high = magnitude.window(from + 64);
  std::uint64_t const root = root_of(high, low);
  bool const exact = root * root == low && !magnitude.any_below(from);
  return round_head<T>(false, root << 1, (from + Layout::lowest) / 2 + 62, !exact);
}

} // namespace warpfold::inline v0::detail
