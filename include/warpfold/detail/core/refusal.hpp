#pragma once
// How arguments are refused.

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Numbers and strings, one after the other; floating-point numbers with all their digits.
template <class... Parts>
[[nodiscard]] std::string text(Parts const&... parts) {
  std::string all;
  auto const append = [&](auto const& part) {
    using T = std::remove_cvref_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<T>) {
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.17g", static_cast<double>(part));
      all += digits;
    } else if constexpr (std::is_same_v<T, bool>) all += part ? "true" : "false";
    else if constexpr (std::is_integral_v<T>) all += std::to_string(part);
    else all += part;
  };
  (append(parts), ...);
  return all;
}

/// Throws argument_error: "warpfold::host: 'threads' is refused: 5000; accepted: 0 to 4096".
/// @param argument the parameter as declared, with its member: "options.paths"
/// @param found    its value, or what is wrong with it
/// @param accepted what would be taken instead
[[noreturn]] void refuse(std::string_view argument, std::string_view found,
                         std::string_view accepted);

} // namespace warpfold::inline v0::detail
