#pragma once
// Exact sums of segments on a host.

#include "instances.hpp"

#include <warpfold/detail/reduction/exact_host.hpp>
#include <warpfold/detail/segments/exact_segments_body.hpp>
#include <warpfold/segments/exact_segments.hpp>

#include <algorithm>

namespace warpfold::inline v0::detail {

template <class T, class A>
void exact_segments_to(host const& place, T const* values, std::size_t,
                       segment_list const& segments, A* results, bool) {
  using terms = exact_values<A>;
  auto const at = [=](std::int64_t i) { return widen<A>(values[i]); };
  auto const write = [=](std::int64_t i, exact_words<terms> sum) {
    results[i] = sum.template round<A>();
  };
  // Few segments: the threads share each; many: each thread has some of its own.
  std::int64_t const count = segments.count();
  if (count < 4 * place.threads()) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t const begin = segments.begin(i);
      write(i, exact_host<terms>(place.threads(), static_cast<std::size_t>(segments.end(i) - begin),
                                 [=](std::int64_t k) { return at(begin + k); }));
    }
    return;
  }
  constexpr std::int64_t together = 64;
  parallel_for(place.threads(), (count + together - 1) / together, [&](std::int64_t b) {
    for (std::int64_t i = b * together; i < std::min(count, (b + 1) * together); ++i) {
      exact_words<terms> sum;
      add_range(sum, segments.begin(i), segments.end(i), at);
      write(i, sum);
    }
  });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(T, A)                                                                          \
  namespace warpfold::inline v0::detail {                                                          \
  template void exact_segments_to<T, A>(host const&, T const*, std::size_t, segment_list const&,   \
                                        A*, bool);                                                 \
  }
