// Sums by index on a host, one value after the other.

#include "twins/checks.hpp"

#include <warpfold/twins/scatter.hpp>

#include <algorithm>

namespace warpfold::inline v0::detail {

template <class T>
scatter_status scatter_by_atomics(host const&, scatter_input<T, std::uint32_t> const& input,
                                  T* results, scatter_status* status) {
  check_scatter<T>(input, nullptr, results, status, {});
  std::fill_n(results, input.bins, T{0});
  scatter_status found{0, no_position, 0, no_position};
  for (std::size_t i = 0; i < input.size; ++i) {
    if (input.keys[i] < input.bins) results[input.keys[i]] += input.values[i];
    else if (found.refused++ == 0) found.first_refused = i;
  }
  if (status != nullptr) *status = found;
  return found;
}

template scatter_status scatter_by_atomics<float>(host const&,
                                                  scatter_input<float, std::uint32_t> const&,
                                                  float*, scatter_status*);
template scatter_status scatter_by_atomics<double>(host const&,
                                                   scatter_input<double, std::uint32_t> const&,
                                                   double*, scatter_status*);

} // namespace warpfold::inline v0::detail
