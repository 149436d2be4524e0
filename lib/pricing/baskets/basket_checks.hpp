#pragma once
// Checks that the doors of contracts on correlated assets share.

#include "basket_group.hpp"
#include "correlation.hpp"
#include "pricing/paths/contract_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace warpfold::inline v0::pricing {

inline std::string name_of(std::size_t asset) { return detail::text("model.assets[", asset, "]"); }

inline bool same_curve(curve const& a, curve const& b) {
  return std::ranges::equal(a.times(), b.times()) && std::ranges::equal(a.values(), b.values());
}

/// Checks a basket of up to so many assets; returns the factor of their correlations.
inline correlation_factor checked_basket(basket const& model, std::size_t most_assets) {
  using detail::refuse, detail::text;
  std::size_t const n = model.assets.size();
  detail::check_elements("model.assets", model.assets.data(), n);
  if (n < 2 || n > most_assets)
    refuse("model.assets", text(n, " elements"), text("2 to ", most_assets));
  for (std::size_t i = 0; i < n; ++i) {
    check_diffusion(name_of(i), model.assets[i]);
    refuse_jumps(name_of(i), model.assets[i].jumps);
    if (!same_curve(model.assets[i].rate, model.assets[0].rate))
      refuse(name_of(i) + ".rate", "another than the first asset's", "the same for all assets");
  }
  return factor_of("model.correlation", model.correlation, static_cast<int>(n));
}

inline void check_selection(std::size_t i, selection of) {
  if (of > selection::weighted_product)
    refuse_contract(i, "selection", static_cast<int>(of), "a selection");
}

/// Checks the weights of this name.
inline void check_weights(std::string const& name, selection on, std::span<double const> weights,
                          std::size_t assets) {
  using detail::refuse, detail::text;
  detail::check_elements(name.c_str(), weights.data(), weights.size());
  if (weights.size() != assets)
    refuse(name, text(weights.size(), " elements"), text(assets, ", as there are assets"));
  bool const selects = on != selection::weighted_sum;
  bool any = false;
  for (std::size_t k = 0; k < assets; ++k) {
    double const weight = weights[k];
    if (!std::isfinite(weight) || (selects && weight < 0))
      refuse(name, text("element ", k, " is ", weight),
             selects ? "finite numbers from 0 on" : "finite numbers");
    any = any || weight != 0;
  }
  if (selects && !any) refuse(name, "zeros alone", "a weight above 0");
}

/// Refuses prices and steps that are finite in double but not in T.
template <class T, int capacity>
void check_assets_range(basket const& model, correlation_factor const& factor,
                        std::vector<basket_step<T, capacity>> const& steps) {
  using detail::refuse, detail::text;
  for (std::size_t i = 0; i < factor.order.size(); ++i) {
    auto const asset = static_cast<std::size_t>(factor.order[i]);
    double const spot = model.assets[asset].spot;
    check_spot_range<T>(name_of(asset), spot);
    for (basket_step<T, capacity> const& step : steps) {
      if (!(step.growth[i] + std::log2(spot) < std::numeric_limits<T>::max_exponent) ||
          !(step.growth[i] <= basket_group<T, capacity>::most_growth))
        refuse(name_of(asset), text("a forward of spot 2^", step.growth[i]), numbers_of<T>);
      if (!std::isfinite(step.deviation[i]) || !std::isfinite(step.drift[i]))
        refuse(name_of(asset) + ".volatility", "an infinite variance of a step", numbers_of<T>);
    }
  }
}
/// The binary logarithm of the product of prices to the power of weights: at the spots.
inline double log2_product(basket const& model, std::span<double const> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * std::log2(model.assets[i].spot);
  return sum;
}
/// Refuses weights whose product is finite in double but not in T, at the spots or of forwards.
template <class T, int capacity>
void check_product_range(std::size_t number, basket const& model, std::span<double const> weights,
                         correlation_factor const& factor,
                         std::vector<basket_step<T, capacity>> const& steps) {
  for (double const weight : weights)
    if (!(weight <= most_of<T>) || (weight > 0 && !(static_cast<T>(weight) > 0)))
      refuse_contract(number, "weights", detail::text("weight ", weight), numbers_of<T>);
  double const start = log2_product(model, weights);
  if (!(std::abs(start) < std::numeric_limits<T>::max_exponent - 2))
    refuse_contract(number, "weights", detail::text("a product of spots 2^", start), numbers_of<T>);
  for (basket_step<T, capacity> const& step : steps) {
    double growth = 0;
    for (std::size_t i = 0; i < factor.order.size(); ++i)
      growth += weights[static_cast<std::size_t>(factor.order[i])] * double{step.growth[i]};
    if (!(growth + start < std::numeric_limits<T>::max_exponent) ||
        !(growth <= basket_group<T, capacity>::most_growth))
      refuse_contract(number, "weights", detail::text("a product of forwards 2^", growth + start),
                      numbers_of<T>);
  }
}
/// Contracts, too.
template <class T, int capacity, class Contract>
void check_range(basket const& model, std::span<Contract const> book,
                 correlation_factor const& factor,
                 std::vector<basket_step<T, capacity>> const& steps) {
  check_assets_range(model, factor, steps);
  for (std::size_t i = 0; i < book.size(); ++i) {
    check_strike_range<T>(i, book[i].strike);
    if (book[i].selection == selection::weighted_product) {
      check_product_range<T>(i, model, book[i].weights, factor, steps);
      continue;
    }
    for (std::size_t asset = 0; asset < model.assets.size(); ++asset)
      if (double const weight = book[i].weights[asset], of = weight * model.assets[asset].spot;
          !(std::abs(of) <= most_of<T>) || (weight != 0 && !(std::abs(static_cast<T>(of)) > 0)))
        refuse_contract(i, "weights", detail::text("weight times spot ", of), numbers_of<T>);
  }
}

} // namespace warpfold::inline v0::pricing
