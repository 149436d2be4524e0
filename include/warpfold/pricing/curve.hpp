#pragma once
// Rates, yields and volatilities that change with time.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <span>
#include <vector>

namespace warpfold::inline v0::pricing {

/// A curve's values: values[i] holds from times[i - 1], or 0, until times[i]; the last one also
/// afterwards. Times are years, above 0 and increasing; there are as many values.
struct curve_pieces {
  std::span<double const> times;  ///< ends of the pieces
  std::span<double const> values; ///< of the pieces
};

/// A rate, a dividend yield or a volatility as a function of time: constant, made from a number, or
/// piecewise constant, {{.times = ..., .values = ...}}, which it copies.
class curve {
public:
  /// One value for all times. At once; what uses the curve throws argument_error if it is not
  /// finite.
  template <std::convertible_to<double> Number>
  curve(Number value) : values_{static_cast<double>(value)} {}
  /// At once, on the calling thread.
  /// @throws argument_error for values that are not finite, or times that are not from 0 on, each
  ///         after the one before; without values, or with another number of times
  curve(curve_pieces const& pieces);

  /// Empty where it is constant.
  [[nodiscard]] std::span<double const> times() const noexcept { return times_; }
  [[nodiscard]] std::span<double const> values() const noexcept { return values_; }

  /// The integral from 0 to `time`, which is not negative.
  [[nodiscard]] double integral(double time) const noexcept {
    double sum = 0, before = 0;
    for (std::size_t i = 0; i < values_.size() && before < time; ++i) {
      bool const last = i + 1 >= values_.size();
      double const end = last ? time : std::min(times_[i], time);
      sum += values_[i] * (end - before);
      before = end;
    }
    return sum;
  }

private:
  std::vector<double> times_, values_;
};

} // namespace warpfold::inline v0::pricing
