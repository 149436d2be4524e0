// Poisson's fields given as an mdspan. cuda::std::mdspan itself is in device_range_custom_test.cu.

#include "poisson/poisson.hpp"
#include "poisson/strided.hpp"

#include <warpfold/interop/fields.hpp>

namespace fields_test {

using namespace test;
namespace wf = warpfold;

/// A view of row-major memory.
template <class T, std::size_t Rank>
strided<T, Rank> rows_of(T* first, std::array<std::size_t, Rank> extents) {
  strided<T, Rank> view{first, extents, {}};
  std::size_t stride = 1;
  for (std::size_t d = Rank; d-- > 0; stride *= extents[d]) view.strides[d] = stride;
  return view;
}

EVERY_PLACE_OF("mdspans are solved as spans are", T, float, double) {
  po::problem of{{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8)}};
  of.symbol = symbol::second_order;
  of.gradient = true;
  of.batch = 2;
  question<T> asked{of, rough_values<T>(96, 3)};
  asked.lower[0] = rough_values<T>(16, 4);
  auto const expected = solve(place, asked);

  arrays_of<Place, T> arrays(place, asked);
  auto const spans = arrays.fields();
  auto const view = [](auto span) {
    return rows_of<std::remove_pointer_t<decltype(span.data())>, 3>(span.data(), {2, 6, 8});
  };
  po::solver<T, Place> solver(place, of);
  auto fields = po::make_fields(place, solver.problem(), view(spans.rhs), view(spans.solution),
                                view(spans.gradient[0]), view(spans.gradient[1]));
  fields.lower[0] = po::make_face(place, of, 0, rows_of<T const, 2>(spans.lower[0].data(), {2, 8}));
  fields.removed_mean = spans.removed_mean;
  solver.solve(fields);
  auto const got = arrays.read_back();
  CHECK(got.u == expected.u);
  CHECK(got.gradient == expected.gradient);
  CHECK(got.removed == expected.removed);
}

TEST_CASE("mdspans are fields without a copy, with a batch of one or without") {
  wf::host place;
  po::problem const of{
      {axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8), axis_of(axis_kinds[0], 1)}};
  std::vector<double> f(48), u(48);
  auto const plain = po::make_fields(place, of, rows_of<double const, 3>(f.data(), {6, 8, 1}),
                                     rows_of<double, 4>(u.data(), {1, 6, 8, 1}));
  CHECK(plain.rhs.data() == f.data());
  CHECK(plain.solution.data() == u.data());
  CHECK(plain.rhs.size() == 48);
  CHECK(plain.solution.size() == 48);
  CHECK(plain.gradient[0].empty());
  // The stride of one point is nobody's.
  auto odd = rows_of<double, 3>(u.data(), {6, 8, 1});
  odd.strides[2] = 77;
  CHECK(po::make_fields(place, of, odd, odd).rhs.size() == 48);
}

EVERY_PLACE_OF("mdspans with gaps are solved where they are", T, float, double) {
  po::problem of{{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8)}};
  of.symbol = symbol::second_order;
  of.gradient = true;
  of.batch = 2;
  question<T> const asked{of, rough_values<T>(96, 3)};
  auto const expected = solve(place, asked);

  // The inside of fields of [8][10] points, one ghost point around it.
  std::vector<T> ghosts(160, T{9});
  auto const inside = [](std::size_t i) { return i / 48 * 80 + (i / 8 % 6 + 1) * 10 + i % 8 + 1; };
  for (std::size_t i = 0; i < 96; ++i) ghosts[inside(i)] = asked.rhs[i];
  memory_of<Place, T> f(place, ghosts), u(place, ghosts), dx(place, ghosts);
  auto const view = [](auto& memory) {
    return strided<T, 3>{memory.all().data() + 11, {2, 6, 8}, {80, 10, 1}};
  };
  memory_of<Place, T> dense(place, asked.rhs);
  po::solver<T, Place> solver(place, of, {.strided_fields = true});
  auto const fields = po::make_fields(place, of, view(f), view(u),
                                      rows_of<T, 3>(dense.all().data(), {2, 6, 8}), view(dx));
  CHECK(fields.rhs.size() == 138);
  CHECK(fields.rhs_layout.strides[0] == 10);
  CHECK(fields.rhs_layout.batch == 80);
  CHECK(fields.gradient_layout[0].batch == 0);
  CHECK(fields.gradient_layout[1].batch == 80);
  solver.solve(fields);
  auto const with_ghosts = [&](std::vector<T> const& values) {
    for (std::size_t i = 0; i < 96; ++i) ghosts[inside(i)] = values[i];
    return ghosts;
  };
  CHECK(contents(place, u.all()) == with_ghosts(expected.u));
  CHECK(contents(place, dx.all()) == with_ghosts(expected.gradient[1]));
  CHECK(contents(place, dense.all()) == expected.gradient[0]);
  CHECK(contents(place, f.all()) == with_ghosts(asked.rhs));
}

TEST_CASE("mdspans of other extents and layouts are refused by their names") {
  wf::host place;
  po::problem of{{axis_of(axis_kinds[2], 6), axis_of(axis_kinds[0], 8)}};
  std::vector<double> values(200);
  double* const x = values.data();
  auto const good = rows_of<double, 2>(x, {6, 8});
  auto const refused = [&](auto const&... views) {
    return refused_by([&] { static_cast<void>(po::make_fields(place, of, views...)); });
  };
  using square = strided<double, 2>;
  CHECK(refused(rows_of<double, 2>(x, {8, 6}), good) == "rhs");
  CHECK(refused(rows_of<double, 1>(x, {48}), good) == "rhs");
  CHECK(refused(good, rows_of<double, 3>(x, {2, 6, 8})) == "solution");
  CHECK(refused(good, square{x, {6, 8}, {7, 1}}) == "solution"); // rows that overlap
  CHECK(refused(square{x, {6, 8}, {1, 6}}, good) == "rhs");      // column-major
  CHECK(refused(square{x, {6, 8}, {16, 2}}, good) == "rhs");     // points that are no neighbours
  CHECK(refused(square{x, {6, 8}, {0, 1}}, good) == "rhs");      // one row six times
  CHECK(refused(square{x, {6, 8}, {~std::size_t{0} - 7, 1}}, good) == "rhs"); // backwards
  CHECK(refused(good, good, good, square{x, {6, 8}, {8, 0}}) == "gradient[1]");
  CHECK(refused_by([&] {
          static_cast<void>(po::make_face(place, of, 0, strided<double, 1>{x, {8}, {2}}));
        }) == "values");
  of.batch = 2;
  CHECK(refused(good, good) == "rhs");
  CHECK(refused(rows_of<double, 3>(x, {2, 6, 8}), rows_of<double, 3>(x, {3, 6, 8})) == "solution");
  try {
    of.batch = 1;
    static_cast<void>(po::make_fields(place, of, square{x, {6, 8}, {6, 1}}, good));
    FAIL("nothing was refused");
  } catch (wf::argument_error const& error) {
    CHECK(contains(error.what(), "strides of 6 x 1"));
    CHECK(contains(error.what(), "at least 8 x 1, the last one 1"));
  }
}

} // namespace fields_test
