#pragma once
// Division by a number that is known before a kernel runs.

#include <warpfold/detail/core/macros.hpp>

#include <bit>
#include <cstdint>

namespace warpfold::inline v0::poisson {

/// Exact for all n, by a multiplication and shifts (T. Granlund and P. L. Montgomery, Division by
/// invariant integers using multiplication, 1994, figure 4.1).
class divider {
public:
  unsigned by = 1; ///< not 0

  divider() = default;
  explicit divider(unsigned divisor) : by{divisor} {
    auto const bits = static_cast<int>(std::bit_width(divisor - 1));
    factor_ = static_cast<unsigned>((((std::uint64_t{1} << bits) - divisor) << 32) / divisor + 1);
    first_ = bits > 0 ? 1 : 0;
    second_ = bits > 0 ? bits - 1 : 0;
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE unsigned quotient(unsigned n) const {
    auto const high = static_cast<unsigned>(std::uint64_t{n} * factor_ >> 32);
    return (high + ((n - high) >> first_)) >> second_;
  }

private:
  unsigned factor_ = 1;
  int first_ = 0, second_ = 0; ///< shifts
};

/// Number n of things that come in groups: n = group * (how many a group has) + place.
struct grouped {
  unsigned group, place;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE grouped(unsigned n, divider const& size)
      : group{size.quotient(n)}, place{n - group * size.by} {}
};

} // namespace warpfold::inline v0::poisson
