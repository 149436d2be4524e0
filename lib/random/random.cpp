// Random numbers and points of Sobol's sequence: checks the arguments and chooses the backend.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

#include <limits>

namespace warpfold::inline v0 {

namespace random {

void check_range(std::uint64_t offset, std::size_t size) {
  if (size > 0 && offset > std::numeric_limits<std::uint64_t>::max() - size + 1)
    detail::refuse("options.offset", detail::text(offset, ", with ", size, " elements"),
                   "up to 2^64 less their number");
}

namespace {

template <class Span>
wanted<typename Span::value_type> checked(Span output, options const& options) {
  detail::check_elements("output", output.data(), output.size());
  check_range(options.offset, output.size());
  return {{options.seed, options.stream}, options.offset, output.data(), output.size()};
}

template <class Place, class Span>
wanted_points<typename Span::value_type> checked(sobol_sequence<Place> const& sequence, Span output,
                                                 sobol_options const& options) {
  using detail::refuse, detail::text;
  detail::check_elements("output", output.data(), output.size());
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
} // namespace random

namespace detail {

variate normal_variate(random::normal_method method) {
  switch (method) {
  case random::normal_method::box_muller: return variate::box_muller;
  case random::normal_method::inverse: return variate::inverse;
  }
  refuse("options.method", static_cast<int>(method), "a normal_method");
}

template <class T>
void fill_random(gpu& place, variate what, device_span<T> output, random::options const& options) {
  auto const all = random::checked(output, options);
  if (output.empty()) return;
  device_guard const current{place.device()};
  random::gpu_impl::fill(place.stream(), what, all);
}
template <class T>
void fill_random(host const& place, variate what, std::span<T> output,
                 random::options const& options) {
  auto const all = random::checked(output, options);
  if (!output.empty()) random::host_impl::fill(place, what, all);
}

template <class T>
void fill_points(gpu& place, random::sobol_sequence<gpu> const& sequence, variate what,
                 device_span<T> output, random::sobol_options const& options) {
  auto const all = random::checked(sequence, output, options);
  if (output.empty()) return;
  device_guard const current{place.device()};
  random::gpu_impl::fill_points(place.stream(), what, all);
}
template <class T>
void fill_points(host const& place, random::sobol_sequence<host> const& sequence, variate what,
                 std::span<T> output, random::sobol_options const& options) {
  auto const all = random::checked(sequence, output, options);
  if (!output.empty()) random::host_impl::fill_points(place, what, all);
}

#define INSTANTIATE(T)                                                                             \
  template void fill_random(gpu&, variate, device_span<T>, random::options const&);                \
  template void fill_random(host const&, variate, std::span<T>, random::options const&);           \
  template void fill_points(gpu&, random::sobol_sequence<gpu> const&, variate, device_span<T>,     \
                            random::sobol_options const&);                                         \
  template void fill_points(host const&, random::sobol_sequence<host> const&, variate,             \
                            std::span<T>, random::sobol_options const&);
INSTANTIATE(std::uint32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace detail
} // namespace warpfold::inline v0
