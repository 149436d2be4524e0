// warpfold-vkfft-bench: Poisson's solver beside VkFFT's forward and inverse transforms of the same
// kind and length, which are a solver without its division; and real transforms of lines beside
// VkFFT's. Google Benchmark's options, and --quick for squares of up to 4096.

#include "poisson/solver_rows.hpp"
#include "program.hpp"
#include "vkfft.hpp"

#include <warpfold/compiled.hpp>
#include <warpfold/transforms.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>

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

/// Copies rows between arrays of other distances from row to row, in elements.
template <class T>
void copy_rows(gpu const& place, vkfft_shape const& of, T const* from, std::size_t from_pitch,
               T* to, std::size_t to_pitch) {
  check(cudaMemcpy2DAsync(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T),
                          of.points * sizeof(T), of.rows, cudaMemcpyDeviceToDevice,
                          place.stream()));
}

/// A wrong plan is looked for, not rounding.
std::string complaint_of(double off) {
  return off < 1e-3 ? "" : "there and back the values differ by " + std::to_string(off);
}

std::size_t rounded(std::size_t elements) { return (elements + 63) / 64 * 64; }

/// VkFFT's plan and values for all calls.
template <class T>
class vkfft_calls {
public:
  vkfft_calls(gpu& place, vkfft_shape const& shape, vkfft_kind kind, std::size_t calls)
      : place_{place}, shape_{shape}, plan_{place, shape, kind},
        values_{place, calls * rounded(plan_.size())} {
    random::normal_async(place, values_.span(), {.seed = 2009});
  }
  void run_async(int i) {
    plan_.round_trip_async(
        values_.span().subspan(static_cast<std::size_t>(i) * rounded(plan_.size()), plan_.size()));
  }
  /// There and back the first values are to be as they were.
  std::string complaint() {
    std::size_t const size = shape_.rows * shape_.points;
    device_buffer<T> before(place_, size), after(place_, size);
    auto const copy_to = [&](device_buffer<T>& to) {
      copy_rows<T>(place_, shape_, values_.data(), plan_.pitch(), to.data(), shape_.points);
    };
    copy_to(before);
    run_async(0);
    copy_to(after);
    return complaint_of(apart<T>(place_, after.span(), before.span()));
  }

private:
  gpu& place_;
  vkfft_shape shape_;
  vkfft_plan<T> plan_;
  device_buffer<T> values_;
};

template <class T>
void measure(session& run, transformed const& what, std::size_t length,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  auto const problem = what.of.problem(2, length);
  std::size_t const points = problem.axes.back().points, size = points * points;
  timing_plan const plan = plan_for(3 * size * sizeof(T), run.quick);
  auto const calls = static_cast<std::size_t>(plan.calls);
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

  vkfft_calls<T> vkfft(place, {points, points, true}, what.kind, calls);
  outcomes[1].label = "VkFFT";
  outcomes[1].complaint = vkfft.complaint();
  auto const transform = [&](int i) { vkfft.run_async(i); };

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

/// Real transforms of lines, there and back, in place.
struct line_transform {
  char const* name;
  transforms::kind kind;
  vkfft_kind theirs;
  int extra = 0; ///< points beyond `line_length`, for which the complex length is a power of two
};
using transforms::kind;
constexpr line_transform line_transforms[] = {
    {"halfcomplex", kind::halfcomplex, {}},      {"cosine_1", kind::cosine_1, {.cosine = 1}, 1},
    {"cosine_2", kind::cosine_2, {.cosine = 2}}, {"cosine_3", kind::cosine_3, {.cosine = 3}},
    {"cosine_4", kind::cosine_4, {.cosine = 4}}, {"sine_1", kind::sine_1, {.sine = 1}, -1},
    {"sine_2", kind::sine_2, {.sine = 2}},       {"sine_3", kind::sine_3, {.sine = 3}},
    {"sine_4", kind::sine_4, {.sine = 4}}};
constexpr std::size_t line_count = 4096, line_length = 4096;

template <class T>
void measure_lines(session& run, line_transform const& what, std::size_t points,
                   std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  std::size_t const size = line_count * points, apart_by = rounded(size);
  timing_plan const plan = plan_for(2 * size * sizeof(T), run.quick);
  auto const calls = static_cast<std::size_t>(plan.calls);
  transforms::problem problem{.kind = what.kind,
                              .shape = {line_count, points},
                              .axis = 1,
                              .scaling = transforms::scaling::inverse};
  transforms::plan<T, gpu> forward(place, problem);
  problem.direction = transforms::direction::inverse;
  transforms::plan<T, gpu> inverse(place, problem);
  device_buffer<T> values(place, calls * apart_by);
  random::normal_async(place, values.span(), {.seed = 2008});
  auto const there_and_back = [&](int i) {
    auto const lines = values.span().subspan(static_cast<std::size_t>(i) * apart_by, size);
    forward.run_async(lines, lines);
    inverse.run_async(lines, lines);
  };
  auto const first = values.span().subspan(0, size);
  device_buffer<T> before(place, size);
  copy_rows<T>(place, {line_count, points, false}, first.data(), points, before.data(), points);
  there_and_back(0);
  outcomes[0].complaint = complaint_of(apart<T>(place, first, before.span()));

  vkfft_calls<T> vkfft(place, {line_count, points, false}, what.theirs, calls);
  outcomes[1].label = "VkFFT";
  outcomes[1].complaint = vkfft.complaint();
  auto const times = time_paired(place, *run.flush,
                                 {{there_and_back}, {[&](int i) { vkfft.run_async(i); }}}, plan);
  for (std::size_t w = 0; w < times.size(); ++w) outcomes[w].times = times[w];
}

template <class T>
void add_lines(session& run) {
  for (line_transform const& what : line_transforms) {
    std::size_t const points =
        line_length + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(what.extra));
    auto rows = solver_rows(run, [&run, what, points](auto& outcomes) {
      measure_lines<T>(run, what, points, outcomes);
    });
    auto const size = static_cast<double>(line_count * points);
    for (std::string const way : {"", "vkfft_"})
      rows.add("round_trip_x" + std::to_string(line_count) + "/" + type_name<T>() + "/" + way +
                   what.name + "/n:" + std::to_string(points),
               4 * sizeof(T) * size, size);
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
  add_lines<float>(run);
  add_lines<double>(run);
}

} // namespace
} // namespace warpfold::bench

int main(int argc, char** argv) {
  using namespace warpfold::bench;
  program const all{"warpfold-vkfft-bench", [](warpfold::gpu& place) { return l2_flush(place); },
                    add_rows};
  return all.run(argc, argv);
}
