#pragma once
// What solutions by units are held against, and the problems that cores are for.

#include "simt/poisson/unit_passes.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace {

/// The solutions of a plan's problem, against a host's.
template <class T>
void check_against_host(passes_of<T> const& passes) {
  po::problem const& of = passes.plan.problem;
  std::string kinds;
  for (auto const& axis : passes.plan.axes)
    kinds +=
        " " + std::to_string(static_cast<int>(axis.forward)) + " of " + std::to_string(axis.points);
  INFO("transforms", kinds);
  auto const rhs = test::rough_values<T>(of.batch * passes.plan.size(), simt::seed());
  simt::check_solved(passes.solve({}, rhs), simt::solve_on_host(of, rhs),
                     simt::usual_norms(passes.plan, rhs), of.gauge == po::gauge::first_point);
}

/// With each gauge that the problem has. `slices`: of each right-hand side of a box, in which it is
/// worked on, one after the other; 0: all at once.
template <class Passes>
void check_passes(po::problem problem, std::size_t batch = 2, std::size_t slices = 0) {
  problem.batch = batch;
  for (auto const gauge : {po::gauge::zero_mean, po::gauge::first_point}) {
    problem.gauge = gauge;
    if (gauge == po::gauge::first_point && !po::is_singular(problem)) continue;
    Passes passes{po::make_plan(problem, sizeof(typename Passes::number))};
    if (slices > 0) passes.slice = passes.bytes() / slices;
    check_against_host(passes);
  }
}

/// Fields with gaps have the bits of dense ones, wherever they begin, in place and apart.
template <class T>
void check_gaps(passes_of<T> passes) {
  auto const& of = passes.plan.problem;
  auto const rhs = test::rough_values<T>(of.batch * passes.plan.size(), simt::seed());
  auto const expected = passes.solve({}, rhs);
  std::mt19937 random{simt::seed()};
  for (unsigned i = 0; i < 16; ++i) {
    auto const layout = [&](bool has_gaps) {
      auto const pick = [&](std::size_t most) { return (random() % most) << (i / 8); };
      return has_gaps ? simt::layout_with_gaps(of, 4, pick) : po::field_layout{};
    };
    passes.offset = i / 4 % 2 * (1 + random() % 3);
    passes.in_place = i % 4 == 3;
    passes.ahead = static_cast<unsigned>(random() % 8);
    passes.columns_ahead = static_cast<int>(random() % 8);
    passes.rhs = layout(i % 4 != 0);
    passes.solution = layout(i % 4 != 1);
    CHECK(passes.solve({}, rhs) == expected);
  }
}

/// Each right-hand side has the bits of a problem planned with its lambda.
template <class Passes>
void check_lambdas(po::problem problem, bool is_open) {
  using T = typename Passes::number;
  problem.lambda = 7;
  problem.batch = 2;
  Passes each{po::make_plan(problem, sizeof(T))};
  each.lambdas = {T(1.5), T(0)};
  auto const rhs = test::rough_values<T>(2 * each.plan.size(), simt::seed());
  auto const got = each.solve({}, rhs);
  for (std::size_t b = 0; b < 2; ++b) {
    problem.lambda = static_cast<double>(each.lambdas[b]);
    auto const alone = Passes{po::make_plan(problem, sizeof(T))}.solve({}, rhs);
    CHECK(got.means[b] == alone.means[b]);
    CHECK((got.means[b] != 0) == (b == 1 && is_open));
    auto const first = static_cast<std::ptrdiff_t>(b * each.plan.size()),
               last = first + static_cast<std::ptrdiff_t>(each.plan.size());
    CHECK(std::equal(got.solutions.begin() + first, got.solutions.begin() + last,
                     alone.solutions.begin() + first));
  }
}

struct ends {
  boundary lower, upper;
  grid where;
};
inline constexpr auto p = boundary::periodic, d = boundary::dirichlet, n = boundary::neumann;

/// The ends that a core is for.
template <class Core>
std::vector<ends> ends_of() {
  if constexpr (Core::is_pruned) return {{n, n, grid::nodes}, {d, d, grid::nodes}};
  else if constexpr (Core::is_third) return {{n, d, grid::nodes}, {d, n, grid::nodes}};
  else if constexpr (Core::is_periodic) return {{p, p, grid::nodes}};
  else if constexpr (Core::shape::kind == po::unit_kind::second)
    return {{d, d, grid::cells}, {n, n, grid::cells}};
  else return {{n, d, grid::cells}, {d, n, grid::cells}};
}

/// The axis of a core's first or second kind of ends, of its length.
template <class Core>
po::axis axis_for(std::size_t which) {
  auto const one = ends_of<Core>()[which % ends_of<Core>().size()];
  return axis_of(Core::shape::length, one.lower, one.upper, one.where);
}

using enum po::unit_kind;

} // namespace
