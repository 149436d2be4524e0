// Poisson's equation on two threads of the host: the solver beside FFTW, if the library was built
// with it, one call after the other on arrays that together are larger than the caches.

#include "solver_rows.hpp"
#ifdef WARPFOLD_FFTW_THREADS
#include "fftw_solve.hpp"
#endif

#include <warpfold/twins/poisson.hpp>

#include <functional>
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

/// A way to solve; `make` names the engine and plans.
struct way {
  using solve = std::function<void(std::span<double const> rhs, std::span<double> solution)>;
  std::string name;
  std::function<solve(host& place, poisson::problem const& of, std::string& engine_name)> make;
};

way way_of(engine which) {
  return {to_string(which), [which](host& place, auto const& of, std::string& engine_name) {
            auto const made = std::make_shared<solver>(place, of, which);
            engine_name = made->engine_name();
            return [made](auto rhs, auto solution) {
              made->solve({.rhs = rhs, .solution = solution});
            };
          }};
}

void measure(session& run, poisson::problem const& problem, std::vector<way> const& ways,
             std::vector<rows_together::outcome>& outcomes) {
  host place(threads);
  std::size_t const size = size_of(problem);
  std::size_t const arrays = std::max(512 * mebi / (2 * size * sizeof(double)), std::size_t{1});
  std::vector<double> rhs(arrays * size), solution(arrays * size);
  fill_random(rhs, pattern::uniform);

  std::vector<way::solve> solves(ways.size());
  std::vector<std::size_t> timed;
  {
    wave const known(problem);
    std::span<double> const solved(solution.data(), size);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      bool const is_ready = outcomes[w].attempt([&] {
        solves[w] = ways[w].make(place, problem, outcomes[w].label);
        solves[w](known.rhs, solved);
        double const off = known.error(solved);
        if (!(off < 1e-11)) outcomes[w].complaint = "is wrong by " + std::to_string(off);
      });
      if (is_ready) timed.push_back(w);
    }
  }

  std::size_t turn = 0;
  auto const times = time_in_turns(timed.size(), run.quick ? 5 : 15, [&](std::size_t t) {
    std::size_t const begin = turn++ % arrays * size;
    auto const from = std::span<double const>(rhs).subspan(begin, size);
    auto const to = std::span<double>(solution).subspan(begin, size);
    return wall_seconds([&] { solves[timed[t]](from, to); });
  });
  for (std::size_t t = 0; t < timed.size(); ++t) outcomes[timed[t]].times = times[t];
}

/// The ways that a host has in this build: without FFTW the vendor's is refused.
std::vector<way> ways_here() {
  std::vector<way> found;
  host place(threads);
  for (engine const which : {engine::automatic, engine::vendor}) {
    rows_together::outcome tried;
    if (tried.attempt([&] { solver(place, boxes::periodic.problem(2, 4), which); }))
      found.push_back(way_of(which));
  }
#ifdef WARPFOLD_FFTW_THREADS
  found.push_back({"planned", [](host&, poisson::problem const& of, std::string& engine_name) {
                     engine_name = "FFTW";
                     std::vector<int> points;
                     for (auto const& along : of.axes)
                       points.push_back(static_cast<int>(along.points));
                     auto const made = std::make_shared<fftw_solve>(points, threads);
                     return [made](auto rhs, auto solution) { (*made)(rhs, solution); };
                   }});
#endif
  return found;
}

void add(session& run, std::size_t axes, std::size_t length) {
  std::vector<way> const ways = ways_here();
  auto const problem = boxes::periodic.problem(axes, length);
  auto rows = solver_rows(
      run, [&run, problem, ways](auto& outcomes) { measure(run, problem, ways, outcomes); });
  for (way const& one : ways)
    rows.add("host/" + row_name<double>(boxes::periodic.title(axes), one.name, problem) +
                 "/threads:" + std::to_string(threads),
             least_bytes<double>(problem), static_cast<double>(size_of(problem)), true);
}

} // namespace

void add_host_poisson(session& run) {
  add(run, 2, 1024);
  if (!run.quick) add(run, 3, 256);
}

} // namespace warpfold::bench
