#pragma once
// Least squares of a few regressors: the same bits on both places. Sums of products over the paths
// of a warp are in the regressors' type; those are added up, and solved, in double. Their order
// depends on the number of paths alone.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Sums over observations: products of regressors, products with the response, and their number.
template <class T, int basis>
struct regression_sums {
  static constexpr int products = basis * (basis + 1) / 2;
  static constexpr int size = products + basis + 1;
  T of[size];

  /// Adds an observation, unless it does not count.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(T const (&regressors)[basis], T response,
                                                       bool counts) {
    T x[basis]; // of what does not count nothing remains
    WARPFOLD_UNROLL
    for (int i = 0; i < basis; ++i) x[i] = counts ? regressors[i] : T{0};
    int next = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < basis; ++i) {
      WARPFOLD_UNROLL
      for (int j = 0; j <= i; ++j, ++next) of[next] = std::fma(x[i], x[j], of[next]);
    }
    WARPFOLD_UNROLL
    for (int i = 0; i < basis; ++i) of[products + i] = std::fma(x[i], response, of[products + i]);
    of[products + basis] += counts ? T{1} : T{0};
  }
};

/// Which of `size` sums a warp's lanes get: see scatter_warp.
template <int size>
struct warp_scatter {
  static constexpr int padded = size <= 16 ? 16 : size <= 32 ? 32 : size <= 64 ? 64 : 128;
  static constexpr int of_lane = padded < 32 ? 1 : padded / 32; ///< sums that a lane ends with
  static constexpr int lanes_of_sum = padded < 32 ? 32 / padded : 1;

  /// The first sum that a lane ends with.
  WARPFOLD_HOST_DEVICE static constexpr int first(int lane) {
    return lane / lanes_of_sum * of_lane;
  }
};

template <class T>
using choice_bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
/// Ones everywhere if it is set, or zeros: nothing that a compiler knows.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE choice_bits<T> all_bits(bool set) {
  std::uint32_t half = set ? ~0U : 0U;
#ifdef __CUDA_ARCH__
  asm("" : "+r"(half));
#endif
  if constexpr (sizeof(T) == 4) return half;
  else return std::uint64_t{half} << 32 | half;
}
/// a where bits are ones, b where they are zeros. Without a condition: from one that many choices
/// share compilers make a branch, with shuffles in both of its arms.
template <class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T choose(choice_bits<T> bits, T a, T b) {
  auto const both = (__builtin_bit_cast(choice_bits<T>, a) & bits) |
                    (__builtin_bit_cast(choice_bits<T>, b) & static_cast<choice_bits<T>>(~bits));
  return __builtin_bit_cast(T, both);
}

/// Adds up a warp's `size` sums, each over all lanes by halves, quarters and so on; a lane keeps
/// half of what it has and gives the other half away, as long as it has more than one. Returns them
/// in of[0 ... of_lane - 1].
template <int size, class Block, class T>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
scatter_warp(Block const& block, T const (&sums)[size], T (&to)[warp_scatter<size>::of_lane]) {
  constexpr int padded = warp_scatter<size>::padded;
  T of[padded];
  WARPFOLD_UNROLL
  for (int i = 0; i < padded; ++i) of[i] = i < size ? sums[i < size ? i : 0] : T{0};
  int const lane = block.lane();
  // Not a loop: compilers leave one whose count halves as it is, and then `of` is no registers.
  auto const halve = [&]<int offset>(std::integral_constant<int, offset>) {
    constexpr int left = padded * offset / 32;
    auto const upper = all_bits<T>((lane & offset) != 0);
    if constexpr (left == 0) of[0] += block.shuffle(of[0], lane ^ offset);
    WARPFOLD_UNROLL
    for (int i = 0; i < left; ++i) {
      T const given = choose(upper, of[i], of[i + left]), kept = choose(upper, of[i + left], of[i]);
      of[i] = kept + block.shuffle(given, lane ^ offset);
    }
  };
  halve(std::integral_constant<int, 16>{});
  halve(std::integral_constant<int, 8>{});
  halve(std::integral_constant<int, 4>{});
  halve(std::integral_constant<int, 2>{});
  halve(std::integral_constant<int, 1>{});
  WARPFOLD_UNROLL
  for (int i = 0; i < warp_scatter<size>::of_lane; ++i) to[i] = of[i];
}

/// When an option is exercised: where it pays more than `floor` and than a regression expects it to
/// be worth later.
template <class T, int basis>
struct alignas(4 * sizeof(T)) exercise_rule {
  T coefficients[basis];
  T floor;  ///< infinite for never; 0 otherwise
  int rank; ///< of the regression; 0 without one

  bool operator==(exercise_rule const&) const = default;

  WARPFOLD_HOST_DEVICE static exercise_rule never() {
    return {{}, static_cast<T>(__builtin_huge_val()), 0};
  }
  WARPFOLD_HOST_DEVICE static exercise_rule wherever_it_pays() { return {}; }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool exercises(T worth,
                                                             T const (&regressors)[basis]) const {
    T expected = coefficients[basis - 1] * regressors[basis - 1];
    WARPFOLD_UNROLL
    for (int i = basis - 2; i >= 0; --i)
      expected = std::fma(coefficients[i], regressors[i], expected);
    return worth > floor && !(worth <= expected);
  }
};

/// The regression's rule, from its sums. The matrix of products is factored into L D L^T, L having
/// a unit diagonal (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013, 4.1).
/// Regressors that depend on those before are left out: pivots below 1e-12 (float: 1e-7, as sums
/// over a warp are in T) of their diagonal element. With fewer than four observations a regressor
/// there is no rule.
template <class T, int basis>
WARPFOLD_HOST_DEVICE inline exercise_rule<T, basis> solve(double const* sums) {
  using rule = exercise_rule<T, basis>;
  constexpr int products = regression_sums<T, basis>::products;
  constexpr double least_pivot = sizeof(T) == 4 ? 1e-7 : 1e-12;
  rule result{};
  if (!(sums[products + basis] >= 4 * basis)) return rule::never();
  double factor[products], inverse[basis], right[basis]; // L, 1 / D, and the solution on its way
  int rank = 0;
  WARPFOLD_UNROLL
  for (int i = 0; i < basis; ++i) {
    double row[basis]; // L D
    double const square = sums[i * (i + 3) / 2];
    double pivot = square, left = sums[products + i];
    WARPFOLD_UNROLL
    for (int j = 0; j < i; ++j) {
      double product = sums[i * (i + 1) / 2 + j];
      WARPFOLD_UNROLL
      for (int k = 0; k < j; ++k) product = std::fma(-row[k], factor[j * (j + 1) / 2 + k], product);
      row[j] = product;
      double const entry = product * inverse[j];
      factor[i * (i + 1) / 2 + j] = entry;
      pivot = std::fma(-entry, product, pivot);
      left = std::fma(-entry, right[j], left);
    }
    bool const kept = square > 0 && pivot >= least_pivot * square;
    inverse[i] = kept ? 1 / pivot : 0;
    right[i] = kept ? left : 0;
    rank += kept;
  }
  bool finite = true;
  WARPFOLD_UNROLL
  for (int i = basis - 1; i >= 0; --i) {
    double left = right[i] * inverse[i];
    WARPFOLD_UNROLL
    for (int j = i + 1; j < basis; ++j)
      left = std::fma(-factor[j * (j + 1) / 2 + i], right[j], left);
    right[i] = inverse[i] != 0 ? left : 0;
    result.coefficients[i] = static_cast<T>(right[i]);
    finite = finite && result.coefficients[i] - result.coefficients[i] == 0;
  }
  result.rank = rank;
  return finite && rank > 0 ? result : rule::never();
}

} // namespace warpfold::inline v0::detail
