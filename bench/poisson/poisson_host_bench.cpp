// Poisson's equation on two threads of the host: the solver beside FFTW, if the library was built
// with it, one call after the other on arrays that together are larger than the caches.

#include "solver_rows.hpp"

#include <warpfold/twins/poisson.hpp>

#include <numbers>
#include <span>

namespace warpfold::bench {
namespace {

using twins::engine;
using solver = poisson::solver<double, host>;

constexpr int threads = 2;

/// A product of one cosine an axis, and its solution, which is a multiple of it.
struct wave {
  static constexpr std::array<std::size_t, 3> wavenumbers{3, 5, 2}; ///< periods along each axis

  explicit wave(poisson::problem const& of) : rhs(size_of(of), 1.) {
    double eigenvalue = 0;
    std::size_t stride = rhs.size();
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      std::size_t const points = of.axes[d].points;
      double const k = 2 * std::numbers::pi * static_cast<double>(wavenumbers[d]);
      eigenvalue -= k * k; // of the second derivative along an axis of length 1
      std::vector<double> cosines(points);
      for (std::size_t j = 0; j < points; ++j)
        cosines[j] = std::cos(k * static_cast<double>(j) / static_cast<double>(points));
      stride /= points;
      for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] *= cosines[i / stride % points];
    }
    factor = 1 / eigenvalue;
  }

  /// The largest error of a solution, over the largest value.
  [[nodiscard]] double error(std::span<double const> solution) const {
    double most = 0;
    for (std::size_t i = 0; i < rhs.size(); ++i)
      most = std::max(most, std::abs(solution[i] / factor - rhs[i]));
    return most;
  }

  std::vector<double> rhs;
  double factor;
};

void measure(session& run, poisson::problem const& problem, std::vector<engine> const& engines,
             std::vector<rows_together::outcome>& outcomes) {
  host place(threads);
  std::size_t const size = size_of(problem);
  std::size_t const arrays = std::max(512 * mebi / (2 * size * sizeof(double)), std::size_t{1});
  std::vector<double> rhs(arrays * size), solution(arrays * size);
  fill_random(rhs, pattern::uniform);

  std::vector<std::unique_ptr<solver>> solvers(engines.size());
  std::vector<std::size_t> timed;
  {
    wave const known(problem);
    std::span<double> const solved(solution.data(), size);
    for (std::size_t e = 0; e < engines.size(); ++e) {
      bool const is_ready = outcomes[e].attempt([&] {
        solvers[e] = std::make_unique<solver>(place, problem, engines[e]);
        outcomes[e].label = solvers[e]->engine_name();
        solvers[e]->solve({.rhs = known.rhs, .solution = solved});
        double const off = known.error(solved);
        if (!(off < 1e-11)) outcomes[e].complaint = "is wrong by " + std::to_string(off);
      });
      if (is_ready) timed.push_back(e);
    }
  }

  std::size_t turn = 0;
  auto const times = time_in_turns(timed.size(), run.quick ? 5 : 15, [&](std::size_t t) {
    std::size_t const begin = turn++ % arrays * size;
    poisson::fields<double, host> const of{.rhs = std::span<double const>(rhs).subspan(begin, size),
                                           .solution =
                                               std::span<double>(solution).subspan(begin, size)};
    return wall_seconds([&] { solvers[timed[t]]->solve(of); });
  });
  for (std::size_t t = 0; t < timed.size(); ++t) outcomes[timed[t]].times = times[t];
}

/// The engines that a host has in this build: without FFTW the vendor's is refused.
std::vector<engine> engines_here() {
  std::vector<engine> found;
  host place(threads);
  for (engine const which : {engine::automatic, engine::vendor}) {
    rows_together::outcome tried;
    if (tried.attempt([&] { solver(place, boxes::periodic.problem(2, 4), which); }))
      found.push_back(which);
  }
  return found;
}

void add(session& run, std::size_t axes, std::size_t length) {
  std::vector<engine> const engines = engines_here();
  auto const problem = boxes::periodic.problem(axes, length);
  auto rows = solver_rows(
      run, [&run, problem, engines](auto& outcomes) { measure(run, problem, engines, outcomes); });
  for (engine const which : engines)
    rows.add("host/" + row_name<double>(boxes::periodic.title(axes), to_string(which), problem) +
                 "/threads:" + std::to_string(threads),
             least_bytes<double>(problem), static_cast<double>(size_of(problem)), true);
}

} // namespace

void add_host_poisson(session& run) {
  add(run, 2, 1024);
  if (!run.quick) add(run, 3, 256);
}

} // namespace warpfold::bench
