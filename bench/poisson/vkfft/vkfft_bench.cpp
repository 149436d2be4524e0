// warpfold-vkfft-bench: Poisson's solver beside VkFFT's forward and inverse transforms of the same
// kind and length, which are a solver without its division. Google Benchmark's options, and --quick
// for squares of up to 4096.

#include "poisson/solver_rows.hpp"
#include "program.hpp"
#include "vkfft.hpp"

#include <warpfold/compiled.hpp>

#include <initializer_list>

namespace warpfold::bench {
namespace {

/// A box, and VkFFT's transform for it.
struct transformed {
  box of;
  vkfft_kind kind;
};

constexpr transformed periodic{boxes::periodic, {}};
constexpr transformed neumann_cells{boxes::neumann_cells, {.cosine = 2}};
constexpr transformed neumann_nodes{boxes::neumann_nodes, {.cosine = 1}};
constexpr transformed dirichlet_nodes{boxes::dirichlet_nodes, {.sine = 1}};
constexpr transformed mixed_cells{boxes::mixed_cells, {.sine = 4}};

/// Copies squares between arrays of other distances from row to row, in elements.
template <class T>
void copy_rows(gpu const& place, std::size_t points, T const* from, std::size_t from_pitch, T* to,
               std::size_t to_pitch) {
  std::size_t const width = points * sizeof(T);
  check(cudaMemcpy2DAsync(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T), width, points,
                          cudaMemcpyDeviceToDevice, place.stream()));
}

template <class T>
void measure(session& run, transformed const& what, std::size_t length,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  auto const problem = what.of.problem(2, length);
  std::size_t const points = problem.axes.back().points, size = points * points;
  timing_plan const plan = plan_for(3 * size * sizeof(T), run.quick);
  auto const calls = static_cast<std::size_t>(plan.calls);
  auto const rounded = [](std::size_t elements) { return (elements + 63) / 64 * 64; };

  // VkFFT compiles its kernels as well.
  poisson::solver<T, gpu> solver(place, problem, poisson::compiled);
  std::size_t const apart_by = rounded(size);
  device_buffer<T> rhs(place, calls * apart_by), solution(place, calls * apart_by);
  random::normal_async(place, rhs.span(), {.seed = 2008});
  auto const solve = [&](int i) {
    std::size_t const begin = static_cast<std::size_t>(i) * apart_by;
    solver.solve_async(
        {.rhs = rhs.span().subspan(begin, size), .solution = solution.span().subspan(begin, size)});
  };
  solve(0);
  outcomes[0].label = solver.engine_name();

  vkfft_square<T> vkfft(place, points, what.kind);
  std::size_t const padded = rounded(vkfft.size());
  device_buffer<T> values(place, calls * padded);
  random::normal_async(place, values.span(), {.seed = 2009});
  auto const transform = [&](int i) {
    vkfft.round_trip_async(
        values.span().subspan(static_cast<std::size_t>(i) * padded, vkfft.size()));
  };
  outcomes[1].label = "VkFFT";

  // There and back: the values of the first square are to be as they were. A wrong plan is looked
  // for, not rounding.
  device_buffer<T> before(place, size), after(place, size);
  copy_rows<T>(place, points, values.data(), vkfft.pitch(), before.data(), points);
  transform(0);
  copy_rows<T>(place, points, values.data(), vkfft.pitch(), after.data(), points);
  double const off = apart<T>(place, after.span(), before.span());
  if (!(off < 1e-3))
    outcomes[1].complaint = "there and back the values differ by " + std::to_string(off);

  auto const times = time_paired(place, *run.flush, {{solve}, {transform}}, plan);
  for (std::size_t w = 0; w < times.size(); ++w) outcomes[w].times = times[w];
}

/// Ours has a name of its own: the row of warpfold-bench took turns with others.
template <class T>
void add(session& run, transformed const& what, std::initializer_list<std::size_t> lengths) {
  for (std::size_t const length : lengths) {
    if (run.quick && length > 4096) continue;
    auto const problem = what.of.problem(2, length);
    auto rows = solver_rows(
        run, [&run, what, length](auto& outcomes) { measure<T>(run, what, length, outcomes); });
    for (char const* way : {"beside_vkfft", "vkfft"})
      rows.add(row_name<T>(what.of.title(2), way, problem), least_bytes<T>(problem),
               static_cast<double>(size_of(problem)));
  }
}

void add_rows(session& run) {
  benchmark::AddCustomContext("vkfft", vkfft_version());
  if (!run.place) return;
  add<float>(run, periodic, {256, 1024, 3000, 4096, 8192, 16384});
  add<float>(run, neumann_cells, {3000, 4096, 5000, 8192});
  add<float>(run, mixed_cells, {4096, 8192});
  add<float>(run, dirichlet_nodes, {4096});
  add<float>(run, neumann_nodes, {1024, 4096, 8192});
  add<double>(run, periodic, {4096});
}

} // namespace
} // namespace warpfold::bench

int main(int argc, char** argv) {
  using namespace warpfold::bench;
  program const all{"warpfold-vkfft-bench", [](warpfold::gpu& place) { return l2_flush(place); },
                    add_rows};
  return all.run(argc, argv);
}
