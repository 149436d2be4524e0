#pragma once
// Compaction on a GPU.

#include "instances.hpp"

#include <warpfold/counting/compaction.hpp>
#include <warpfold/detail/counting/compaction.cuh>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void compact_to(gpu& place, device_span<T const> values, Predicate predicate, device_span<T> output,
                std::uint64_t* count, bool blocking) {
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  compact_on(place, values.data(), values.size(), predicate, output.data(), output.size(), count,
             blocking);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void compact_to<T, Predicate>(gpu&, device_span<T const>, Predicate, device_span<T>,    \
                                         std::uint64_t*, bool);                                    \
  }
