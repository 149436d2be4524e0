// Passes along lines in the emulator, for every boundary and many lengths, against FFTW.

#include "simt/poisson/solved.hpp"
#include "simt/simt.hpp"

#include <poisson/layout.hpp>
#include <poisson/lines/lines_passes.hpp>

#include <fftw3.h>

#include <array>
#include <cstring>
#include <limits>

namespace {

using namespace warpfold::poisson;
using simt::solved;

fftw_r2r_kind kind_of(transform of, bool inverse) {
  switch (of) {
  case transform::fourier: return inverse ? FFTW_HC2R : FFTW_R2HC;
  case transform::cosine_1: return FFTW_REDFT00;
  case transform::cosine_2: return inverse ? FFTW_REDFT01 : FFTW_REDFT10;
  case transform::cosine_3: return inverse ? FFTW_REDFT10 : FFTW_REDFT01;
  case transform::cosine_4: return FFTW_REDFT11;
  case transform::sine_1: return FFTW_RODFT00;
  case transform::sine_2: return inverse ? FFTW_RODFT01 : FFTW_RODFT10;
  case transform::sine_3: return inverse ? FFTW_RODFT10 : FFTW_RODFT01;
  default: return FFTW_RODFT11;
  }
}

/// One right-hand side, transformed in place along all axes.
void transform_all(plan const& of, double* values, bool inverse) {
  int const rank = static_cast<int>(of.axes.size());
  int points[3] = {};
  fftw_r2r_kind kinds[3] = {};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    points[d] = static_cast<int>(of.axes[d].points);
    kinds[d] = kind_of(of.axes[d].forward, inverse);
  }
  fftw_plan const made = fftw_plan_r2r(rank, points, values, values, kinds, FFTW_ESTIMATE);
  REQUIRE(made != nullptr);
  fftw_execute(made);
  fftw_destroy_plan(made);
}

/// Solves one right-hand side in place; returns what the first mode says of the mean.
double solve_by_fftw(plan const& of, double* values) {
  transform_all(of, values, false);
  double const mean = of.singular ? values[0] * of.scale() : 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::size_t left = i;
    double divisor = -of.problem.lambda;
    for (std::size_t d = of.axes.size(); d-- > 0;) {
      divisor += of.axes[d].eigenvalues[left % of.axes[d].points];
      left /= of.axes[d].points;
    }
    values[i] = divisor == 0 ? 0 : values[i] * of.scale() / divisor;
  }
  transform_all(of, values, true);
  if (of.problem.gauge == gauge::first_point) {
    double const first = values[0];
    for (std::size_t i = 0; i < of.size(); ++i) values[i] -= first;
  }
  return mean;
}

template <class T, bool Strided>
void work(simt::block const& block, line_pass<T> const& pass, complex<T>* shared) {
  switch (pass.axis.kind) {
  case line_kind::fourier:
    return work_on_lines<T, Strided, line_kind::fourier>(block, pass, shared);
  case line_kind::second: return work_on_lines<T, Strided, line_kind::second>(block, pass, shared);
  case line_kind::third: return work_on_lines<T, Strided, line_kind::third>(block, pass, shared);
  case line_kind::fourth: return work_on_lines<T, Strided, line_kind::fourth>(block, pass, shared);
  default: return work_on_lines<T, Strided, line_kind::first>(block, pass, shared);
  }
}

/// Arrays that begin `offset` elements after an aligned address.
template <class T>
solved<T> solve_in_lines(simt::options const& how, plan const& of, std::vector<T> const& rhs,
                         std::size_t offset, field_layout const& rhs_layout,
                         field_layout const& solution_layout) {
  std::vector<line_tables<T>> tables;
  std::vector<placed_line<T>> lines;
  for (std::size_t d = 0; d < of.axes.size(); ++d)
    tables.push_back(make_line<T>(of.axes[d], line_shift<T>(of, d)));
  for (auto const& t : tables)
    lines.push_back({t.at(t.complexes.data(), t.eigenvalues.data(), t.places.data()),
                     t.first_point.data(), t.period});
  std::size_t const reach = offset + extent_of(of.problem, solution_layout);
  simt::poisoned<T> in(offset + extent_of(of.problem, rhs_layout)), out(reach), nothing(1),
      means(of.problem.batch), constants(of.problem.batch);
  T const* from = in.data() + offset;
  T* const to = out.data() + offset;
  auto const in_places = simt::places(of.problem, rhs_layout),
             out_places = simt::places(of.problem, solution_layout);
  for (std::size_t i = 0; i < rhs.size(); ++i) in[offset + in_places[i]] = rhs[i];
  field_layout const* layout = &rhs_layout;
  bool is_fixed = of.problem.gauge == gauge::zero_mean || of.axes.size() == 1;
  for (auto const& launch : make_passes<T>(of, lines)) {
    line_pass<T> pass =
        with_arrays(launch, launch.dense.between(*layout, solution_layout), from, to);
    pass.removed_mean = means.data();
    if (pass.role == line_role::backward && !is_fixed) {
      first_points<T> first = first_points_of(of, lines);
      first.modes = to;
      first.values = constants.data();
      first.entry = solution_layout.batch;
      first.row = solution_layout.strides[1];
      simt::launch<first_point_shared>(
          static_cast<int>(of.problem.batch), first_point_threads, {},
          [&](auto const& block, auto& shared) { sum_first_point(block, first, shared); });
      is_fixed = true;
    }
    bool const is_last = pass.role == line_role::backward && !launch.is_strided;
    if (is_last && of.problem.gauge == gauge::first_point) pass.subtracted = constants.data();
    simt::launch({launch.blocks, launch.threads, launch.shared}, how,
                 [&](simt::block const& block, void* memory) {
                   auto* const shared = static_cast<complex<T>*>(memory);
                   if (launch.is_strided) work<T, true>(block, pass, shared);
                   else work<T, false>(block, pass, shared);
                 });
    from = to;
    layout = &solution_layout;
  }
  solved<T> found{{}, {means.data(), means.data() + of.problem.batch}};
  for (std::size_t const at : out_places) {
    found.solutions.push_back(to[at]);
    to[at] = nothing[0];
  }
  // Nothing was written between the elements.
  for (std::size_t i = 0; i < reach; ++i)
    if (std::memcmp(&out[i], nothing.data(), sizeof(T)) != 0) return {};
  return found;
}
template <class T>
solved<T> solve_in_lines(simt::options const& how, plan const& of, std::vector<T> const& rhs,
                         std::size_t offset) {
  field_layout const dense = completed(of.problem, {});
  return solve_in_lines(how, of, rhs, offset, dense, dense);
}

template <class T>
std::vector<T> random_values(std::size_t size) {
  std::mt19937 random{simt::seed()};
  std::uniform_real_distribution<double> value{-1, 1};
  std::vector<T> made(size);
  for (T& x : made) x = static_cast<T>(value(random));
  return made;
}

/// The largest difference, of the largest value and of the means.
template <class T>
double difference(plan const& of, solved<T> const& found, std::vector<T> const& rhs) {
  std::vector<double> expected(rhs.begin(), rhs.end());
  double worst = 0, largest = std::numeric_limits<double>::min();
  for (std::size_t b = 0; b < of.problem.batch; ++b) {
    double const mean = solve_by_fftw(of, expected.data() + b * of.size());
    worst = std::max(worst, std::abs(mean - static_cast<double>(found.means[b])));
    if (!(worst < 1)) return worst;
  }
  for (double const x : expected) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double const off = std::abs(expected[i] - static_cast<double>(found.solutions[i])) / largest;
    if (!(off <= worst)) worst = off; // a NaN too
  }
  return worst;
}

template <class T>
void check(problem const& of, std::size_t offset) {
  plan const planned = make_plan(of, sizeof(T));
  auto const rhs = random_values<T>(planned.size() * of.batch);
  simt::options const how{
      .lanes = simt::order::random, .blocks = simt::order::random, .seed = simt::seed()};
  auto const found = solve_in_lines<T>(how, planned, rhs, offset);
  if (of.gauge == gauge::first_point)
    for (std::size_t b = 0; b < of.batch; ++b) CHECK(found.solutions[b * planned.size()] == 0);
  // Ten times the largest seen.
  CHECK(difference(planned, found, rhs) < (sizeof(T) == 4 ? 1e-5 : 2e-14));
}

/// Every transform of so many points.
std::vector<axis> axes_of(std::size_t points) {
  std::vector<axis> made{{points, 2}};
  for (grid const on : {grid::cells, grid::nodes})
    for (boundary const lower : {boundary::dirichlet, boundary::neumann})
      for (boundary const upper : {boundary::dirichlet, boundary::neumann})
        if (points > 1 || on == grid::cells || lower != upper || lower == boundary::dirichlet)
          made.push_back({points, 2, lower, upper, on});
  return made;
}

bool fits(axis const& of) {
  problem alone;
  alone.axes = {of};
  return fits_lines(make_plan(alone), sizeof(double));
}

std::string name_of(problem const& of) {
  std::string name;
  for (auto const& a : of.axes)
    name += std::to_string(a.points) + " points, " + std::to_string(static_cast<int>(a.lower)) +
            " to " + std::to_string(static_cast<int>(a.upper)) + " on " +
            std::to_string(static_cast<int>(a.grid)) + "; ";
  return name + "batch " + std::to_string(of.batch) + ", gauge " +
         std::to_string(static_cast<int>(of.gauge));
}

} // namespace

TEST_CASE("lines: one axis of every boundary and length") {
  std::vector<std::size_t> sizes{67, 101, 105, 122, 127, 128, 143, 210, 211, 343, 1000};
  for (std::size_t n = 1; n <= 64; ++n) sizes.push_back(n);
  for (std::size_t const n : sizes)
    for (auto const& a : axes_of(n)) {
      REQUIRE(fits(a));
      problem of;
      of.axes = {a};
      of.batch = 2;
      if (is_singular(of) && n % 2 == 0) of.gauge = gauge::first_point;
      CAPTURE(name_of(of));
      check<double>(of, 0);
      check<float>(of, n % 2);
    }
}

TEST_CASE("lines: two and three axes of any boundaries") {
  std::mt19937 random{simt::seed()};
  std::size_t const sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 20, 24, 60};
  auto const pick = [&](std::size_t most) {
    for (;;) {
      std::size_t const n = sizes[random() % std::size(sizes)];
      auto const all = axes_of(n);
      axis const one = all[random() % all.size()];
      if (n <= most) return one;
    }
  };
  for (int i = 0; i < 150; ++i) {
    problem of;
    of.axes = {pick(60), pick(60)};
    if (i % 2 == 0) of.axes = {pick(16), pick(16), pick(16)};
    if (i % 3 == 0)
      for (auto& a : of.axes) {
        a.lower = a.upper = random() % 2 ? boundary::neumann : boundary::periodic;
        a.grid = grid::cells;
      }
    of.batch = 1 + random() % 2;
    of.symbol = static_cast<symbol>(random() % 3);
    if (!is_singular(of)) of.lambda = random() % 2 ? 1.5 : 0;
    else if (random() % 2) of.gauge = gauge::first_point;
    CAPTURE(name_of(of));
    CAPTURE(simt::seed());
    check<double>(of, 0);
    check<float>(of, random() % 2);
  }
}

TEST_CASE("lines: fields with gaps have the bits of dense ones") {
  std::mt19937 random{simt::seed()};
  auto const pick = [&](std::size_t most) { return random() % most; };
  for (int i = 0; i < 120; ++i) {
    problem of;
    for (std::size_t d = 0; d <= 2 - pick(2); ++d) {
      auto const all = axes_of(std::array{1, 2, 5, 6, 8, 9, 12, 15}[pick(8)]);
      of.axes.push_back(all[pick(all.size())]);
    }
    of.batch = 1 + pick(3);
    if (is_singular(of) && i % 2 == 0) of.gauge = gauge::first_point;
    auto const with_gaps = [&] { return simt::layout_with_gaps(of, 4, pick); };
    CAPTURE(name_of(of));
    CAPTURE(simt::seed());
    plan const planned = make_plan(of, sizeof(float));
    auto const rhs = random_values<float>(planned.size() * of.batch);
    simt::options const how{
        .lanes = simt::order::random, .blocks = simt::order::random, .seed = simt::seed()};
    auto const expected = solve_in_lines<float>(how, planned, rhs, 0);
    field_layout const dense = completed(of, {});
    for (std::size_t given = 1; given < 4; ++given) {
      auto const found =
          solve_in_lines<float>(how, planned, rhs, pick(2), given & 1 ? with_gaps() : dense,
                                given & 2 ? with_gaps() : dense);
      CHECK(found == expected);
    }
  }
}

/// So many problems that a block has lines of several: each has the bits of one alone.
template <class T>
void check_batch(problem of, std::size_t batch) {
  plan const one = make_plan(of, sizeof(T));
  of.batch = batch;
  plan const planned = make_plan(of, sizeof(T));
  auto const rhs = random_values<T>(planned.size() * batch);
  simt::options const how{
      .lanes = simt::order::random, .blocks = simt::order::random, .seed = simt::seed()};
  auto const found = solve_in_lines<T>(how, planned, rhs, 0);
  CAPTURE(name_of(of));
  REQUIRE(found.solutions.size() == rhs.size());
  for (std::size_t b = 0; b < batch; b += b + 4 < batch ? 97 : 1) {
    CAPTURE(b);
    auto const begin = static_cast<std::ptrdiff_t>(b * one.size());
    auto const end = begin + static_cast<std::ptrdiff_t>(one.size());
    auto const alone =
        solve_in_lines<T>(how, one, std::vector<T>(rhs.begin() + begin, rhs.begin() + end), 0);
    CHECK(alone.means[0] == found.means[b]);
    CHECK(std::equal(alone.solutions.begin(), alone.solutions.end(),
                     found.solutions.begin() + begin));
  }
}

TEST_CASE_TEMPLATE("lines: blocks take lines of several problems", T, float, double) {
  for (gauge const fixed : {gauge::zero_mean, gauge::first_point}) {
    for (std::size_t const n : {3, 8, 15})
      check_batch<T>(
          {.axes = {{n, 2, boundary::neumann, boundary::neumann, grid::cells}}, .gauge = fixed},
          4803);
    check_batch<T>({.axes = {{3, 1}, {4, 1}, {5, 1}}, .gauge = fixed}, 401);
    check_batch<T>({.axes = {{5, 1, boundary::neumann, boundary::neumann, grid::nodes}, {6, 1}},
                    .gauge = fixed},
                   801);
  }
}

TEST_CASE("lines: lengths that fit, and those of their stages") {
  for (std::size_t const element : {sizeof(float), sizeof(double)}) {
    CHECK(staged_length(0, element) == 0);
    for (std::size_t const n : {1, 2, 7, 15, 210, 12'800}) CHECK(staged_length(n, element) == n);
    std::size_t longest = 0;
    for (std::size_t n = 11; n < 30'000; n += 1 + n / 64) {
      std::size_t const staged = staged_length(n, element);
      if (radices_of(n).empty() && staged > 0) {
        CHECK(staged >= 2 * n - 1);
        CHECK(8 * staged < 18 * n + 64);
        CHECK_FALSE(radices_of(staged).empty());
        longest = n;
      }
      CHECK(most_room(staged) * 2 * element <= most_line_shared);
    }
    CHECK(longest > (sizeof(float) * 12'000) / element);
    CHECK(staged_length(sizeof(float) * 12'917 / element, element) == 0);
    CHECK(staged_length(30'000, element) == 0);
  }
}

TEST_CASE("lines: every barrier is needed") {
  problem of;
  SUBCASE("of stages") {
    of.axes = {{60, 2}, {60, 2, boundary::neumann, boundary::neumann, grid::cells}};
  }
  SUBCASE("of convolutions") {
    of.axes = {{67, 2, boundary::neumann, boundary::neumann, grid::cells}, {67, 2}};
  }
  of.gauge = gauge::first_point;
  plan const planned = make_plan(of, sizeof(double));
  auto const rhs = random_values<double>(planned.size());
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return difference(planned, solve_in_lines<double>(how, planned, rhs, 0), rhs) < 1e-13;
        }) == "");
}
