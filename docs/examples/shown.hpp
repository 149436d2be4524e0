#pragma once
// Text from a file as a message may show it.

#include <cstddef>
#include <string>
#include <string_view>

namespace example {

/// In quotation marks, at most 40 characters of it; what a terminal might obey as \x1b.
inline std::string shown(std::string_view text) {
  constexpr std::size_t most = 40;
  constexpr char digits[] = "0123456789abcdef";
  std::string result = "'";
  for (char const c : text.substr(0, most))
    if (c >= ' ' && c <= '~') result += c;
    else
      (result += "\\x") +=
          {digits[static_cast<unsigned char>(c) / 16], digits[static_cast<unsigned char>(c) % 16]};
  return result + (text.size() > most ? "...'" : "'");
}

} // namespace example
