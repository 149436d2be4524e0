#pragma once
// A digest that ranks compare to see whether they agree.

#include <bit>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0::comm {

/// A number made of a sequence of numbers and enumerators. Sequences that differ in one place have
/// different digests; others hardly ever have the same.
class digest {
public:
  template <class... Numbers>
  explicit digest(Numbers... numbers) {
    add(numbers...);
  }
  template <class... Numbers>
  void add(Numbers... numbers) {
    (mix(bits_of(numbers)), ...);
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }
  bool operator==(digest const&) const = default;

private:
  template <class Number>
  static std::uint64_t bits_of(Number number) {
    if constexpr (std::is_same_v<Number, double>) return std::bit_cast<std::uint64_t>(number);
    else return static_cast<std::uint64_t>(number);
  }
  void mix(std::uint64_t bits) {
    value_ = (value_ ^ bits) * 0x9e3779b97f4a7c15U;
    value_ ^= value_ >> 32;
  }

  std::uint64_t value_ = 0;
};

} // namespace warpfold::inline v0::comm
