// Which hand-written solver takes a problem.

#include "fused_squares.hpp"
#include "poisson/backend.hpp"
#include "poisson/cubes/fused_cubes.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/lines/lines.hpp"
#include "poisson/lines/lines_passes.hpp"

#include <warpfold/detail/core/verb.hpp>

namespace warpfold::inline v0::poisson::gpu_impl {

bool has_lines(gpu const& place, plan const& of, std::size_t element) {
  if (!fits_lines(of, element)) return false;
  return most_shared(place) >= most_line_shared;
}

bool can_fuse(gpu const& place, plan const& of, std::size_t element) {
  return has_squares(place, of, element) || has_cubes(place, of, element) ||
         has_units(place, of, element) || has_lines(place, of, element);
}

bool prefers_fused(gpu const& place, plan const& of, std::size_t element) {
  if (has_squares(place, of, element) || has_cubes(place, of, element) ||
      has_units(place, of, element))
    return true;
  if (!has_lines(place, of, element)) return false;
  for (auto const& axis : of.axes)
    if (axis.forward != transform::fourier) return true;
  // Convolutions, NVIDIA H200, 2026-11-23, lines and cuFFT in us, float: 131^2 27.0 and 38.1,
  // 1009^2 70.6 and 99.3.
  for (auto const& axis : of.axes)
    if (staged_length(axis.points, element) != axis.points) return of.axes.size() == 2;
  // NVIDIA H200, 2026-11-21, lines and cuFFT in us, float: 60^2 13.7 and 9.6, 375^2 20.0 and 22.6,
  // 3000^2 176 and 261; 256^3 319 and 293, in double 472 and 528; one line of 4096 9.2 and 7.1.
  bool const is_large = of.size() * of.problem.batch >= std::size_t{1} << 17;
  return is_large && (of.axes.size() == 2 || (of.axes.size() == 3 && element == sizeof(double)));
}

} // namespace warpfold::inline v0::poisson::gpu_impl

namespace warpfold::inline v0::poisson {

template <class T>
bool can_fuse(gpu const& place, problem const& problem) {
  detail::verb const scope("poisson::can_fuse");
  bool const is_single = problem.precision == precision::single;
  return gpu_impl::can_fuse(place, make_plan(problem, sizeof(T)),
                            is_single ? sizeof(float) : sizeof(T));
}

template bool can_fuse<float>(gpu const&, problem const&);
template bool can_fuse<double>(gpu const&, problem const&);

} // namespace warpfold::inline v0::poisson
