#pragma once
// Common to the benchmarks of option pricing: books of random options, and their right prices.

#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"
#include "textbook.hpp"

#include <random>

namespace warpfold::bench {

/// Options like those of the courses: a price of 5 to 30, a strike of 1 to 100, a quarter of a year
/// to ten years, at 30 % and a rate of 2 %.
template <class T>
struct course_options {
  static constexpr T volatility = T(0.3), rate = T(0.02);
  std::vector<T> spot, strike, expiry;

  explicit course_options(std::size_t size) {
    std::mt19937_64 random{2008};
    for (auto [array, lower, upper] : {std::tuple{&spot, 5., 30.}, std::tuple{&strike, 1., 100.},
                                       std::tuple{&expiry, 0.25, 10.}}) {
      array->resize(size);
      for (T& x : *array)
        x = static_cast<T>(lower + (upper - lower) * static_cast<double>(random() >> 11) * 0x1p-53);
    }
  }
};

/// "", or what is wrong with prices of the first of these options: more than `bound` of what spot
/// and strike add up to.
template <class T>
std::string price_complaint(course_options<T> const& options, std::span<T const> calls,
                            std::span<T const> puts, double bound) {
  for (std::size_t i = 0; i < calls.size(); ++i) {
    auto const exact =
        textbook<double>(pricing::option<T>{options.spot[i], options.strike[i], options.expiry[i],
                                            options.volatility, options.rate, 0});
    double const scale = exact.spot + exact.strike;
    double const call_error = std::abs(calls[i] - exact.call);
    double const put_error = std::abs(puts[i] - exact.put);
    if (!(call_error <= bound * scale) || !(put_error <= bound * scale))
      return "option " + std::to_string(i) + " is off by " + std::to_string(call_error) + ", " +
             std::to_string(put_error);
  }
  return "";
}

} // namespace warpfold::bench
