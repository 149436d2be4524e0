#pragma once
// Which bin a value belongs to, how the sum of a bin becomes a result, and what is noted of both.

#include <warpfold/detail/scatter/fixed_point.hpp>

#include <cstdint>

namespace warpfold::inline v0 {

/// Stands where there is no position.
inline constexpr std::uint64_t no_position = ~std::uint64_t{0};

/// What a call of scatter_sum_async left out. All members are 64-bit words.
struct scatter_status {
  std::uint64_t refused;        ///< values that were not added
  std::uint64_t first_refused;  ///< position of the first of them, or no_position
  std::uint64_t overflows;      ///< results that were seen to be beyond the bound: NaN
  std::uint64_t first_overflow; ///< number of the first of them, or no_position

  /// True if everything was added.
  [[nodiscard]] constexpr bool is_complete() const { return refused == 0 && overflows == 0; }
  /// True if all members are equal.
  friend constexpr bool operator==(scatter_status const&, scatter_status const&) = default;
};

namespace detail {

/// The bin that an unsigned index names; negative if none.
template <class Index>
struct bin_of_index {
  Index bins;
  bool is_signed; ///< the caller's index was: for messages

  WARPFOLD_HOST_DEVICE int operator()(Index i) const { return i < bins ? static_cast<int>(i) : -1; }
};
/// True for bins of a histogram: few, and nobody minds a key that is in none.
template <class BinOf>
inline constexpr bool is_histogram = true;
template <class Index>
inline constexpr bool is_histogram<bin_of_index<Index>> = false;

/// The unit: of a bound that the host knows, or of the largest magnitude, which is in memory of the
/// place.
template <class T>
struct scatter_unit {
  fixed_point<T> known;
  T const* largest;   ///< null if known
  std::uint64_t size; ///< number of values that may be in one bin

  /// False if what was found is NaN or infinite.
  WARPFOLD_HOST_DEVICE bool is_bound() const {
    return largest == nullptr || *largest - *largest == T{0};
  }
  WARPFOLD_HOST_DEVICE fixed_point<T> get() const {
    return largest != nullptr ? fixed_point<T>(*largest, size) : known;
  }
};

/// What becomes of the sums.
enum class scatter_end {
  store, ///< results; sums beyond the bound are noted, and become NaN
  look,  ///< sums beyond the bound are noted
  keep   ///< results, if nothing has been noted
};

/// The sums of bins, and where their results go.
template <class T>
struct scatter_rounding {
  scatter_unit<T> unit;
  std::uint64_t* sums; ///< `parts` arrays, one behind the other, to be added up; lost when rounded
  int bins, parts;
  T const* before; ///< one value more for each bin; null if there is none
  T* results;
  scatter_status* status;
  bool needs_bound = false; ///< without one no sum is right: values in no bin are part of it
};

} // namespace detail
} // namespace warpfold::inline v0
