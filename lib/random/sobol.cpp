// Sobol's sequence: checks the arguments and chooses the backend.

#include "sobol_backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

namespace warpfold::inline v0::detail {
namespace {

template <class Place, class Span>
random::wanted_points<typename Span::value_type>
checked(random::sobol_sequence<Place> const& sequence, Span output,
        random::sobol_options const& options) {
  using random::scrambling;
  check_elements("output", output.data(), output.size());
  auto const dimensions = static_cast<std::uint32_t>(sequence.dimensions());
  if (output.size() % dimensions != 0)
    refuse("output", text(output.size(), " elements"), text("multiples of ", dimensions));
  if (options.scrambling != scrambling::none && options.scrambling != scrambling::digital_shift &&
      options.scrambling != scrambling::owen)
    refuse("options.scrambling", static_cast<int>(options.scrambling), "a scrambling");
  std::uint64_t const points = output.size() / dimensions, all = std::uint64_t{1} << 32;
  if (points > all || options.offset > all - points)
    refuse("options.offset", text(options.offset, ", with ", points, " points"),
           "up to 2^32 less their number");
  return {sequence.directions().data(),
          dimensions,
          options.scrambling,
          options.seed,
          options.replicate,
          options.offset,
          points,
          output.data()};
}

} // namespace

template <class T>
void fill_points(gpu& place, random::sobol_sequence<gpu> const& sequence, variate what,
                 device_span<T> output, random::sobol_options const& options) {
  auto const all = checked(sequence, output, options);
  if (output.empty()) return;
  device_guard const current{place.device()};
  random::gpu_impl::fill_points(place.stream(), what, all);
}

template <class T>
void fill_points(host const& place, random::sobol_sequence<host> const& sequence, variate what,
                 std::span<T> output, random::sobol_options const& options) {
  auto const all = checked(sequence, output, options);
  if (!output.empty()) random::host_impl::fill_points(place, what, all);
}

#define INSTANTIATE(T)                                                                             \
  template void fill_points(gpu&, random::sobol_sequence<gpu> const&, variate, device_span<T>,     \
                            random::sobol_options const&);                                         \
  template void fill_points(host const&, random::sobol_sequence<host> const&, variate,             \
                            std::span<T>, random::sobol_options const&);
INSTANTIATE(std::uint32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::detail
