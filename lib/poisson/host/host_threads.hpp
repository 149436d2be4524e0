#pragma once

#include <warpfold/execution.hpp>

#include <cstddef>

namespace warpfold::inline v0::poisson {

/// One for a problem that is done before other threads have woken: results do not depend on it.
inline int threads_for(host const& place, std::size_t elements) {
  return elements < std::size_t{1} << 14 ? 1 : place.threads();
}

} // namespace warpfold::inline v0::poisson
