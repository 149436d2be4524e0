#pragma once
// The difference equations, point by point.

#include "poisson.hpp"

namespace test {

/// A line of an axis continued beyond its ends.
struct continued_line {
  po::axis along;
  std::vector<real> u;
  real lower, upper; ///< what is given at the ends

  /// u at a position in spacings from the lower end.
  real at(real position) const {
    real const end = spacings_of(along), h = spacing_of(along);
    if (along.lower == periodic) {
      real const turned = position - end * std::floor(position / end);
      return u[static_cast<std::size_t>(std::lround(turned - first_of(along))) % u.size()];
    }
    if (position < 0)
      return along.lower == dirichlet ? 2 * lower - at(-position)
                                      : at(-position) + 2 * position * h * lower;
    if (position > end)
      return along.upper == dirichlet ? 2 * upper - at(2 * end - position)
                                      : at(2 * end - position) + 2 * (position - end) * h * upper;
    if (position == 0 && along.lower == dirichlet) return lower;
    if (position == end && along.upper == dirichlet) return upper;
    return u[static_cast<std::size_t>(std::lround(position - first_of(along)))];
  }
  real point(std::size_t j, int beside) const {
    return at(static_cast<real>(j) + first_of(along) + static_cast<real>(beside));
  }
  real second_difference(symbol stands, std::size_t j) const {
    real const h = spacing_of(along), near = point(j, -1) + point(j, 1), here = point(j, 0);
    if (stands == symbol::second_order) return (near - 2 * here) / (h * h);
    return (16 * near - point(j, -2) - point(j, 2) - 30 * here) / (12 * h * h);
  }
  real first_difference(symbol stands, std::size_t j) const {
    real const h = spacing_of(along), near = point(j, 1) - point(j, -1);
    if (stands == symbol::second_order) return near / (2 * h);
    return (8 * near - (point(j, 2) - point(j, -2))) / (12 * h);
  }
};

/// Laplacian(u) - lambda u of all solutions of a batch, and differences along the axes.
template <class T>
struct differences {
  std::vector<real> f;
  std::array<std::vector<real>, 3> gradient;
};
template <class T>
differences<T> differences_of(question<T> const& asked, std::vector<T> const& u) {
  differences<T> made;
  for (T const x : u) made.f.push_back(-static_cast<real>(asked.of.lambda) * x);
  for (std::size_t d = 0; d < asked.of.axes.size(); ++d) {
    made.gradient[d].resize(u.size());
    continued_line one{asked.of.axes[d], std::vector<real>(asked.of.axes[d].points), 0, 0};
    for_lines(asked.of, d, u.size(), [&](std::size_t first, std::size_t stride, std::size_t line) {
      for (std::size_t j = 0; j < one.u.size(); ++j) one.u[j] = u[first + j * stride];
      one.lower = asked.lower[d].empty() ? 0 : asked.lower[d][line];
      one.upper = asked.upper[d].empty() ? 0 : asked.upper[d][line];
      for (std::size_t j = 0; j < one.u.size(); ++j) {
        made.f[first + j * stride] += one.second_difference(asked.of.symbol, j);
        made.gradient[d][first + j * stride] = one.first_difference(asked.of.symbol, j);
      }
    });
  }
  return made;
}

/// No divisor is larger.
inline real largest_divisor(po::problem const& of) {
  real sum = std::abs(static_cast<real>(of.lambda));
  for (auto const& along : of.axes) {
    real const h = spacing_of(along);
    sum += (of.symbol == symbol::second_order ? 4 : 16 / 3.L) / (h * h);
  }
  return sum;
}

} // namespace test
