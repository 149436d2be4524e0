#pragma once
// Random sums of an equation's modes: both sides, and derivatives, from sines and cosines.

#include "poisson.hpp"

namespace test {

/// cos(k x) or sin(k x).
struct mode {
  real k;
  bool is_sine;
  bool alternates; ///< from point to point of a periodic axis

  real at(real x) const { return is_sine ? std::sin(k * x) : std::cos(k * x); }
  real cofunction(real x) const { return is_sine ? std::cos(k * x) : -std::sin(k * x); }
  real eigenvalue(symbol stands, real h) const {
    real const t = k * h;
    if (stands == symbol::spectral) return -k * k;
    if (stands == symbol::second_order) return (2 * std::cos(t) - 2) / (h * h);
    return (-std::cos(2 * t) + 16 * std::cos(t) - 15) / (6 * h * h);
  }
  real slope(symbol stands, real h) const {
    real const t = k * h;
    if (stands == symbol::spectral) return alternates ? 0 : k;
    if (stands == symbol::second_order) return std::sin(t) / h;
    return (8 * std::sin(t) - std::sin(2 * t)) / (6 * h);
  }
};

inline std::vector<mode> modes_of(po::axis const& of) {
  std::size_t const n = of.points;
  real const half_wave = std::numbers::pi_v<real> / of.length;
  std::vector<mode> modes;
  for (std::size_t m = 0; m < n; ++m) {
    auto const number = static_cast<real>(m);
    if (of.lower == periodic) {
      // 1, sin, cos, sin, cos ... of 2 x the half wave, and the last one of an even number as the
      // one that is not zero at the points.
      bool const alternates = m > 0 && 2 * ((m + 1) / 2) == n;
      bool const is_sine = alternates ? of.grid == grid::cells : m % 2 == 1;
      std::size_t const waves = (m + 1) / 2;
      modes.push_back({2 * half_wave * static_cast<real>(waves), is_sine, alternates});
    } else if (of.lower != of.upper)
      modes.push_back({half_wave * (number + 0.5L), of.lower == dirichlet, false});
    else if (of.lower == dirichlet) modes.push_back({half_wave * (number + 1), true, false});
    else modes.push_back({half_wave * number, false, false});
  }
  return modes;
}

/// Modes at the points of an axis, [j][m].
struct mode_table {
  po::axis along{};
  std::vector<mode> modes;
  std::vector<real> values, cofunctions;
};

/// For the axes asked for last, since long double sines take long.
inline mode_table const& table_of(po::axis const& of, std::size_t number) {
  static std::array<mode_table, 3> kept;
  mode_table& table = kept[number];
  po::axis const& old = table.along;
  if (old.points == of.points && old.length == of.length && old.lower == of.lower &&
      old.upper == of.upper && old.grid == of.grid)
    return table;
  table = {of, modes_of(of), {}, {}};
  for (real const x : positions_of(of))
    for (mode const& one : table.modes) {
      table.values.push_back(one.at(x));
      table.cofunctions.push_back(one.cofunction(x));
    }
  return table;
}

/// amplitudes[.. m ..] along an axis to sums over m of amplitudes[m] factors[m] values[j][m].
inline std::vector<real> summed(po::problem const& of, std::size_t number,
                                std::vector<real> const& amplitudes,
                                std::vector<real> const& factors, std::vector<real> const& values) {
  std::size_t const n = of.axes[number].points;
  std::vector<real> sums(amplitudes.size()), line(n);
  for_lines(of, number, sums.size(), [&](std::size_t first, std::size_t stride, std::size_t) {
    for (std::size_t m = 0; m < n; ++m) line[m] = factors[m] * amplitudes[first + m * stride];
    for (std::size_t j = 0; j < n; ++j) {
      real sum = 0;
      for (std::size_t m = 0; m < n; ++m) sum += values[j * n + m] * line[m];
      sums[first + j * stride] = sum;
    }
  });
  return sums;
}

/// The size of the smallest divisor that is not 0, lambda not being negative.
inline real smallest_divisor(po::problem const& of) {
  real sum = static_cast<real>(of.lambda), next = std::numeric_limits<real>::infinity();
  for (auto const& along : of.axes) {
    std::vector<real> found;
    for (mode const& one : modes_of(along))
      found.push_back(std::abs(one.eigenvalue(of.symbol, spacing_of(along))));
    std::sort(found.begin(), found.end());
    sum += found[0];
    if (found.size() > 1) next = std::min(next, found[1]);
  }
  return po::is_singular(of) ? next : sum;
}

struct modal_fields {
  std::vector<real> u, f;
  std::array<std::vector<real>, 3> gradient;
  real constant; ///< what f has too much
};

/// The modes of f have random amplitudes of one size, so that every one of u's is seen above the
/// rounding errors of the largest.
inline modal_fields random_modes(po::problem const& of, unsigned seed) {
  std::mt19937_64 random{seed};
  std::uniform_real_distribution<double> amplitude{-1, 1};
  modal_fields made{};
  std::vector<real> divisors{-static_cast<real>(of.lambda)};
  for (auto const& along : of.axes) {
    std::vector<real> with;
    for (real const so_far : divisors)
      for (mode const& one : modes_of(along))
        with.push_back(so_far + one.eigenvalue(of.symbol, spacing_of(along)));
    divisors = with;
  }
  std::vector<real> f(divisors.size()), u(divisors.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    f[i] = amplitude(random);
    bool const is_constant = i == 0 && po::is_singular(of);
    if (is_constant) made.constant = f[i];
    else u[i] = f[i] / divisors[i];
  }
  std::array<std::vector<real>, 3> gradient{u, u, u};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    auto const& table = table_of(of.axes[d], d);
    std::vector<real> const ones(table.modes.size(), 1);
    std::vector<real> slopes;
    for (mode const& one : table.modes)
      slopes.push_back(one.slope(of.symbol, spacing_of(of.axes[d])));
    f = summed(of, d, f, ones, table.values);
    u = summed(of, d, u, ones, table.values);
    for (std::size_t e = 0; e < of.axes.size() && of.gradient; ++e)
      gradient[e] = d == e ? summed(of, d, gradient[e], slopes, table.cofunctions)
                           : summed(of, d, gradient[e], ones, table.values);
  }
  made.f = f;
  made.u = u;
  made.gradient = gradient;
  return made;
}

} // namespace test
