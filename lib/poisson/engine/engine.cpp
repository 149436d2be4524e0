#include "engine.hpp"
#include "tuning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

/// Bytes of shared memory that a block of a layout's kernels has.
template <class Layout>
std::size_t shared_of(axis_plan const& of) {
  using enum unit_kind;
  if (is_first_type(of)) return Layout::template core<first>::shape::shared;
  return std::max({Layout::template core<fourier>::shape::shared,
                   Layout::template core<second>::shape::shared,
                   Layout::template core<third>::shape::shared});
}
template <class T>
std::size_t shared_of_rows(axis_plan const& of) {
  return with_points<T>(unit_length(of), [&](auto length) {
    return shared_of<unit_row_layout<T, length, false>>(of);
  });
}
template <class T>
std::size_t shared_of_columns(axis_plan const& of) {
  return with_points<T>(unit_length(of),
                        [&](auto length) { return shared_of<unit_column_layout<T, length>>(of); });
}
template <class T>
std::size_t most_shared_of(plan const& of) {
  if (of.axes.size() == 1 && is_first_type(of.axes[0]))
    return with_points<T>(unit_length(of.axes[0]),
                          [](auto length) { return lone_layout<T, length>::core::shape::shared; });
  if (of.axes.size() == 1)
    return with_points<T>(of.axes[0].points / 2, [](auto length) {
      return packed_layout<T, length>::template core<unit_kind::second>::shape::shared;
    });
  auto const box = [](auto const& axis) {
    return with_box_points(unit_length(axis), [&](auto length) {
      return std::max(shared_of<box_layout<T, length>>(axis),
                      depth_layout<float, length>::core::shape::shared);
    });
  };
  auto const& axes = of.axes;
  if (axes.size() == 3) return std::max({box(axes[0]), box(axes[1]), shared_of_rows<T>(axes[2])});
  return std::max(shared_of_columns<T>(axes[0]), shared_of_rows<T>(axes[1]));
}

} // namespace

bool has_unit_axis(gpu const& place, axis_plan const& of, std::size_t element) {
  std::size_t const length = unit_length(of);
  if (!std::has_single_bit(length) || length < least_points || length > most_unit_points(element) ||
      !(has_all_units || kind_of(of) == unit_kind::fourier))
    return false;
  std::size_t const shared =
      element == sizeof(float)
          ? std::max(shared_of_rows<float>(of), shared_of_columns<float>(of))
          : std::max(shared_of_rows<double>(of), shared_of_columns<double>(of));
  return shared <= most_shared(place);
}

bool are_moderate_in_units(plan const& of, std::size_t element) {
  double const share = unit_share(of), limit = element == sizeof(float) ? 1e37 : 1e300;
  double most = std::abs(of.problem.lambda), least = most > 0 ? most : limit * share;
  for (auto const& axis : of.axes)
    for (double const e : axis.eigenvalues) {
      most = std::max(most, std::abs(e));
      if (e != 0) least = std::min(least, std::abs(e));
    }
  return most <= limit * share && least >= share / limit;
}

bool has_units(gpu const& place, plan const& of, std::size_t element) {
  std::size_t const count = of.axes.size();
  if (!has_all_units && (count != 2 || kind_of(of.axes[0]) != unit_kind::fourier ||
                         kind_of(of.axes[1]) != unit_kind::fourier))
    return false;
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  std::size_t lines = 2; // about twice those of the axis that has most
  for (std::size_t d = 0; d < count; ++d) {
    // A packed line has twice as many numbers as the complex one that is transformed.
    bool const is_packed = count == 1 && !is_first_type(of.axes[d]);
    std::size_t const length = unit_length(of.axes[d]) / (is_packed ? 2 : 1);
    std::size_t const most =
        d + 1 < count && count == 3 ? most_box_points : most_unit_points(element);
    if (!std::has_single_bit(unit_length(of.axes[d])) || length < least_points || length > most)
      return false;
    if (d + 1 < count) lines *= length;
  }
  if (count > 1)
    lines = std::max(lines, 2 * unit_length(of.axes.back()) * (count == 3 ? of.axes[0].points : 1));
  if (!are_moderate_in_units(of, element)) return false;
  std::size_t const shared =
      element == sizeof(float) ? most_shared_of<float>(of) : most_shared_of<double>(of);
  // Blocks are counted in an int, and the longest lines do not fit into a block of every GPU.
  return of.problem.batch <= (std::size_t{1} << 30) / lines && shared <= most_shared(place);
}

bool has_long_units(gpu const& place, plan const& of, std::size_t element) {
  if (!has_all_units || of.axes.size() != 2) return false;
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  for (auto const& axis : of.axes)
    if (kind_of(axis) != unit_kind::fourier || !std::has_single_bit(axis.points)) return false;
  std::size_t const height = of.axes[0].points, width = of.axes[1].points / 2,
                    most = most_unit_points(element);
  if (height < least_long_points || height > most_long_points || width < most / 4 || width > most ||
      !are_moderate_in_units(of, element))
    return false;
  auto const shared = [&](auto number) {
    using T = decltype(number);
    return with_points<T>(width, [](auto length) {
      return packed_layout<T, length>::template core<unit_kind::fourier>::shape::shared;
    });
  };
  return (element == sizeof(float) ? shared(float{}) : shared(double{})) <= most_shared(place);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
