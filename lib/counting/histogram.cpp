// The door of histograms: checks the arguments and chooses the backend, which on a host is a loop.

#include "../reduction/door.hpp"
#include "histogram_backend.hpp"

#include <warpfold/detail/histogram_host.hpp>
#include <warpfold/error.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace warpfold::detail {

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

namespace {

template <class T>
void check_histogram(T const* values, std::size_t size, bins_of<T> const& bins,
                     std::uint64_t const* counts, std::size_t room, method how, door through) {
  check_elements("values", values, size);
  check_bins<T>(bins);
  if (room != static_cast<std::size_t>(bins.count))
    throw argument_error("counts",
                         std::to_string(room) + " for " + std::to_string(bins.count) + " bins");
  check_elements("counts", counts, room);
  if (share_memory(counts, room * sizeof(std::uint64_t), values, size * sizeof(T)))
    throw argument_error("counts", "overlap the values");
  check_method(how, through);
  if (how == method::thrust) throw argument_error("options.how", "Thrust has no histogram");
}

} // namespace

template <class T>
void histogram_to(gpu& place, device_span<T const> values, bins_of<T> const& bins,
                  device_span<std::uint64_t> counts, bool blocking, reduce_options const& options) {
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size(), options.how,
                     {.on_gpu = true, .blocking = blocking, .has_ladder = false});
  if (options.how != method::cub)
    return counting::gpu_impl::bin<T>(place, values, bins, counts.data());
  if constexpr (std::floating_point<T>)
    if (bin_function<T>(bins).unbounded(std::nextafter(bins.upper, bins.lower)) >= bins.count)
      throw argument_error("options.how", "method::cub would count the element below " +
                                              std::to_string(bins.upper) + " behind the last bin");
  counting::gpu_impl::cub_histogram<T>(place, values, bins, counts.data(), blocking);
}

template <class T>
void histogram_to(host const& place, std::span<T const> values, bins_of<T> const& bins,
                  std::span<std::uint64_t> counts, bool, reduce_options const& options) {
  check_histogram<T>(values.data(), values.size(), bins, counts.data(), counts.size(), options.how,
                     {.on_gpu = false, .blocking = true, .has_ladder = false});
  histogram_host(place.threads(), values.data(), values.size(), bin_function<T>(bins), bins.count,
                 counts.data());
}

#define INSTANTIATE(T)                                                                             \
  template void check_bins<T>(bins_of<T> const&);                                                  \
  template void histogram_to<T>(gpu&, device_span<T const>, bins_of<T> const&,                     \
                                device_span<std::uint64_t>, bool, reduce_options const&);          \
  template void histogram_to<T>(host const&, std::span<T const>, bins_of<T> const&,                \
                                std::span<std::uint64_t>, bool, reduce_options const&);
WARPFOLD_FOR_EACH_BINNED(INSTANTIATE)

} // namespace warpfold::detail
