// Three periodic axes of powers of two, in five hand-written passes, against cuFFT in double.

#include "poisson_boxes.hpp"

namespace {

using namespace test::boxes;

po::problem box(std::size_t depth, std::size_t rows, std::size_t columns, std::size_t batch = 1) {
  po::problem of;
  of.axes = {{.points = depth, .length = 1.25},
             {.points = rows, .length = 1.5},
             {.points = columns, .length = .75}};
  of.batch = batch;
  return of;
}

template <class T>
void check_symbol(wf::gpu& place, po::symbol stands, std::size_t batch) {
  auto of = box(64, 128, 64, batch);
  of.stands = stands;
  check_fused<T>(place, of, 5);
  of.fixed_by = po::gauge::first_point;
  check_fused<T>(place, of, 6);
  auto const fixed = solve<T>(place, of, engine::fused, numbers(size_of(of), 7));
  for (std::size_t b = 0; b < batch; ++b) CHECK(fixed.u[size_of(of) / batch * b] == 0);
  of.fixed_by = po::gauge::zero_mean;
  of.lambda = 3.25;
  check_fused<T>(place, of, 8);
}

} // namespace

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: cubes and other boxes of powers of two are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 31;
    check_fused<T>(place, box(64, 64, 64), ++seed);
    check_fused<T>(place, box(64, 64, 64, 3), ++seed);
    check_fused<T>(place, box(64, 64, 128), ++seed);
    check_fused<T>(place, box(64, 128, 64), ++seed);
    check_fused<T>(place, box(128, 64, 64, 2), ++seed);
  }

  TEST_CASE_TEMPLATE("boxes of every power of two along every axis are cuFFT's", T, float, double) {
    wf::gpu place;
    unsigned seed = 57;
    for (std::size_t const n : {256, 512, 1024}) {
      check_fused<T>(place, box(n, 64, 64), ++seed);
      check_fused<T>(place, box(64, n, 64, 2), ++seed);
      check_fused<T>(place, box(64, 64, n), ++seed);
    }
    check_fused<T>(place, box(128, 128, 128, 20), ++seed); // more than is solved at once
    check_fused<T>(place, box(256, 256, 256), ++seed);
    check_fused<T>(place, box(128, 512, 256, 2), ++seed); // in slices
  }

  TEST_CASE_TEMPLATE("of cubes, symbols, lambda and the first point", T, float, double) {
    wf::gpu place;
    for (auto const stands :
         {po::symbol::spectral, po::symbol::second_order, po::symbol::fourth_order})
      check_symbol<T>(place, stands, 2);
  }
  TEST_CASE_TEMPLATE("fast: of cubes, one symbol, lambda and the first point", T, float, double) {
    wf::gpu place;
    check_symbol<T>(place, po::symbol::fourth_order, 1);
  }

  TEST_CASE_TEMPLATE("fast: cubes may begin anywhere, and batches are solved alike", T, float,
                     double) {
    wf::gpu place;
    auto const of = box(64, 64, 64, 3);
    auto const rhs = numbers(size_of(of), 11);
    auto const ours = solve<T>(place, of, engine::fused, rhs);
    for (std::size_t shift = 1; shift < 4; ++shift)
      CHECK(solve<T>(place, of, engine::fused, rhs, true, shift).u == ours.u);
    auto one = of;
    one.batch = 1;
    auto const size = static_cast<std::ptrdiff_t>(size_of(one));
    auto const alone =
        solve<T>(place, one, engine::fused, {rhs.begin() + size, rhs.begin() + 2 * size});
    CHECK(std::equal(alone.u.begin(), alone.u.end(), ours.u.begin() + size));
  }

  TEST_CASE("fast: a solver chooses the fused kernels for cubes") {
    wf::gpu place;
    po::solver<float, wf::gpu> solver(place, box(64, 64, 128));
    CHECK(solver.chosen() == "fused");
  }
}
