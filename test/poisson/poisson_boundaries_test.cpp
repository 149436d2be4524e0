// Every boundary on both grids, in one to three dimensions: sums of modes, differences of random
// fields, and polynomials that a symbol solves exactly.

#include "poisson_modes.hpp"
#include "poisson_stencil.hpp"

namespace poisson_boundaries_test {

using namespace test;
namespace wf = warpfold;

constexpr symbol symbols[] = {symbol::spectral, symbol::second_order, symbol::fourth_order};
constexpr std::size_t extents[] = {1, 2, 3, 5, 7, 60, 131, 1000};

/// Every kind of axis at every extent; every two kinds; and thirty threes. `step` leaves all but
/// every so-manieth out.
std::vector<po::problem> all_boxes(std::size_t step) {
  std::vector<std::vector<po::axis>> all;
  for (axis_kind const one : axis_kinds)
    for (std::size_t const n : extents) all.push_back({axis_of(one, n, 1.7)});
  constexpr std::size_t pairs[][2] = {{5, 60}, {16, 12}, {7, 3},  {131, 8},
                                      {1, 20}, {32, 2},  {15, 49}};
  std::size_t turn = 0;
  for (axis_kind const one : axis_kinds)
    for (axis_kind const other : axis_kinds) {
      auto const [a, b] = pairs[turn++ % std::size(pairs)];
      all.push_back({axis_of(one, a, 2), axis_of(other, b, 0.8)});
    }
  constexpr std::size_t threes[][3] = {{3, 5, 8}, {6, 1, 7}, {4, 16, 2}, {7, 9, 10}};
  for (std::size_t i = 0; i < 30; ++i) {
    auto const [a, b, c] = threes[i % std::size(threes)];
    all.push_back({axis_of(axis_kinds[i % 10], a, 1),
                   axis_of(axis_kinds[(3 * i + i / 10) % 10], b, 1.5),
                   axis_of(axis_kinds[(7 * i + 5 + i / 10) % 10], c, 0.6)});
  }
  std::vector<po::problem> problems;
  for (std::size_t i = 0; i < all.size(); i += step) {
    po::problem of{all[i]};
    of.lambda = i % 3 == 1 ? 2.5 : 0;
    of.batch = 1 + i % 2;
    of.gradient = i % 4 < 3;
    problems.push_back(of);
  }
  return problems;
}

/// Rounding errors: of f, in its transforms and in u's, of root mean square `factor` epsilon each.
constexpr real factor = 8;

template <class T, class Place>
void check_modes(Place& place, po::problem const& of, unsigned seed) {
  CAPTURE(name_of(of));
  CAPTURE(seed);
  std::vector<modal_fields> batch;
  question<T> asked{of, {}};
  for (std::size_t b = 0; b < of.batch; ++b) {
    batch.push_back(random_modes(of, seed + static_cast<unsigned>(b)));
    for (real const f : batch.back().f) asked.rhs.push_back(static_cast<T>(f));
  }
  std::size_t const size = asked.rhs.size() / of.batch;
  real const smallest = smallest_divisor(of);
  for (engine const how : engines_for<T>(place, of)) {
    CAPTURE(to_string(how));
    auto const got = solve(place, asked, how);
    for (std::size_t b = 0; b < of.batch; ++b) {
      auto const part = [&](std::vector<T> const& all) {
        return std::span<T const>(all).subspan(b * size, size);
      };
      auto const& expected = batch[b];
      real const noise = factor * std::numeric_limits<T>::epsilon() * rms(expected.f);
      CHECK(rms_error(part(got.u), expected.u) <= noise / smallest);
      CHECK(std::abs(got.removed[b] - expected.constant) <= noise);
      if (!po::is_singular(of)) CHECK(same_bits(got.removed[b], T{0}));
      for (std::size_t d = 0; d < of.axes.size() && of.gradient; ++d) {
        real tolerance = noise / std::sqrt(smallest);
        // Differences see the rounding of u, too.
        if (of.symbol != symbol::spectral) tolerance += noise / smallest / spacing_of(of.axes[d]);
        CHECK(rms_error(part(got.gradient[d]), expected.gradient[d]) <= tolerance);
      }
    }
  }
}

/// Symbols of a box: all, or one of them in turn.
enum class take { all, one };

/// A check of all boxes with these symbols, floats and doubles beginning with different ones.
template <class T, class Check>
void check_boxes(std::size_t step, take which, std::span<symbol const> from, Check check) {
  unsigned seed = 1;
  std::size_t turn = std::is_same_v<T, float> ? 1 : 2;
  for (po::problem of : all_boxes(step)) {
    ++turn;
    for (symbol const stands : from) {
      seed += 7;
      if (which == take::one && stands != from[turn % from.size()]) continue;
      of.symbol = stands;
      check(of, seed);
    }
  }
}

template <class T, class Place>
void check_all_modes(Place& place, std::size_t step, take which) {
  check_boxes<T>(step, which, symbols,
                 [&](po::problem const& of, unsigned seed) { check_modes<T>(place, of, seed); });
}

/// Any u and any boundary values; then the constant that is fixed, and the one that is removed.
template <class T, class Place>
void check_differences(Place& place, po::problem of, unsigned seed) {
  CAPTURE(name_of(of));
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const randoms = [&](std::size_t count) { return random_values<T>(random, count); };
  std::size_t const size = size_of(of), all = size * of.batch;
  question<T> asked{of, {}};
  for (std::size_t d = 0; d < of.axes.size(); ++d) {
    if (of.axes[d].lower == periodic) continue;
    if (seed % 5 != 1) asked.lower[d] = randoms(all / of.axes[d].points);
    if (seed % 5 != 2) asked.upper[d] = randoms(all / of.axes[d].points);
  }
  auto u = randoms(all);
  bool const is_first_point = of.gauge == po::gauge::first_point;
  if (is_first_point)
    for (std::size_t b = 0; b < of.batch; ++b)
      for (std::size_t i = size; i-- > 0;) u[b * size + i] -= u[b * size];
  auto const exact = differences_of(asked, u);
  T const constant = po::is_singular(of) ? T{3} : T{0};
  for (real const f : exact.f) asked.rhs.push_back(static_cast<T>(f + constant));
  real const epsilon = std::numeric_limits<T>::epsilon(), greatest = largest_divisor(of);

  for (engine const how : engines_for<T>(place, of)) {
    CAPTURE(to_string(how));
    auto const got = solve(place, asked, how);
    auto const satisfied = differences_of(asked, got.u);
    for (std::size_t b = 0; b < of.batch; ++b) {
      std::vector<real> residual(size);
      for (std::size_t i = 0; i < size; ++i)
        residual[i] = satisfied.f[b * size + i] + got.removed[b] - asked.rhs[b * size + i];
      auto const here = std::span<T const>(got.u).subspan(b * size, size);
      real const scale = 4 * epsilon * greatest * (rms(here) + 1); // 1: boundary values
      CHECK(rms(residual) <= scale);
      CHECK(std::abs(got.removed[b] - constant) <= scale);
      if (is_first_point) CHECK(std::abs(here[0]) <= 4 * epsilon * rms(here));
      if (is_first_point || !po::is_singular(of))
        CHECK(rms_error(here, std::span<T const>(u).subspan(b * size, size)) <=
              scale / smallest_divisor(of));
    }
    for (std::size_t d = 0; d < of.axes.size() && of.gradient; ++d)
      CHECK(rms_error(got.gradient[d], satisfied.gradient[d]) <=
            4 * epsilon * (rms(got.u) + 1) / spacing_of(of.axes[d]));
  }
}

template <class T, class Place>
void check_all_differences(Place& place, std::size_t step, take which) {
  constexpr symbol from[] = {symbol::second_order, symbol::fourth_order};
  check_boxes<T>(step, which, from, [&](po::problem of, unsigned seed) {
    of.gauge = po::is_singular(of) ? po::gauge::first_point : po::gauge::zero_mean;
    check_differences<T>(place, of, seed);
  });
}

/// A GPU takes one of the symbols in turn, since cuFFT takes its time to plan.
template <class Place>
constexpr take most = po::on_gpu<Place> ? take::one : take::all;

EVERY_PLACE_OF("sums of modes are solved for every boundary", T, float, double) {
  check_all_modes<T>(place, 1, most<Place>);
}
EVERY_PLACE_OF("differences of random fields are undone, whatever is given at the ends", T, float,
               double) {
  check_all_differences<T>(place, 1, most<Place>);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: a few sums of modes and differences on a GPU", T, float, double) {
    wf::gpu place;
    check_all_modes<T>(place, 23, take::all);
    check_all_differences<T>(place, 23, take::all);
  }
}

} // namespace poisson_boundaries_test
