// Which hand-written solver takes a problem.

#include "poisson/backend.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/lines/lines_passes.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <cstddef>

namespace warpfold::inline v0::poisson::gpu_impl {

std::size_t most_shared(gpu const& place) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, place.device()));
  return static_cast<std::size_t>(bytes);
}

bool has_lines(gpu const& place, plan const& of, std::size_t element) {
  return fits_lines(of, element) && most_shared(place) >= most_line_shared;
}

fused_form form_of(gpu const& place, plan const& of, std::size_t element) {
  if (has_units(place, of, element)) return fused_form::units;
  if (has_long_units(place, of, element)) return fused_form::long_units;
  return has_lines(place, of, element) ? fused_form::lines : fused_form::none;
}

bool prefers_fused(gpu const& place, plan const& of, std::size_t element) {
  fused_form const form = form_of(place, of, element);
  if (form != fused_form::lines) return form != fused_form::none;
  for (auto const& axis : of.axes)
    if (axis.forward != transform::fourier) return true;
  // Convolutions, NVIDIA H200, 2026-11-23, lines and cuFFT in us, float: 131^2 27.0 and 38.1,
  // 1009^2 70.6 and 99.3.
  for (auto const& axis : of.axes)
    if (staged_length(axis.points, element) != axis.points) return of.axes.size() == 2;
  // NVIDIA H200, 2026-11-21, lines and cuFFT in us, float: 60^2 13.7 and 9.6, 375^2 20.0 and 22.6,
  // 3000^2 176 and 261; 256^3 319 and 293, in double 472 and 528; one line of 4096, before units
  // took it, 9.2 and 7.1.
  bool const is_large = of.size() * of.problem.batch >= std::size_t{1} << 17;
  return is_large && (of.axes.size() == 2 || (of.axes.size() == 3 && element == sizeof(double)));
}

} // namespace warpfold::inline v0::poisson::gpu_impl

namespace warpfold::inline v0::poisson {

template <class T>
bool can_fuse(gpu const& place, problem const& problem) {
  detail::verb const scope("poisson::can_fuse");
  bool const is_single = problem.precision == precision::single;
  return gpu_impl::form_of(place, make_plan(problem, sizeof(T)),
                           is_single ? sizeof(float) : sizeof(T)) != gpu_impl::fused_form::none;
}

template bool can_fuse<float>(gpu const&, problem const&);
template bool can_fuse<double>(gpu const&, problem const&);

} // namespace warpfold::inline v0::poisson
