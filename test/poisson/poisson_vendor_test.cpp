// Poisson's solver by cuFFT and by the course on a GPU, against the host's.

#include "poisson.hpp"

namespace poisson_vendor_test {

using namespace test;
namespace wf = warpfold;

constexpr engine courses[] = {engine::course, engine::course_shared, engine::course_coalesced};

/// Any problem of few points, with boundary values where it may have them.
template <class T>
question<T> any_question(std::mt19937_64& random, bool periodic_only) {
  auto const below = [&random](std::size_t count) { return random() % count; };
  question<T> asked;
  std::size_t const dimensions = 1 + below(3);
  std::size_t const most = dimensions == 1 ? 300 : dimensions == 2 ? 70 : 20;
  for (std::size_t d = 0; d < dimensions; ++d)
    asked.of.axes.push_back(axis_of(axis_kinds[below(periodic_only ? 2 : std::size(axis_kinds))],
                                    1 + below(below(3) == 0 ? 3 : most),
                                    0.5 + static_cast<double>(below(8)) / 4));
  asked.of.symbol = static_cast<symbol>(below(3));
  asked.of.batch = 1 + below(3);
  asked.of.gradient = below(2) == 0;
  if (below(3) == 0) asked.of.lambda = 1.25;
  if (po::is_singular(asked.of) && below(2) == 0) asked.of.gauge = po::gauge::first_point;
  std::size_t const size = size_of(asked.of) * asked.of.batch;
  asked.rhs = random_values<T>(random, size);
  if (asked.of.symbol != symbol::spectral)
    for (std::size_t d = 0; d < dimensions; ++d) {
      po::axis const& along = asked.of.axes[d];
      // On long axes they are large against the solution, and rounding with them.
      if (along.lower == periodic || along.points > 40) continue;
      if (below(2)) asked.lower[d] = random_values<T>(random, size / along.points);
      if (below(2)) asked.upper[d] = random_values<T>(random, size / along.points);
    }
  return asked;
}

/// Rounding errors of solutions and derivatives are multiples of one another; those of means are
/// ones of values of about 1.
template <class T>
void check_same(answer<T> const& a, answer<T> const& b) {
  real const rounding = 200 * std::numeric_limits<T>::epsilon(), scale = rms(b.u) + 0.01L;
  CHECK(rms_error(a.u, b.u) <= rounding * scale);
  for (std::size_t d = 0; d < 3; ++d) {
    CAPTURE(d);
    // A derivative magnifies errors by up to a wavenumber.
    if (!b.gradient[d].empty())
      CHECK(rms_error(a.gradient[d], b.gradient[d]) <=
            rounding * (rms(b.gradient[d]) + 100 * scale));
  }
  CHECK(largest_error(a.removed, b.removed) <= rounding);
}

template <class T>
void check_any(int count, int periodic_count) {
  unsigned const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::gpu gpu;
  wf::host host;
  for (int i = 0; i < count + periodic_count; ++i) {
    auto const asked = any_question<T>(random, i >= count);
    CAPTURE(i);
    bool const in_place = random() % 2 == 0;
    check_same(solve(gpu, asked, engine::vendor, in_place), solve(host, asked));
  }
}

po::problem square_of(std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of{{axis_of(axis_kinds[0], rows), axis_of(axis_kinds[0], columns, 1.5)}};
  of.gauge = po::gauge::first_point;
  of.batch = batch;
  return of;
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: poisson by cuFFT is a host's", T, float, double) {
    check_any<T>(12, 4);
  }
  TEST_CASE_TEMPLATE("poisson by cuFFT is a host's, many problems", T, float, double) {
    check_any<T>(250, 50);
  }

  TEST_CASE_TEMPLATE("fast: poisson by the course is that by cuFFT", T, float, double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    wf::gpu gpu;
    for (auto const& of :
         {square_of(1, 1), square_of(16, 16), square_of(37, 50, 3), square_of(64, 15, 2)}) {
      CAPTURE(of.axes[0].points);
      question<T> const asked{of, random_values<T>(random, size_of(of) * of.batch)};
      auto const expected = solve(gpu, asked, engine::vendor);
      for (auto const version : courses)
        for (bool const in_place : {false, true})
          check_same(solve(gpu, asked, version, in_place), expected);
    }
  }

  // Not of lengths with larger primes: there cuFFT's way depends on how many it transforms.
  TEST_CASE_TEMPLATE("poisson by cuFFT has the same bits in any batch of smooth lengths", T, float,
                     double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    wf::gpu gpu;
    for (std::size_t const columns : {64, 100, 105})
      for (axis_kind const& along : {axis_kinds[0], axis_kinds[2], axis_kinds[5], axis_kinds[7]}) {
        CAPTURE(columns);
        po::problem const of{{axis_of(along, 48), axis_of(axis_kinds[0], columns)}};
        question<T> asked{of, random_values<T>(random, 5 * size_of(of))};
        asked.of.batch = 5;
        auto const together = solve(gpu, asked, engine::vendor).u;
        for (std::size_t i = 0; i < 5; ++i) {
          question<T> const alone{of, part_of_batch(asked.rhs, i, 5)};
          CHECK(solve(gpu, alone, engine::vendor).u == part_of_batch(together, i, 5));
        }
      }
  }

  TEST_CASE_TEMPLATE("fast: poisson by cuFFT and the course: any alignment, graphs", T, float,
                     double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    wf::gpu gpu;
    auto const check = [&](po::problem const& of, engine how) {
      CAPTURE(to_string(how));
      question<T> const asked{of, random_values<T>(random, size_of(of) * of.batch)};
      po::solver<T, wf::gpu> solver(gpu, of, how, {.own_workspace = false});
      wf::device_buffer<std::byte> workspace(gpu, solver.workspace_size());
      solver.set_workspace(workspace);
      arrays_of<wf::gpu, T> arrays(gpu, asked, false, 1);
      captured graph(gpu, [&] { solver.solve_async(arrays.fields()); });
      graph.launch();
      graph.launch();
      CHECK(arrays.read_back() == solve(gpu, asked, how));
      CHECK(arrays.rhs() == asked.rhs);
    };
    check(square_of(30, 21, 2), engine::vendor);
    for (auto const how : courses) check(square_of(30, 21, 2), how);
    for (std::size_t const columns : {20, 21, 131}) {
      po::problem of = square_of(12, columns, 2);
      of.gradient = true;
      check(of, engine::vendor);
      of.axes[0] = axis_of(axis_kinds[3], 12);
      of.gauge = po::gauge::zero_mean;
      check(of, engine::vendor);
    }
  }
}

} // namespace poisson_vendor_test
