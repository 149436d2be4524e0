#pragma once
// What a selection by rank is asked for, keys that have the elements' order, and scratch memory.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/reduction/arithmetic.hpp>
#include <warpfold/reduction/operations.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

inline constexpr int max_positions = 16;
/// Two for each position: the elements before and behind it.
inline constexpr int max_targets = 2 * max_positions;

/// How bits are numbers: IEEE 754's, two's complement, or without a sign.
enum class element_kind { floating, integer, natural };

/// Elements by rank, or what lies between two of them.
struct selection {
  int count; ///< of positions
  element_kind kind;
  bool is_quantile;                ///< results are floating-point numbers, else elements
  std::uint64_t rank[max_targets]; ///< of position p: 2p the one before it, 2p + 1 behind it
  double weight[max_positions];    ///< of the latter
};

/// As wide as an element.
template <class T>
using selection_key = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

/// Keys, unsigned numbers with the order of the elements: -0 before +0, and every NaN behind the
/// largest number, whatever its sign.
template <class Key>
struct key_map {
  using integer = std::make_signed_t<Key>;
  static constexpr int sign = 8 * static_cast<int>(sizeof(Key)) - 1;
  static constexpr Key infinity =
      sizeof(Key) == 4 ? Key{0x7f800000u} : static_cast<Key>(0x7ff0000000000000u);
  Key flipped; ///< bits that negative numbers flip
  Key offset;
  Key last_number; ///< keys above it are NaN

  WARPFOLD_HOST_DEVICE static constexpr key_map of(element_kind kind) {
    constexpr Key top = Key{1} << sign;
    // -infinity gets the key 0, and NaN of either sign what is left above +infinity.
    if (kind == element_kind::floating)
      return {top - 1, infinity + 1, static_cast<Key>(2 * infinity + 1)};
    return {0, kind == element_kind::integer ? top : Key{0}, static_cast<Key>(-1)};
  }
  WARPFOLD_HOST_DEVICE static constexpr key_map none() { return of(element_kind::natural); }

  WARPFOLD_HOST_DEVICE constexpr Key key(Key bits) const {
    return static_cast<Key>((bits ^ (negative(bits) & flipped)) + offset);
  }
  WARPFOLD_HOST_DEVICE constexpr Key bits(Key key) const {
    Key const shifted = static_cast<Key>(key - offset);
    return shifted ^ (negative(shifted) & flipped);
  }
  /// A key's place in rising or falling order: 0 is the first one, and all NaN have the same.
  WARPFOLD_HOST_DEVICE constexpr Key place(Key key, bool is_rising) const {
    constexpr Key all = static_cast<Key>(-1);
    Key const end = last_number < all ? static_cast<Key>(last_number + 1) : all;
    return (key < end ? key : end) ^ (is_rising ? Key{0} : all);
  }

private:
  WARPFOLD_HOST_DEVICE static constexpr Key negative(Key bits) {
    return static_cast<Key>(static_cast<integer>(bits) >> sign);
  }
};

/// a + (b - a) t, each operation rounded, from the nearer end: numpy's. Equal ends are the result.
WARPFOLD_HOST_DEVICE inline double interpolated(double a, double b, double t) {
  if (t == 0 || a == b) return a;
  double const apart = plus{}(b, -a);
  return t < 0.5 ? plus{}(a, multiplies{}(apart, t)) : plus{}(b, -multiplies{}(apart, 1 - t));
}

template <class Key>
WARPFOLD_HOST_DEVICE double number_of_bits(Key bits, element_kind kind) {
  using real = std::conditional_t<sizeof(Key) == 4, float, double>;
  if (kind == element_kind::floating) return static_cast<double>(cast_bits<real>(bits));
  if (kind == element_kind::natural) return static_cast<double>(bits);
  return static_cast<double>(static_cast<std::make_signed_t<Key>>(bits));
}

/// Writes the result of a position between two keys.
template <class Key>
WARPFOLD_HOST_DEVICE void write_result(selection const& asked, int position, Key lower, Key upper,
                                       bool has_nan, void* results) {
  constexpr double nan = __builtin_nan("");
  auto const map = key_map<Key>::of(asked.kind);
  bool const is_float = asked.kind == element_kind::floating && sizeof(Key) == 4;
  if (!asked.is_quantile) {
    Key const nan_bits = map.infinity | map.infinity >> 1;
    Key const bits = has_nan ? nan_bits : map.bits(lower);
    __builtin_memcpy(static_cast<Key*>(results) + position, &bits, sizeof bits); // of any type
    return;
  }
  double const result =
      has_nan ? nan
              : interpolated(number_of_bits(map.bits(lower), asked.kind),
                             number_of_bits(map.bits(upper), asked.kind), asked.weight[position]);
  if (is_float) static_cast<float*>(results)[position] = static_cast<float>(result);
  else static_cast<double*>(results)[position] = result;
}

/// Keys from `low` to `low + width`.
template <class Key>
struct key_range {
  Key low, width;
  WARPFOLD_HOST_DEVICE bool operator==(key_range const& other) const {
    return low == other.low && width == other.width;
  }
  /// The shift that makes at most 2^bits bins of the range.
  WARPFOLD_HOST_DEVICE int shift(int bits) const {
    int by = 0;
    while (width >> by >> bits != 0) ++by;
    return by;
  }
  /// The part that is in bin `number`.
  WARPFOLD_HOST_DEVICE key_range bin(Key number, int shift) const {
    Key const first = number << shift, whole = (Key{1} << shift) - 1, rest = width - first;
    return {static_cast<Key>(low + first), rest < whole ? rest : whole};
  }
};

/// Bins of a pass: as many as fit into 96 KiB of shared memory for all targets, which any GPU has.
struct pass_shape {
  int targets, bits, slots;

  explicit constexpr pass_shape(int positions)
      : targets{2 * positions}, bits{targets <= 12   ? 11
                                     : targets <= 24 ? 10
                                                     : 9},
        slots{targets < 4 ? 4 : targets} {}

  constexpr std::size_t shared() const {
    return (static_cast<std::size_t>(slots) << bits) * sizeof(unsigned);
  }
  /// Passes that make one key of all.
  constexpr int passes(std::size_t key) const {
    return (8 * static_cast<int>(key) + bits - 1) / bits;
  }
};

/// Scratch memory on a gpu: a control block, then a sample's keys and the keys that are kept.
struct selection_layout {
  /// From here on a sample saves all reads but one. See lib/quantiles/tuning.hpp.
  static constexpr std::size_t sampled = std::size_t{1} << 23;
  static constexpr std::size_t control = std::size_t{256} << 10, max_sample = std::size_t{1} << 18;

  std::size_t sample = 0, kept = 0; ///< offsets in bytes
  std::size_t capacity = 0;         ///< keys that can be kept
  std::size_t bytes = control;

  constexpr selection_layout(std::size_t elements, std::size_t size) {
    if (elements < sampled) return;
    sample = control;
    kept = sample + max_sample * size;
    capacity = elements / 4;
    bytes = kept + capacity * size;
  }
};

/// A top_k on a gpu splits elements by class, those before the last one and its equals; then by
/// digits of keys. Parts are what a warp counts.
inline constexpr unsigned top_classes = 2, digit_classes = 256;
struct split_shape {
  std::size_t length, parts; ///< of all parts but the last, and how many

  WARPFOLD_HOST_DEVICE constexpr split_shape(std::size_t size, unsigned classes) {
    std::size_t const least = 1024, most_parts = classes == top_classes ? 1 << 15 : 1 << 10;
    length = ((size - 1) / (least * most_parts) + 1) * least; // and of none there are no parts
    parts = (size + length - 1) / length;
  }
};

/// Its scratch memory: a selection's, counts of classes of parts, then positions and keys.
struct top_layout {
  std::size_t counts, positions, keys, bytes; ///< offsets, and size

  constexpr top_layout(std::size_t elements, std::size_t count, std::size_t size)
      : counts{(selection_layout(elements, size).bytes + 255) / 256 * 256},
        positions{counts + 8 * (top_classes * split_shape(elements, top_classes).parts +
                                digit_classes * split_shape(count, digit_classes).parts + 1)},
        keys{positions + 8 * count}, bytes{keys + size * count} {}
};

/// Refuses a number of results that is not `count`, and results among the values.
void check_results(char const* argument, std::size_t size, std::size_t count, bool share_memory);

} // namespace warpfold::inline v0::detail
