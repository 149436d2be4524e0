#pragma once
// Terms of exact sums, numbers and products of two: as doubles for an expansion, which is fast and
// good for nearly all data, and as the bits of an integer.

#include <warpfold/detail/reduction/exact_words.hpp>
#include <warpfold/detail/reduction/two_sum.hpp>
#include <warpfold/reduction/operations.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// A sum as Parts doubles that do not overlap much, the largest first.
template <int Parts>
struct expansion {
  double part[Parts] = {};

  /// Adds x to part First and, what each addition loses, to the next before End. Returns what the
  /// last one lost: 0 if the expansion is still exact; something else, perhaps NaN, if not.
  template <int First = 0, int End = Parts>
  WARPFOLD_HOST_DEVICE double add(double x) {
    WARPFOLD_UNROLL
    for (int k = First; k < End; ++k) {
      exact_pair<double> const next = two_sum(part[k], x);
      part[k] = next.sum;
      x = next.error;
    }
    return x;
  }
};

/// Not 0 if x is not: its bits but for the sign.
WARPFOLD_HOST_DEVICE inline std::uint64_t lost(double x) {
  return cast_bits<std::uint64_t>(x) << 1;
}

// Members of terms:
//   element          what a reader yields
//   layout           wide enough for any sum of 2^63 terms
//   parts            of the expansion
//   additions        that a word has room for
//   add_fast(sum, x) the term added to an expansion; 0 if nothing was lost
//   add(at, x)       the finite term added to words, `span` of them; returns the first
//   add_batch(sum, batch), picked(batch, i)
//                    add_fast of an array, and its element i; may be left out
//   is_finite(x)     whether the term is, and what it is if not: special_of(x)
//   are_products     whether a root may be asked for
//   pair_of_part(i, x)
//                    what part i of an expansion adds to words; may be left out

template <class Terms>
WARPFOLD_HOST_DEVICE word_pair pair_of_part([[maybe_unused]] int i, double part) {
  if constexpr (requires { Terms::pair_of_part(i, part); }) return Terms::pair_of_part(i, part);
  else return pair_of<typename Terms::layout>(unpacked<double>(part));
}

template <class T>
struct exact_values;
template <class T>
struct exact_products;

template <>
struct exact_values<float> {
  using element = float;
  static constexpr bool are_products = false;
  /// Doubles with float's lowest bit have zeros 29 bits further down.
  using layout = exact_layout<-202, 32, 12>;
  static constexpr int parts = 1;
  static constexpr int additions = 200;
  static constexpr int span = 1;

  WARPFOLD_HOST_DEVICE static std::uint64_t add_fast(expansion<parts>& sum, float x) {
    return lost(sum.add(static_cast<double>(x)));
  }
  template <class At>
  WARPFOLD_HOST_DEVICE static int add(At at, float x) {
    return add_float<layout>(at, unpacked<float>(x));
  }
  WARPFOLD_HOST_DEVICE static bool is_finite(float x) { return unpacked<float>(x).is_finite(); }
  WARPFOLD_HOST_DEVICE static std::int64_t special_of(float x) {
    return detail::special_of(unpacked<float>(x));
  }
};

template <class T>
struct factors {
  T x, y;
};

struct make_factors {
  template <class A>
  WARPFOLD_HOST_DEVICE factors<A> operator()(A x, A y) const {
    return {x, y};
  }
};

/// Terms that a double holds, as it does the product of two floats.
template <class Element, class Layout>
struct exact_doubles {
  using element = Element;
  static constexpr bool are_products = !std::is_same_v<element, double>;
  using layout = Layout;
  static constexpr int parts = 2;
  static constexpr int additions = 1000;
  static constexpr int span = 2;

  WARPFOLD_HOST_DEVICE static double value(element x) {
    if constexpr (are_products)
      return multiplies{}(static_cast<double>(x.x), static_cast<double>(x.y));
    else return x;
  }
  WARPFOLD_HOST_DEVICE static std::uint64_t add_fast(expansion<parts>& sum, element x) {
    return lost(sum.add(value(x)));
  }
  template <class At>
  WARPFOLD_HOST_DEVICE static int add(At at, element x) {
    return add_pair(at, pair_of<layout>(unpacked<double>(value(x))));
  }
  WARPFOLD_HOST_DEVICE static bool is_finite(element x) {
    return unpacked<double>(value(x)).is_finite();
  }
  WARPFOLD_HOST_DEVICE static std::int64_t special_of(element x) {
    return detail::special_of(unpacked<double>(value(x)));
  }
};
template <>
struct exact_values<double> : exact_doubles<double, exact_layout<-1074, 48, 45>> {};
template <>
struct exact_products<float> : exact_doubles<factors<float>, exact_layout<-352, 48, 14>> {};

template <>
struct exact_products<double> {
  using element = factors<double>;
  static constexpr bool are_products = true;
  using layout = exact_layout<-2148, 48, 89>;
  static constexpr int parts = 3;
  static constexpr int additions = 500; // each is two
  static constexpr int span = 4;

  /// TwoProduct with a fused multiplication and addition (Ogita, Rump, Oishi 2005, algorithm 3.5):
  /// exact where the product's lowest bit is not below 2^-1074.
  WARPFOLD_HOST_DEVICE static std::uint64_t add_fast(expansion<parts>& sum, element f) {
    constexpr double smallest = 0x1p-960;
    double const product = multiplies{}(f.x, f.y);
#ifdef __CUDA_ARCH__
    double const error = __fma_rn(f.x, f.y, -product);
#else
    double const error = std::fma(f.x, f.y, -product);
#endif
    bool const inexact = product < smallest && product > -smallest && f.x != 0 && f.y != 0;
    return lost(sum.add(product)) | lost(sum.add<1>(error)) | static_cast<std::uint64_t>(inexact);
  }
  template <class At>
  WARPFOLD_HOST_DEVICE static int add(At at, element f) {
    unpacked<double> const x(f.x), y(f.y);
    bool const negative = x.negative() != y.negative();
    int const position =
        x.position() + y.position() + 2 * float_format<double>::lowest - layout::lowest;
    // 106 bits in two halves.
    std::uint64_t const a = x.mantissa(), b = y.mantissa();
    std::uint64_t const low = a * b;
#ifdef __CUDA_ARCH__
    std::uint64_t const high = __umul64hi(a, b);
#else
    __extension__ using wide = unsigned __int128;
    auto const high = static_cast<std::uint64_t>(wide{a} * b >> 64);
#endif
    constexpr std::uint64_t half = (std::uint64_t{1} << 53) - 1;
    add_pair(at, pair_of_bits<layout>(high << 11 | low >> 53, position + 53, negative));
    return add_pair(at, pair_of_bits<layout>(low & half, position, negative));
  }
  WARPFOLD_HOST_DEVICE static bool is_finite(element f) {
    return unpacked<double>(f.x).is_finite() && unpacked<double>(f.y).is_finite();
  }
  /// An infinity times zero is NaN, as the multiplication says.
  WARPFOLD_HOST_DEVICE static std::int64_t special_of(element f) {
    return detail::special_of(unpacked<double>(multiplies{}(f.x, f.y)));
  }
};

} // namespace warpfold::inline v0::detail
