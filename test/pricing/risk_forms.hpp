#pragma once
// Both forms of risk figures, which tests of them call.

#include "contents.hpp"
#include "gpu.hpp"
#include "verbs.hpp"

#include <warpfold/pricing/risk.hpp>

namespace test {

using warpfold::pricing::risk_figures, warpfold::pricing::risk_options;

/// The figures of both forms, which agree.
template <class T, class Place>
risk_figures figures(Place& place, view_t<Place, T const> losses, risk_options const& options) {
  risk_figures const found = warpfold::pricing::risk(place, losses, options);
  memory_of<Place, risk_figures> there(place, std::vector<risk_figures>(3));
  warpfold::pricing::risk_async(place, losses, there.view(1, 1), options);
  auto const after = contents(place, there.all());
  CHECK(agree(after[1], found));
  for (int const i : {0, 2}) CHECK(agree(after[i], {})); // and nothing else was touched
  return found;
}
template <class T, class Place>
risk_figures figures(Place& place, std::vector<T> const& losses, risk_options const& options) {
  memory_of<Place, T> there(place, losses);
  return figures<T>(place, there.all(), options);
}

} // namespace test
