#pragma once
// Boundary values and differences on the host.

#include "backend.hpp"
#include "ghosts.hpp"
#include "instances.hpp"
#include "poisson/fftw/host_threads.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <cstdint>

namespace warpfold::inline v0::poisson::host_impl {
namespace {

/// Calls work(array index of point 0, index in a face) for every line along an axis of all
/// right-hand sides; `stride` is between a line's points.
template <class Work>
void for_each_line(host const& place, plan const& of, std::size_t number, Work work) {
  std::size_t inner = 1;
  for (std::size_t d = number + 1; d < of.axes.size(); ++d) inner *= of.axes[d].points;
  std::size_t const points = of.axes[number].points, lines = of.size() / points * of.of.batch;
  int const threads = threads_for(place, lines * points);
  detail::parallel_for(threads, static_cast<std::int64_t>(lines), [&](std::int64_t line) {
    auto const at = static_cast<std::size_t>(line);
    work(at / inner * points * inner + at % inner, inner, at);
  });
}

template <class T>
T value_at(T const* face, std::size_t at) {
  return face ? face[at] : T{0};
}

} // namespace

template <class T>
void add_faces(host const& place, plan const& of, faces<T> const& values, T* rhs) {
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    if (!values.lower[d] && !values.upper[d]) continue;
    ends<T> const axis = ends_of<T>(of, d);
    for_each_line(place, of, d, [&](std::size_t first, std::size_t stride, std::size_t line) {
      T const lower = value_at(values.lower[d], line), upper = value_at(values.upper[d], line);
      for (long long j = 0; j < axis.points; ++j) {
        if (j == reach && axis.points - reach > j) j = axis.points - reach;
        rhs[first + static_cast<std::size_t>(j) * stride] -=
            second_difference_of_ends(axis, of.of.stands, j, lower, upper);
      }
    });
  }
}

template <class T>
void difference(host const& place, plan const& of, std::size_t axis, faces<T> const& values,
                T const* solution, T* derivative) {
  ends<T> const along = ends_of<T>(of, axis);
  for_each_line(place, of, axis, [&](std::size_t first, std::size_t stride, std::size_t line) {
    T const lower = value_at(values.lower[axis], line), upper = value_at(values.upper[axis], line);
    auto const u = [&](long long j) {
      return solution[first + static_cast<std::size_t>(j) * stride];
    };
    for (long long j = 0; j < along.points; ++j)
      derivative[first + static_cast<std::size_t>(j) * stride] =
          first_difference(along, of.of.stands, j, lower, upper, u);
  });
}

} // namespace warpfold::inline v0::poisson::host_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::host_impl {                                              \
  template void add_faces(host const&, plan const&, faces<T> const&, T*);                          \
  template void difference(host const&, plan const&, std::size_t, faces<T> const&, T const*, T*);  \
  }
