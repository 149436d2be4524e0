#pragma once
// Shared by the tests of contracts on a model's paths: models with published prices, and books.

#include "gpu.hpp"
#include "pricing/one_option.hpp"

#include <warpfold/pricing/contracts.hpp>

#include <vector>

namespace test::contracts {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::contract;
using pricing::estimate;
using pricing::heston;
using pricing::measure;
using pricing::settlement;
using pricing::simulation_options;

/// The estimates of a book.
template <class T, class Place, class Model>
std::vector<estimate> simulated(Place& place, Model const& model, std::vector<contract> const& book,
                                simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(place, model, book, results, options);
  return results;
}
template <class T, class Place, class Model>
estimate simulated(Place& place, Model const& model, contract const& one,
                   simulation_options const& options) {
  return simulated<T>(place, model, std::vector{one}, options)[0];
}

/// Paths and settings that make a host's test last about a second.
template <class Place>
constexpr std::uint64_t many = std::same_as<Place, wf::gpu> ? 1 << 20 : 1 << 15;

inline heston heston_of(double variance, double reversion, double mean, double vol_of_vol,
                        double correlation, double rate = 0, double dividend_yield = 0) {
  return {100, rate, dividend_yield, variance, reversion, mean, vol_of_vol, correlation};
}

/// The model with which Lewis gives prices: Option valuation under stochastic volatility (2000).
inline heston const lewis = heston_of(0.04, 4, 0.25, 1, -0.5, 0.01, 0.02);
/// An ordinary one.
inline heston const ordinary = heston_of(0.05, 2, 0.06, 0.5, -0.6, 0.03, 0.01);

/// Contracts of every kind, at all of `times`.
inline std::vector<contract> every_contract(std::size_t size, std::vector<double> const& times) {
  std::vector<contract> book;
  for (std::size_t i = 0; i < size; ++i) {
    auto const on = static_cast<measure>(i % 4);
    double const strike = 80 + 3. * static_cast<double>(i % 14);
    book.push_back({on == measure::realized_variance ? strike / 2000 : strike,
                    times[(7 * i + 3) % times.size()], static_cast<settlement>(i / 4 % 3), on});
  }
  return book;
}

} // namespace test::contracts
