#pragma once
// What scatter_sum could not add.

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

} // namespace warpfold::inline v0
