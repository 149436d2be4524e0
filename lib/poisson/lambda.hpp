#pragma once
// Lambda of the right-hand sides of one solve, as kernels and loops see it.

#include <warpfold/detail/core/macros.hpp>

#include <cstddef>

namespace warpfold::inline v0::poisson {

template <class T>
struct entry_lambda {
  T const* each; ///< by right-hand side, in the place's memory; or null
  T one;         ///< of all, where `each` is null

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE T of(std::size_t batch) const {
    return each ? each[batch] : one;
  }
  /// Lambda for right-hand sides from `first` on.
  [[nodiscard]] entry_lambda after(std::size_t first) const {
    return {each ? each + first : nullptr, one};
  }
};

} // namespace warpfold::inline v0::poisson
