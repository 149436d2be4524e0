#pragma once
// Boundary values, differences, conversions and copies of fields on the host.

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

template <class From, class To>
void convert_row(From const* from, std::size_t size, To* to) {
  std::transform(from, from + size, to, [](From x) { return static_cast<To>(x); });
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

} // namespace warpfold::inline v0::poisson::host_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::host_impl {                                              \
  template void add_faces(host const&, plan const&, faces<T> const&, T*, field_layout const&);     \
  template void difference(host const&, plan const&, std::size_t, faces<T> const&, T const*,       \
                           field_layout const&, T*, field_layout const&);                          \
  template void convert(host const&, other_real<T> const*, std::size_t, T*);                       \
  template void convert_field(host const&, plan const&, T const*, field_layout const&, T*,         \
                              field_layout const&);                                                \
  template void convert_field(host const&, plan const&, other_real<T> const*, field_layout const&, \
                              T*, field_layout const&);                                            \
  }
