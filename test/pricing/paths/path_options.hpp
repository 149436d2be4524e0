#pragma once
// Shared by the tests of path-dependent options: books, published prices, and references.

#include "gpu.hpp"
#include "pricing/one_option.hpp"

#include <warpfold/pricing/path_options.hpp>

#include <algorithm>
#include <numbers>

namespace test::paths {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::asian_option;
using pricing::average;
using pricing::barrier_option;
using pricing::barrier_type;
using pricing::estimate;
using pricing::monitoring;
using pricing::option_kind;
using pricing::simulation_options;

/// The estimates of a book, on a place or by all ranks of a communicator.
template <class T, class Place, class Option>
std::vector<estimate> simulated(Place& place, std::vector<Option> const& book,
                                simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(place, std::span<Option const>(book), results, options);
  return results;
}

/// The estimate of one option.
template <class T, class Place, class Option>
estimate simulated(Place& place, Option const& one, simulation_options const& options) {
  return simulated<T>(place, std::vector{one}, options)[0];
}

/// 1/n, ..., 1.
inline std::vector<double> even_times(int n) {
  std::vector<double> times;
  for (int i = 1; i <= n; ++i) times.push_back(static_cast<double>(i) / n);
  return times;
}

// ---- references ---------------------------------------------------------------------------------

/// The price of an option on the arithmetic average at n times from 0 to expiry: A is
/// spot / n (1 + e^X (1 + e^X (...))), one convolution for each increment X (Carverhill and
/// Clewlow, Flexible convolution, 1990).
inline double convolved_asian(asian_option const& of, int n) {
  auto const& t = of.terms;
  double const dt = t.expiry / (n - 1);
  double const mean = (t.rate - t.dividend_yield - t.volatility * t.volatility / 2) * dt;
  double const deviation = t.volatility * std::sqrt(dt), reach = 8 * deviation;
  constexpr std::size_t points = 1501;
  std::vector<double> at{0}, weight{1};
  for (int i = 1; i < n; ++i) {
    double const low = at.front() + mean - reach, high = at.back() + mean + reach;
    double const step = (high - low) / (points - 1);
    std::vector<double> next(points), next_weight(points);
    for (std::size_t j = 0; j < points; ++j) {
      next[j] = low + step * static_cast<double>(j);
      double density = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        double const x = (next[j] - mean - at[k]) / deviation;
        if (std::abs(x) < 8.5) density += weight[k] * std::exp(-x * x / 2);
      }
      next_weight[j] = step * density / (deviation * std::sqrt(2 * std::numbers::pi));
      next[j] = std::log1p(std::exp(next[j]));
    }
    at = next;
    weight = next_weight;
  }
  double const sign = of.kind == option_kind::call ? 1 : -1;
  double price = 0;
  for (std::size_t k = 0; k < at.size(); ++k)
    price += weight[k] * std::max(0., sign * (t.spot / n * std::exp(at[k]) - t.strike));
  return std::exp(-t.rate * t.expiry) * price;
}

struct barrier_row {
  barrier_type type;
  option_kind kind;
  double strike, barrier, price_25, price_30;
};

inline constexpr auto call = option_kind::call, put = option_kind::put;
inline constexpr auto down_out = barrier_type::down_and_out, down_in = barrier_type::down_and_in;
inline constexpr auto up_out = barrier_type::up_and_out, up_in = barrier_type::up_and_in;

/// Haug, The complete guide to option pricing formulas (2007), table 4-13: spot 100, half a year,
/// rate 8 %, cost of carry 4 %, rebate 3, volatility 25 % and 30 %.
inline constexpr barrier_row haug[] = {
    {down_out, call, 90, 95, 9.0246, 8.8334},  {down_out, call, 100, 95, 6.7924, 7.0285},
    {down_out, call, 110, 95, 4.8759, 5.4137}, {up_out, call, 90, 105, 2.6789, 2.6341},
    {up_out, call, 100, 105, 2.3580, 2.4389},  {up_out, call, 110, 105, 2.3453, 2.4315},
    {down_in, call, 90, 95, 7.7627, 9.0093},   {down_in, call, 100, 95, 4.0109, 5.1370},
    {down_in, call, 110, 95, 2.0576, 2.8517},  {up_in, call, 90, 105, 14.1112, 15.2098},
    {up_in, call, 100, 105, 8.4482, 9.7278},   {up_in, call, 110, 105, 4.5910, 5.8350},
    {down_out, put, 90, 95, 2.2798, 2.4170},   {down_out, put, 100, 95, 2.2947, 2.4258},
    {down_out, put, 110, 95, 2.6252, 2.6246},  {up_out, put, 90, 105, 3.7760, 4.2293},
    {up_out, put, 100, 105, 5.4932, 5.8032},   {up_out, put, 110, 105, 7.5187, 7.5649},
    {down_in, put, 90, 95, 2.9586, 3.8769},    {down_in, put, 100, 95, 6.5677, 7.7989},
    {down_in, put, 110, 95, 11.9752, 13.3078}, {up_in, put, 90, 105, 1.4653, 2.0658},
    {up_in, put, 100, 105, 3.3721, 4.4226},    {up_in, put, 110, 105, 7.0846, 8.3686},
};

inline barrier_option option_of(barrier_row const& row, double volatility, double rebate = 3) {
  return {{100, row.strike, 0.5, volatility, 0.08, 0.04}, row.barrier, row.type, row.kind, rebate};
}

inline asian_option ordinary_asian(average of = average::arithmetic) {
  return {{100, 100, 1, 0.2, 0.06, 0.03}, call, of};
}

/// Ordinary options of every kind.
inline std::vector<asian_option> asian_book(std::size_t size) {
  std::vector<asian_option> book;
  for (std::size_t i = 0; i < size; ++i)
    book.push_back(
        {{100, 80 + 2. * static_cast<double>(i % 20), 0.5 + 0.1 * static_cast<double>(i % 7),
          0.1 + 0.03 * static_cast<double>(i % 9), 0.05, 0.01},
         i % 2 == 0 ? call : put,
         i % 5 == 0 ? average::geometric : average::arithmetic});
  return book;
}
inline std::vector<barrier_option> barrier_book(std::size_t size, double rebate) {
  std::vector<barrier_option> book;
  for (std::size_t i = 0; i < size; ++i) {
    book.push_back(
        option_of(haug[i % std::size(haug)], 0.2 + 0.01 * static_cast<double>(i % 11), rebate));
    if (i % 3 == 0) book.back().monitoring = monitoring::discrete;
  }
  return book;
}

} // namespace test::paths
