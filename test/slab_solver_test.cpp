// Poisson's equation on slabs against the solution on one place.

#include "communicator.hpp"

#include <warpfold/poisson_slabs.hpp>

#include <atomic>
#include <cmath>
#include <random>

namespace {

namespace wf = warpfold;
namespace po = warpfold::poisson;
using po::boundary;
using po::grid;

po::axis axis_of(std::size_t points, boundary lower, boundary upper, grid on) {
  return {.points = points, .length = 1.5, .lower = lower, .upper = upper, .on = on};
}

std::vector<po::problem> problems() {
  constexpr auto p = boundary::periodic, d = boundary::dirichlet, n = boundary::neumann;
  std::vector<po::problem> all;
  auto const add = [&](std::vector<po::axis> axes, double lambda = 0) {
    all.push_back({.axes = std::move(axes), .lambda = lambda});
  };
  add({axis_of(32, p, p, grid::nodes), axis_of(24, p, p, grid::nodes)});
  add({axis_of(30, n, n, grid::cells), axis_of(21, p, p, grid::nodes)});
  add({axis_of(15, d, d, grid::nodes), axis_of(17, n, n, grid::nodes)});
  add({axis_of(20, d, n, grid::cells), axis_of(28, n, d, grid::nodes)}, .5);
  add({axis_of(2, p, p, grid::nodes), axis_of(3, p, p, grid::nodes)}); // fewer than ranks
  add({axis_of(16, p, p, grid::nodes), axis_of(12, n, n, grid::cells),
       axis_of(10, d, d, grid::cells)});
  add({axis_of(9, p, p, grid::nodes), axis_of(10, p, p, grid::nodes),
       axis_of(7, p, p, grid::nodes)});
  return all;
}

template <class T, class Place>
void solves(wf::local_group<Place>& group, po::problem const& of, po::method how, bool same_bits,
            std::uint64_t seed) {
  CAPTURE(seed);
  CAPTURE(group.size());
  std::size_t size = 1;
  for (auto const& along : of.axes) size *= along.points;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> rhs(size);
  for (T& x : rhs) x = static_cast<T>(values(random));
  std::vector<T> expected(size), mean(1);
  {
    Place alone;
    test::memory_of<Place, T> in(alone, rhs), out(alone, expected), removed(alone, mean);
    po::solver<T, Place> whole(alone, of, {.using_method = how});
    whole.solve({.rhs = in.all(), .solution = out.all(), .removed_mean = removed.all()});
    expected = test::contents(alone, out.all());
    mean = test::contents(alone, removed.all());
  }
  T largest = 0;
  for (T const x : expected) largest = std::max(largest, std::abs(x));
  T const tolerance = same_bits ? 0 : 50 * std::numeric_limits<T>::epsilon() * largest;
  std::size_t const rest = size / of.axes[0].points;
  group.run([&](wf::communicator<Place>& over) {
    po::slab_solver<T, Place> solver(over, of, how);
    auto const own = solver.own();
    auto const begin = rhs.begin() + static_cast<std::ptrdiff_t>(own.first * rest);
    std::vector<T> const part(begin, begin + static_cast<std::ptrdiff_t>(own.count * rest));
    test::memory_of<Place, T> in(over.place(), part),
        out(over.place(), std::vector<T>(part.size(), T(NAN))),
        removed(over.place(), std::vector<T>{T(NAN)});
    for (bool const in_place : {false, true}) {
      auto const to = in_place ? in.all() : out.all();
      solver.solve({.rhs = in.all(), .solution = to, .removed_mean = removed.all()});
      auto const got = test::contents(over.place(), to);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        wrong += !(std::abs(got[i] - expected[own.first * rest + i]) <= tolerance);
      CHECK(wrong == 0);
      CHECK(std::abs(removed.get(0) - mean[0]) <= 10 * std::numeric_limits<T>::epsilon());
    }
  });
}

TEST_CASE("slabs are as even as pairs can be, and all that there is") {
  for (std::size_t const points : {2u, 7u, 64u})
    for (int const ranks : test::group_sizes) {
      wf::local_group<wf::host> group(ranks);
      group.run([&](wf::communicator<wf::host>& over) {
        po::slab_solver<float, wf::host> const solver(
            over, {.axes = {axis_of(points, boundary::periodic, boundary::periodic, grid::nodes),
                            axis_of(4, boundary::periodic, boundary::periodic, grid::nodes)}});
        std::size_t next = 0;
        for (int r = 0; r < ranks; ++r) {
          auto const part = solver.slab_of(r);
          CHECK(part.first == next);
          CHECK((part.first % 2 == 0 || part.first == points));
          CHECK(part.count <= (points + 1) / static_cast<unsigned>(ranks) + 2);
          next += part.count;
        }
        CHECK(next == points);
        CHECK(solver.own().first == solver.slab_of(over.rank()).first);
        CHECK(test::refused_by([&] { static_cast<void>(solver.slab_of(ranks)); }) == "rank");
      });
    }
}

TEST_CASE("slabs on a host's ranks give the solution of one") {
  std::uint64_t const seed = std::random_device{}();
  for (int const ranks : test::group_sizes) {
    wf::local_group<wf::host> group(ranks);
    for (auto const& of : problems()) {
      solves<double>(group, of, po::method::vendor, false, seed);
      solves<float>(group, of, po::method::vendor, false, seed);
    }
  }
}

TEST_CASE("ranks refuse slabs that cannot be") {
  wf::local_group<wf::host> group(2);
  auto const refused = [](po::problem const& of) {
    wf::local_group<wf::host> ranks(2);
    return test::refused_by([&] {
      ranks.run(
          [&](wf::communicator<wf::host>& over) { po::slab_solver<double, wf::host>(over, of); });
    });
  };
  auto good = problems()[0];
  auto bad = good;
  bad.axes.pop_back();
  CHECK(refused(bad) == "of.axes");
  bad = good;
  bad.batch = 2;
  CHECK(refused(bad) == "of.batch");
  bad = good;
  bad.fixed_by = po::gauge::first_point;
  CHECK(refused(bad) == "of.fixed_by");
  std::atomic<int> noticed = 0;
  group.run([&](wf::communicator<wf::host>& over) {
    auto mine = good;
    mine.lambda = over.rank();
    try {
      po::slab_solver<double, wf::host>(over, mine);
    } catch (wf::communication_error const& error) {
      ++noticed;
      CHECK(test::contains(error.what(), "another problem"));
    }
  });
  CHECK(noticed == 2);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: slabs on GPUs have the bits of one") {
    wf::gpu place;
    if (place.compute_capability() < 90) return;
    std::uint64_t const seed = std::random_device{}();
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    for (auto const& of : problems()) {
      solves<double>(group, of, po::method::fused, false, seed);
      solves<float>(group, of, po::method::fused, false, seed);
    }
  }

  TEST_CASE("squares in tiles have the bits of one GPU's") {
    wf::gpu place;
    if (place.compute_capability() < 90) return;
    std::uint64_t const seed = std::random_device{}();
    int const first[] = {0};
    wf::local_group<wf::gpu> alone{first}, all{std::span<int const>{}};
    auto const periodic = [](std::size_t points) {
      return axis_of(points, boundary::periodic, boundary::periodic, grid::nodes);
    };
    for (auto* group : {&alone, &all}) {
      auto const check = [&]<class T>(T, std::size_t height, std::size_t width, double lambda) {
        solves<T>(*group, {.axes = {periodic(height), periodic(width)}, .lambda = lambda},
                  po::method::fused, true, seed);
      };
      check(float{}, 4096, 4096, 0);
      check(float{}, 8192, 4096, .5);
      check(float{}, 4096, 16384, 0);
      check(double{}, 4096, 8192, 0);
    }
  }
}

} // namespace
