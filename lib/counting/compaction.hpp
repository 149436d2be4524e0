#pragma once
// Compaction on a host.

#include "instances.hpp"

#include <warpfold/counting/compaction.hpp>
#include <warpfold/detail/counting/counting_host.hpp>

namespace warpfold::inline v0::detail {

template <class T, class Predicate>
void compact_to(host const& place, std::span<T const> values, Predicate predicate,
                std::span<T> output, std::uint64_t* count, bool) {
  check_elements("values", values.data(), values.size());
  check_output(values.data(), values.size(), output.data(), output.size(), count);
  *count = compact_host(place.threads(), values.data(), values.size(), predicate, output.data(),
                        output.size());
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, Predicate)                                                                  \
  namespace warpfold::inline v0::detail {                                                          \
  template void compact_to<T, Predicate>(host const&, std::span<T const>, Predicate, std::span<T>, \
                                         std::uint64_t*, bool);                                    \
  }
