// What Poisson's solvers refuse where it is not the problem itself, for which see
// poisson_arguments_test.cpp: the argument is named, and nothing is written.

#include "poisson.hpp"
#include "refusals.hpp"

#include <warpfold/comm/poisson.hpp>

namespace {

using namespace test;
namespace wf = warpfold;

po::problem const box{{axis_of(kinds[2], 6), axis_of(kinds[0], 8)}};
double const bad_numbers[] = {std::nan(""), std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity()};

/// Fields of 48 points: call(fields) is refused.
template <class Place, class T, class Call>
void check_fields(Call refuses) {
  using span = po::span_on<T, Place>;
  for (auto const bad : refusals<Place>::template nowhere<T>(48)) {
    refuses("of.rhs", [=](auto& of) { of.rhs = bad; });
    refuses("of.solution", [=](auto& of) { of.solution = bad; });
    refuses("of.removed_mean", [=](auto& of) { of.removed_mean = bad; });
    refuses("of.removed_mean", [=](auto& of) { of.removed_mean = bad.subspan(0, 1); });
  }
  refuses("of.rhs", [=](auto& of) { of.rhs = of.rhs.subspan(1); });
  refuses("of.solution", [=](auto& of) { of.solution = span(of.solution.data(), 47); });
  refuses("of.solution", [=](auto& of) { of.rhs = span(of.solution.data() + 5, 48); });
  refuses("of.removed_mean", [=](auto& of) { of.removed_mean = of.solution.subspan(47, 1); });
  for (std::size_t const size : impossible) {
    refuses("of.rhs", [=](auto& of) { of.rhs = {of.rhs.data(), size}; });
    refuses("of.solution", [=](auto& of) { of.solution = {of.solution.data(), size}; });
  }
}

template <class Place>
void check_problems(refusals<Place>& all) {
  auto& place = all.place();
  all.of("poisson.hpp");
  auto const refuses = [&](char const* argument, po::problem const& of) {
    all.row("solver::solver", argument, [&] { po::solver<double, Place>(place, of); });
  };
  for (double const bad : bad_numbers) {
    auto of = box;
    of.axes[0].length = bad;
    refuses("of.axes[0].length", of);
    of = box;
    of.lambda = bad;
    refuses("of.lambda", of);
  }
  auto of = box;
  of.batch = ~std::size_t{0} / 48 + 1; // times the points: a small number
  refuses("of.batch", of);
  of = box;
  of.axes[0].points = of.axes[1].points = std::size_t{1} << 32;
  refuses("of.axes[1].points", of);
  // Memory that could be asked for, but that no host has.
  for (int const power : {44, 50, 56}) {
    of = box;
    of.axes[0].points = std::size_t{1} << power;
    refuses("of.axes[0].points", of);
    if constexpr (std::same_as<Place, wf::host>) {
      of = box;
      of.batch = std::size_t{1} << (power - 6);
      refuses("of.batch", of);
    }
  }
  for (auto const by : {engine::course, static_cast<engine>(99)})
    all.row("solver::solver", "twin", [&] { po::solver<double, Place>(place, box, by); });
  if constexpr (std::same_as<Place, wf::gpu>) {
    of.axes.clear();
    all.row("can_fuse", "of.axes", [&] { static_cast<void>(po::can_fuse<float>(place, of)); });
  }
  all.row("points_of", "of.points", [] { static_cast<void>(po::points_of({})); });
  for (std::size_t const size :
       {std::size_t{1} << 44, std::size_t{1} << 50, std::size_t{1} << 60, ~std::size_t{0}})
    all.row("points_of", "of.points", [=] { static_cast<void>(po::points_of({size})); });
  for (double const bad : bad_numbers)
    all.row("points_of", "of.length", [=] { static_cast<void>(po::points_of({4, bad})); });
}

template <class Place>
void check_solves(refusals<Place>& all) {
  using T = double;
  auto& place = all.place();
  all.of("poisson.hpp");
  po::solver<T, Place> solver(place, box);
  auto const rhs = all.template memory<T>(48), solution = all.template memory<T>(48);
  check_fields<Place, T>([&](char const* argument, auto change) {
    po::fields<T, Place> of{rhs, solution};
    change(of);
    all.row("solver::solve", argument, [&] { solver.solve(of); });
    if constexpr (std::same_as<Place, wf::gpu>)
      all.row("solver::solve_async", argument, [&] { solver.solve_async(of); });
  });
}

template <class Place>
void check_slabs(refusals<Place>& all) {
  using T = double;
  all.of("comm/poisson.hpp");
  auto& place = all.place();
  auto const alone = [&](auto call) {
    if constexpr (std::same_as<Place, wf::host>) wf::local_group<wf::host>(1).run(call);
    else {
      int const device = place.device();
      wf::local_group<wf::gpu>(std::span(&device, 1)).run(call);
    }
  };
  auto const refuses = [&](char const* argument, auto change) {
    auto of = box;
    change(of);
    all.row("slab_solver::slab_solver", argument,
            [&] { alone([&](auto& over) { po::slab_solver<T, Place>(over, of); }); });
  };
  refuses("of.axes", [](auto& of) { of.axes.pop_back(); });
  refuses("of.axes", [](auto& of) { of.axes.clear(); });
  refuses("of.batch", [](auto& of) { of.batch = 2; });
  refuses("of.gradient", [](auto& of) { of.gradient = true; });
  refuses("of.fixed_by", [](auto& of) { of.fixed_by = po::gauge::first_point; });
  refuses("of.lambda", [](auto& of) { of.lambda = std::nan(""); });
  refuses("of.axes[1].points", [](auto& of) { of.axes[1].points = 0; });

  auto const rhs = all.template memory<T>(48), solution = all.template memory<T>(48);
  check_fields<Place, T>([&](char const* argument, auto change) {
    all.row("slab_solver::solve", argument, [&] {
      alone([&](auto& over) {
        po::slab_solver<T, Place> solver(over, box);
        po::slab_fields<T, Place> of{rhs, solution};
        change(of);
        solver.solve(of);
      });
    });
  });
  for (int const rank : {-1, 1})
    all.row("slab_solver::slab_of", "rank", [&] {
      alone([&](auto& over) {
        static_cast<void>(po::slab_solver<T, Place>(over, box).slab_of(rank));
      });
    });
}

TEST_CASE("what makes no solver") {
  wf::host place;
  refusals<wf::host> all(place);
  check_problems(all);
}

TEST_SUITE("fftw") {
  TEST_CASE("what solvers on the host refuse") {
    wf::host place;
    refusals<wf::host> all(place);
    check_solves(all);
    check_slabs(all);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: what solvers on a gpu refuse") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    check_problems(all);
    check_solves(all);
    if (place.compute_capability() >= 90) check_slabs(all);
  }

#ifndef WARPFOLD_WITHOUT_CUFFT
  TEST_CASE("what a solver without a workspace of its own refuses, and one in a capture") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    all.of("poisson.hpp");
    auto const rhs = all.memory<double>(48), solution = all.memory<double>(48);
    po::solver<double, wf::gpu> own(place, box),
        solver(place, box, engine::vendor, {.own_workspace = false});
    std::size_t const size = solver.workspace_size();
    REQUIRE(size > 0);
    wf::device_buffer<std::byte> room(place, size + 256);
    all.row("solver::solve", "memory", [&] { solver.solve({rhs, solution}); });
    auto const refuses = [&](auto& by, wf::device_span<std::byte> memory) {
      all.row("solver::use_workspace", "memory", [&] { by.use_workspace(memory); });
    };
    refuses(own, room.span());
    refuses(solver, room.span().subspan(0, size - 1));
    refuses(solver, room.span().subspan(1, size));
    refuses(solver, {static_cast<std::byte*>(nullptr), size});
    all.row("solver::solve_async", "memory", [&] { solver.solve_async({rhs, solution}); });
    cannot_be_captured(all, "solver::solve", [&] { own.solve({rhs, solution}); });
    solver.use_workspace(room.span().subspan(0, size));
    // The workspace is no place for fields.
    wf::device_span<double> const inside(reinterpret_cast<double*>(room.data()), size / 8);
    if (size >= 48 * sizeof(double))
      CHECK(refused_by([&] { solver.solve({rhs, inside.subspan(0, 48)}); }) != "(nothing)");
  }
#endif
}

} // namespace
