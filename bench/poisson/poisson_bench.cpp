// Poisson's equation: the fused solver beside cuFFT with a kernel between its transforms, and
// beside the course's three versions.

#include "solver_rows.hpp"

#include <warpfold/twins/poisson.hpp>
#ifdef WARPFOLD_NVRTC
#include <warpfold/compiled.hpp>
#endif

#include <initializer_list>
#include <optional>

namespace warpfold::bench {
namespace {

using twins::engine;

/// A row: a problem, and a way to solve it.
struct entry {
  std::string title;
  poisson::problem problem;
  std::optional<engine> which; ///< nothing: kernels that are compiled for it

  [[nodiscard]] bool is_single() const { return problem.precision == poisson::precision::single; }
  /// In the row's name.
  [[nodiscard]] char const* way() const {
    return is_single() ? "single" : which ? to_string(*which) : "compiled";
  }
};

template <class T>
auto solver_of(gpu& place, entry const& one, poisson::solver_options const& options) {
  using solver = poisson::solver<T, gpu>;
#ifdef WARPFOLD_NVRTC
  if (!one.which) return std::make_unique<solver>(place, one.problem, poisson::compiled, options);
#endif
  return std::make_unique<solver>(place, one.problem, one.which.value_or(engine::automatic),
                                  options);
}

template <class T>
void measure(session& run, std::vector<entry> const& entries,
             std::vector<rows_together::outcome>& outcomes) {
  using solver = poisson::solver<T, gpu>;
  gpu& place = *run.place;
  std::size_t most = 0, needed = 0;
  for (entry const& one : entries) most = std::max(most, size_of(one.problem));

  // All solvers work in the same memory, one after the other.
  poisson::solver_options const shares{.own_workspace = false};
  std::vector<std::unique_ptr<solver>> solvers(entries.size());
  for (std::size_t e = 0; e < entries.size(); ++e)
    outcomes[e].attempt([&] {
      poisson::problem const& problem = entries[e].problem;
      auto made = solver_of<T>(place, entries[e], shares);
      bool const is_fused = entries[e].which == engine::fused;
      outcomes[e].label =
          is_fused ? solver(place, problem, shares).engine_name() : made->engine_name();
      needed = std::max(needed, made->workspace_size());
      solvers[e] = std::move(made);
    });
  device_buffer<std::byte> workspace(place, needed);

  timing_plan const plan = plan_for(3 * most * sizeof(T), run.quick);
  std::size_t const apart_by = (most + 63) / 64 * 64;
  std::size_t const all = apart_by * static_cast<std::size_t>(plan.calls);
  device_buffer<T> rhs(place, all), solution(place, all), expected(place, most);
  random::normal_async(place, rhs.span(), {.seed = 2008});

  std::vector<std::size_t> timed;
  std::vector<contender> contenders;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (!solvers[e]) continue;
    poisson::problem const& problem = entries[e].problem;
    std::size_t const size = size_of(problem);
    auto const part = [size](device_buffer<T>& of, std::size_t begin = 0) {
      return of.span().subspan(begin, size);
    };
    auto* const one = solvers[e].get();
    bool const is_ready = outcomes[e].attempt([&] {
      one->set_workspace(workspace.span());
      poisson::problem full = problem;
      full.precision = poisson::precision::full;
      solver reference(place, full, engine::vendor);
      reference.solve({.rhs = part(rhs), .solution = part(expected)});
      one->solve({.rhs = part(rhs), .solution = part(solution)});
      double const off = apart<T>(place, part(solution), part(expected));
      // u(0) = 0 is fixed by one value, which is as wrong as any.
      bool const by_point = problem.gauge == poisson::gauge::first_point;
      double const rounding = entries[e].is_single() ? tolerance<float> : tolerance<T>;
      if (!(off < rounding * (by_point ? 10 : 1)))
        outcomes[e].complaint = "differs from the vendor's by " + std::to_string(off);
    });
    if (!is_ready) continue;
    timed.push_back(e);
    contenders.push_back({[=, &rhs, &solution](int i) {
      std::size_t const begin = static_cast<std::size_t>(i) * apart_by;
      one->solve_async({.rhs = part(rhs, begin), .solution = part(solution, begin)});
    }});
  }
  auto const times = time_paired(place, *run.flush, contenders, plan);
  for (std::size_t t = 0; t < timed.size(); ++t) outcomes[timed[t]].times = times[t];
}

/// Labels name the engine that the solver takes by itself; those of twins name the twin.
template <class T>
void add(session& run, std::vector<entry> entries) {
  for (entry& one : entries) // the row of what has no fused kernels is the solver's choice
    if (one.which == engine::fused && !poisson::can_fuse<T>(*run.place, one.problem))
      one.which = engine::automatic;
  auto rows =
      solver_rows(run, [&run, entries](auto& outcomes) { measure<T>(run, entries, outcomes); });
  for (entry const& one : entries)
    rows.add(row_name<T>(one.title, one.way(), one.problem), least_bytes<T>(one.problem),
             static_cast<double>(size_of(one.problem)));
}

using ways = std::vector<engine>;
using lengths = std::initializer_list<std::size_t>;

ways const ours{engine::fused}, both{engine::fused, engine::vendor};
ways const with_course{engine::fused, engine::vendor, engine::course, engine::course_shared,
                       engine::course_coalesced};

std::vector<entry> entries_of(std::string const& title, poisson::problem const& problem,
                              ways const& engines) {
  std::vector<entry> entries;
  for (engine const which : engines) {
    entries.push_back({title, problem, which});
    bool const is_course = which != engine::fused && which != engine::vendor;
    if (is_course) entries.back().problem.gauge = poisson::gauge::first_point;
  }
  return entries;
}

std::vector<entry> squares(box const& of, std::size_t length, ways const& engines) {
  return entries_of(of.title(2), of.problem(2, length), engines);
}

/// Fields of double, transformed in float by the solver's choice.
std::vector<entry> single_squares(box const& of, std::size_t length) {
  auto entries = squares(of, length, {engine::automatic});
  for (entry& one : entries) one.problem.precision = poisson::precision::single;
  return entries;
}

/// By kernels that are compiled for the length; none in a build without NVRTC.
std::vector<entry> compiled_squares(box const& of, std::size_t length) {
#ifdef WARPFOLD_NVRTC
  return {{of.title(2), of.problem(2, length), std::nullopt}};
#else
  static_cast<void>(of);
  static_cast<void>(length);
  return {};
#endif
}

std::vector<entry> cubes(box const& of, std::size_t length, ways const& engines) {
  return entries_of(of.title(3), of.problem(3, length), engines);
}

std::vector<entry> operator+(std::vector<entry> all, std::vector<entry> const& more) {
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// The periodic square, and all others whose transforms have its length, taking turns.
std::vector<entry> around(std::size_t length, ways const& periodic, ways const& others) {
  auto group = squares(boxes::periodic, length, periodic);
  for (box const& of : {boxes::dirichlet_cells, boxes::neumann_cells, boxes::mixed_cells,
                        boxes::mixed_nodes, boxes::dirichlet_nodes, boxes::neumann_nodes})
    group = group + squares(of, length, others);
  return group;
}

void add_quick(session& run) {
  for (std::size_t const length : lengths{64, 512, 1024, 8192})
    add<float>(run, squares(boxes::periodic, length, with_course));
  add<float>(run,
             squares(boxes::periodic, 3000, with_course) + compiled_squares(boxes::periodic, 3000));
  add<float>(run, squares(boxes::periodic, 4096, with_course) +
                      squares(boxes::dirichlet_cells, 4096, both) +
                      squares(boxes::neumann_cells, 4096, both));
  add<double>(run, squares(boxes::periodic, 4096, both));
  add<float>(run, cubes(boxes::periodic, 256, both));
}

void add_all(session& run) {
  for (std::size_t const length : lengths{64, 128, 256, 512, 1024, 2048})
    add<float>(run, squares(boxes::periodic, length, with_course));
  add<float>(run,
             squares(boxes::periodic, 3000, with_course) + compiled_squares(boxes::periodic, 3000));
  for (std::size_t const length : lengths{360, 1000, 1536, 2500, 6000, 9000})
    add<float>(run,
               squares(boxes::periodic, length, both) + compiled_squares(boxes::periodic, length));
  add<float>(run, squares(boxes::neumann_cells, 3000, both) +
                      compiled_squares(boxes::neumann_cells, 3000));
  add<double>(run, squares(boxes::periodic, 3000, both) + compiled_squares(boxes::periodic, 3000));
  // cuFFT on lines of twice the length is slow: beside it, one size.
  add<float>(run, around(4096, with_course, both));
  add<float>(run, around(8192, with_course, ours));
  add<float>(run, around(16384, with_course, ours));
  add<float>(run, squares(boxes::periodic, 32768, both));
  for (std::size_t const length : lengths{131, 1009}) // convolutions
    add<float>(run, squares(boxes::periodic, length, both) +
                        squares(boxes::neumann_cells, length, both));
  for (std::size_t const length : lengths{1024, 2048})
    add<double>(run, squares(boxes::periodic, length, both));
  add<double>(run, around(4096, both, ours) +
                       squares(boxes::dirichlet_cells, 4096, {engine::vendor}) +
                       single_squares(boxes::periodic, 4096));
  add<double>(run, squares(boxes::periodic, 8192, both) + single_squares(boxes::periodic, 8192));
  for (std::size_t const length : lengths{256, 512})
    add<float>(
        run, cubes(boxes::periodic, length, both) + cubes(boxes::neumann_cells, length, ours) +
                 cubes(boxes::mixed_cells, length, ours) + cubes(boxes::mixed_nodes, length, ours) +
                 cubes(boxes::neumann_nodes, length, ours));
  add<double>(run, cubes(boxes::periodic, 256, both));
  poisson::problem lines = boxes::periodic.problem(1, 4096);
  lines.batch = 4096;
  add<float>(run, entries_of("periodic_1d_x4096", lines, both));
}

} // namespace

void add_poisson(session& run) {
  add_host_poisson(run);
  if (run.place) (run.quick ? add_quick : add_all)(run);
  add_transforms(run);
}

} // namespace warpfold::bench
