#include "checks.hpp"

#include <warpfold/counting/compaction.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <cmath>
#include <limits>

namespace warpfold::inline v0::detail {

void check_output_apart(void const* values, std::size_t values_bytes, void const* output,
                        std::size_t output_bytes, std::uint64_t const* count) {
  if (share_memory(output, output_bytes, values, values_bytes))
    refuse("output", "memory of the values", "memory of its own");
  if (share_memory(count, sizeof *count, values, values_bytes) ||
      share_memory(count, sizeof *count, output, output_bytes))
    refuse("count", "memory of the values or the output", "memory of its own");
}

void check_bin_count(char const* argument, std::size_t count) {
  if (count < 1 || count > static_cast<std::size_t>(max_bins))
    refuse(argument, text(count, " bins"), text("1 to ", max_bins));
}

template <binned_element T>
void check_bins(bins_of<T> const& bins) {
  if (bins.count < 1 || bins.count > max_bins)
    refuse("bins", text("a count of ", bins.count), text("1 to ", max_bins));
  text const range("lower ", bins.lower, ", upper ", bins.upper);
  if (!(bins.lower < bins.upper)) refuse("bins", range, "lower < upper");
  if constexpr (std::floating_point<T>) {
    T const scale = bin_function<T>(bins).scale();
    if (!std::isfinite(bins.upper - bins.lower) || !std::isfinite(scale) || !(scale > 0))
      refuse("bins", range, "a finite count / (upper - lower) above 0");
  } else {
    constexpr std::int64_t least = std::numeric_limits<T>::min(),
                           end = std::int64_t{std::numeric_limits<T>::max()} + 1;
    if (bins.lower < least || bins.upper > end) refuse("bins", range, text(least, " to ", end));
  }
}
template void check_bins<std::uint8_t>(bins_of<std::uint8_t> const&);
template void check_bins<std::int32_t>(bins_of<std::int32_t> const&);
template void check_bins<std::uint32_t>(bins_of<std::uint32_t> const&);
template void check_bins<float>(bins_of<float> const&);
template void check_bins<double>(bins_of<double> const&);

void check_counts(std::uint64_t const* counts, std::size_t size, void const* values,
                  std::size_t values_bytes) {
  check_elements("counts", counts, size);
  if (share_memory(counts, size * sizeof(std::uint64_t), values, values_bytes))
    refuse("counts", "memory of the values", "memory of their own");
}

} // namespace warpfold::inline v0::detail
