// Fields with gaps: solutions have the bits of dense ones, and nothing is written between points.

#include "gaps.hpp"

#include <random>

namespace poisson_strided_test {

using namespace test;
namespace wf = warpfold;

/// Bits of a solve of dense fields, whatever has gaps.
template <class T, class Place>
void check(Place& place, question<T> const& asked) {
  po::problem const& of = asked.of;
  po::field_layout const dense = padded(of, {0, 0, 0}), even = padded(of, {2, 4, 1}),
                         odd = padded(of, {3, 1, 0}), planes = padded(of, {0, 3, 2});
  layouts const all[] = {{odd, dense, dense}, {dense, odd, planes},      {even, odd, odd},
                         {planes, even, odd}, {even, even, dense, true}, {odd, odd, planes, true}};
  for (auto const how : engines_for<T>(place, of)) {
    CAPTURE(name_of<Place>(how));
    auto const expected = solve(place, asked, how);
    po::solver<T, Place> solver(place, of, how, {.strided_fields = true});
    for (auto const& by : all) {
      CAPTURE(&by - all);
      auto const found = solve_with_gaps(place, solver, asked, by);
      CHECK(found == expected);
    }
  }
}

template <class T>
question<T> rough_question(po::problem const& of) {
  std::size_t const all = size_of(of) * of.batch;
  question<T> asked{of, rough_values<T>(all, 3)};
  if (of.symbol != symbol::spectral)
    for (std::size_t d = 0; d < of.axes.size(); ++d) {
      if (of.axes[d].lower == periodic) continue;
      asked.lower[d] = rough_values<T>(all / of.axes[d].points, 4);
      if (d != 1) asked.upper[d] = rough_values<T>(all / of.axes[d].points, 5);
    }
  return asked;
}

EVERY_PLACE_OF("fields with gaps have the bits of dense ones: every boundary, one to three axes", T,
               float, double) {
  for (axis_kind const one : axis_kinds)
    for (std::size_t axes = 1; axes <= 3; ++axes)
      for (std::size_t batch = 1; batch <= 3; batch += 2) {
        std::size_t const points[] = {6, 5, 9};
        po::problem of;
        for (std::size_t d = 0; d < axes; ++d)
          of.axes.push_back(axis_of(d == 1 ? axis_kinds[5] : one, points[d] + (batch == 1)));
        of.batch = batch;
        of.symbol = batch == 1 ? symbol::second_order : symbol::spectral;
        of.gradient = true;
        if (!po::is_singular(of)) of.lambda = 1.5;
        CAPTURE(name_of(of));
        check(place, rough_question<T>(of));
      }
}

EVERY_PLACE_OF("fields with gaps have the bits of dense ones: long and short axes", T, float,
               double) {
  using extents = std::vector<std::size_t>;
  for (auto const& points :
       {extents{40}, extents{1}, extents{128}, extents{64, 64}, extents{33, 70}, extents{1, 48},
        extents{48, 1}, extents{128, 64}, extents{12, 1, 35}, extents{5, 31, 1}, extents{1, 24, 26},
        extents{21, 20, 18}, extents{34, 64, 64}, extents{64, 64, 64}, extents{37, 22, 11}})
    for (axis_kind const one : {axis_kinds[0], axis_kinds[2], axis_kinds[5]}) {
      po::problem of;
      for (std::size_t const n : points) of.axes.push_back(axis_of(one, n));
      of.batch = 4 - points.size();
      if (po::is_singular(of)) of.gauge = po::gauge::first_point;
      CAPTURE(name_of(of));
      check(place, rough_question<T>(of));
    }
}

EVERY_PLACE_OF("fields with gaps have the bits of dense ones: single axes of powers of two", T,
               float, double) {
  for (axis_kind const& one : axis_kinds) {
    po::problem of{{axis_with(one, 128)}};
    of.batch = 5;
    if (po::is_singular(of)) of.gauge = po::gauge::first_point;
    CAPTURE(name_of(of));
    check(place, rough_question<T>(of));
  }
}

EVERY_PLACE("fields with gaps have the bits of dense ones: in single precision") {
  for (auto const stands : {symbol::spectral, symbol::second_order})
    for (po::problem of : {po::problem{{axis_of(axis_kinds[2], 12), axis_of(axis_kinds[5], 9),
                                        axis_of(axis_kinds[0], 10)}},
                           po::problem{{axis_of(axis_kinds[2], 20), axis_of(axis_kinds[5], 37)}}}) {
      of.symbol = stands;
      of.gradient = true;
      of.batch = 2;
      of.precision = po::precision::single;
      CAPTURE(name_of(of));
      check(place, rough_question<double>(of));
    }
}

EVERY_PLACE("a solve in fields whose rows take turns in one array") {
  po::problem of{{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[5], 8)}};
  of.symbol = symbol::second_order;
  of.gradient = true;
  of.batch = 2;
  question<double> const asked{of, rough_values<double>(96, 3)};
  auto const expected = solve(place, asked);
  // [batch][6][rhs, solution, d/dy, d/dx][8]
  std::vector<double> all(4 * 96);
  for (std::size_t row = 0; row < 12; ++row) std::copy_n(&asked.rhs[8 * row], 8, &all[32 * row]);
  memory_of<Place, double> memory(place, all);
  po::field_layout const turns{.strides = {32}};
  auto const part = [&](std::size_t i) { return memory.view(8 * i, all.size() - 24); };
  po::solver<double, Place> solver(place, of, {.strided_fields = true});
  solver.solve({.rhs = part(0),
                .solution = part(1),
                .gradient = {part(2), part(3)},
                .rhs_layout = turns,
                .solution_layout = turns,
                .gradient_layout = {turns, turns}});
  auto const found = contents(place, memory.all());
  auto const rows = [&](std::size_t i) {
    std::vector<double> made;
    for (std::size_t row = 0; row < 12; ++row)
      made.insert(made.end(), &found[32 * row + 8 * i], &found[32 * row + 8 * i] + 8);
    return made;
  };
  CHECK(rows(0) == asked.rhs);
  CHECK(rows(1) == expected.u);
  CHECK(rows(2) == expected.gradient[0]);
  CHECK(rows(3) == expected.gradient[1]);
}

EVERY_PLACE("layouts that do not fit are refused by their names") {
  po::problem const of{
      {axis_of(axis_kinds[2], 4), axis_of(axis_kinds[2], 3), axis_of(axis_kinds[0], 5)},
      0,
      symbol::second_order,
      po::gauge::zero_mean,
      2,
      true};
  memory_of<Place, double> memory(place, std::vector<double>(4000));
  using fields = po::fields<double, Place>;
  fields const good{.rhs = memory.view(0, 500),
                    .solution = memory.view(1000, 500),
                    .gradient = {memory.view(2000, 500)},
                    .rhs_layout = {{30, 10, 1}, 120},
                    .solution_layout = {{0, 10}, 0},
                    .gradient_layout = {{{{25, 6}, 150}}}};
  po::solver<double, Place> solver(place, of, {.strided_fields = true});
  solver.solve(good);
  auto const refused = [&](auto& by, auto change) {
    fields changed = good;
    change(changed);
    std::string const argument = refused_by([&] { by.solve(changed); });
    CHECK(argument == refused_by([&] { by.solve_async(changed); }));
    return argument;
  };
  auto const rhs = [&](po::field_layout layout) {
    return refused(solver, [&](fields& all) { all.rhs_layout = layout; });
  };
  CHECK(rhs({{30, 10, 2}, 120}) == "fields.rhs_layout");
  CHECK(rhs({{30, 4, 1}, 120}) == "fields.rhs_layout");
  CHECK(rhs({{24, 10, 1}, 120}) == "fields.rhs_layout");
  CHECK(rhs({{30, 10, 1}, 114}) == "fields.rhs_layout");
  CHECK(rhs({{25, 10, 1}, 100}) == "(nothing)"); // just apart
  std::size_t const huge = ~std::size_t{0};
  CHECK(rhs({{30, 10, huge}, 120}) == "fields.rhs_layout");
  CHECK(rhs({{30, 10, 1}, huge / 2}) == "fields.rhs");
  CHECK(rhs({{huge, 10, 1}, 0}) == "fields.rhs");
  CHECK(rhs({{30, huge / 4, 1}, 0}) == "fields.rhs_layout");
  auto const with = [&](auto change) { return refused(solver, change); };
  CHECK(with([&](fields& all) { all.rhs = memory.view(0, 234); }) == "fields.rhs");
  CHECK(with([&](fields& all) { all.rhs = memory.view(0, 235); }) == "(nothing)");
  CHECK(with([&](fields& all) { all.solution_layout.strides[1] = 4; }) == "fields.solution_layout");
  CHECK(with([&](fields& all) { all.gradient_layout[0].batch = 1; }) ==
        "fields.gradient_layout[0]");
  CHECK(with([&](fields& all) { all.rhs = all.solution; }) == "(nothing)");
  CHECK(with([&](fields& all) {
          all.rhs = all.solution;
          all.rhs_layout.batch = 130;
        }) == "fields.solution_layout");
  CHECK(with([&](fields& all) { all.rhs_layout = {}; }) == "fields.rhs");
  CHECK(with([&](fields& all) { all.solution = memory.view(200, 500); }) == "fields.solution");
  // The second array has the same layout, some columns further, where there is a gap or not.
  auto const beside = [&](std::size_t columns) {
    return with([&](fields& all) {
      all.solution = memory.view(columns, 500);
      all.solution_layout = all.rhs_layout;
    });
  };
  CHECK(beside(4) == "fields.solution");
  CHECK(beside(5) == "(nothing)");
  CHECK(beside(6) == "fields.solution");
  CHECK(beside(35) == "(nothing)"); // of the next plane, too
  CHECK(beside(40) == "fields.solution");
  po::solver<double, Place> plain(place, of);
  CHECK(refused(plain, [](fields&) {}) == "fields.rhs_layout");
  auto const dense = [&](fields& all) {
    all.rhs_layout = {{15, 5, 1}, 60};
    all.solution_layout = {{0, 5}};
    all.gradient[0] = {};
  };
  CHECK(refused(plain, dense) == "(nothing)");
}

TEST_SUITE("gpu") {
  TEST_CASE("copies of fields with gaps are enqueued, in the caller's workspace") {
    wf::gpu place;
    po::problem of{{axis_of(axis_kinds[0], 60), axis_of(axis_kinds[0], 50)}};
    of.gradient = true;
    question<float> const asked{of, rough_values<float>(3000, 8)};
    auto const expected = solve(place, asked);
    po::field_layout const layout = padded(of, {4, 1, 0});
    std::vector<float> const zeros(3000);
    guarded_field<wf::gpu, float> rhs(place, of, layout, asked.rhs), u(place, of, layout, zeros),
        dy(place, of, layout, zeros);
    po::solver<float, wf::gpu> plain(place, of, {.own_workspace = false}),
        solver(place, of, {.own_workspace = false, .strided_fields = true});
    CHECK(solver.workspace_size() >= plain.workspace_size());
    wf::device_buffer<std::byte> room(place, solver.workspace_size());
    solver.set_workspace(room.span());
    solver.solve_async({.rhs = rhs.span(),
                        .solution = u.span(),
                        .gradient = {dy.span()},
                        .rhs_layout = layout,
                        .solution_layout = layout,
                        .gradient_layout = {layout}});
    CHECK(u.values() == expected.u);
    CHECK(dy.values() == expected.gradient[0]);
  }
}

} // namespace poisson_strided_test
