#pragma once
// How arguments are refused.

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpfold::inline v0::detail {

/// Numbers and strings, one after the other; floating-point numbers with all their digits. Refers
/// to the strings, so it lives no longer than they do. Needs no destructor and is written out of
/// line: calls in many places stay small.
class text {
public:
  template <class... Parts>
  text(Parts const&... parts) noexcept : count_{sizeof...(Parts)} {
    static_assert(sizeof...(Parts) <= most_parts);
    part* next = parts_;
    ((*next++ = part(parts)), ...);
  }
  text(text const&) = delete;
  text& operator=(text const&) = delete;

  operator std::string() const;

private:
  static constexpr std::size_t most_parts = 8;

  enum class kind { truth, integer, natural, real, characters, string, view };
  struct part {
    part() = default; // the rest of `parts_` is never read
    explicit part(bool value) noexcept : natural{value}, of{kind::truth} {}
    template <std::signed_integral T>
    explicit part(T value) noexcept : integer{value}, of{kind::integer} {}
    template <std::unsigned_integral T>
    explicit part(T value) noexcept : natural{value}, of{kind::natural} {}
    template <std::floating_point T>
    explicit part(T value) noexcept : real{static_cast<double>(value)}, of{kind::real} {}
    explicit part(char const* value) noexcept : characters{value}, of{kind::characters} {}
    explicit part(std::string const& value) noexcept : string{&value}, of{kind::string} {}
    explicit part(std::string_view const& value) noexcept : view{&value}, of{kind::view} {}

    union {
      long long integer;
      unsigned long long natural;
      double real;
      char const* characters;
      std::string const* string;
      std::string_view const* view;
    };
    kind of;
  };

  std::size_t count_;
  part parts_[most_parts];
};

/// Throws argument_error: "warpfold::host: 'threads' is refused: 5000; accepted: 0 to 4096".
/// @param argument the parameter as declared, with its member: "options.paths"
/// @param found    its value, or what is wrong with it
/// @param accepted what would be taken instead
[[noreturn, gnu::cold]] void refuse(std::string_view argument, text const& found,
                                    text const& accepted);

} // namespace warpfold::inline v0::detail
