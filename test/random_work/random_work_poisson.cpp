// Random work: Poisson's and Helmholtz' equation, with any boundaries, in one to three dimensions.

#include "poisson/poisson_modes.hpp"
#include "poisson/poisson_stencil.hpp"
#include "random_work.hpp"

#include <algorithm>
#include <mutex>

namespace random_work {
namespace {

namespace po = warpfold::poisson;
using test::real;

constexpr std::size_t most_for_stencils = std::size_t{1} << 14;

/// Half of the extents are powers of two.
po::problem any_problem(dice& random, std::size_t largest) {
  po::problem of;
  std::size_t const axes = 1 + random.below(3);
  double left = std::log2(static_cast<double>(std::max<std::size_t>(largest, 8)));
  if (axes == 1) left = std::min(left, 13.);
  auto const first = test::axis_kinds[random.below(std::size(test::axis_kinds))];
  bool const are_alike = random.one_in(2);
  for (std::size_t d = 0; d < axes; ++d) {
    double const part = d + 1 == axes ? left : random.between(0, left);
    left -= part;
    double const points = std::exp2(std::min(random.between(part / 2, part), 12.));
    auto const n = static_cast<std::size_t>(points);
    auto const kind =
        are_alike ? first : test::axis_kinds[random.below(std::size(test::axis_kinds))];
    of.axes.push_back(
        test::axis_of(kind, random.one_in(2) ? std::bit_floor(n) : n, random.between(0.5, 2)));
  }
  of.lambda = random.one_in(2) ? 0 : random.between(0.1, 10);
  of.symbol = random.of({po::symbol::spectral, po::symbol::second_order, po::symbol::fourth_order});
  if (po::is_singular(of) && random.one_in(2)) of.gauge = po::gauge::first_point;
  of.batch = 1 + random.below(3);
  of.gradient = random.one_in(3);
  return of;
}

template <class T>
test::question<T> any_question(dice& random, po::problem const& of, std::size_t all) {
  auto const randoms = [&](std::size_t size) {
    return test::random_values<T>(random.engine(), size);
  };
  test::question<T> asked{of, randoms(all)};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    if (of.axes[d].lower == test::periodic || of.symbol == po::symbol::spectral) continue;
    if (random.one_in(2)) asked.lower[d] = randoms(all / of.axes[d].points);
    if (random.one_in(2)) asked.upper[d] = randoms(all / of.axes[d].points);
  }
  return asked;
}

template <class T>
bool same_answers(test::answer<T> const& a, test::answer<T> const& b) {
  return a.u == b.u && a.removed == b.removed && a.gradient == b.gradient;
}

template <class Place, class T>
test::answer<T> answer_to(step<Place>& at, test::question<T> const& asked, test::engine how) {
  auto solver = [&] {
    std::unique_lock lock{planning, std::defer_lock};
    if constexpr (step<Place>::on_gpu) lock.lock();
    return po::solver<T, Place>(at.place, asked.of, how);
  }();
  bool const in_place = at.random.one_in(3);
  test::arrays_of<Place, T> arrays(at.place, asked, in_place);
  solver.solve(arrays.fields());
  auto const got = arrays.read_back();
  if (in_place) return got;
  at.require(arrays.rhs() == asked.rhs, "the right-hand side was changed");
  if constexpr (step<Place>::on_gpu) {
    if (at.random.one_in(2)) {
      at.what << ", in a graph";
      test::arrays_of<Place, T> other(at.place, asked);
      auto graph = captured(at.place, [&] { solver.solve_async(other.fields()); });
      graph.launch();
      graph.launch();
      at.require(same_answers(other.read_back(), got), "a graph has another solution");
      return got;
    }
  }
  solver.solve(arrays.fields());
  at.require(same_answers(arrays.read_back(), got), "the second time another solution");
  return got;
}

template <class A, class B>
real distance(A const& a, B const& b) {
  std::vector<real> off(b.size());
  for (std::size_t i = 0; i < b.size(); ++i)
    off[i] = static_cast<real>(a[i]) - static_cast<real>(b[i]);
  return test::rms(off);
}

/// The differences of the solution are the right-hand side, but for what was removed from it.
template <class T>
bool satisfies(test::question<T> const& asked, test::answer<T> const& got, std::size_t size) {
  auto const made = test::differences_of(asked, got.u);
  std::vector<real> residual(asked.rhs.size());
  for (std::size_t i = 0; i < residual.size(); ++i)
    residual[i] = made.f[i] + got.removed[i / size] - asked.rhs[i];
  real const epsilon = std::numeric_limits<T>::epsilon();
  return test::rms(residual) <=
         16 * epsilon * test::largest_divisor(asked.of) * (test::rms(got.u) + 1);
}

template <class Place>
void solve(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const of = any_problem(at.random, std::min(at.largest, std::size_t{1} << 20));
    std::size_t const size = test::size_of(of), all = size * of.batch;
    at.elements += all;
    at.what << ", " << test::name_of(of);
    auto const asked = any_question<T>(at.random, of, all);
    auto const engines = test::engines_for<T>(at.place, of);
    auto const how = engines[at.random.below(engines.size())];
    at.what << ", " << to_string(how);
    auto const got = answer_to(at, asked, how);
    if (of.symbol != po::symbol::spectral && all <= most_for_stencils)
      at.require(satisfies(asked, got, size), "the solution is none");

    wf::host here{1};
    po::solver<T, wf::host> solver(here, of);
    test::arrays_of<wf::host, T> arrays(here, asked);
    solver.solve(arrays.fields());
    auto const known = arrays.read_back();
    if (!step<Place>::on_gpu && how == test::engine::fused) {
      at.require(same_answers(got, known), "another number of threads, another solution");
      return;
    }
    // With what the boundary values bring into the right-hand side.
    real const epsilon = std::numeric_limits<T>::epsilon();
    bool const has_values =
        !(asked.lower[0].empty() && asked.lower[1].empty() && asked.lower[2].empty() &&
          asked.upper[0].empty() && asked.upper[1].empty() && asked.upper[2].empty());
    real const given = has_values ? test::largest_divisor(of) : 0;
    real const noise = 16 * epsilon * (test::rms(asked.rhs) + given),
               smallest = test::smallest_divisor(of);
    // The error of the first point may go to all.
    real const spread = of.gauge == po::gauge::first_point ? 4 : 1;
    at.require(distance(got.u, known.u) <= spread * noise / smallest,
               "far from the host's solution");
    at.require(distance(got.removed, known.removed) <= noise, "far from the host's mean");
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.push_back({"poisson::solver", solve<Place>});
});

} // namespace
} // namespace random_work
