#include "fused_cubes.hpp"
#include "poisson/squares/fused_tables.hpp"

#include <algorithm>
#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// Bytes of shared memory that a block has.
template <class T>
std::size_t shared_of(plan const& of) {
  auto const most = [](std::size_t points, auto of_points) {
    return with_box_points(points, of_points);
  };
  return std::max(
      {most(of.axes[0].points, [](auto points) { return tuned_depths<T, points>::shared; }),
       most(of.axes[1].points, [](auto points) { return tuned_cube_columns<T, points>::shared; }),
       most(of.axes[2].points, [](auto points) { return tuned_cube_rows<T, points>::shared; })});
}

} // namespace

bool has_cubes(gpu const& place, plan const& of, std::size_t element) {
  if (of.axes.size() != 3 || element != sizeof(float)) return false;
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  for (auto const& axis : of.axes)
    if (axis.forward != transform::fourier || !std::has_single_bit(axis.points) ||
        axis.points < least_cube_points || axis.points > most_box_points)
      return false;
  if (!are_moderate(of)) return false;
  return shared_of<float>(of) <= most_shared(place);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
