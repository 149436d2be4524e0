// What Poisson's solver says of itself and of problems, and the positions of points. What it
// refuses is in refusals_poisson_test.cpp.

#include "poisson.hpp"
#ifndef WARPFOLD_WITHOUT_CUFFT
#include "poisson/cufft/vendor_error.hpp"
#endif

namespace poisson_arguments_test {

using namespace test;
namespace wf = warpfold;

po::problem box() { return {{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8)}}; }

TEST_CASE("which problems have a constant that nothing fixes") {
  for (axis_kind const a : axis_kinds)
    for (axis_kind const b : axis_kinds) {
      po::problem of{{axis_of(a, 4), axis_of(b, 4)}};
      bool const has_value = a.lower == dirichlet || a.upper == dirichlet || b.lower == dirichlet ||
                             b.upper == dirichlet;
      CHECK(po::is_singular(of) == !has_value);
      of.lambda = 1e-3;
      CHECK_FALSE(po::is_singular(of));
    }
}

TEST_CASE("points lie where the grid says") {
  struct row {
    axis_kind of;
    std::vector<double> points;
  };
  // Four points on a length of 60.
  row const rows[] = {{axis_kinds[0], {0, 15, 30, 45}},  {axis_kinds[1], {7.5, 22.5, 37.5, 52.5}},
                      {axis_kinds[2], {12, 24, 36, 48}}, {axis_kinds[3], {7.5, 22.5, 37.5, 52.5}},
                      {axis_kinds[4], {0, 20, 40, 60}},  {axis_kinds[5], {7.5, 22.5, 37.5, 52.5}},
                      {axis_kinds[6], {15, 30, 45, 60}}, {axis_kinds[7], {7.5, 22.5, 37.5, 52.5}},
                      {axis_kinds[8], {0, 15, 30, 45}},  {axis_kinds[9], {7.5, 22.5, 37.5, 52.5}}};
  for (auto const& [of, points] : rows) CHECK(po::coordinates(axis_of(of, 4, 60)) == points);
}

TEST_CASE("what a solver says of itself, wherever it is moved") {
  wf::host place;
  auto of = box();
  of.lambda = 3;
  of.batch = 2;
  po::solver<float, wf::host> first(place, of), other(place, box());
  other = std::move(first);
  po::solver<float, wf::host> const solver = std::move(other);
  CHECK(solver.problem().lambda == 3);
  CHECK(solver.problem().axes.size() == 2);
  CHECK(solver.engine_name() == "fused");
  CHECK(solver.size() == 48);
  CHECK(solver.workspace_size() == 0);
}

TEST_CASE("what is not asked for is left out") {
  wf::host place;
  auto of = box();
  of.gradient = true;
  po::solver<double, wf::host> solver(place, of);
  std::vector<double> rhs(48, 1), solution(48), slope(48);
  solver.solve({rhs, solution});
  auto const expected = solution;
  po::fields<double, wf::host> all{rhs, solution};
  all.gradient[1] = slope; // along which nothing changes
  solver.solve_async(all); // at once
  CHECK(solution == expected);
  CHECK(largest_error(slope, std::vector<double>(48)) <= 1e-14);
}

#ifndef WARPFOLD_WITHOUT_CUFFT
TEST_CASE("errors of cuFFT are named") {
  po::check_vendor(CUFFT_SUCCESS);
  try {
    po::check_vendor(CUFFT_INTERNAL_ERROR);
    FAIL("nothing was thrown");
  } catch (wf::vendor_error const& error) {
    CHECK(error.status() == CUFFT_INTERNAL_ERROR);
    CHECK(contains(error.what(), "CUFFT_INTERNAL_ERROR"));
    CHECK(contains(error.what(), "poisson_arguments_test.cpp"));
  }
}
#else
TEST_SUITE("gpu") {
  TEST_CASE("without cuFFT fused kernels take what they can") {
    wf::gpu place;
    for (std::size_t const n : {60, 61, 1009}) {
      po::problem const of{{axis_of(axis_kinds[0], n), axis_of(axis_kinds[0], n)}};
      if (po::can_fuse<float>(place, of))
        CHECK(po::solver<float, wf::gpu>(place, of).engine_name() == "fused");
    }
  }
}
#endif

} // namespace poisson_arguments_test
