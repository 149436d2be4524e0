#pragma once
// Common to the tests of option pricing: books in the memory of either place.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/twins/pricing.hpp>

#include <array>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace test::pricing {

using namespace warpfold;
using warpfold::pricing::option;

template <class Place, class T>
using book_t = warpfold::pricing::option_book<view_t<Place, T const>>;
template <class Place, class T>
using outputs_t = warpfold::pricing::price_outputs<view_t<Place, T>>;

inline constexpr int outputs = 14;

/// The quantities of an option, in order.
template <class T>
inline constexpr T option<T>::*fields[] = {&option<T>::spot,   &option<T>::strike,
                                           &option<T>::expiry, &option<T>::volatility,
                                           &option<T>::rate,   &option<T>::dividend_yield};

/// The members of a book and of outputs, in order.
template <class Span>
std::array<warpfold::pricing::input<Span>*, 6> members(warpfold::pricing::option_book<Span>& of) {
  return {&of.spot, &of.strike, &of.expiry, &of.volatility, &of.rate, &of.dividend_yield};
}
template <class Span>
std::array<Span*, outputs> members(warpfold::pricing::price_outputs<Span>& of) {
  return {&of.call,  &of.put,        &of.call_delta, &of.put_delta, &of.gamma,
          &of.vega,  &of.call_theta, &of.put_theta,  &of.call_rho,  &of.put_rho,
          &of.vanna, &of.volga,      &of.call_charm, &of.put_charm};
}

/// Ordinary options, of every moneyness.
template <class T>
std::vector<option<T>> random_options(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  auto const within = [&](double lower, double upper) {
    return static_cast<T>(std::uniform_real_distribution{lower, upper}(random));
  };
  std::vector<option<T>> all(size);
  for (option<T>& one : all)
    one = {within(5, 30),    within(1, 100),     within(0.25, 10),
           within(0.1, 0.6), within(-0.02, 0.1), within(-0.01, 0.05)};
  return all;
}

/// Options of which one in seven has something extreme or impossible, and a quarter are far in or
/// out of the money.
template <class T>
std::vector<option<T>> odd_options(std::size_t size, unsigned seed) {
  auto options = random_options<T>(size, seed);
  std::mt19937_64 random{seed};
  using limits = std::numeric_limits<T>;
  T const infinity = limits::infinity(), nan = limits::quiet_NaN(), least = limits::denorm_min();
  T const odd[] = {T(0),  infinity, -infinity, nan,     limits::min(), limits::max(),
                   least, T(1e-20), T(1e20),   T(-0.0), T(-3)};
  for (option<T>& one : options) {
    for (T option<T>::*field : fields<T>)
      if (random() % 40 == 0) one.*field = odd[random() % std::size(odd)];
    if (random() % 4 == 0) one.volatility *= T(0.01);
  }
  return options;
}

/// The options' quantities one by one.
template <class T>
std::array<std::vector<T>, 6> columns_of(std::vector<option<T>> const& options) {
  std::array<std::vector<T>, 6> columns;
  for (option<T> const& one : options)
    for (std::size_t k = 0; k < 6; ++k) columns[k].push_back(one.*fields<T>[k]);
  return columns;
}

/// Calls check(place): with a gpu as it is, with hosts of one thread and of three.
template <class Place, class Check>
void with_threads(Place& place, Check check) {
  if constexpr (std::same_as<Place, gpu>) check(place);
  else
    for (int const threads : {1, 3}) {
      host some(threads);
      check(some);
    }
}

/// The value of outputs before a call, and of the elements around them.
template <class T>
inline constexpr T untouched = T(-12345);

/// A book and all outputs in the memory of a place, each array at a distance of its own from an
/// aligned address, with a few elements around the outputs.
template <class Place, class T>
class priced {
public:
  static constexpr std::size_t around = 8;

  /// Array number k begins `offset * k % 4` elements behind a multiple of 16 bytes.
  priced(Place& place, std::vector<option<T>> const& options, std::size_t offset = 0)
      : size_{options.size()} {
    auto columns = columns_of(options);
    for (std::size_t k = 0; k < 6; ++k) {
      std::size_t const shift = offset * (k + 1) % 4;
      columns[k].insert(columns[k].begin(), shift, untouched<T>);
      columns[k].push_back(untouched<T>);
      inputs_.push_back(std::make_unique<memory>(place, columns[k]));
      *members(book)[k] = view_t<Place, T const>(inputs_.back()->view(shift, size_));
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      shift_[k] = around + offset * (k + 1) % 4;
      results_.push_back(std::make_unique<memory>(
          place, std::vector<T>(shift_[k] + size_ + around, untouched<T>)));
      *members(to)[k] = results_.back()->view(shift_[k], size_);
    }
  }

  /// The results of output number k; complains about writes around them.
  std::vector<T> results(Place& place, std::size_t k) {
    auto all = contents(place, results_[k]->all());
    bool kept = true;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i < shift_[k] || i >= shift_[k] + size_) kept = kept && all[i] == untouched<T>;
    CHECK(kept);
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(shift_[k]);
    return {first, first + static_cast<std::ptrdiff_t>(size_)};
  }

  book_t<Place, T> book{T(0), T(0), T(0), T(0), T(0), T(0)};
  outputs_t<Place, T> to;

private:
  using memory = memory_of<Place, T>;

  std::size_t size_;
  std::array<std::size_t, outputs> shift_{};
  std::vector<std::unique_ptr<memory>> inputs_, results_;
};

} // namespace test::pricing
