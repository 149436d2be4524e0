// Poisson's solver by cuFFT and by the course on a GPU, against FFTW's on the host.

#include "poisson.hpp"

#include <cmath>
#include <random>

namespace {

using namespace test;
namespace wf = warpfold;

template <class T>
std::vector<T> random_values(std::mt19937& random, std::size_t size) {
  std::uniform_real_distribution<T> uniform{-1, 1};
  std::vector<T> values(size);
  for (T& x : values) x = uniform(random);
  return values;
}

/// Any problem of few points, with boundary values where it may have them.
template <class T>
question<T> any_question(std::mt19937& random, bool periodic_only) {
  auto const below = [&random](std::size_t count) { return random() % count; };
  question<T> asked;
  std::size_t const dimensions = 1 + below(3);
  std::size_t const most = dimensions == 1 ? 300 : dimensions == 2 ? 70 : 20;
  for (std::size_t d = 0; d < dimensions; ++d)
    asked.of.axes.push_back(axis_of(kinds[below(periodic_only ? 2 : std::size(kinds))],
                                    1 + below(below(3) == 0 ? 3 : most),
                                    0.5 + static_cast<double>(below(8)) / 4));
  asked.of.stands = static_cast<symbol>(below(3));
  asked.of.batch = 1 + below(3);
  asked.of.gradient = below(2) == 0;
  if (below(3) == 0) asked.of.lambda = 1.25;
  if (po::is_singular(asked.of) && below(2) == 0) asked.of.fixed_by = po::gauge::first_point;
  std::size_t size = asked.of.batch;
  for (auto const& along : asked.of.axes) size *= along.points;
  asked.rhs = random_values<T>(random, size);
  if (asked.of.stands != symbol::spectral)
    for (std::size_t d = 0; d < dimensions; ++d) {
      po::axis const& along = asked.of.axes[d];
      // On long axes they are large against the solution, and rounding with them.
      if (along.lower == periodic || along.points > 40) continue;
      if (below(2)) asked.lower[d] = random_values<T>(random, size / along.points);
      if (below(2)) asked.upper[d] = random_values<T>(random, size / along.points);
    }
  return asked;
}

template <class T>
double norm(std::vector<T> const& values) {
  double squares = 0;
  for (T const x : values) squares += static_cast<double>(x) * static_cast<double>(x);
  return std::sqrt(squares);
}

template <class T>
double distance(std::vector<T> const& a, std::vector<T> const& b) {
  REQUIRE(a.size() == b.size());
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    differences[i] = static_cast<double>(a[i]) - static_cast<double>(b[i]);
  return norm(differences);
}

/// What rounding may do: to solutions and derivatives as they are multiples of one another, to
/// means as they are ones of values of about 1.
template <class T>
constexpr double rounding = 200 * static_cast<double>(std::numeric_limits<T>::epsilon());

template <class T>
void check_same(answer<T> const& a, answer<T> const& b) {
  double const scale = norm(b.u) + std::sqrt(static_cast<double>(b.u.size())) / 100;
  CHECK(distance(a.u, b.u) <= rounding<T> * scale);
  for (std::size_t d = 0; d < 3; ++d) {
    CAPTURE(d);
    // A derivative magnifies errors by up to a wavenumber.
    if (!b.gradient[d].empty())
      CHECK(distance(a.gradient[d], b.gradient[d]) <=
            rounding<T> * (norm(b.gradient[d]) + 100 * scale));
  }
  for (std::size_t i = 0; i < b.removed.size(); ++i)
    CHECK(std::abs(a.removed[i] - b.removed[i]) <= 200 * std::numeric_limits<T>::epsilon());
}

template <class T>
void check_any(unsigned seed, int count, bool periodic_only) {
  std::mt19937 random{seed};
  wf::gpu gpu;
  wf::host host;
  for (int i = 0; i < count; ++i) {
    question<T> const asked = any_question<T>(random, periodic_only);
    CAPTURE(i);
    bool const in_place = random() % 2 == 0;
    check_same(solve(gpu, asked, engine::vendor, in_place), solve(host, asked));
  }
}

po::problem square_of(std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of{{axis_of(kinds[0], rows), axis_of(kinds[0], columns, 1.5)}};
  of.fixed_by = po::gauge::first_point;
  of.batch = batch;
  return of;
}

} // namespace

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: poisson by cuFFT is that by FFTW", T, float, double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    check_any<T>(seed, 12, false);
    check_any<T>(seed, 4, true);
  }

  TEST_CASE_TEMPLATE("poisson by cuFFT is that by FFTW, many problems", T, float, double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    check_any<T>(seed, 250, false);
    check_any<T>(seed, 50, true);
  }

  TEST_CASE_TEMPLATE("fast: poisson by the course is that by cuFFT", T, float, double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    wf::gpu gpu;
    for (auto const& of :
         {square_of(1, 1), square_of(16, 16), square_of(37, 50, 3), square_of(64, 15, 2)}) {
      CAPTURE(of.axes[0].points);
      std::size_t const size = of.axes[0].points * of.axes[1].points * of.batch;
      question<T> const asked{of, random_values<T>(random, size)};
      auto const expected = solve(gpu, asked, engine::vendor);
      for (auto const version : {engine::course, engine::course_shared, engine::course_coalesced})
        for (bool const in_place : {false, true})
          check_same(solve(gpu, asked, version, in_place), expected);
    }
  }

  // Not of lengths with larger primes: there cuFFT's way depends on how many it transforms.
  TEST_CASE_TEMPLATE("poisson by cuFFT has the same bits in any batch of smooth lengths", T, float,
                     double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    wf::gpu gpu;
    for (std::size_t const columns : {64, 100, 105})
      for (kind const& along : {kinds[0], kinds[2], kinds[5], kinds[7]}) {
        CAPTURE(columns);
        po::problem of{{axis_of(along, 48), axis_of(kinds[0], columns)}};
        std::size_t const size = of.axes[0].points * columns;
        question<T> asked{of, random_values<T>(random, 5 * size)};
        asked.of.batch = 5;
        auto const together = solve(gpu, asked, engine::vendor);
        for (std::size_t i = 0; i < 5; ++i) {
          auto const begin = asked.rhs.begin() + static_cast<std::ptrdiff_t>(i * size);
          auto const end = begin + static_cast<std::ptrdiff_t>(size);
          auto const alone = solve(gpu, question<T>{of, {begin, end}}, engine::vendor);
          bool same = true;
          for (std::size_t j = 0; j < size; ++j)
            same = same && alone.u[j] == together.u[i * size + j];
          CHECK(same);
        }
      }
  }

  TEST_CASE_TEMPLATE("fast: poisson by cuFFT and the course: any alignment, graphs", T, float,
                     double) {
    unsigned const seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    wf::gpu gpu;
    auto const check = [&](po::problem const& of, engine how) {
      CAPTURE(to_string(how));
      std::size_t const size = of.axes[0].points * of.axes[1].points * of.batch;
      question<T> const asked{of, random_values<T>(random, size)};
      po::solver<T, wf::gpu> solver(gpu, of, how, {.own_workspace = false});
      wf::device_buffer<std::byte> workspace(gpu, solver.workspace_size());
      solver.use_workspace(workspace);
      auto padded = asked.rhs;
      padded.insert(padded.begin(), T{0});
      memory_of<wf::gpu, T> rhs(gpu, padded), u(gpu, std::vector<T>(size + 1)),
          dy(gpu, std::vector<T>(size + 1)), dx(gpu, std::vector<T>(size + 1));
      po::fields<T, wf::gpu> fields{rhs.view(1, size), u.view(1, size)};
      if (of.gradient) fields.gradient = {dy.view(1, size), dx.view(1, size)};
      captured graph(gpu, [&] { solver.solve_async(fields); });
      graph.launch();
      graph.launch();
      auto const expected = solve(gpu, asked, how);
      answer<T> const result{read(gpu, u.view(1, size)), {}, expected.removed};
      CHECK(result.u == expected.u);
      if (of.gradient) {
        CHECK(read(gpu, dy.view(1, size)) == expected.gradient[0]);
        CHECK(read(gpu, dx.view(1, size)) == expected.gradient[1]);
      }
      CHECK(read(gpu, rhs.view(1, size)) == asked.rhs);
    };
    for (auto const how :
         {engine::vendor, engine::course, engine::course_shared, engine::course_coalesced})
      check(square_of(30, 21, 2), how);
    for (std::size_t const columns : {20, 21, 131}) {
      po::problem of = square_of(12, columns, 2);
      of.gradient = true;
      check(of, engine::vendor);
      of.axes[0] = axis_of(kinds[3], 12);
      of.fixed_by = po::gauge::zero_mean;
      check(of, engine::vendor);
    }
  }
}
