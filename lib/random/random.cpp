// Random numbers: checks the arguments and chooses the backend.

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

#define INSTANTIATE(T)                                                                             \
  template void fill_random(gpu&, variate, device_span<T>, random::options const&);                \
  template void fill_random(host const&, variate, std::span<T>, random::options const&);
INSTANTIATE(std::uint32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace detail
} // namespace warpfold::inline v0
