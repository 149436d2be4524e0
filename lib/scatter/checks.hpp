#pragma once
// Checks of sums by index.

#include <warpfold/scatter.hpp>

namespace warpfold::inline v0::detail {

/// Refuses indices that are not as many as the values, more results or values than there may be,
/// and outputs that share memory with an input or each other.
void check_scatter_arrays(void const* values, std::size_t element, void const* indices,
                          std::size_t index, std::size_t size, std::size_t indices_size,
                          void const* results, std::size_t bins, scatter_status const* status);

template <class T, class Index>
void check_scatter(scatter_input<T, Index> const& input, scatter_bound const* bound,
                   T const* results, scatter_status const* status, scatter_options const& options) {
  check_elements("values", input.values, input.size);
  check_elements("indices", input.indices, input.indices_size);
  check_elements("results", results, input.bins);
  check_scatter_arrays(input.values, sizeof(T), input.indices, sizeof(Index), input.size,
                       input.indices_size, results, input.bins, status);
  check_count_apart(input.count, results, input.bins * sizeof(T), "results");
  check_count_apart(input.count, status, status ? sizeof *status : 0, "status");
  check_scatter_options(bound, input.size, options);
}

} // namespace warpfold::inline v0::detail
