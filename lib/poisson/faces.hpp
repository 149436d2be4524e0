#pragma once
// Boundary values, differences and copies on the host.

#include "ghosts.hpp"
#include "host/host_threads.hpp"
#include "instances.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstdint>

namespace warpfold::inline v0::poisson::host_impl {
namespace {

/// Calls work(line) for each.
template <class T, class Work>
void for_each_line(host const& place, lines_with_ends<T> const& lines, Work work) {
  int const threads = threads_for(place, static_cast<std::size_t>(lines.count * lines.axis.points));
  detail::parallel_for(threads, lines.count, work);
}

} // namespace

template <class T>
void add_faces(host const& place, plan const& plan, faces<T> const& values, T* rhs,
               field_layout const& layout) {
  for (std::size_t d = 0; d < plan.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    lines_with_ends<T> const lines(plan, d, values);
    line_starts const starts = starts_of(plan.problem, d, layout);
    for_each_line(place, lines, [&](std::int64_t line) {
      T* const first = rhs + starts.begin(line);
      for (long long j = 0; j < lines.axis.points; ++j) {
        if (j == reach && lines.axis.points - reach > j) j = lines.axis.points - reach;
        first[j * starts.stride] -= lines.second_difference(line, j);
      }
    });
  }
}

template <class T>
void difference(host const& place, plan const& plan, std::size_t axis, faces<T> const& values,
                T const* solution, field_layout const& solution_layout, T* derivative,
                field_layout const& derivative_layout) {
  lines_with_ends<T> const lines(plan, axis, values);
  line_starts const in = starts_of(plan.problem, axis, solution_layout),
                    out = starts_of(plan.problem, axis, derivative_layout);
  for_each_line(place, lines, [&](std::int64_t line) {
    T const* const u = solution + in.begin(line);
    T* const first = derivative + out.begin(line);
    for (long long j = 0; j < lines.axis.points; ++j)
      first[j * out.stride] = lines.derivative(line, j, u, in.stride);
  });
}

} // namespace warpfold::inline v0::poisson::host_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::host_impl {                                              \
  template void add_faces(host const&, plan const&, faces<T> const&, T*, field_layout const&);     \
  template void difference(host const&, plan const&, std::size_t, faces<T> const&, T const*,       \
                           field_layout const&, T*, field_layout const&);                          \
  }
