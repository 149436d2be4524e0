// Random work: Poisson's and Helmholtz' equation, with any boundaries, in one to three dimensions;
// and real transforms.

#include "poisson/gaps.hpp"
#include "poisson/poisson_modes.hpp"
#include "poisson/poisson_stencil.hpp"
#include "random_work.hpp"
#include "transforms/transforms.hpp"

#ifdef WARPFOLD_TEST_COMPILED
#include <warpfold/compiled.hpp>
#endif

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
  of.lambda = random.one_in(2) ? 0 : static_cast<float>(random.between(0.1, 10));
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

/// Planned while nobody captures.
template <class T, class Place, class Engine>
po::solver<T, Place> planned(step<Place>& at, po::problem const& of, Engine how,
                             po::solver_options const& options = {}) {
  std::unique_lock lock{planning, std::defer_lock};
  if constexpr (step<Place>::on_gpu) lock.lock();
  return {at.place, of, how, options};
}

template <class Place, class T, class Engine>
test::answer<T> answer_to(step<Place>& at, test::question<T> const& asked, Engine how) {
  auto solver = planned<T>(at, asked.of, how);
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

/// The same bits of fields with gaps, and by a solver planned for another lambda.
template <class Place, class T>
void check_forms(step<Place>& at, test::question<T> const& asked, test::engine how,
                 test::answer<T> const& known) {
  if (at.random.one_in(2)) {
    auto const any = [&] {
      return test::padded(asked.of, {at.random.below(4), at.random.below(4), at.random.below(4)});
    };
    auto const rhs = any();
    bool const in_place = at.random.one_in(3);
    auto solver = planned<T>(at, asked.of, how, {.strided_fields = true});
    test::layouts const by{rhs, in_place ? rhs : any(), any(), in_place};
    at.require(same_answers(test::solve_with_gaps(at.place, solver, asked, by), known),
               "with gaps another solution");
  } else if (how == test::engine::fused && asked.of.gauge == po::gauge::zero_mean) {
    auto other = asked.of;
    other.lambda = 7.25;
    auto solver = planned<T>(at, other, how);
    test::arrays_of<Place, T> arrays(at.place, asked);
    std::vector<T> const each(asked.of.batch, static_cast<T>(asked.of.lambda));
    test::memory_of<Place, T> lambdas(at.place, each);
    auto fields = arrays.fields();
    if (at.random.one_in(2)) {
      solver.solve(fields, asked.of.lambda);
    } else {
      fields.lambda = lambdas.all();
      solver.solve(fields);
    }
    at.require(same_answers(arrays.read_back(), known), "by another lambda another solution");
  }
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

/// The host's bits for any number of threads if the engine is ours, else but for rounding.
template <class Place, class T>
void check_by_host(step<Place>& at, test::question<T> const& asked, test::answer<T> const& got,
                   bool is_ours) {
  wf::host here{1};
  po::problem const& of = asked.of;
  po::solver<T, wf::host> solver(here, of);
  test::arrays_of<wf::host, T> arrays(here, asked);
  solver.solve(arrays.fields());
  auto const known = arrays.read_back();
  if (!step<Place>::on_gpu && is_ours) {
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
  at.require(distance(got.u, known.u) <= spread * noise / smallest, "far from the host's solution");
  at.require(distance(got.removed, known.removed) <= noise, "far from the host's mean");
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
    if (at.random.one_in(2)) check_forms(at, asked, how, got);
    if (of.symbol != po::symbol::spectral && all <= most_for_stencils)
      at.require(satisfies(asked, got, size), "the solution is none");

    check_by_host(at, asked, got, how == test::engine::fused);
  });
}

#ifdef WARPFOLD_TEST_COMPILED
/// Kernels that are compiled, of few lengths: they stay loaded.
template <class Place>
void solve_by_compiled(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto of = any_problem(at.random, 4096);
    of.axes.resize(2, {.points = 64});
    of.gradient = false;
    for (auto& along : of.axes) {
      auto const kind = test::axis_kinds[at.random.below(std::size(test::axis_kinds))];
      along = test::axis_of(kind, at.random.of({64u, 96u, 112u, 160u, 288u}), 1);
    }
    of.gauge = po::gauge::zero_mean;
    at.what << ", " << test::name_of(of);
    std::size_t const all = test::size_of(of) * of.batch;
    at.elements += all;
    auto const asked = any_question<T>(at.random, of, all);
    check_by_host(at, asked, answer_to(at, asked, po::compiled), true);
  });
}
#endif

/// A transform of random lines: the host's but for rounding, and undone by its inverse.
template <class Place>
void transform(step<Place>& at) {
  namespace tf = warpfold::transforms;
  namespace real_transforms = test::real_transforms;
  with_one_of<float, double>(at.random, [&]<class T>() {
    tf::problem of;
    of.kind = real_transforms::kinds[at.random.below(10)];
    of.direction = at.random.of({tf::direction::forward, tf::direction::inverse});
    of.scaling = real_transforms::scalings[at.random.below(3)];
    std::size_t const points = 2 + at.size(4000);
    of.shape = {1 + at.random.below(9), 1 + at.random.below(9)};
    of.axis = at.random.below(3);
    of.shape.insert(of.shape.begin() + static_cast<std::ptrdiff_t>(of.axis), points);
    at.what << ", kind " << static_cast<int>(of.kind) << ", scaling "
            << static_cast<int>(of.scaling) << ", " << of.shape[0] << " x " << of.shape[1] << " x "
            << of.shape[2];
    if (!real_transforms::takes<Place, T>(at.place, of)) return;
    std::size_t const size = real_transforms::extents(of).size();
    auto const x = test::random_values<T>(at.random.engine(), size);
    tf::plan<T, Place> plan(at.place, of);
    input<Place, T> from(at, x);
    array<Place, T> to(at, size), there(at, x), back(at, size);
    plan.run(from.on(at.place), to.view());
    auto const got = to.read();
    check_later<T>(at, got, [&](auto output) { plan.run_async(from.on(at.place), output); });
    plan.run(there.view(), there.view());
    at.require(agree(there.read(), got), "in place it has other results");

    wf::host here{1};
    std::vector<T> known(size);
    tf::plan<T, wf::host>(here, of).run(x, known);
    real const bar = 20 * static_cast<real>(std::numeric_limits<T>::epsilon());
    if constexpr (step<Place>::on_gpu)
      at.require(distance(got, known) <= bar * test::rms(known), "far from the host's");
    else at.require(agree(got, known), "another number of threads, other results");
    bool const forward = of.direction == tf::direction::forward;
    of.direction = forward ? tf::direction::inverse : tf::direction::forward;
    tf::plan<T, Place>(at.place, of).run(there.view(), back.view());
    auto const factor = static_cast<T>(of.scaling == tf::scaling::none ? plan.period() : 1);
    auto undone = back.read();
    for (T& each : undone) each /= factor;
    at.require(distance(undone, x) <= bar * test::rms(x), "not undone by its inverse");
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(),
             {{"poisson::solver", solve<Place>}, {"transforms::plan", transform<Place>}});
#ifdef WARPFOLD_TEST_COMPILED
  all.push_back({"poisson::compiled", solve_by_compiled<Place>});
#endif
});

} // namespace
} // namespace random_work
