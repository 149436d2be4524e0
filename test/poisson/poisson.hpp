#pragma once
// What the tests of Poisson's solver share: solves on either place, and fields whose equations are
// known from formulas, worked out here in long double and without what the library is made of.

#include "contents.hpp"
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
  bool operator==(answer const&) const = default;
};

/// The same bits.
template <class T>
void check_equal(answer<T> const& got, answer<T> const& expected) {
  CHECK(same_elements(got.u, expected.u));
  CHECK(same_elements(got.removed, expected.removed));
  for (std::size_t d = 0; d < 3; ++d) CHECK(same_elements(got.gradient[d], expected.gradient[d]));
}

/// The arrays of one solve, outputs full of NaN, `shift` elements from aligned addresses.
template <class Place, class T>
class arrays_of {
public:
  arrays_of(Place& place, question<T> const& asked, bool in_place = false, std::size_t shift = 0)
      : place_{place}, shift_{shift}, size_{asked.rhs.size()}, rhs_(place, shifted(asked.rhs)),
        solution_(place, in_place ? shifted(asked.rhs) : nans(shift + size_)),
        removed_(place, nans(asked.of.batch)), is_in_place_{in_place} {
    for (std::size_t d = 0; d < asked.of.axes.size(); ++d) {
      if (!asked.lower[d].empty()) lower_[d].emplace(place, asked.lower[d]);
      if (!asked.upper[d].empty()) upper_[d].emplace(place, asked.upper[d]);
      if (asked.of.gradient) gradient_[d].emplace(place, nans(shift + size_));
    }
  }

  po::fields<T, Place> fields() {
    auto const part = [&](memory& all) { return all.view(shift_, size_); };
    po::fields<T, Place> all{part(is_in_place_ ? solution_ : rhs_), part(solution_)};
    all.removed_mean = removed_.all();
    for (std::size_t d = 0; d < 3; ++d) {
      if (gradient_[d]) all.gradient[d] = part(*gradient_[d]);
      if (lower_[d]) all.lower[d] = lower_[d]->all();
      if (upper_[d]) all.upper[d] = upper_[d]->all();
    }
    return all;
  }
  answer<T> read_back() {
    auto const all = fields();
    answer<T> result{contents(place_, all.solution), {}, contents(place_, all.removed_mean)};
    for (std::size_t d = 0; d < 3; ++d) result.gradient[d] = contents(place_, all.gradient[d]);
    return result;
  }
  std::vector<T> rhs() { return contents(place_, rhs_.view(shift_, size_)); }
  /// True unless something was written before the arrays.
  bool is_untouched_before() {
    for (T const x : contents(place_, (is_in_place_ ? solution_ : rhs_).view(0, shift_)))
      if (x != T{7}) return false;
    return true;
  }

private:
  std::vector<T> shifted(std::vector<T> values) const {
    values.insert(values.begin(), shift_, T{7});
    return values;
  }
  static std::vector<T> nans(std::size_t size) {
    return std::vector<T>(size, std::numeric_limits<T>::quiet_NaN());
  }
  using memory = memory_of<Place, T>;
  Place& place_;
  std::size_t shift_, size_;
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
                bool in_place = false, std::size_t shift = 0) {
  po::solver<T, Place> solver(place, asked.of, how);
  if (how != engine::automatic) CHECK(solver.engine_name() == name_of<Place>(how));
  arrays_of<Place, T> arrays(place, asked, in_place, shift);
  solver.solve(arrays.fields());
  CHECK(arrays.is_untouched_before());
  if (!in_place) CHECK(arrays.rhs() == asked.rhs);
  return arrays.read_back();
}

/// The vendor's engine, which solves any problem, and ours where it is compiled for it; on a host
/// it is for any.
template <class T>
std::vector<engine> engines_for(warpfold::host&, po::problem const&) {
#ifdef WARPFOLD_WITHOUT_FFTW
  return {engine::fused};
#else
  return {engine::fused, engine::vendor};
#endif
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

struct axis_kind {
  boundary lower, upper;
  po::grid grid;
};
inline constexpr axis_kind axis_kinds[] = {
    {periodic, periodic, grid::nodes},   {periodic, periodic, grid::cells},
    {dirichlet, dirichlet, grid::nodes}, {dirichlet, dirichlet, grid::cells},
    {neumann, neumann, grid::nodes},     {neumann, neumann, grid::cells},
    {dirichlet, neumann, grid::nodes},   {dirichlet, neumann, grid::cells},
    {neumann, dirichlet, grid::nodes},   {neumann, dirichlet, grid::cells}};

/// With more points where its ends are both points.
inline po::axis axis_of(axis_kind of, std::size_t points, double length = 1) {
  bool const has_ends = of.grid == grid::nodes && of.lower == neumann && of.upper == neumann;
  return {std::max<std::size_t>(points, has_ends ? 2 : 1), length, of.lower, of.upper, of.grid};
}

inline bool is_of_type_1(axis_kind const& of) {
  return of.grid == grid::nodes && of.lower == of.upper && of.lower != periodic;
}
/// An axis whose transform has the length n.
inline po::axis axis_with(axis_kind const& of, std::size_t n, double length = 1) {
  return axis_of(of, !is_of_type_1(of) ? n : of.lower == neumann ? n + 1 : n - 1, length);
}

/// Its length in spacings, by what poisson.hpp says of grid.
inline real spacings_of(po::axis const& of) {
  auto const n = static_cast<real>(of.points);
  if (of.grid == grid::cells || of.lower == periodic || of.lower != of.upper) return n;
  return of.lower == dirichlet ? n + 1 : n - 1;
}
inline real spacing_of(po::axis const& of) { return of.length / spacings_of(of); }

/// The position of its first point in spacings.
inline real first_of(po::axis const& of) {
  if (of.grid == grid::cells) return 0.5L;
  return of.lower == dirichlet ? 1 : 0;
}
inline std::vector<real> positions_of(po::axis const& of) {
  std::vector<real> x(of.points);
  for (std::size_t j = 0; j < of.points; ++j)
    x[j] = (static_cast<real>(j) + first_of(of)) * spacing_of(of);
  return x;
}

/// Points of one right-hand side.
inline std::size_t size_of(po::problem const& of) {
  std::size_t size = 1;
  for (auto const& along : of.axes) size *= along.points;
  return size;
}

/// One right-hand side of a batch, or its solution.
template <class T>
std::vector<T> part_of_batch(std::vector<T> const& all, std::size_t number, std::size_t batch) {
  auto const one = static_cast<std::ptrdiff_t>(all.size() / batch),
             first = static_cast<std::ptrdiff_t>(number) * one;
  return {all.begin() + first, all.begin() + first + one};
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
  std::string name = stands[static_cast<int>(of.symbol)];
  for (auto const& along : of.axes)
    name += ' ' + std::to_string(along.points) + " " + ends[static_cast<int>(along.lower)] + "-" +
            ends[static_cast<int>(along.upper)] + " " + grids[static_cast<int>(along.grid)] + " " +
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
  real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    real const error = static_cast<real>(a[i]) - static_cast<real>(b[i]);
    sum += error * error;
  }
  return std::sqrt(sum / static_cast<real>(a.size()));
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
