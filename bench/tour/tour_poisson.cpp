// The tour's eighth section: Poisson's equation, beside a course of 2008 on a Tesla C870.

#include "kernel_times.hpp"
#include "on_place.hpp"
#include "tour.hpp"

#include <warpfold/memory.hpp>
#include <warpfold/twins/poisson.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace warpfold::tour {
namespace {

using twins::engine;

/// The course's problem: u = exp(-r^2 / 2 s^2) around the middle of a unit square, s = 0.1, as if
/// it were periodic.
poisson::problem square(std::size_t points) {
  return {.axes = {{.points = points}, {.points = points}}, .gauge = poisson::gauge::first_point};
}
template <class T>
struct gaussian {
  std::vector<T> rhs;
  std::vector<double> exact;

  explicit gaussian(std::size_t points) : rhs(points * points), exact(points * points) {
    constexpr double s2 = 0.01;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      auto const at = [&](std::size_t j) {
        return static_cast<double>(j) / static_cast<double>(points) - 0.5;
      };
      double const x = at(i % points), y = at(i / points), r2 = x * x + y * y;
      exact[i] = std::exp(-r2 / (2 * s2));
      rhs[i] = static_cast<T>(exact[i] * (r2 - 2 * s2) / (s2 * s2));
    }
  }
};

struct norms {
  double centre, largest, mean_square; ///< the course's "L2": root of the sum of squares / N^2
};
template <class T>
norms norms_of(std::vector<T> const& found, std::vector<double> const& exact, std::size_t points) {
  norms of{static_cast<double>(found[(points / 2 - 1) * (points + 1)]), 0, 0};
  for (std::size_t i = 0; i < exact.size(); ++i) {
    double const off = std::abs(static_cast<double>(found[i]) - exact[i]);
    of.largest = std::max(of.largest, off);
    of.mean_square += off * off;
  }
  of.mean_square = std::sqrt(of.mean_square) / static_cast<double>(exact.size());
  return of;
}

template <class T, class Place>
std::vector<T> solve(Place& place, std::size_t points, engine how, std::vector<T> const& rhs) {
  auto array = bench::put_on(place, rhs);
  poisson::solver<T, Place>(place, square(points), how).solve({.rhs = array, .solution = array});
  return bench::contents_of(place, array);
}

void print_norms(char const* what, norms const& of, bool agrees = true) {
  std::printf("%-44s%14.6f%16.6e%16.6e%s\n", what, of.centre, of.largest, of.mean_square,
              agrees ? "" : " WRONG");
}

/// The error is the problem's own, since its u is not periodic; so it is known.
template <class T, class Place>
bool check_errors(Place& place, char const* what, engine how) {
  constexpr std::size_t points = 64;
  gaussian<T> const problem(points);
  auto const of = norms_of(solve(place, points, how, problem.rhs), problem.exact, points);
  double const rounding = sizeof(T) == 8 ? 1e-12 : 1e-6;
  bool const agrees = std::abs(of.centre - 0.975879) < 5e-7 + rounding &&
                      std::abs(of.largest - 2.404194e-5) < 5e-12 + rounding &&
                      std::abs(of.mean_square - 9.412790e-8) < 5e-15 + rounding / 1e3;
  print_norms(what, of, agrees);
  return agrees;
}

constexpr std::size_t usual = 1024;
constexpr int runs = 9; // that are timed

struct version {
  engine how;
  char const* text;
  double pageable_ms, pinned_ms; ///< of the course
};
constexpr version versions[] = {
    {engine::course, "complex transforms, as taught first", 67, 63},
    {engine::course_shared, "wavenumbers through shared memory", 63.4, 59.4},
    {engine::course_coalesced, "and real parts by coalesced accesses", 62.1, 58.2},
    {engine::vendor, "real transforms, one kernel between them", 0, 0},
    {engine::fused, "fused", 0, 0}};

template <class Memory>
double host_to_host_ms(gpu& place, poisson::solver<float, gpu>& solver, Memory& memory,
                       device_buffer<float>& array) {
  return bench::warm_median_ms(runs, [&] {
    copy(place, std::span<float const>(memory), array.span());
    solver.solve({.rhs = array, .solution = array});
    copy(place, array.span(), std::span<float>(memory));
  });
}

void times(gpu& place) {
  std::printf("\n%-44s%12s%12s%12s%12s\n", "1024 x 1024, host to host, milliseconds", "C870",
              "and pinned", "now", "and pinned");
  std::vector<float> pageable = gaussian<float>(usual).rhs;
  pinned_buffer<float> pinned(pageable.size());
  device_buffer<float> array(place, pageable.size());
  for (version const& one : versions) {
    poisson::solver<float, gpu> solver(place, square(usual), one.how);
    std::memcpy(pinned.data(), pageable.data(), pageable.size() * sizeof(float));
    std::printf("%-44s", one.text);
    print(12, 3, one.pageable_ms);
    print(12, 3, one.pinned_ms);
    std::vector<float> own = pageable;
    print(12, 3, host_to_host_ms(place, solver, own, array));
    print(12, 3, host_to_host_ms(place, solver, pinned, array));
    std::printf("\n");
  }
  std::printf(
      "\n1024 x 1024, kernels one by one, microseconds (solve on the C870: 6390, then 2760; "
      "complex to real: 2850,\nthen 1520)\n");
  copy(place, std::span<float const>(pageable), array.span());
  for (version const& one : versions) {
    poisson::solver<float, gpu> solver(place, square(usual), one.how);
    poisson::fields<float, gpu> const of{.rhs = array, .solution = array};
    solver.solve(of);
    std::printf("%-44s", one.text);
    int on_line = 0;
    for (auto const& kernel : bench::kernel_times(place, [&] { solver.solve_async(of); })) {
      if (on_line++ == 4) std::printf("\n%-44s", ""), on_line = 1;
      std::printf("%s %.1f  ", kernel.name.empty() ? "cuFFT" : kernel.name.c_str(),
                  1e6 * kernel.seconds);
    }
    std::printf("\n");
  }
}

void times(host& place) {
  gaussian<float> const problem(usual);
  std::vector<float> solution(problem.rhs.size());
  poisson::solver<float, host> solver(place, square(usual));
  double const ms = bench::warm_median_ms(
      runs, [&] { solver.solve({.rhs = problem.rhs, .solution = solution}); });
  std::printf("\n1024 x 1024 in %.3f ms (C870, host to host: 58.2 to 67)\n", ms);
}

bool run(gpu& place) {
  bool agree = check_errors<double>(place, "double, fused", engine::fused);
  agree = check_errors<double>(place, "double, cuFFT", engine::vendor) && agree;
  agree = check_errors<float>(place, "float, fused", engine::fused) && agree;
  agree = check_errors<float>(place, "float, cuFFT", engine::vendor) && agree;
  agree = check_errors<float>(place, "float, the course's first version", engine::course) && agree;
  agree = check_errors<float>(place, "float, its last", engine::course_coalesced) && agree;
  times(place);
  return agree;
}

bool run(host& place) try {
  bool const doubles = check_errors<double>(place, "double", engine::automatic);
  bool const floats = check_errors<float>(place, "float", engine::automatic);
  times(place);
  return doubles && floats;
} catch (argument_error const& error) {
  if (error.argument() != "place") throw;
  std::printf("left out: %s\n", error.what());
  return true;
}

} // namespace

bool poisson_section(any_place& place) {
  std::printf(
      "\n8. Poisson's equation\n=====================\n\n"
      "The course's problem on 64 x 64 points, u(0, 0) = 0. Its u is not quite periodic: the "
      "errors are those of the\nproblem, and so the same for all.\n\n%-44s%14s%16s%16s\n",
      "", "u(32, 32)", "largest error", "L2 / N^2");
  print_norms("course, MATLAB", {0.975879, 2.404194e-05, 9.412790e-08});
  std::printf("%-44s%14s%16s%16.6e\n", "course, C870, float", "", "", 9.436995e-08);
  return std::visit([](auto& one) { return run(one); }, place);
}

} // namespace warpfold::tour
