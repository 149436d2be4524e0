// The door of random numbers by any generator: checks the arguments, and hands them to ours or to
// cuRAND's.

#include "random/backend.hpp"
#include "vendor.hpp"

#include <warpfold/detail/core/arguments.hpp>

#include <string>

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

namespace random {
namespace {

using twins::generator;

/// Checks a call of cuRAND's, and lets fill(generator) do it.
template <class Place, class Span, class Fill>
void by_vendor(Place& place, Span out, generator twin, options const& options, Fill fill) {
  detail::check_elements("out", out.data(), out.size());
  check_vendor_options(twin, options, std::same_as<Place, gpu>);
  check_options(options, out.size());
  if (!out.empty()) {
    vendor_generator<std::remove_const_t<Place>> made(place, twin, options);
    fill(made);
  }
  if constexpr (std::same_as<Place, gpu>) place.synchronize();
}

void check_async(generator twin) {
  if (twin != generator::philox)
    throw argument_error("twin",
                         std::string(to_string(twin)) +
                             ": philox alone can be enqueued so, others by vendor_generator");
}

} // namespace

void bits(gpu& place, device_span<std::uint32_t> out, generator twin, options const& options) {
  if (twin == generator::philox) return bits(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.bits_async(out); });
}
template <vendor_number T>
void uniform(gpu& place, device_span<T> out, generator twin, options const& options) {
  if (twin == generator::philox) return uniform(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.uniform_async(out); });
}
template <vendor_number T>
void normal(gpu& place, device_span<T> out, generator twin, options const& options) {
  if (twin == generator::philox) return normal(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.normal_async(out); });
}

void bits(host const& place, std::span<std::uint32_t> out, generator twin, options const& options) {
  if (twin == generator::philox) return bits(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.bits_async(out); });
}
template <vendor_number T>
void uniform(host const& place, std::span<T> out, generator twin, options const& options) {
  if (twin == generator::philox) return uniform(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.uniform_async(out); });
}
template <vendor_number T>
void normal(host const& place, std::span<T> out, generator twin, options const& options) {
  if (twin == generator::philox) return normal(place, out, options);
  by_vendor(place, out, twin, options, [&](auto& made) { made.normal_async(out); });
}

void bits_async(gpu& place, device_span<std::uint32_t> out, generator twin,
                options const& options) {
  check_async(twin);
  bits_async(place, out, options);
}
template <vendor_number T>
void uniform_async(gpu& place, device_span<T> out, generator twin, options const& options) {
  check_async(twin);
  uniform_async(place, out, options);
}
template <vendor_number T>
void normal_async(gpu& place, device_span<T> out, generator twin, options const& options) {
  check_async(twin);
  normal_async(place, out, options);
}

#define INSTANTIATE(T)                                                                             \
  template void uniform(gpu&, device_span<T>, generator, options const&);                          \
  template void normal(gpu&, device_span<T>, generator, options const&);                           \
  template void uniform(host const&, std::span<T>, generator, options const&);                     \
  template void normal(host const&, std::span<T>, generator, options const&);                      \
  template void uniform_async(gpu&, device_span<T>, generator, options const&);                    \
  template void normal_async(gpu&, device_span<T>, generator, options const&);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace random
} // namespace warpfold::inline v0
