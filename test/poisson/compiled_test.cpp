// Lengths whose kernels are compiled when a solver is made: how they are divided, what NVRTC makes
// of them, and solutions beside a host's.

#include "poisson.hpp"

#include "poisson/compiled/code.hpp"
#include "poisson/engine/mixed/mixed.hpp"
#include "poisson/engine/mixed/mixed_plan.hpp"

#include <warpfold/compiled.hpp>

namespace compiled_test {

using namespace test;
namespace wf = warpfold;
using po::unit_kind;

bool is_of_small_primes(int n) {
  for (int const prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

/// The same numbers as a core's that nvcc or g++ knows.
template <class T, unit_kind Kind, int... Radices>
void check_tables(axis_kind ends) {
  using core = po::mixed_core<po::mixed_shape<T, Kind, po::mixed_stages<Radices...>, 2, 2, 1>>;
  constexpr int n = core::length;
  CAPTURE(n);
  po::mixed_plan const plan{{Radices...}, 2, 1};
  CHECK(plan.length() == n);
  CHECK(plan.threads() == core::shape::threads);
  CHECK(plan.shared<T>(2) == core::shape::shared);
  po::axis_plan const axis = po::make_plan({.axes = {axis_of(ends, n)}}, sizeof(T)).axes[0];
  REQUIRE(po::kind_of(axis) == Kind);
  auto const same = [](std::vector<po::complex<T>> const& a, std::vector<po::complex<T>> const& b) {
    REQUIRE(a.size() >= b.size());
    bool all = true;
    for (std::size_t i = 0; i < b.size(); ++i) all &= a[i].re == b[i].re && a[i].im == b[i].im;
    CHECK(all);
  };
  auto const expected = po::unit_tables_of<core>(axis);
  auto const got = po::mixed_tables_of<T>(axis, plan);
  CHECK(got.axis.odd == expected.axis.odd);
  same(expected.factors, got.factors);
  same(expected.turns, got.turns);
  same(expected.tilts, got.tilts);
  CHECK(got.factors.size() == expected.factors.size());
  CHECK(got.turns.empty() == expected.turns.empty());
  CHECK(got.tilts.empty() == expected.tilts.empty());
  same(po::along_of<core>(axis, 3.), po::mixed_along_of<T>(axis, plan, 3.));
}

constexpr axis_kind periodic_axis{periodic, periodic, grid::nodes},
    neumann_cells{neumann, neumann, grid::cells},
    dirichlet_cells{dirichlet, dirichlet, grid::cells},
    mixed_cells{neumann, dirichlet, grid::cells}, other_cells{dirichlet, neumann, grid::cells};

/// For a short axis of type 4.
po::gpu_impl::kernel_parameters short_axis(bool rows) {
  po::gpu_impl::kernel_parameters made{true, unit_kind::fourth, {{4, 12}, 2, 1}, 2, 4};
  if (rows) made.streams = false;
  return made;
}

} // namespace compiled_test

using namespace compiled_test;

TEST_CASE("compiled: stages of most lengths with factors 2, 3, 5 and 7") {
  for (std::size_t const element : {sizeof(float), sizeof(double)}) {
    int lengths = 0, taken = 0;
    for (int n = 64; n <= (element == sizeof(float) ? 16384 : 8192); n += 2) {
      auto const length = static_cast<std::size_t>(n);
      auto const plan = po::mixed_plan_of(length, element, true, 227 * 1024),
                 of_columns = po::mixed_plan_of(length, element, false, 227 * 1024);
      if (!is_of_small_primes(n)) {
        CHECK_FALSE(plan);
        CHECK_FALSE(of_columns);
        continue;
      }
      ++lengths;
      REQUIRE(plan.has_value() == of_columns.has_value());
      if (!plan) continue;
      ++taken;
      CAPTURE(n);
      CHECK(plan->length() == n);
      CHECK(plan->radices.size() > 1);
      CHECK(plan->held() % 2 == 0);
      for (int const radix : plan->radices) {
        CHECK(radix > 1);
        CHECK(plan->held() % radix == 0);
      }
      CHECK(plan->threads() <= 1024);
      CHECK(plan->units >= 1);
      CHECK(plan->blocks >= 1);
      // Only the blocks of a multiprocessor differ.
      CHECK(plan->radices == of_columns->radices);
      CHECK(plan->units == of_columns->units);
      CHECK(of_columns->blocks >= 1);
    }
    CAPTURE(element);
    MESSAGE(taken << " of " << lengths << " lengths");
    CHECK(taken * 10 > lengths * (element == sizeof(float) ? 6 : 5));
  }
  for (std::size_t const n : {62, 1920, 2100, 3001, 16800})
    CHECK_FALSE(po::mixed_plan_of(n, sizeof(float), true, 227 * 1024));
  // Fewer lines a block where there is less room.
  auto const less = po::mixed_plan_of(1000, sizeof(double), false, 20 * 1024);
  REQUIRE(less);
  CHECK(less->units == 1);
  CHECK(less->shared<double>(1) <= 20 * 1024);
  CHECK_FALSE(po::mixed_plan_of(3000, sizeof(float), true, 20 * 1024));
}

TEST_CASE("compiled: tables are those of a core that is known before") {
  check_tables<float, unit_kind::fourier, 10, 10, 30>(periodic_axis);
  check_tables<double, unit_kind::second, 3, 2, 6>(neumann_cells);
  check_tables<float, unit_kind::second, 5, 20>(dirichlet_cells);
  check_tables<float, unit_kind::fourth, 7, 14>(mixed_cells);
  check_tables<double, unit_kind::fourth, 4, 3, 12>(other_cells);
}

TEST_CASE("compiled: NVRTC makes code for several architectures, and its refusals are told") {
  using po::gpu_impl::compile_kernels;
  for (int const capability : {80, 90, 100})
    for (bool const rows : {true, false}) {
      auto const code = compile_kernels(short_axis(rows), capability);
      CHECK(code.substr(0, 4) == "\x7f"
                                 "ELF");
      CHECK((code.find("leave_rows") != std::string::npos) == rows);
      CHECK((code.find("solve_columns") != std::string::npos) == !rows);
    }
  auto wrong = short_axis(true);
  wrong.plan.radices.front() = 5; // 12 is no multiple of it
  try {
    compile_kernels(wrong, 90);
    FAIL("no error");
  } catch (wf::vendor_error const& error) {
    CHECK(std::string(error.what()).find("static assertion") != std::string::npos);
  }
  CHECK_THROWS_AS(compile_kernels(short_axis(true), 7), wf::vendor_error);
}

namespace compiled_test {

template <class T>
answer<T> solve_compiled(wf::gpu& place, question<T> const& asked, bool in_place = false,
                         std::size_t shift = 0) {
  po::solver<T, wf::gpu> solver(place, asked.of, po::compiled);
  CHECK(solver.engine_name() == "compiled");
  arrays_of<wf::gpu, T> arrays(place, asked, in_place, shift);
  solver.solve(arrays.fields());
  CHECK(arrays.is_untouched_before());
  if (!in_place) CHECK(arrays.rhs() == asked.rhs);
  return arrays.read_back();
}

template <class T>
question<T> random_question(po::problem const& of, unsigned seed) {
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-.4F, .6F};
  question<T> asked{of, std::vector<T>(size_of(of) * of.batch)};
  for (T& x : asked.rhs) x = uniform(random);
  return asked;
}

/// Against a host in double; alone, in place and from odd addresses the same bits.
template <class T>
void check_problem(wf::gpu& place, po::problem of, unsigned seed) {
  CAPTURE(seed);
  CAPTURE(name_of(of));
  REQUIRE(po::can_compile<T>(place, of));
  auto const asked = random_question<T>(of, seed);
  wf::host host;
  question<double> const wide{of, {asked.rhs.begin(), asked.rhs.end()}};
  auto const expected = solve(host, wide);
  auto const ours = solve_compiled(place, asked);
  CHECK(rms_error(ours.u, expected.u) < (sizeof(T) == 4 ? 1e-5L : 1e-13L) * rms(expected.u));
  CHECK(rms_error(ours.removed, expected.removed) < (sizeof(T) == 4 ? 1e-6L : 1e-14L));
  check_equal(solve_compiled(place, asked, true), ours);
  check_equal(solve_compiled(place, asked, false, 1), ours);
  question<T> last{of, part_of_batch(asked.rhs, of.batch - 1, of.batch)};
  last.of.batch = 1;
  CHECK(solve_compiled(place, last).u == part_of_batch(ours.u, of.batch - 1, of.batch));
}

/// Every kind beside every other one.
template <class T>
void check_kinds(std::size_t height, std::size_t width, unsigned seed) {
  wf::gpu place;
  axis_kind const all[] = {periodic_axis, neumann_cells, mixed_cells, dirichlet_cells, other_cells};
  for (std::size_t y = 0; y < std::size(all); ++y)
    for (std::size_t x = 0; x < std::size(all); ++x) {
      po::problem of{{axis_of(all[y], height), axis_of(all[x], width, 1.5)}};
      of.batch = 3;
      of.symbol = symbol{static_cast<std::uint8_t>((x + y) % 3)};
      if ((x + y) % 4 == 1) of.lambda = 2.5;
      if (po::is_singular(of) && x % 2 == 1) of.gauge = po::gauge::first_point;
      check_problem<T>(place, of, seed++);
    }
}

} // namespace compiled_test

TEST_SUITE("gpu") {
  TEST_CASE("compiled: solutions of every kind of axis") {
    check_kinds<float>(100, 360, 41);
    check_kinds<double>(192, 250, 81);
  }

  TEST_CASE("compiled: beside axes that kernels were built for") {
    wf::gpu place;
    for (auto const& one : axis_kinds) {
#ifdef WARPFOLD_WITHOUT_UNITS // but for periodic axes and cells
      if (one.grid == grid::nodes && one.lower != periodic) continue;
#endif
      check_problem<float>(
          place, {.axes = {axis_with(one, 128), axis_of(neumann_cells, 96)}, .batch = 2}, 5);
      check_problem<float>(
          place, {.axes = {axis_of(periodic_axis, 500), axis_with(one, 256)}, .batch = 2}, 6);
    }
    // Rows of these have wide tiles.
    check_problem<float>(place, {{axis_of(neumann_cells, 100), axis_of(periodic_axis, 16384)}}, 7);
    check_problem<double>(place, {{axis_of(periodic_axis, 150), axis_of(mixed_cells, 4096)}}, 8);
  }

  TEST_CASE("compiled: long axes") {
    wf::gpu place;
    for (std::size_t const n : {1000, 1536, 2500, 3000, 5000, 9000, 12000}) {
      check_problem<float>(place, {{axis_of(periodic_axis, n), axis_of(neumann_cells, 100)}}, 9);
      check_problem<float>(place, {{axis_of(neumann_cells, 100), axis_of(mixed_cells, n)}}, 10);
    }
    for (std::size_t const n : {3000, 6000})
      check_problem<double>(place, {{axis_of(mixed_cells, n), axis_of(periodic_axis, 100)}}, 11);
  }

  TEST_CASE("fast: compiled, with strides, a lambda of a solve, floats for doubles, and graphs") {
    wf::gpu place;
    po::problem of{.axes = {axis_of(neumann_cells, 100), axis_of(periodic_axis, 360)}, .batch = 3};
    auto const asked = random_question<double>(of, 12);
    of.precision = po::precision::single;
    {
      po::problem full = of;
      full.precision = po::precision::full;
      question<float> const narrow{full, {asked.rhs.begin(), asked.rhs.end()}};
      auto const floats = solve_compiled(place, narrow).u;
      question<double> const single{of, asked.rhs};
      CHECK(solve_compiled(place, single).u == std::vector<double>(floats.begin(), floats.end()));
      of = full;
    }
    // Strides: each row has a gap after it.
    std::size_t const gap = 7, row = 360 + gap, rows = 300;
    std::vector<float> spaced(row * rows, 3);
    std::vector<float> dense(asked.rhs.begin(), asked.rhs.end());
    for (std::size_t y = 0; y < rows; ++y)
      for (std::size_t x = 0; x < 360; ++x) spaced[y * row + x] = dense[y * 360 + x];
    wf::device_buffer<float> rhs(place, spaced), solution(place, spaced);
    po::solver<float, wf::gpu> solver(place, of, po::compiled, {.strided_fields = true});
    po::field_layout const layout{{row, 1, 0}, 100 * row};
    po::fields<float, wf::gpu> const fields{.rhs = rhs.span(),
                                            .solution = solution.span(),
                                            .rhs_layout = layout,
                                            .solution_layout = layout};
    auto const expected = solve_compiled(place, question<float>{of, dense}).u;
    auto const check = [&](std::vector<float> const& wanted) {
      auto const got = contents(place, solution.span());
      bool same = true, untouched = true;
      for (std::size_t y = 0; y < rows; ++y) {
        for (std::size_t x = 0; x < 360; ++x) same &= got[y * row + x] == wanted[y * 360 + x];
        for (std::size_t x = 360; x < row; ++x) untouched &= got[y * row + x] == 3;
      }
      CHECK(same);
      CHECK(untouched);
    };
    solver.solve(fields);
    check(expected);
    captured graph(place, [&] { solver.solve_async(fields); });
    wf::copy(place, spaced, solution.span());
    graph.launch();
    place.synchronize();
    check(expected);
    po::problem damped = of;
    damped.lambda = 4;
    solver.solve(fields, 4);
    check(solve_compiled(place, question<float>{damped, dense}).u);
  }

  TEST_CASE("compiled: other problems are solved as without it") {
    wf::gpu place;
    auto const square = [](po::axis const& along) { return po::problem{{along, along}}; };
    po::problem derived = square(axis_of(periodic_axis, 100));
    derived.gradient = true;
    po::problem box = square(axis_of(periodic_axis, 100));
    box.axes.push_back(box.axes[0]);
    for (po::problem const& of :
         {square(axis_of(periodic_axis, 512)), po::problem{{axis_of(periodic_axis, 3000)}},
          square(axis_of(periodic_axis, 131)),
          square(axis_of({neumann, neumann, grid::nodes}, 101)),
          square(axis_of({neumann, dirichlet, grid::nodes}, 100)), derived, box}) {
      CAPTURE(name_of(of));
      CHECK_FALSE(po::can_compile<float>(place, of));
      po::solver<float, wf::gpu> const with(place, of, po::compiled), without(place, of);
      CHECK(with.engine_name() == without.engine_name());
    }
  }
}

TEST_CASE("compiled: a host solves as without it") {
  wf::host place;
  po::problem const of{{axis_of(periodic_axis, 100), axis_of(neumann_cells, 100)}};
  auto const asked = random_question<float>(of, 3);
  po::solver<float, wf::host> solver(place, of, po::compiled);
  arrays_of<wf::host, float> arrays(place, asked);
  solver.solve(arrays.fields());
  check_equal(arrays.read_back(), solve(place, asked));
}
