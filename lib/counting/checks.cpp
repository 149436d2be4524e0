#include "checks.hpp"

#include <warpfold/compaction.hpp>
#include <warpfold/error.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace warpfold::inline v0::detail {

void check_output_apart(void const* values, std::size_t values_bytes, void const* output,
                        std::size_t output_bytes, std::uint64_t const* count) {
  if (share_memory(output, output_bytes, values, values_bytes))
    throw argument_error("output", "shares memory with the values");
  if (share_memory(count, sizeof *count, values, values_bytes) ||
      share_memory(count, sizeof *count, output, output_bytes))
    throw argument_error("count", "shares memory with the values or the output");
}

void check_bin_count(char const* argument, std::size_t count) {
  if (count < 1 || count > static_cast<std::size_t>(max_bins))
    throw argument_error(argument,
                         std::to_string(count) + " bins, not 1 ... " + std::to_string(max_bins));
}

template <binned_element T>
void check_bins(bins_of<T> const& bins) {
  if (bins.count < 1 || bins.count > max_bins)
    throw argument_error("bins", "a count of " + std::to_string(bins.count) + ", not 1 ... " +
                                     std::to_string(max_bins));
  std::string const range =
      "from " + std::to_string(bins.lower) + " to " + std::to_string(bins.upper);
  if (!(bins.lower < bins.upper)) throw argument_error("bins", range);
  if constexpr (std::floating_point<T>) {
    T const scale = bin_function<T>(bins).scale();
    if (!std::isfinite(bins.upper - bins.lower) || !std::isfinite(scale) || !(scale > 0))
      throw argument_error("bins", range + ", which is too far or too near");
  } else {
    using limits = std::numeric_limits<T>;
    if (bins.lower < std::int64_t{limits::min()} || bins.upper > std::int64_t{limits::max()} + 1)
      throw argument_error("bins", range + ", beyond the elements' type");
  }
}
template void check_bins<std::uint8_t>(bins_of<std::uint8_t> const&);
template void check_bins<std::int32_t>(bins_of<std::int32_t> const&);
template void check_bins<std::uint32_t>(bins_of<std::uint32_t> const&);
template void check_bins<float>(bins_of<float> const&);
template void check_bins<double>(bins_of<double> const&);

void check_counts(std::uint64_t const* counts, std::size_t room, int bins, void const* values,
                  std::size_t values_bytes) {
  if (room != static_cast<std::size_t>(bins))
    throw argument_error("counts", std::to_string(room) + " for " + std::to_string(bins) + " bins");
  check_elements("counts", counts, room);
  if (share_memory(counts, room * sizeof(std::uint64_t), values, values_bytes))
    throw argument_error("counts", "overlap the values");
}

} // namespace warpfold::inline v0::detail
