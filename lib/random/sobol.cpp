// The door of Sobol's sequence: checks the arguments and chooses the backend.

#include "sobol_backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/error.hpp>

#include <string>

namespace warpfold::inline v0::random {
namespace {

template <class Place, class Span>
wanted_points<typename Span::value_type> checked_call(sobol_sequence<Place> const& sequence,
                                                      Span out, sobol_options const& options) {
  detail::check_elements("out", out.data(), out.size());
  auto const dimensions = static_cast<std::uint32_t>(sequence.dimensions());
  if (out.size() % dimensions != 0)
    throw argument_error("out", std::to_string(out.size()) + " elements for " +
                                    std::to_string(dimensions) + " dimensions");
  if (options.how != scrambling::none && options.how != scrambling::digital_shift &&
      options.how != scrambling::owen)
    throw argument_error("options.how", "not a scrambling");
  std::uint64_t const points = out.size() / dimensions, all = std::uint64_t{1} << 32;
  if (points > all || options.first > all - points)
    throw argument_error("options.first", std::to_string(options.first) + " and " +
                                              std::to_string(points) +
                                              " points: a sequence has 2^32");
  return {sequence.directions().data(),
          dimensions,
          options.how,
          options.seed,
          options.replicate,
          options.first,
          points,
          out.data()};
}

template <class T>
void enqueue(gpu& place, sobol_sequence<gpu> const& sequence, kind what, device_span<T> out,
             sobol_options const& options) {
  auto const all = checked_call(sequence, out, options);
  if (out.empty()) return;
  device_guard const current{place.device()};
  gpu_impl::fill_points(place.stream(), what, all);
}

template <class T>
void fill(host const& place, sobol_sequence<host> const& sequence, kind what, std::span<T> out,
          sobol_options const& options) {
  auto const all = checked_call(sequence, out, options);
  if (!out.empty()) host_impl::fill_points(place, what, all);
}

} // namespace

void bits_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<std::uint32_t> out,
                sobol_options const& options) {
  enqueue(place, sequence, kind::bits, out, options);
}
void bits(gpu& place, sobol_sequence<gpu> const& sequence, device_span<std::uint32_t> out,
          sobol_options const& options) {
  enqueue(place, sequence, kind::bits, out, options);
  place.synchronize();
}
void bits(host const& place, sobol_sequence<host> const& sequence, std::span<std::uint32_t> out,
          sobol_options const& options) {
  fill(place, sequence, kind::bits, out, options);
}

template <class T>
void uniform_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
                   sobol_options const& options) {
  enqueue(place, sequence, kind::uniform, out, options);
}
template <class T>
void uniform(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
             sobol_options const& options) {
  enqueue(place, sequence, kind::uniform, out, options);
  place.synchronize();
}
template <class T>
void uniform(host const& place, sobol_sequence<host> const& sequence, std::span<T> out,
             sobol_options const& options) {
  fill(place, sequence, kind::uniform, out, options);
}

template <class T>
void normal_async(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
                  sobol_options const& options) {
  enqueue(place, sequence, kind::inverse, out, options);
}
template <class T>
void normal(gpu& place, sobol_sequence<gpu> const& sequence, device_span<T> out,
            sobol_options const& options) {
  enqueue(place, sequence, kind::inverse, out, options);
  place.synchronize();
}
template <class T>
void normal(host const& place, sobol_sequence<host> const& sequence, std::span<T> out,
            sobol_options const& options) {
  fill(place, sequence, kind::inverse, out, options);
}

#define INSTANTIATE(T)                                                                             \
  template void uniform_async(gpu&, sobol_sequence<gpu> const&, device_span<T>,                    \
                              sobol_options const&);                                               \
  template void uniform(gpu&, sobol_sequence<gpu> const&, device_span<T>, sobol_options const&);   \
  template void uniform(host const&, sobol_sequence<host> const&, std::span<T>,                    \
                        sobol_options const&);                                                     \
  template void normal_async(gpu&, sobol_sequence<gpu> const&, device_span<T>,                     \
                             sobol_options const&);                                                \
  template void normal(gpu&, sobol_sequence<gpu> const&, device_span<T>, sobol_options const&);    \
  template void normal(host const&, sobol_sequence<host> const&, std::span<T>,                     \
                       sobol_options const&);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::random
