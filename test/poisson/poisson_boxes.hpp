#pragma once
// Boxes of powers of two by fused kernels, against cuFFT in double.

#include "gpu.hpp"

#include <warpfold/poisson.hpp>
#include <warpfold/twins/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <random>

namespace test::boxes {

namespace po = warpfold::poisson;
namespace wf = warpfold;
using wf::twins::engine;

inline std::size_t size_of(po::problem const& of) {
  std::size_t size = of.batch;
  for (auto const& axis : of.axes) size *= axis.points;
  return size;
}

/// Numbers about .1, so that there is a mean to remove.
inline std::vector<double> numbers(std::size_t size, unsigned seed) {
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-.4F, .6F};
  std::vector<double> all(size);
  for (double& x : all) x = uniform(random);
  return all;
}

struct solved {
  std::vector<double> u, means;
};

/// With `shift` elements between aligned addresses and the arrays.
template <class T>
solved solve(wf::gpu& place, po::problem const& of, engine how, std::vector<double> const& rhs,
             bool in_place = false, std::size_t shift = 0) {
  po::solver<T, wf::gpu> solver(place, of, how);
  REQUIRE(solver.chosen() == (how == engine::fused ? "fused" : "cuFFT"));
  std::vector<T> f(shift + rhs.size(), T{7});
  std::copy(rhs.begin(), rhs.end(), f.begin() + static_cast<std::ptrdiff_t>(shift));
  wf::device_buffer<T> from(place, std::span<T const>(f));
  wf::device_buffer<T> to(place, std::span<T const>(std::vector<T>(f.size(), T(NAN))));
  wf::device_buffer<T> means(place, std::span<T const>(std::vector<T>(of.batch, T(NAN))));
  auto& out = in_place ? from : to;
  po::fields<T, wf::gpu> fields;
  fields.rhs = from.span().subspan(shift);
  fields.solution = out.span().subspan(shift);
  fields.removed_mean = means;
  solver.solve(fields);
  auto const u = wf::to_vector(place, fields.solution), mean = wf::to_vector(place, means.span());
  if (!in_place) // the right-hand side is as it was
    CHECK(wf::to_vector(place, from.span()) == f);
  if (shift > 0 && in_place) CHECK(wf::to_vector(place, out.span().subspan(0, 1))[0] == T{7});
  return {{u.begin(), u.end()}, {mean.begin(), mean.end()}};
}

inline double distance(std::vector<double> const& a, std::vector<double> const& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

/// What rounding may do: a few units of the last place for each of the stages.
template <class T>
inline constexpr double tolerance = 1e-5;
template <>
inline constexpr double tolerance<double> = 1e-13;

template <class T>
void check_fused(wf::gpu& place, po::problem const& of, unsigned seed) {
  CAPTURE(of.axes[0].points);
  CAPTURE(of.axes[1].points);
  CAPTURE(of.axes.back().points);
  CAPTURE(of.batch);
  CAPTURE(seed);
  auto rhs = numbers(size_of(of), seed);
  if (!po::is_singular(of)) // what is not removed is +0, also of negative sums
    for (double& x : rhs) x = -x;
  auto const expected = solve<double>(place, of, engine::vendor, rhs);
  auto const ours = solve<T>(place, of, engine::fused, rhs);
  CHECK(distance(ours.u, expected.u) < tolerance<T>);
  for (std::size_t b = 0; b < of.batch; ++b) {
    CHECK(ours.means[b] == doctest::Approx(expected.means[b]).epsilon(1e-5));
    CHECK(std::signbit(ours.means[b]) == std::signbit(expected.means[b]));
  }
  auto const inside = solve<T>(place, of, engine::fused, rhs, true);
  CHECK(inside.u == ours.u);
  CHECK(inside.means == ours.means);
}

} // namespace test::boxes
