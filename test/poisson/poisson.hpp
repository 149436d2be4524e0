#pragma once
// What the tests of Poisson's solver share: solves on either place, and fields whose equations are
// known from formulas, worked out here in long double and without what the library is made of.

#include "gpu.hpp"

#include <warpfold/poisson.hpp>
#include <warpfold/twins/poisson.hpp>

#include <algorithm>
#include <numbers>
#include <string_view>

namespace test {

namespace po = warpfold::poisson;
using po::boundary;
using po::grid;
using po::symbol;
using warpfold::twins::engine;

using real = long double;

// ---- solves -------------------------------------------------------------------------------------

template <class T>
struct question {
  po::problem of;
  std::vector<T> rhs;
  std::array<std::vector<T>, 3> lower{}, upper{};
};

template <class T>
struct answer {
  std::vector<T> u;
  std::array<std::vector<T>, 3> gradient{};
  std::vector<T> removed;
};

template <class T>
std::vector<std::remove_const_t<T>> read(warpfold::host&, std::span<T> from) {
  return {from.begin(), from.end()};
}
template <class T>
std::vector<std::remove_const_t<T>> read(warpfold::gpu& place, warpfold::device_span<T> from) {
  return warpfold::to_vector(place, from);
}

/// The arrays of one solve, outputs full of NaN.
template <class Place, class T>
class arrays_of {
public:
  arrays_of(Place& place, question<T> const& asked, bool in_place = false)
      : place_{place}, rhs_(place, asked.rhs),
        solution_(place, in_place ? asked.rhs : nans(asked.rhs.size())),
        removed_(place, nans(asked.of.batch)), is_in_place_{in_place} {
    for (std::size_t d = 0; d < asked.of.axes.size(); ++d) {
      if (!asked.lower[d].empty()) lower_[d].emplace(place, asked.lower[d]);
      if (!asked.upper[d].empty()) upper_[d].emplace(place, asked.upper[d]);
      if (asked.of.gradient) gradient_[d].emplace(place, nans(asked.rhs.size()));
    }
  }

  po::fields<T, Place> fields() {
    po::fields<T, Place> all{is_in_place_ ? solution_.all() : rhs_.all(), solution_.all()};
    all.removed_mean = removed_.all();
    for (std::size_t d = 0; d < 3; ++d) {
      if (gradient_[d]) all.gradient[d] = gradient_[d]->all();
      if (lower_[d]) all.lower[d] = lower_[d]->all();
      if (upper_[d]) all.upper[d] = upper_[d]->all();
    }
    return all;
  }
  answer<T> read_back() {
    answer<T> result{read(place_, solution_.all()), {}, read(place_, removed_.all())};
    for (std::size_t d = 0; d < 3; ++d)
      if (gradient_[d]) result.gradient[d] = read(place_, gradient_[d]->all());
    return result;
  }
  std::vector<T> rhs() { return read(place_, rhs_.all()); }

private:
  static std::vector<T> nans(std::size_t size) {
    return std::vector<T>(size, std::numeric_limits<T>::quiet_NaN());
  }
  using memory = memory_of<Place, T>;
  Place& place_;
  memory rhs_, solution_, removed_;
  std::array<std::optional<memory>, 3> lower_, upper_, gradient_;
  bool is_in_place_;
};

/// The name that a solver gives an engine.
template <class Place>
std::string_view name_of(engine by) {
  if (by == engine::vendor) return po::on_gpu<Place> ? "cuFFT" : "FFTW";
  return by == engine::fused ? "fused" : "course";
}

template <class Place, class T>
answer<T> solve(Place& place, question<T> const& asked, engine how = engine::automatic,
                bool in_place = false) {
  po::solver<T, Place> solver(place, asked.of, how);
  if (how != engine::automatic) CHECK(solver.chosen() == name_of<Place>(how));
  arrays_of<Place, T> arrays(place, asked, in_place);
  solver.solve(arrays.fields());
  if (!in_place) CHECK(arrays.rhs() == asked.rhs);
  return arrays.read_back();
}

/// The vendor's engine, which solves any problem, and ours where it is compiled for it.
template <class T>
std::vector<engine> engines_for(warpfold::host&, po::problem const&) {
  return {engine::vendor};
}
template <class T>
std::vector<engine> engines_for(warpfold::gpu& place, po::problem const& of) {
  std::vector<engine> all;
#ifndef WARPFOLD_WITHOUT_CUFFT
  all.push_back(engine::vendor);
#endif
  if (po::can_fuse<T>(place, of)) all.push_back(engine::fused);
  return all;
}

// ---- axes ---------------------------------------------------------------------------------------

inline constexpr auto periodic = boundary::periodic, dirichlet = boundary::dirichlet,
                      neumann = boundary::neumann;

struct kind {
  boundary lower, upper;
  grid on;
};
inline constexpr kind kinds[] = {
    {periodic, periodic, grid::nodes},   {periodic, periodic, grid::cells},
    {dirichlet, dirichlet, grid::nodes}, {dirichlet, dirichlet, grid::cells},
    {neumann, neumann, grid::nodes},     {neumann, neumann, grid::cells},
    {dirichlet, neumann, grid::nodes},   {dirichlet, neumann, grid::cells},
    {neumann, dirichlet, grid::nodes},   {neumann, dirichlet, grid::cells}};

/// With more points where its ends are both points.
inline po::axis axis_of(kind of, std::size_t points, double length = 1) {
  bool const has_ends = of.on == grid::nodes && of.lower == neumann && of.upper == neumann;
  return {std::max<std::size_t>(points, has_ends ? 2 : 1), length, of.lower, of.upper, of.on};
}

/// Its length in spacings, by what poisson.hpp says of grid.
inline real spacings_of(po::axis const& of) {
  auto const n = static_cast<real>(of.points);
  if (of.on == grid::cells || of.lower == periodic || of.lower != of.upper) return n;
  return of.lower == dirichlet ? n + 1 : n - 1;
}
inline real spacing_of(po::axis const& of) { return of.length / spacings_of(of); }

/// The position of its first point in spacings.
inline real first_of(po::axis const& of) {
  if (of.on == grid::cells) return 0.5L;
  return of.lower == dirichlet ? 1 : 0;
}
inline std::vector<real> positions_of(po::axis const& of) {
  std::vector<real> x(of.points);
  for (std::size_t j = 0; j < of.points; ++j)
    x[j] = (static_cast<real>(j) + first_of(of)) * spacing_of(of);
  return x;
}

inline std::size_t size_of(po::problem const& of) {
  std::size_t size = 1;
  for (auto const& along : of.axes) size *= along.points;
  return size;
}

/// f at all points, as a function of the coordinates of as many axes as there are.
template <class F>
std::vector<real> sampled(std::vector<po::axis> const& axes, F f) {
  std::vector<real> values;
  std::array<real, 3> x{};
  auto const fill = [&](auto const& self, std::size_t d) -> void {
    if (d == axes.size()) return values.push_back(f(x));
    for (real const at : positions_of(axes[d])) {
      x[d] = at;
      self(self, d + 1);
    }
  };
  fill(fill, 0);
  return values;
}

template <class T>
std::vector<T> rounded(std::vector<real> const& values) {
  return {values.begin(), values.end()};
}

inline std::string name_of(po::problem const& of) {
  constexpr char const *ends[] = {"periodic", "dirichlet", "neumann"},
                       *grids[] = {"cells", "nodes"}, *stands[] = {"spectral", "second", "fourth"};
  std::string name = stands[static_cast<int>(of.stands)];
  for (auto const& along : of.axes)
    name += ' ' + std::to_string(along.points) + " " + ends[static_cast<int>(along.lower)] + "-" +
            ends[static_cast<int>(along.upper)] + " " + grids[static_cast<int>(along.on)] + " " +
            std::to_string(along.length);
  return name + " lambda " + std::to_string(of.lambda) + " batch " + std::to_string(of.batch);
}

/// Calls work(index of the first point, stride, number of the line) for the lines along an axis.
template <class Work>
void for_lines(po::problem const& of, std::size_t number, std::size_t size, Work work) {
  std::size_t inner = 1;
  for (std::size_t d = number + 1; d < of.axes.size(); ++d) inner *= of.axes[d].points;
  std::size_t const n = of.axes[number].points;
  for (std::size_t line = 0; line < size / n; ++line)
    work(line / inner * n * inner + line % inner, inner, line);
}

// ---- errors -------------------------------------------------------------------------------------

template <class Values>
real rms(Values const& values) {
  real sum = 0;
  for (auto const x : values) sum += static_cast<real>(x) * static_cast<real>(x);
  return std::sqrt(sum / static_cast<real>(values.size()));
}

/// Root mean square of the difference; NaN if there is one anywhere.
template <class A, class B>
real rms_error(A const& a, B const& b) {
  REQUIRE(a.size() == b.size());
  std::vector<real> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    difference[i] = static_cast<real>(a[i]) - static_cast<real>(b[i]);
  return rms(difference);
}
template <class A, class B>
real largest_error(A const& a, B const& b) {
  REQUIRE(a.size() == b.size());
  real worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    real const error = std::abs(static_cast<real>(a[i]) - static_cast<real>(b[i]));
    if (!(error <= worst)) worst = error; // a NaN stays
  }
  return worst;
}

} // namespace test
