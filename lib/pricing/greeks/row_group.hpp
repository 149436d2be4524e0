#pragma once
// A group of contracts that pays several results each: a row of results for each Greek.

#include "pricing/paths/contract_payoff.hpp"

namespace warpfold::inline v0::pricing {

/// What a contract's results are derivatives in, as rows are ordered. The first five are those of
/// tangent_model.
struct result_rows {
  static constexpr int volatility = 0, rate = 5, dividend_yield = 6, spot = 7, value = 8, gamma = 9,
                       count = 10;
};

template <class T>
struct row_group {
  using element = T;
  static constexpr int results = contract_group<T>::size;

  contract_group<T> book;
  int values;                    ///< all results of all contracts
  int first[result_rows::count]; ///< the row of the first contract's result, or -1
  T inverse_spot;
  T years[results]; ///< a contract's expiry
};

} // namespace warpfold::inline v0::pricing
