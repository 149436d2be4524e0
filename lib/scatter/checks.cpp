#include "checks.hpp"

#include <cmath>
#include <stdexcept>

namespace warpfold::inline v0::detail {

void check_scatter_arrays(void const* values, std::size_t element, void const* indices,
                          std::size_t index, std::size_t size, std::size_t indices_size,
                          void const* results, std::size_t bins, scatter_status const* status) {
  if (indices_size != size)
    refuse("indices", text(indices_size, " elements"), text(size, ", one for each value"));
  constexpr std::size_t most = (std::size_t{1} << 31) - 1;
  if (bins > most) refuse("results", text(bins, " elements"), text("up to ", most));
  auto const is_input = [&](void const* memory, std::size_t bytes) {
    return share_memory(memory, bytes, values, size * element) ||
           share_memory(memory, bytes, indices, size * index);
  };
  if (is_input(results, bins * element))
    refuse("results", "memory of the values or the indices", "memory of their own");
  std::size_t const status_bytes = status ? sizeof *status : 0;
  if (is_input(status, status_bytes) || share_memory(status, status_bytes, results, bins * element))
    refuse("status", "memory of another argument", "memory of its own");
}

void check_scatter_options(scatter_bound const* bound, std::size_t size,
                           scatter_options const& options) {
  if (bound != nullptr) {
    if (!(bound->value >= 0) || !std::isfinite(bound->value))
      refuse("bound.value", text(bound->value), "a finite number, at least 0");
    if (!(bound->sum >= bound->value) || !std::isfinite(bound->sum))
      refuse("bound.sum", text(bound->sum),
             text("a finite number, at least ", bound->value, ", the bound of values"));
  } else if (options.cumulative) {
    refuse("options.cumulative", "true without a bound", "true with a bound of all results");
  }
  constexpr std::size_t most = (std::size_t{1} << 32) - 2; // with a result that was there, 2^32 - 1
  if (options.wide && size > most)
    refuse("values", text(size, " elements"), text("up to ", most, " with options.wide"));
}

void refuse_index(std::uint64_t position, text const& index, std::size_t bins) {
  std::string const found = index;
  if (bins == 0) refuse("indices", text("element ", position, " is ", found), "none: no results");
  refuse("indices", text("element ", position, " is ", found), text("0 to ", bins - 1));
}
void refuse_value(std::uint64_t position, double value, double bound) {
  refuse("values", text("element ", position, " is ", value), text("magnitudes up to ", bound));
}
void refuse_result(std::uint64_t bin, double before, scatter_bound const* bound,
                   bool is_cumulative) {
  if (bound == nullptr) throw std::logic_error("a bound that was found is too small");
  if (is_cumulative && !(std::fabs(before) <= bound->sum))
    refuse("results", text("element ", bin, " is ", before), text("magnitudes up to ", bound->sum));
  refuse("bound.sum", text(bound->sum, ", which the sum of bin ", bin, " exceeds"),
         "a bound of all results");
}

} // namespace warpfold::inline v0::detail
