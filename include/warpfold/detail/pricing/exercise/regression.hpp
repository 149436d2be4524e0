#pragma once
// Least squares of a few regressors: the same bits on both places. Sums of products over the paths
// of a warp are in the regressors' type; those are added up, and solved, in double. Their order
// depends on the number of paths alone.

#include <warpfold/detail/core/macros.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Sums over observations: products of regressors, their number, and products with the response.
template <class T, int basis>
struct regression_sums {
  static constexpr int products = basis * (basis + 1) / 2;
  static constexpr int number = products, responses = number + 1; ///< responses: the first of them
  static constexpr int size = responses + basis;
  T of[size];

  /// Adds an observation. Regressors are 0 if it does not count.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add(T const (&x)[basis], T response,
                                                       bool counts) {
    add_regressors(x, counts);
    add_response(x, response);
  }
  /// The same but for the response.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add_regressors(T const (&x)[basis],
                                                                  bool counts) {
    int next = 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < basis; ++i) {
      WARPFOLD_UNROLL
      for (int j = 0; j <= i; ++j, ++next) of[next] = std::fma(x[i], x[j], of[next]);
    }
    of[number] += counts ? T{1} : T{0};
  }
  /// The response of an observation alone.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void add_response(T const (&x)[basis], T response) {
    WARPFOLD_UNROLL
    for (int i = 0; i < basis; ++i) of[responses + i] = std::fma(x[i], response, of[responses + i]);
  }
};

/// Which of `size` sums a warp's lanes get: see sum_over_warp.
template <int size>
struct warp_scatter {
  static constexpr int padded = size <= 4    ? 4
                                : size <= 8  ? 8
                                : size <= 16 ? 16
                                : size <= 32 ? 32
                                : size <= 64 ? 64
                                             : 128;
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

/// Adds up sums `begin` to `end` - 1 over a warp, each by halves, quarters and so on; a lane keeps
/// half of what it has and gives the other half away, as long as it has more than one. Calls
/// put(number, sum) for each of them in one lane.
template <int begin, int end, class Block, class T, int size, class Put>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void sum_over_warp(Block const& block,
                                                               T const (&sums)[size], Put put) {
  using scatter = warp_scatter<end - begin>;
  constexpr int padded = scatter::padded;
  T of[padded];
  WARPFOLD_UNROLL
  for (int i = 0; i < padded; ++i)
    of[i] = begin + i < end ? sums[begin + i < end ? begin + i : 0] : T{0};
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
  for (int i = 0; i < scatter::of_lane; ++i)
    if (int const s = begin + scatter::first(lane) + i;
        s < end && lane % scatter::lanes_of_sum == 0)
      put(s, of[i]);
}

/// Memory that a warp shares, for sum_over_rows.
template <class T>
struct warp_rows {
  static constexpr int rows = 16;
  alignas(16) T of[rows][32 + 16 / sizeof(T)]; // rows begin in different banks
};
/// sum_over_warp of all sums by shared memory: two lanes add up the 32 numbers of a sum. That takes
/// fewer instructions, but longer: NVIDIA H200, rules of 64 puts with 2^18 regression paths 7.7 ms
/// by shuffles and 7.4 so, one put of 2^20 + 2^20 paths 582 us by shuffles and 596 so.
template <class Block, class T, int size, class Put>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
sum_over_rows(Block const& block, T const (&sums)[size], warp_rows<T>& memory, Put put) {
  constexpr int rows = warp_rows<T>::rows;
  auto const lane = static_cast<unsigned>(block.lane());
  unsigned const row = lane % rows, column = lane % 2 * 16 + lane / 2; // even lanes' numbers first
  auto const halve = []<int left>(std::integral_constant<int, left>, T(&of)[16]) {
    WARPFOLD_UNROLL
    for (int i = 0; i < left; ++i) of[i] += of[i + left];
  };
  WARPFOLD_UNROLL
  for (int begin = 0; begin < size; begin += rows) {
    int const here = size - begin < rows ? size - begin : rows;
    block.sync_warp();
    WARPFOLD_UNROLL
    for (int i = 0; i < rows; ++i)
      if (i < here) memory.of[i][column] = sums[begin + i < size ? begin + i : 0];
    block.sync_warp();
    T const* const own = memory.of[row < static_cast<unsigned>(here) ? row : 0] + lane / rows * 16;
    T of[16];
    WARPFOLD_UNROLL
    for (int i = 0; i < 16; ++i) of[i] = own[i];
    halve(std::integral_constant<int, 8>{}, of);
    halve(std::integral_constant<int, 4>{}, of);
    halve(std::integral_constant<int, 2>{}, of);
    halve(std::integral_constant<int, 1>{}, of);
    T const sum = of[0] + block.shuffle(of[0], static_cast<int>(lane ^ rows));
    if (static_cast<int>(lane) < here) put(begin + static_cast<int>(lane), sum);
  }
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

/// The matrix of products as L D L^T, L having a unit diagonal (G. H. Golub, C. F. Van Loan, Matrix
/// Computations, 4th ed., 2013, 4.1). Regressors that depend on those before are left out: pivots
/// below 1e-12 (float: 1e-7, as sums over a warp are in T) of their diagonal element.
template <int basis>
struct regression_factor {
  static constexpr int diagonal = basis * (basis - 1) / 2, rank_at = diagonal + basis;
  static constexpr int words = rank_at + 1;

  /// Below L's diagonal row after row; 1 / D, which is 0 of what is left out; and the rank, 0 where
  /// there are fewer than four observations a regressor.
  double of[words];

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double& entry(int i, int j) {
    return of[i * (i - 1) / 2 + j];
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double entry(int i, int j) const {
    return of[i * (i - 1) / 2 + j];
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE double inverse(int i) const {
    return of[diagonal + i];
  }
};

/// From the sums without a response.
template <class T, int basis>
WARPFOLD_HOST_DEVICE inline regression_factor<basis> factor(double const* sums) {
  constexpr double least_pivot = sizeof(T) == 4 ? 1e-7 : 1e-12;
  regression_factor<basis> result;
  int rank = 0;
  WARPFOLD_UNROLL
  for (int i = 0; i < basis; ++i) {
    double row[basis]; // L D
    double const square = sums[i * (i + 3) / 2];
    double pivot = square;
    WARPFOLD_UNROLL
    for (int j = 0; j < i; ++j) {
      double product = sums[i * (i + 1) / 2 + j];
      WARPFOLD_UNROLL
      for (int k = 0; k < j; ++k) product = std::fma(-row[k], result.entry(j, k), product);
      row[j] = product;
      double const entry = product * result.inverse(j);
      result.entry(i, j) = entry;
      pivot = std::fma(-entry, product, pivot);
    }
    bool const kept = square > 0 && pivot >= least_pivot * square;
    result.of[result.diagonal + i] = kept ? 1 / pivot : 0;
    rank += kept;
  }
  bool const enough = sums[regression_sums<T, basis>::number] >= 4 * basis;
  result.of[result.rank_at] = enough ? rank : 0;
  return result;
}

/// The regression's rule, from the sums of responses; none where nothing is left.
template <class T, int basis>
WARPFOLD_HOST_DEVICE inline exercise_rule<T, basis> solve(regression_factor<basis> const& of,
                                                          double const* responses) {
  using rule = exercise_rule<T, basis>;
  rule result{};
  double right[basis]; // the solution on its way
  WARPFOLD_UNROLL
  for (int i = 0; i < basis; ++i) {
    double left = responses[i];
    WARPFOLD_UNROLL
    for (int j = 0; j < i; ++j) left = std::fma(-of.entry(i, j), right[j], left);
    right[i] = of.inverse(i) != 0 ? left : 0;
  }
  bool finite = true;
  WARPFOLD_UNROLL
  for (int i = basis - 1; i >= 0; --i) {
    double left = right[i] * of.inverse(i);
    WARPFOLD_UNROLL
    for (int j = i + 1; j < basis; ++j) left = std::fma(-of.entry(j, i), right[j], left);
    right[i] = of.inverse(i) != 0 ? left : 0;
    result.coefficients[i] = static_cast<T>(right[i]);
    finite = finite && result.coefficients[i] - result.coefficients[i] == 0;
  }
  result.rank = static_cast<int>(of.of[of.rank_at]);
  return finite && result.rank > 0 ? result : rule::never();
}

/// The same from all sums in one go, with the same bits. Of 11 regressors a kernel would take more
/// registers for the two functions above: NVIDIA H200, a call on the best of five, 2^20 paths x 9
/// dates, 637 us by this one, 720 by them.
template <class T, int basis>
WARPFOLD_HOST_DEVICE inline exercise_rule<T, basis> solve(double const* sums) {
  using rule = exercise_rule<T, basis>;
  using sums_type = regression_sums<T, basis>;
  constexpr double least_pivot = sizeof(T) == 4 ? 1e-7 : 1e-12;
  rule result{};
  if (!(sums[sums_type::number] >= 4 * basis)) return rule::never();
  double factor[sums_type::products], inverse[basis],
      right[basis]; // L, 1 / D, and the solution on its way
  int rank = 0;
  WARPFOLD_UNROLL
  for (int i = 0; i < basis; ++i) {
    double row[basis]; // L D
    double const square = sums[i * (i + 3) / 2];
    double pivot = square, left = sums[sums_type::responses + i];
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
