// Two axes of powers of two, periodic or of cells, in three hand-written passes, against cuFFT in
// double.

#include "poisson_boxes.hpp"

namespace {

using namespace test::boxes;

po::problem box(std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of;
  of.axes = {{.points = rows, .length = 1.5}, {.points = columns, .length = .75}};
  of.batch = batch;
  return of;
}

/// Of cells, with the boundary along y and that along x.
po::problem cells(std::size_t rows, std::size_t columns, po::boundary y, po::boundary x,
                  std::size_t batch = 1) {
  po::problem of = box(rows, columns, batch);
  for (auto& axis : of.axes) axis.on = po::grid::cells;
  of.axes[0].lower = of.axes[0].upper = y;
  of.axes[1].lower = of.axes[1].upper = x;
  return of;
}

constexpr auto periodic = po::boundary::periodic;
constexpr po::boundary ends[] = {po::boundary::neumann, po::boundary::dirichlet};

} // namespace

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: squares and other boxes of powers of two are cuFFT's", T, float,
                     double) {
    wf::gpu place;
    unsigned seed = 91;
    for (std::size_t const n : {64, 128, 256}) {
      check_fused<T>(place, box(n, n), ++seed);
      check_fused<T>(place, box(64, 2 * n, 3), ++seed);
      check_fused<T>(place, box(2 * n, 128, 2), ++seed);
    }
  }

  TEST_CASE_TEMPLATE("boxes of every power of two are cuFFT's", T, float, double) {
    wf::gpu place;
    std::size_t const most = sizeof(T) == 4 ? 16384 : 8192;
    unsigned seed = 17;
    for (std::size_t n = 512; n <= most; n *= 2) {
      check_fused<T>(place, box(n, 64), ++seed);
      check_fused<T>(place, box(64, n, 2), ++seed);
      if (n <= 4096) check_fused<T>(place, box(n, n), ++seed);
    }
  }

  TEST_CASE_TEMPLATE("fast: symbols, lambda and the first point", T, float, double) {
    wf::gpu place;
    for (auto const stands :
         {po::symbol::spectral, po::symbol::second_order, po::symbol::fourth_order}) {
      auto of = box(128, 256, 2);
      of.stands = stands;
      check_fused<T>(place, of, 5);
      of.fixed_by = po::gauge::first_point;
      check_fused<T>(place, of, 6);
      auto const size = of.axes[0].points * of.axes[1].points;
      auto const fixed = solve<T>(place, of, engine::fused, numbers(2 * size, 7));
      CHECK(fixed.u[0] == 0);
      CHECK(fixed.u[size] == 0);
      of.fixed_by = po::gauge::zero_mean;
      of.lambda = 3.25;
      check_fused<T>(place, of, 8);
    }
  }

  TEST_CASE_TEMPLATE("fast: arrays may begin anywhere, and batches are solved alike", T, float,
                     double) {
    wf::gpu place;
    for (auto const& of : {box(64, 128, 3), box(128, 64, 3)}) {
      auto const rhs = numbers(3 * 64 * 128, 11);
      auto const ours = solve<T>(place, of, engine::fused, rhs);
      for (std::size_t shift = 1; shift < 4; ++shift)
        CHECK(solve<T>(place, of, engine::fused, rhs, true, shift).u == ours.u);
      auto one = of;
      one.batch = 1;
      auto const alone =
          solve<T>(place, one, engine::fused, {rhs.begin() + 64 * 128, rhs.begin() + 2 * 64 * 128});
      CHECK(std::equal(alone.u.begin(), alone.u.end(), ours.u.begin() + 64 * 128));
    }
  }

  TEST_CASE_TEMPLATE("one square alone is solved like one of many", T, float, double) {
    wf::gpu place;
    for (std::size_t const n : {128, 512, 1024}) {
      CAPTURE(n);
      std::size_t const size = n * n, batch = (1 << 22) / size;
      auto const rhs = numbers(batch * size, 13);
      auto const many = solve<T>(place, box(n, n, batch), engine::fused, rhs);
      for (std::size_t const b : {std::size_t{0}, batch - 1}) {
        auto const begin = static_cast<std::ptrdiff_t>(b * size),
                   end = begin + static_cast<std::ptrdiff_t>(size);
        auto const alone =
            solve<T>(place, box(n, n), engine::fused, {rhs.begin() + begin, rhs.begin() + end});
        CHECK(std::equal(alone.u.begin(), alone.u.end(), many.u.begin() + begin));
        CHECK(alone.means[0] == many.means[b]);
      }
    }
  }

  TEST_CASE_TEMPLATE("fast: cells between boundaries of one kind are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 231;
    for (auto const y : ends)
      for (auto const x : ends) check_fused<T>(place, cells(64, 128, y, x, 2), ++seed);
    for (auto const one : ends) {
      check_fused<T>(place, cells(64, 256, one, periodic, 2), ++seed);
      check_fused<T>(place, cells(256, 64, periodic, one), ++seed);
    }
  }

  TEST_CASE_TEMPLATE("more cells between boundaries of one kind are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 241;
    for (auto const y : ends)
      for (auto const x : ends) {
        check_fused<T>(place, cells(64, 128, y, x, 3), ++seed);
        check_fused<T>(place, cells(512, 64, y, x, 2), ++seed);
        check_fused<T>(place, cells(128, 512, y, x), ++seed);
      }
    for (auto const one : ends) {
      check_fused<T>(place, cells(64, 256, periodic, one, 2), ++seed);
      check_fused<T>(place, cells(512, 128, one, periodic), ++seed);
      check_fused<T>(place, cells(512, 128, periodic, one), ++seed);
    }
    for (std::size_t const n : {64, 256, 1024})
      check_fused<T>(place, cells(n, n, po::boundary::neumann, po::boundary::neumann), ++seed);
  }

  TEST_CASE_TEMPLATE("cells of every power of two are cuFFT's", T, float, double) {
    wf::gpu place;
    std::size_t const most = sizeof(T) == 4 ? 16384 : 8192;
    unsigned seed = 57;
    for (std::size_t n = 512; n <= most; n *= 2)
      for (auto const y : ends) {
        auto const x = n % 3 == 1 ? y : ends[y == ends[0]];
        check_fused<T>(place, cells(n, 64, y, x), ++seed);
        check_fused<T>(place, cells(64, n, y, x, 2), ++seed);
        check_fused<T>(place, cells(n, 64, y, periodic), ++seed);
        check_fused<T>(place, cells(n, 64, periodic, y), ++seed);
        if (n <= 4096) check_fused<T>(place, cells(n, n, y, x), ++seed);
      }
  }

  TEST_CASE_TEMPLATE("fast: symbols, lambda and the first point of cells", T, float, double) {
    wf::gpu place;
    for (auto const stands :
         {po::symbol::spectral, po::symbol::second_order, po::symbol::fourth_order}) {
      auto of = cells(128, 256, po::boundary::neumann, po::boundary::neumann, 2);
      of.stands = stands;
      of.fixed_by = po::gauge::first_point;
      check_fused<T>(place, of, 15);
      auto const fixed = solve<T>(place, of, engine::fused, numbers(2 * 128 * 256, 16));
      CHECK(fixed.u[0] == 0);
      CHECK(fixed.u[128 * 256] == 0);
      of.fixed_by = po::gauge::zero_mean;
      of.lambda = 3.25;
      check_fused<T>(place, of, 17);
      of = cells(256, 128, po::boundary::dirichlet, po::boundary::neumann, 2);
      of.stands = stands;
      check_fused<T>(place, of, 18);
    }
  }

  TEST_CASE_TEMPLATE("fast: cells may begin anywhere, and batches are solved alike", T, float,
                     double) {
    wf::gpu place;
    auto of = cells(64, 128, po::boundary::neumann, po::boundary::dirichlet, 3);
    auto const rhs = numbers(3 * 64 * 128, 19);
    auto const ours = solve<T>(place, of, engine::fused, rhs);
    for (std::size_t shift = 1; shift < 4; ++shift)
      CHECK(solve<T>(place, of, engine::fused, rhs, true, shift).u == ours.u);
    of.batch = 1;
    auto const alone =
        solve<T>(place, of, engine::fused, {rhs.begin() + 64 * 128, rhs.begin() + 2 * 64 * 128});
    CHECK(std::equal(alone.u.begin(), alone.u.end(), ours.u.begin() + 64 * 128));
  }
}
