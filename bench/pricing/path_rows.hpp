#pragma once
// Common to rows of simulations of paths.

#include "monte_carlo_kernels.hpp"
#include "pricing_rows.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace warpfold::bench {

/// "", or which of the estimates and of a plain program's are further apart than their errors.
inline std::string complaint_of(std::vector<double> const& discounts,
                                std::vector<pricing::estimate> const& estimates,
                                std::vector<payoff_totals> const& totals, double paths) {
  for (std::size_t i = 0; i < discounts.size(); ++i) {
    double const discount = discounts[i], mean = totals[i].sum / paths;
    double const error = discount * std::sqrt((totals[i].squares / paths - mean * mean) / paths);
    double const apart = std::abs(estimates[i].value - discount * mean);
    if (!(apart <= 5 * (error + estimates[i].standard_error)))
      return "option " + std::to_string(i) + " is worth " + std::to_string(estimates[i].value) +
             " or " + std::to_string(discount * mean);
  }
  return "";
}

/// A row's name: operation_options x steps/type/way/n:paths.
template <class T>
std::string path_row(std::string const& operation, std::size_t options, int steps,
                     std::string const& way, std::uint64_t paths) {
  return operation + "_" + std::to_string(options) + "x" + std::to_string(steps) + "/" +
         type_name<T>() + "/" + way + "/n:" + std::to_string(paths);
}

} // namespace warpfold::bench
