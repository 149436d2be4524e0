// Boxes of powers of two by fused kernels, against cuFFT in double: squares, periodic or of cells,
// in three passes, periodic cubes in five, and single axes in one.

#include "poisson.hpp"
#include "poisson/backend.hpp"

#include <warpfold/random.hpp>

#include <cmath>

namespace poisson_boxes_test {

using namespace test;
namespace wf = warpfold;

constexpr symbol symbols[] = {symbol::spectral, symbol::second_order, symbol::fourth_order};
constexpr boundary ends[] = {neumann, dirichlet};

po::problem square(std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of{{{.points = rows, .length = 1.5}, {.points = columns, .length = .75}}};
  of.batch = batch;
  return of;
}

/// With the boundary along y and that along x.
po::problem cells(std::size_t rows, std::size_t columns, boundary y, boundary x,
                  std::size_t batch = 1) {
  po::problem of = square(rows, columns, batch);
  for (auto& axis : of.axes) axis.grid = grid::cells;
  of.axes[0].lower = of.axes[0].upper = y;
  of.axes[1].lower = of.axes[1].upper = x;
  return of;
}

/// For one axis, whose transform has the length n.
po::problem line(std::size_t n, axis_kind const& kind, std::size_t batch = 1) {
  po::problem of{{axis_with(kind, n, 1.5)}};
  of.batch = batch;
  return of;
}
/// The longest that units take.
template <class T>
std::size_t most_of_line(axis_kind const& kind) {
  return (sizeof(T) == 4 ? 16384 : 8192) * (is_of_type_1(kind) ? 1 : 2);
}

po::problem cube(std::size_t depth, std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of{{{.points = depth, .length = 1.25},
                  {.points = rows, .length = 1.5},
                  {.points = columns, .length = .75}}};
  of.batch = batch;
  return of;
}

/// Right-hand sides of numbers about .1, so that there is a mean to remove.
template <class T>
question<T> numbers(po::problem const& of, unsigned seed) {
  std::mt19937 random{seed};
  std::uniform_real_distribution<float> uniform{-.4F, .6F};
  question<T> asked{of, std::vector<T>(size_of(of) * of.batch)};
  for (T& x : asked.rhs) x = static_cast<T>(uniform(random));
  if (!po::is_singular(of)) // what is not removed is +0, also of negative sums
    for (T& x : asked.rhs) x = -x;
  return asked;
}

/// Rounding: a few units of the last place for each of the stages.
template <class T>
constexpr real tolerance = sizeof(T) == 4 ? 1e-5L : 1e-13L;

template <class T>
void check_fused(wf::gpu& place, po::problem const& of, unsigned seed) {
  CAPTURE(name_of(of));
  CAPTURE(seed);
  auto const asked = numbers<T>(of, seed);
  auto const expected = solve(place, numbers<double>(of, seed), engine::vendor);
  auto const ours = solve(place, asked, engine::fused);
  CHECK(rms_error(ours.u, expected.u) < tolerance<T> * rms(expected.u));
  for (std::size_t b = 0; b < of.batch; ++b) {
    CHECK(static_cast<double>(ours.removed[b]) ==
          doctest::Approx(expected.removed[b]).epsilon(1e-5));
    CHECK(std::signbit(ours.removed[b]) == std::signbit(expected.removed[b]));
  }
  CHECK(solve(place, asked, engine::fused, true) == ours);
}

/// Some boxes, each with another seed.
template <class T>
void check_fused(std::vector<po::problem> const& boxes, unsigned seed) {
  wf::gpu place;
  for (auto const& of : boxes) check_fused<T>(place, of, ++seed);
}

/// A singular problem with either gauge, and with lambda.
template <class T>
void check_symbol(po::problem of, symbol stands) {
  wf::gpu place;
  of.symbol = stands;
  check_fused<T>(place, of, 5);
  of.gauge = po::gauge::first_point;
  check_fused<T>(place, of, 6);
  auto const fixed = solve(place, numbers<T>(of, 7), engine::fused);
  for (std::size_t b = 0; b < of.batch; ++b) CHECK(fixed.u[size_of(of) * b] == 0);
  of.gauge = po::gauge::zero_mean;
  of.lambda = 3.25;
  check_fused<T>(place, of, 8);
}

/// One of a batch, alone: it has the bits that it has among others.
template <class T>
answer<T> check_alone(wf::gpu& place, question<T> const& asked, answer<T> const& all,
                      std::size_t number) {
  auto const batch = asked.of.batch;
  question<T> alone{asked.of, part_of_batch(asked.rhs, number, batch)};
  alone.of.batch = 1;
  auto const got = solve(place, alone, engine::fused);
  CHECK(got.u == part_of_batch(all.u, number, batch));
  return got;
}

/// The same bits wherever arrays begin.
template <class T>
void check_anywhere(std::vector<po::problem> const& boxes, unsigned seed) {
  wf::gpu place;
  for (auto const& of : boxes) {
    auto const asked = numbers<T>(of, seed);
    auto const ours = solve(place, asked, engine::fused);
    for (std::size_t shift = 1; shift < 4; ++shift)
      CHECK(solve(place, asked, engine::fused, true, shift).u == ours.u);
    check_alone(place, asked, ours, 1);
  }
}

template <class T>
po::gpu_impl::fused_form form_of(wf::gpu const& place, po::problem const& of) {
  return po::gpu_impl::form_of(place, po::make_plan(of, sizeof(T)), sizeof(T));
}
/// Rows of long units that a block of this GPU has room for.
template <class T>
std::size_t longest(wf::gpu const& place) {
  std::size_t const most = sizeof(T) == 4 ? 32768 : 16384;
  return po::gpu_impl::most_shared(place) < (160 << 10) ? most / 2 : most;
}
/// Solutions of large squares against cuFFT's, where they are not aligned, and the last one of a
/// batch alone: every 61st row, since hosts take long to look at all of them. Returns the rows.
template <class T>
std::vector<T> check_rows(wf::gpu& place, po::problem const& of) {
  CAPTURE(name_of(of));
  std::size_t const size = size_of(of), all = size * of.batch, width = of.axes[1].points;
  std::size_t const rows = (all / width + 60) / 61;
  using solver = po::solver<T, wf::gpu>;
  wf::device_buffer<T> rhs(place, all), ours(place, all + 1), theirs(place, all);
  wf::device_buffer<T> mean(place, of.batch), expected_mean(place, of.batch);
  wf::random::normal_async(place, rhs.span(), {.seed = 31});
  auto const some_of = [&](T const* field, std::size_t count) {
    std::vector<T> found(count * width);
    std::size_t const bytes = width * sizeof(T);
    place.synchronize();
    wf::check(
        cudaMemcpy2D(found.data(), bytes, field, 61 * bytes, bytes, count, cudaMemcpyDefault));
    return found;
  };
  solver(place, of, engine::vendor)
      .solve({.rhs = rhs, .solution = theirs, .removed_mean = expected_mean});
  auto const solution = ours.span().subspan(0, all), shifted = ours.span().subspan(1, all);
  solver(place, of, engine::fused).solve({.rhs = rhs, .solution = solution, .removed_mean = mean});
  auto const got = some_of(solution.data(), rows), expected = some_of(theirs.data(), rows);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    error += std::pow(static_cast<double>(got[i]) - static_cast<double>(expected[i]), 2);
    norm += std::pow(static_cast<double>(expected[i]), 2);
  }
  CHECK(norm > 0);
  CHECK(std::sqrt(error / norm) < static_cast<double>(tolerance<T>));
  auto const means = wf::to_vector(place, mean),
             expected_means = wf::to_vector(place, expected_mean);
  for (std::size_t b = 0; b < of.batch; ++b)
    CHECK(std::abs(static_cast<double>(means[b] - expected_means[b])) <
          static_cast<double>(tolerance<T>));

  solver(place, of, engine::fused).solve({.rhs = rhs, .solution = shifted});
  CHECK(some_of(shifted.data(), rows) == got);
  po::problem alone = of;
  alone.batch = 1;
  std::size_t const before = all - size;
  solver(place, alone, engine::fused)
      .solve({.rhs = rhs.span().subspan(before, size), .solution = theirs.span().subspan(0, size)});
  solver(place, of, engine::fused).solve({.rhs = rhs, .solution = solution});
  std::size_t const count = (size / width + 60) / 61;
  CHECK(some_of(theirs.data(), count) == some_of(solution.data() + before, count));
  return got;
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: squares and other boxes of powers of two are cuFFT's", T, float,
                     double) {
    for (std::size_t const n : {64, 128, 256})
      check_fused<T>({square(n, n), square(64, 2 * n, 3), square(2 * n, 128, 2)},
                     91 + static_cast<unsigned>(n));
  }
  TEST_CASE_TEMPLATE("boxes of every power of two are cuFFT's", T, float, double) {
    for (std::size_t n = 512; n <= (sizeof(T) == 4 ? 16384 : 8192); n *= 2) {
      check_fused<T>({square(n, 64), square(64, n, 2)}, 17);
      if (n <= 4096) check_fused<T>({square(n, n)}, 23);
    }
  }
#ifndef WARPFOLD_WITHOUT_UNITS
  TEST_CASE_TEMPLATE("squares that are longer than units are cuFFT's", T, float, double) {
    wf::gpu place;
    using enum po::gpu_impl::fused_form;
    std::size_t const all = sizeof(T) == 4 ? 32768 : 16384, most = longest<T>(place);
    for (auto const& of : {square(4096, most), square(8192, most), square(16384, most),
                           square(32768, most / 2), square(65536, all / 4)}) {
      CHECK(form_of<T>(place, of) == long_units);
      check_rows<T>(place, of);
    }
    CHECK(form_of<T>(place, square(131072, all / 4)) == none);
    CHECK(form_of<T>(place, square(2048, all)) == none);
    CHECK(form_of<T>(place, cells(4096, all, neumann, periodic)) == none);
    CHECK(po::solver<T, wf::gpu>(place, square(4096, most)).engine_name() == "fused");
    auto of = square(4096, most, 2);
    of.symbol = symbol::second_order;
    check_rows<T>(place, of);
    of.gauge = po::gauge::first_point;
    CHECK(check_rows<T>(place, of)[0] == 0);
    of.gauge = po::gauge::zero_mean;
    of.lambda = 3.25;
    check_rows<T>(place, of);
  }
#endif
  TEST_CASE_TEMPLATE("fast: symbols, lambda and the first point", T, float, double) {
    for (symbol const stands : symbols) check_symbol<T>(square(128, 256, 2), stands);
  }
  TEST_CASE_TEMPLATE("fast: arrays may begin anywhere, and batches are solved alike", T, float,
                     double) {
    check_anywhere<T>({square(64, 128, 3), square(128, 64, 3)}, 11);
  }
  TEST_CASE_TEMPLATE("one square alone is solved like one of many", T, float, double) {
    wf::gpu place;
    for (std::size_t const n : {64, 128, 256, 512, 1024}) {
      CAPTURE(n);
      auto const asked = numbers<T>(square(n, n, (1 << 22) / (n * n)), 13);
      auto const many = solve(place, asked, engine::fused);
      for (std::size_t const b : {std::size_t{0}, asked.of.batch - 1})
        CHECK(check_alone(place, asked, many, b).removed[0] == many.removed[b]);
    }
  }

  TEST_CASE_TEMPLATE("fast: cells between boundaries of one kind are cuFFT's", T, float, double) {
    for (auto const y : ends)
      check_fused<T>({cells(64, 128, y, ends[0], 2), cells(64, 128, y, ends[1], 2),
                      cells(64, 256, y, periodic, 2), cells(256, 64, periodic, y)},
                     231);
  }
  TEST_CASE_TEMPLATE("more cells between boundaries of one kind are cuFFT's", T, float, double) {
    for (auto const y : ends) {
      for (auto const x : ends)
        check_fused<T>({cells(64, 128, y, x, 3), cells(512, 64, y, x, 2), cells(128, 512, y, x)},
                       241);
      check_fused<T>({cells(64, 256, periodic, y, 2), cells(512, 128, y, periodic),
                      cells(512, 128, periodic, y)},
                     251);
    }
    for (std::size_t const n : {64, 256, 1024})
      check_fused<T>({cells(n, n, neumann, neumann)}, 261);
  }
  TEST_CASE_TEMPLATE("cells of every power of two are cuFFT's", T, float, double) {
    for (std::size_t n = 512; n <= (sizeof(T) == 4 ? 16384 : 8192); n *= 2)
      for (auto const y : ends) {
        auto const x = n % 3 == 1 ? y : ends[y == ends[0]];
        check_fused<T>({cells(n, 64, y, x), cells(64, n, y, x, 2), cells(n, 64, y, periodic),
                        cells(n, 64, periodic, y)},
                       57);
        if (n <= 4096) check_fused<T>({cells(n, n, y, x)}, 61);
      }
  }
  TEST_CASE_TEMPLATE("fast: symbols, lambda and the first point of cells", T, float, double) {
    for (symbol const stands : symbols) {
      check_symbol<T>(cells(128, 256, neumann, neumann, 2), stands);
      auto of = cells(256, 128, dirichlet, neumann, 2);
      of.symbol = stands;
      check_fused<T>({of}, 18);
    }
  }
  TEST_CASE_TEMPLATE("fast: cells may begin anywhere, and batches are solved alike", T, float,
                     double) {
    check_anywhere<T>({cells(64, 128, neumann, dirichlet, 3)}, 19);
  }

  TEST_CASE_TEMPLATE("fast: single axes of powers of two are cuFFT's", T, float, double) {
    for (auto const& kind : axis_kinds) {
      check_fused<T>({line(128, kind, 3), line(256, kind), line(512, kind, 6), line(2048, kind, 2)},
                     331);
      check_anywhere<T>({line(128, kind, 11), line(1024, kind, 2)}, 341);
      if (po::is_singular(line(256, kind)))
        for (symbol const stands : symbols) check_symbol<T>(line(256, kind, 5), stands);
    }
  }
#ifndef WARPFOLD_WITHOUT_UNITS
  TEST_CASE_TEMPLATE("fast: single axes that units take", T, float, double) {
    wf::gpu place;
    for (auto const& kind : axis_kinds) {
      auto const is_by_units = [&](std::size_t n) {
        auto const of = po::make_plan(line(n, kind), sizeof(T));
        return po::gpu_impl::form_of(place, of, sizeof(T)) == po::gpu_impl::fused_form::units;
      };
      std::size_t const least = is_of_type_1(kind) ? 64 : 128, most = most_of_line<T>(kind);
      for (std::size_t const n : {least, most}) {
        CAPTURE(name_of(line(n, kind)));
        CHECK(is_by_units(n));
        CHECK(po::solver<T, wf::gpu>(place, line(n, kind)).engine_name() == "fused");
      }
      for (std::size_t const n : {least / 2, least * 3 / 2, 2 * most}) {
        CAPTURE(name_of(line(n, kind)));
        CHECK_FALSE(is_by_units(n));
      }
    }
  }
  TEST_CASE_TEMPLATE("long single axes of powers of two are cuFFT's", T, float, double) {
    for (auto const& kind : axis_kinds)
      for (std::size_t n = 4096; n <= most_of_line<T>(kind); n *= 2)
        check_fused<T>({line(n, kind), line(n, kind, 301)}, 351);
  }
#endif

  TEST_CASE_TEMPLATE("fast: cubes and other boxes of powers of two are cuFFT's", T, float, double) {
    check_fused<T>({cube(64, 64, 64), cube(64, 64, 64, 3), cube(64, 64, 128), cube(64, 128, 64),
                    cube(128, 64, 64, 2)},
                   31);
  }
  TEST_CASE_TEMPLATE("boxes of every power of two along every axis are cuFFT's", T, float, double) {
    for (std::size_t const n : {256, 512, 1024})
      check_fused<T>({cube(n, 64, 64), cube(64, n, 64, 2), cube(64, 64, n)}, 57);
    check_fused<T>({cube(128, 128, 128, 20),                      // more than is solved at once
                    cube(256, 256, 256), cube(128, 512, 256, 2)}, // in slices
                   67);
  }
  TEST_CASE_TEMPLATE("of cubes, symbols, lambda and the first point", T, float, double) {
    for (symbol const stands : symbols) check_symbol<T>(cube(64, 128, 64, 2), stands);
  }
  TEST_CASE_TEMPLATE("fast: of cubes, one symbol, lambda and the first point", T, float, double) {
    check_symbol<T>(cube(64, 128, 64), symbol::fourth_order);
  }
  TEST_CASE_TEMPLATE("fast: cubes may begin anywhere, and batches are solved alike", T, float,
                     double) {
    check_anywhere<T>({cube(64, 64, 64, 3)}, 11);
  }
#ifndef WARPFOLD_WITHOUT_UNITS
  TEST_CASE("fast: a solver chooses the fused kernels for cubes") {
    wf::gpu place;
    po::solver<float, wf::gpu> solver(place, cube(64, 64, 128));
    CHECK(solver.engine_name() == "fused");
  }
#endif
}

} // namespace poisson_boxes_test
