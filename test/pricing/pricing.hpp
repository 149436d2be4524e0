#pragma once
// Common to the tests of option pricing: books in the memory of either place.

#include "contents.hpp"
#include "gpu.hpp"
#include "one_option.hpp"

#include <warpfold/twins/pricing.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace test::pricing {

using namespace warpfold;
using test::members;
using warpfold::pricing::option;

template <class Place, class T>
using book_t = warpfold::pricing::option_book<view_t<Place, T const>>;
template <class Place, class T>
using outputs_t = warpfold::pricing::price_outputs<view_t<Place, T>>;

inline constexpr int outputs = 14;

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
    for (T* const quantity : members(one))
      if (random() % 40 == 0) *quantity = odd[random() % std::size(odd)];
    if (random() % 4 == 0) one.volatility *= T(0.01);
  }
  return options;
}

/// The quantities of options or quotes, one by one.
template <template <class> class Of, class T>
std::array<std::vector<T>, 6> columns_of(std::vector<Of<T>> const& all) {
  std::array<std::vector<T>, 6> columns;
  for (auto const& one : all)
    for (std::size_t k = 0; k < 6; ++k) columns[k].push_back(*members(one)[k]);
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

/// Arrays in the memory of a place.
template <class Place>
class arrays {
public:
  explicit arrays(Place& place) : place_{place} {}

  /// A copy of these values.
  template <class T>
  view_t<Place, T> operator()(std::vector<T> const& values) {
    auto const one = std::make_shared<memory_of<Place, T>>(place_, values);
    kept_.push_back(one);
    return one->all();
  }
  /// Sets inputs of books to a copy of these values, `shift` elements behind an aligned address.
  template <class T, class Input>
  void put(Input& to, std::vector<T> values, std::size_t shift = 0) {
    values.insert(values.begin(), shift, T{});
    to = view_t<Place, T const>((*this)(values).subspan(shift));
  }

private:
  Place& place_;
  std::vector<std::shared_ptr<void>> kept_;
};

/// A book and all outputs in the memory of a place, each array at a distance of its own from an
/// aligned address, with a few elements around the outputs.
template <class Place, class T>
class priced {
public:
  static constexpr std::size_t around = 8;

  /// Array number k begins `offset * k % 4` elements behind a multiple of 16 bytes.
  priced(Place& place, std::vector<option<T>> const& options, std::size_t offset = 0)
      : size_{options.size()}, memory_{place} {
    auto const columns = columns_of(options);
    for (std::size_t k = 0; k < 6; ++k)
      memory_.put(*members(book)[k], columns[k], offset * (k + 1) % 4);
    for (std::size_t k = 0; k < outputs; ++k) {
      shift_[k] = around + offset * (k + 1) % 4;
      all_[k] = memory_(std::vector<T>(shift_[k] + size_ + around, untouched<T>));
      *members(to)[k] = all_[k].subspan(shift_[k], size_);
    }
  }

  /// The results of output number k; complains about writes around them.
  std::vector<T> results(Place& place, std::size_t k) {
    auto const all = contents(place, all_[k]);
    auto const first = all.begin() + static_cast<std::ptrdiff_t>(shift_[k]),
               last = first + static_cast<std::ptrdiff_t>(size_);
    auto const kept = [](T x) { return x == untouched<T>; };
    CHECK((std::all_of(all.begin(), first, kept) && std::all_of(last, all.end(), kept)));
    return {first, last};
  }

  book_t<Place, T> book{T(0), T(0), T(0), T(0), T(0), T(0)};
  outputs_t<Place, T> to;

private:
  std::size_t size_;
  arrays<Place> memory_;
  std::array<std::size_t, outputs> shift_{};
  std::array<view_t<Place, T>, outputs> all_{};
};

} // namespace test::pricing
