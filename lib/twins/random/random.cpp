// The door of random numbers by any generator: checks the arguments, and hands them to ours or to
// cuRAND's.

#include "random/backend.hpp"
#include "vendor.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>

namespace warpfold::inline v0 {

char const* twins::to_string(generator twin) noexcept {
  switch (twin) {
  case generator::philox: return "philox";
  case generator::curand_philox: return "curand_philox";
  case generator::curand_xorwow: return "curand_xorwow";
  case generator::curand_mrg32k3a: return "curand_mrg32k3a";
  case generator::curand_mtgp32: return "curand_mtgp32";
  case generator::curand_mt19937: return "curand_mt19937";
  case generator::curand_sobol: return "curand_sobol";
  }
  return "unknown";
}

namespace detail {
namespace {

using twins::generator;

template <class T, class Place, class Span>
void fill(Place& place, variate what, Span output, generator twin, random::options const& options,
          bool blocking) {
  if (twin == generator::philox) return fill_random(place, what, output, options);
  constexpr bool on_gpu = std::same_as<Place, gpu>;
  check_elements("output", output.data(), output.size());
  random::check_vendor_options(twin, options, on_gpu);
  if (on_gpu && !blocking)
    refuse("twin", to_string(twin), "philox; vendor_generator enqueues others");
  if (what == variate::inverse)
    refuse("options.method", "inverse", "box_muller; cuRAND has methods of its own");
  random::check_range(options.offset, output.size());
  if (output.empty()) return;
  random::vendor_generator<std::remove_const_t<Place>> made(place, twin, options);
  if constexpr (std::same_as<T, std::uint32_t>) made.bits_async(output);
  else if (what == variate::uniform) made.uniform_async(output);
  else made.normal_async(output);
}

} // namespace

template <class T>
void fill_random(gpu& place, variate what, device_span<T> output, generator twin,
                 random::options const& options, bool blocking) {
  fill<T>(place, what, output, twin, options, blocking);
}
template <class T>
void fill_random(host const& place, variate what, std::span<T> output, generator twin,
                 random::options const& options, bool blocking) {
  fill<T>(place, what, output, twin, options, blocking);
}

#define INSTANTIATE(T)                                                                             \
  template void fill_random(gpu&, variate, device_span<T>, generator, random::options const&,      \
                            bool);                                                                 \
  template void fill_random(host const&, variate, std::span<T>, generator, random::options const&, \
                            bool);
INSTANTIATE(std::uint32_t)
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace detail
} // namespace warpfold::inline v0
