#pragma once
// Numbers in messages.

#include <cstdio>
#include <string>

namespace warpfold::inline v0::detail {

inline std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.17g", x);
  return digits;
}

} // namespace warpfold::inline v0::detail
