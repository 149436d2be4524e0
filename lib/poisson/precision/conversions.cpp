// Conversions and copies of fields on the host.

#include "poisson/backend.hpp"
#include "poisson/host/host_threads.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::host_impl {
namespace {

template <class From, class To>
void convert_row(From const* from, std::size_t size, To* to) {
  std::transform(from, from + size, to, [](From x) { return static_cast<To>(x); });
}

} // namespace

template <class From, class To>
void convert(host const& place, From const* from, std::size_t size, To* to) {
  constexpr std::size_t piece = std::size_t{1} << 14; // 192 KB, read and written
  auto const pieces = static_cast<std::int64_t>((size + piece - 1) / piece);
  detail::parallel_for(threads_for(place, size), pieces, [=](std::int64_t number) {
    std::size_t const first = static_cast<std::size_t>(number) * piece;
    convert_row(from + first, std::min(piece, size - first), to + first);
  });
}

template <class From, class To>
void convert_field(host const& place, plan const& plan, From const* from,
                   field_layout const& from_layout, To* to, field_layout const& to_layout) {
  std::size_t const all = plan.size() * plan.problem.batch, last = plan.axes.size() - 1;
  if (is_dense(plan.problem, from_layout) && is_dense(plan.problem, to_layout))
    return convert(place, from, all, to);
  std::size_t const width = plan.axes[last].points;
  line_starts const in = starts_of(plan.problem, last, from_layout),
                    out = starts_of(plan.problem, last, to_layout);
  detail::parallel_for(
      threads_for(place, all), static_cast<std::int64_t>(all / width),
      [&](std::int64_t row) { convert_row(from + in.begin(row), width, to + out.begin(row)); });
}

template void convert(host const&, double const*, std::size_t, float*);
template void convert(host const&, float const*, std::size_t, double*);
template void convert_field(host const&, plan const&, double const*, field_layout const&, float*,
                            field_layout const&);
template void convert_field(host const&, plan const&, float const*, field_layout const&, double*,
                            field_layout const&);
template void convert_field(host const&, plan const&, double const*, field_layout const&, double*,
                            field_layout const&);
template void convert_field(host const&, plan const&, float const*, field_layout const&, float*,
                            field_layout const&);

} // namespace warpfold::inline v0::poisson::host_impl
