// The door of compaction: checks the arguments and chooses the backend.

#include "../reduction/door.hpp"
#include "compaction_backend.hpp"
#include "instances.hpp"

#include <warpfold/error.hpp>

#include <string>

namespace warpfold::detail {

void check_output_apart(void const* values, std::size_t values_bytes, void const* output,
                        std::size_t output_bytes, std::uint64_t const* count) {
  if (share_memory(output, output_bytes, values, values_bytes))
    throw argument_error("output", "shares memory with the values");
  if (share_memory(count, sizeof *count, values, values_bytes) ||
      share_memory(count, sizeof *count, output, output_bytes))
    throw argument_error("count", "shares memory with the values or the output");
}

namespace {

/// CUB 3.0 (CUDA 13.0) works on 2^31 - 1 elements at a time. Where it selected almost all of so
/// many, it wrote outside of the output (NVIDIA H200, 2026-11-21; in a program of its own too).
constexpr std::size_t most_for_cub = (std::size_t{1} << 31) - (std::size_t{1} << 16);

void check_room(std::size_t size, std::size_t capacity, method how) {
  if (capacity < size)
    throw argument_error("output", "has room for " + std::to_string(capacity) + " elements, and " +
                                       to_string(how) + " needs it for all " +
                                       std::to_string(size));
}

} // namespace

template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, bool blocking, reduce_options const& options) {
  using namespace counting;
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  check_method(options.how, {.on_gpu = true, .blocking = blocking, .has_ladder = false});
  if (options.how == method::thrust)
    throw argument_error("options.how", "on a gpu thrust::copy_if is method::cub");
  if (options.how == method::cub) {
    if (values.size() > most_for_cub)
      throw argument_error("options.how", "method::cub selects from up to " +
                                              std::to_string(most_for_cub) + " elements, not " +
                                              std::to_string(values.size()));
    check_room(values.size(), output.size(), options.how);
    gpu_impl::cub_select(place, values, predicate, output.data(), count, blocking);
  } else {
    gpu_impl::compact(place, values, predicate, output, count, blocking);
  }
}

template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, bool, reduce_options const& options) {
  using namespace counting;
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  check_method(options.how, {.on_gpu = false, .blocking = true, .has_ladder = false});
  if (options.how == method::thrust) {
    check_room(values.size(), output.size(), options.how);
    host_impl::thrust_copy_if(place, values, predicate, output.data(), count);
  } else {
    host_impl::compact(place, values, predicate, output, count);
  }
}

#define INSTANTIATE(T, Predicate)                                                                  \
  template void compact_to<T, Predicate>(gpu&, device_span<T const>, Predicate, device_span<T>,    \
                                         std::uint64_t*, bool, reduce_options const&);             \
  template void compact_to<T, Predicate>(host const&, std::span<T const>, Predicate, std::span<T>, \
                                         std::uint64_t*, bool, reduce_options const&);
WARPFOLD_FOR_EACH_SELECTION(INSTANTIATE)

} // namespace warpfold::detail
