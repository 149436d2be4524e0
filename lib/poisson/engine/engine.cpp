#include "engine.hpp"
#include "poisson/squares/fused_squares.hpp"
#include "tuning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// Bytes of shared memory that a block has.
template <class T, bool Rows>
std::size_t shared_of(axis_plan const& of) {
  return with_points<T>(unit_length(of), [&](auto length) {
    using layout = unit_layout<T, length, Rows>;
    return is_first_type(of) ? layout::pruned::shape::shared
                             : layout::template paired<unit_kind::second>::shape::shared;
  });
}

/// True if a float holds what modes are divided by, and its reciprocal.
bool are_moderate_in_units(plan const& of) {
  double const share = 1 / unit_period(of.axes[0]) / unit_period(of.axes[1]);
  double most = std::abs(of.problem.lambda), least = most > 0 ? most : 1e30 * share;
  for (auto const& axis : of.axes)
    for (double const e : axis.eigenvalues) {
      most = std::max(most, std::abs(e));
      if (e != 0) least = std::min(least, std::abs(e));
    }
  return most <= 1e30 * share && least >= 1e-30 * share;
}

} // namespace

bool has_units(gpu const& place, plan const& of, std::size_t element) {
  if (of.axes.size() != 2) return false;
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  std::size_t longest = 0;
  for (auto const& axis : of.axes) {
    std::size_t const length = unit_length(axis);
    if (!std::has_single_bit(length) || length < least_square_points ||
        length > most_square_points(element))
      return false;
    longest = std::max(longest, length);
  }
  if (!are_moderate_in_units(of)) return false;
  std::size_t const shared =
      element == sizeof(float)
          ? std::max(shared_of<float, true>(of.axes[1]), shared_of<float, false>(of.axes[0]))
          : std::max(shared_of<double, true>(of.axes[1]), shared_of<double, false>(of.axes[0]));
  // Blocks are counted in an int, and the longest lines do not fit into a block of every GPU.
  return of.problem.batch <= (std::size_t{1} << 29) / longest && shared <= most_shared(place);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
