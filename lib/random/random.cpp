// The door of random numbers: checks the arguments and chooses the backend.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/error.hpp>
#include <warpfold/random.hpp>

#include <limits>
#include <string>

namespace warpfold::inline v0::random {

void check_options(options const& options, std::size_t size) {
  if (options.by != transform::box_muller && options.by != transform::inverse)
    throw argument_error("options.by", "not a transform");
  if (size > 0 && options.first > std::numeric_limits<std::uint64_t>::max() - size + 1)
    throw argument_error("options.first", std::to_string(options.first) + " and " +
                                              std::to_string(size) +
                                              " elements: a sequence has 2^64");
}

namespace {

template <class Span>
wanted<typename Span::value_type> checked_call(Span out, options const& options) {
  detail::check_elements("out", out.data(), out.size());
  check_options(options, out.size());
  return {{options.seed, options.stream}, options.first, out.data(), out.size()};
}

kind normal_kind(options const& options) {
  return options.by == transform::inverse ? kind::inverse : kind::box_muller;
}

template <class T>
void enqueue(gpu& place, kind what, device_span<T> out, options const& options) {
  auto const all = checked_call(out, options);
  if (out.empty()) return;
  device_guard const current{place.device()};
  gpu_impl::fill(place.stream(), what, all);
}

template <class T>
void fill(gpu& place, kind what, device_span<T> out, options const& options) {
  enqueue(place, what, out, options);
  place.synchronize();
}

template <class T>
void fill(host const& place, kind what, std::span<T> out, options const& options) {
  auto const all = checked_call(out, options);
  if (!out.empty()) host_impl::fill(place, what, all);
}

} // namespace

void bits_async(gpu& place, device_span<std::uint32_t> out, options const& options) {
  enqueue(place, kind::bits, out, options);
}
void bits(gpu& place, device_span<std::uint32_t> out, options const& options) {
  fill(place, kind::bits, out, options);
}
void bits(host const& place, std::span<std::uint32_t> out, options const& options) {
  fill(place, kind::bits, out, options);
}

template <class T>
void uniform_async(gpu& place, device_span<T> out, options const& options) {
  enqueue(place, kind::uniform, out, options);
}
template <class T>
void uniform(gpu& place, device_span<T> out, options const& options) {
  fill(place, kind::uniform, out, options);
}
template <class T>
void uniform(host const& place, std::span<T> out, options const& options) {
  fill(place, kind::uniform, out, options);
}

template <class T>
void normal_async(gpu& place, device_span<T> out, options const& options) {
  enqueue(place, normal_kind(options), out, options);
}
template <class T>
void normal(gpu& place, device_span<T> out, options const& options) {
  fill(place, normal_kind(options), out, options);
}
template <class T>
void normal(host const& place, std::span<T> out, options const& options) {
  fill(place, normal_kind(options), out, options);
}

#define INSTANTIATE(T)                                                                             \
  template void uniform_async(gpu&, device_span<T>, options const&);                               \
  template void uniform(gpu&, device_span<T>, options const&);                                     \
  template void uniform(host const&, std::span<T>, options const&);                                \
  template void normal_async(gpu&, device_span<T>, options const&);                                \
  template void normal(gpu&, device_span<T>, options const&);                                      \
  template void normal(host const&, std::span<T>, options const&);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::random
