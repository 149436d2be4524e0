#pragma once
// Points beyond the ends of an axis, as the difference equations see them.
//
// Where u is given, what lies beyond is the odd reflection of u - g; where its derivative is, it is
// the even reflection of u - g x. So transforms solve the difference equation, and the points on
// both sides of an end agree with it: to the second derivative of u times x^2 for a value, to its
// third times x^3 / 3 for a derivative, x being the distance. symbol::second_order thereby keeps
// its second order everywhere. symbol::fourth_order has its order where the derivatives of u across
// an end that reflection misses vanish (the second and fourth for a value, the third and fifth for
// a derivative: sums of modes, say); elsewhere the error that enters at the ends is of second
// order.

#include <warpfold/detail/core/macros.hpp>

#include <cstdint>

#include "backend.hpp"

namespace warpfold::inline v0::poisson {

/// An axis in half spacings, in which ends and points are whole numbers.
template <class T>
struct ends {
  long long points;
  long long first; ///< the position of point 0; the lower end's is 0
  long long length;
  boundary lower, upper;
  T spacing;
  poisson::symbol symbol;
};

/// u at a position is sign * u[at] + lower * (what is given at the lower end) + upper * (...).
template <class T>
struct tap {
  long long at; ///< a point of the axis, also where sign is 0
  T sign, lower, upper;
};

template <class T>
ends<T> ends_of(plan const& plan, std::size_t number) {
  axis const& along = plan.problem.axes[number];
  bool const cells = along.grid == grid::cells, from_value = along.lower == boundary::dirichlet;
  std::size_t const spacings = spacings_of(plan.axes[number].forward, along.points);
  return {.points = static_cast<long long>(along.points),
          .first = cells        ? 1
                   : from_value ? 2
                                : 0,
          .length = 2 * static_cast<long long>(spacings),
          .lower = along.lower,
          .upper = along.upper,
          .spacing = static_cast<T>(plan.axes[number].spacing),
          .symbol = plan.problem.symbol};
}

/// Point j, which may be none of the axis.
template <class T>
WARPFOLD_HOST_DEVICE tap<T> reflected(ends<T> const& axis, long long j) {
  if (axis.lower == boundary::periodic) {
    long long const rest = j % axis.points;
    return {rest < 0 ? rest + axis.points : rest, T(1), T(0), T(0)};
  }
  tap<T> point{0, T(1), T(0), T(0)};
  long long at = 2 * j + axis.first;
  // More than once only where the axis is shorter than the stencil.
  while (at < 0 || at > axis.length) {
    bool const below = at < 0;
    T& given = below ? point.lower : point.upper;
    if ((below ? axis.lower : axis.upper) == boundary::dirichlet) {
      given += 2 * point.sign;
      point.sign = -point.sign;
    } else given += point.sign * static_cast<T>(below ? at : at - axis.length) * axis.spacing;
    at = below ? -at : 2 * axis.length - at;
  }
  bool const at_lower = at == 0 && axis.lower == boundary::dirichlet;
  bool const at_upper = at == axis.length && axis.upper == boundary::dirichlet;
  if (at_lower || at_upper) {
    (at_lower ? point.lower : point.upper) += point.sign;
    point.sign = T(0);
  } else point.at = (at - axis.first) / 2;
  return point;
}

/// Points at either end of an axis whose second differences see what is given there.
inline constexpr long long reach = 2;

/// What values given at the ends add to the second difference at point j.
template <class T>
WARPFOLD_HOST_DEVICE T second_difference_of_ends(ends<T> const& axis, long long j, T lower,
                                                 T upper) {
  bool const three = axis.symbol == symbol::second_order;
  T sum = T(0);
  for (int d = -2; d <= 2; ++d) {
    if (d == 0 || (three && (d == 2 || d == -2))) continue;
    tap<T> const point = reflected(axis, j + d);
    T const given = point.lower * lower + point.upper * upper;
    // Twelfths of five points' weights.
    sum += three ? given : (d == 1 || d == -1 ? 16 : -1) * given;
  }
  // One by one: the square of a long spacing may be infinite.
  return sum / (three ? T(1) : T(12)) / axis.spacing / axis.spacing;
}

/// The first difference at point j, of the same order as the second; read(i) is u at point i.
template <class T, class Read>
WARPFOLD_HOST_DEVICE T first_difference(ends<T> const& axis, long long j, T lower, T upper,
                                        Read read) {
  auto const u = [&](long long i) {
    if (i >= 0 && i < axis.points) return read(i);
    tap<T> const point = reflected(axis, i);
    return point.sign * read(point.at) + point.lower * lower + point.upper * upper;
  };
  T const near = u(j + 1) - u(j - 1);
  if (axis.symbol == symbol::second_order) return near / (2 * axis.spacing);
  return (8 * near - (u(j + 2) - u(j - 2))) / (12 * axis.spacing);
}

/// All right-hand sides' lines along an axis, in row-major order of all other indices, and what is
/// given at their ends.
template <class T>
struct lines_with_ends {
  ends<T> axis;
  std::int64_t beside = 1; ///< points of the faster axes: lines of neighbouring points
  std::int64_t count;
  T const *lower, *upper; ///< by line; null is 0

  lines_with_ends(plan const& plan, std::size_t number, faces<T> const& values)
      : axis{ends_of<T>(plan, number)}, count{static_cast<std::int64_t>(plan.size() /
                                                                        plan.axes[number].points *
                                                                        plan.problem.batch)},
        lower{values.lower[number]}, upper{values.upper[number]} {
    for (std::size_t d = number + 1; d < plan.axes.size(); ++d)
      beside *= static_cast<std::int64_t>(plan.axes[d].points);
  }
  WARPFOLD_HOST_DEVICE T second_difference(std::int64_t line, std::int64_t j) const {
    return second_difference_of_ends(axis, j, lower ? lower[line] : T{0},
                                     upper ? upper[line] : T{0});
  }
  /// The derivative at point j of a line; `first` is where its point 0 lies.
  WARPFOLD_HOST_DEVICE T derivative(std::int64_t line, std::int64_t j, T const* first,
                                    std::int64_t stride) const {
    return first_difference(axis, j, lower ? lower[line] : T{0}, upper ? upper[line] : T{0},
                            [&](std::int64_t k) { return first[k * stride]; });
  }
};

} // namespace warpfold::inline v0::poisson
