#pragma once
// Shared by the tests of pricing by simulation: books on either place, and references.

#include "pricing.hpp"

#include <algorithm>
#include <cmath>

namespace test::pricing {

using test::same_estimates;
using twins::simulation;
using warpfold::pricing::estimate;
using warpfold::pricing::european_simulation_options;
using warpfold::pricing::option_kind;
using warpfold::pricing::sampling;

template <class T>
struct european {
  option_kind kind;
  option<T> terms;
};

template <class T>
using europeans = std::vector<european<T>>;

/// Options that pay with a probability of some percent at least, calls and puts in turn.
template <class T>
europeans<T> random_europeans(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  auto const within = [&](double lower, double upper) {
    return static_cast<T>(std::uniform_real_distribution{lower, upper}(random));
  };
  europeans<T> all(size);
  for (std::size_t i = 0; i < size; ++i)
    all[i] = {i % 2 == 0 ? option_kind::call : option_kind::put,
              {within(80, 120), within(80, 120), within(0.5, 3), within(0.15, 0.5),
               within(-0.02, 0.08), within(-0.01, 0.05)}};
  return all;
}

/// Black and Scholes's price, Greeks, and deviation of the discounted payoff, in double.
struct exact_payoff {
  double mean, deviation, delta, vega, rho, gamma;

  /// In the order of simulation_outputs.
  std::array<double, 9> columns() const {
    return {mean, delta, vega, rho, gamma, delta, vega, rho, gamma};
  }
};

template <class T>
exact_payoff exact_of(european<T> const& of) {
  auto const [s, x, t, v, r, q] = converted<double>(of.terms);
  double const sign = of.kind == option_kind::call ? 1 : -1, w = v * std::sqrt(t);
  double const d2 = (std::log(s / x) + (r - q - v * v / 2) * t) / w, d1 = d2 + w;
  auto const below = [](double d) { return std::erfc(-d / std::sqrt(2.)) / 2; };
  auto const density = [](double d) { return std::exp(-d * d / 2) / std::sqrt(2 * M_PI); };
  double const paid = s * std::exp(-q * t), due = x * std::exp(-r * t);
  double const mean = sign * (paid * below(sign * d1) - due * below(sign * d2));
  double const second = paid * paid * std::exp(w * w) * below(sign * (d1 + w)) -
                        2 * paid * due * below(sign * d1) + due * due * below(sign * d2);
  return {mean,
          std::sqrt(second - mean * mean),
          sign * std::exp(-q * t) * below(sign * d1),
          paid * density(d1) * std::sqrt(t),
          sign * due * t * below(sign * d2),
          std::exp(-q * t) * density(d1) / (s * w)};
}

/// A book of options on a place and its estimates.
template <class Place, class T>
class simulated {
public:
  static constexpr int columns = 9;
  using outputs = warpfold::pricing::simulation_outputs<view_t<Place, estimate>>;

  simulated(Place& place, europeans<T> const& all) : place_{place}, memory_{place} {
    std::vector<option_kind> kinds;
    std::vector<option<T>> options;
    for (auto const& [kind, terms] : all) {
      kinds.push_back(kind);
      options.push_back(terms);
    }
    memory_.put(book.kind, kinds);
    auto const quantities = columns_of(options);
    for (std::size_t k = 0; k < 6; ++k) memory_.put(*members(book)[k], quantities[k]);
    for (auto* const one : members(to)) *one = memory_(std::vector<estimate>(all.size()));
  }

  /// The values alone.
  std::vector<estimate> values(european_simulation_options const& how,
                               simulation by = simulation::fused) {
    simulate(place_, book, {.value = to.value}, by, how);
    return results(0);
  }
  /// Values and Greeks.
  std::vector<std::vector<estimate>> all(european_simulation_options const& how) {
    simulate(place_, book, to, how);
    std::vector<std::vector<estimate>> estimates;
    for (int k = 0; k < columns; ++k) estimates.push_back(results(k));
    return estimates;
  }
  std::vector<estimate> results(int k) {
    return contents(place_, *members(to)[static_cast<std::size_t>(k)]);
  }

  warpfold::pricing::european_book<view_t<Place, option_kind const>, view_t<Place, T const>> book{
      option_kind::call, T(1), T(1), T(1), T(1), T(0)};
  outputs to;

private:
  Place& place_;
  arrays<Place> memory_;
};

/// Calls again() with kernels' grids of one block, and of the blocks that one and 20
/// multiprocessors have.
template <class Again>
void in_other_grids(gpu& place, Again again) {
  int const all = place.multiprocessors();
  for (int const some : {0, 1, 20}) { // 0: one block
    warpfold::detail::gpu_scratch(place).assume_multiprocessors(some);
    again();
  }
  warpfold::detail::gpu_scratch(place).assume_multiprocessors(all);
}

/// The largest distance between the distribution of these numbers and the standard normal one,
/// times sqrt(n): above 1.63 in one of a hundred cases, above 1.95 in one of a thousand.
inline double kolmogorov_smirnov(std::vector<double> z) {
  std::sort(z.begin(), z.end());
  double worst = 0;
  auto const n = static_cast<double>(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) {
    double const below = std::erfc(-z[i] / std::sqrt(2.)) / 2, at = static_cast<double>(i);
    worst = std::max({worst, below - at / n, (at + 1) / n - below});
  }
  return worst * std::sqrt(n);
}

/// The amount that a place has time for.
template <class Place, class Number>
constexpr Number on(Number on_host, Number on_gpu) {
  return std::same_as<Place, gpu> ? on_gpu : on_host;
}

template <class Place>
std::vector<simulation> simulations() {
  std::vector<simulation> all{simulation::fused, simulation::stored, simulation::vendor};
  if constexpr (std::same_as<Place, gpu>)
    all.insert(all.end(), {simulation::block_reduce, simulation::blocks_reduce});
  return all;
}

} // namespace test::pricing
