// The door of the exact sums of segments, and their host backend.

#include "exact_backend.hpp"

#include <warpfold/detail/exact_host.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>

namespace warpfold {

namespace segments::host_impl {

template <class T, class A>
void exact(host const& place, T const* values, detail::segment_list segments, A* results) {
  using terms = detail::exact_values<A>;
  using layout = typename terms::layout;
  auto const at = [=](std::int64_t i) { return detail::widen<A>(values[i]); };
  auto const write = [=](std::int64_t i, detail::exact_words<terms> sum) {
    results[i] = detail::round_sum<A, layout>(sum.at(), detail::range_of<layout>(sum.at()));
  };
  // Few segments: the threads share each; many: each thread has some of its own.
  std::int64_t const count = segments.count();
  if (count < 4 * place.threads()) {
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t const begin = segments.begin(i);
      write(i, detail::exact_host<terms>(place.threads(),
                                         static_cast<std::size_t>(segments.end(i) - begin),
                                         [=](std::int64_t k) { return at(begin + k); }));
    }
    return;
  }
  constexpr std::int64_t together = 64;
  detail::parallel_for(place.threads(), (count + together - 1) / together, [&](std::int64_t b) {
    for (std::int64_t i = b * together; i < std::min(count, (b + 1) * together); ++i) {
      detail::exact_words<terms> sum;
      detail::add_range(sum, segments.begin(i), segments.end(i), at);
      write(i, sum);
    }
  });
}

} // namespace segments::host_impl

namespace detail {

std::size_t exact_segments_bytes(std::size_t elements, std::size_t size) {
  std::size_t const chunk = (std::size_t{16} << 10) / size;
  std::size_t const words = size == 8 ? sizeof(exact_chunk_words<exact_values<double>>)
                                      : sizeof(exact_chunk_words<exact_values<float>>);
  return (elements + chunk - 1) / chunk * words;
}

template <class T, class A>
void exact_segments_to(gpu& place, T const* values, std::size_t size,
                       segment_offsets const& offsets, segment_rows const& rows, A* results,
                       bool blocking) {
  warpfold::segments::gpu_impl::exact<T, A>(place, values, size, {offsets, rows}, results,
                                            blocking);
}

template <class T, class A>
void exact_segments_to(host const& place, T const* values, std::size_t,
                       segment_offsets const& offsets, segment_rows const& rows, A* results, bool) {
  warpfold::segments::host_impl::exact<T, A>(place, values, {offsets, rows}, results);
}

#define INSTANTIATE(T, A)                                                                          \
  template void exact_segments_to<T, A>(gpu&, T const*, std::size_t, segment_offsets const&,       \
                                        segment_rows const&, A*, bool);                            \
  template void exact_segments_to<T, A>(host const&, T const*, std::size_t,                        \
                                        segment_offsets const&, segment_rows const&, A*, bool);
INSTANTIATE(float, float)
INSTANTIATE(double, double)
INSTANTIATE(__half, float)
INSTANTIATE(__nv_bfloat16, float)

} // namespace detail

} // namespace warpfold
