#pragma once
// The powers of two that units have kernels for.

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::poisson {

inline constexpr std::size_t least_points = 64;
/// By the size of an element.
constexpr std::size_t most_unit_points(std::size_t element) {
  return element == sizeof(float) ? 16384 : 8192;
}

/// Boxes of three axes: points of all of them, in units of all but the last one.
inline constexpr std::size_t most_box_points = 1024;
/// Passes between the rows of a box work on this many bytes at a time, so that they find the data
/// in L2: slices of a box, or several right-hand sides.
inline constexpr std::size_t box_slice = std::size_t{32} << 20;

/// Long columns are split into planes of as many rows, or of half as many as there are planes.
inline constexpr std::size_t most_plane_rows = 256;
inline constexpr std::size_t least_long_points = least_points * least_points,
                             most_long_points = most_plane_rows * most_plane_rows;
constexpr std::size_t long_plane_rows(std::size_t points) {
  std::size_t rows = 1;
  while (4 * rows * rows <= points) rows *= 2;
  return rows;
}

/// use(points) of a power of two from Least to Most, as a number that the compiler knows.
template <int Least, int Most, class Use>
auto with_power(std::size_t points, Use use) {
  if constexpr (Least < Most)
    if (points != Least) return with_power<2 * Least, Most>(points, use);
  return use(std::integral_constant<int, Least>{});
}
/// The same for an axis of one or two, and for one of a box.
template <class T, class Use>
auto with_points(std::size_t points, Use use) {
  return with_power<least_points, most_unit_points(sizeof(T))>(points, use);
}
template <class Use>
auto with_box_points(std::size_t points, Use use) {
  return with_power<least_points, most_box_points>(points, use);
}

} // namespace warpfold::inline v0::poisson
