// Poisson's equation on slabs against the solution on one place.

#include "communicator.hpp"

#include "poisson/slabs/slab_tiles.hpp"

#include <warpfold/comm/poisson.hpp>
#include <warpfold/twins/poisson.hpp>

#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <thread>

namespace slab_solver_test {

namespace wf = warpfold;
namespace po = warpfold::poisson;
using po::boundary;
using po::grid;
using wf::twins::engine;

po::axis axis_of(std::size_t points, boundary lower, boundary upper, grid where) {
  return {.points = points, .length = 1.5, .lower = lower, .upper = upper, .grid = where};
}

po::axis periodic(std::size_t points) {
  return axis_of(points, boundary::periodic, boundary::periodic, grid::nodes);
}

std::vector<po::problem> problems() {
  constexpr auto d = boundary::dirichlet, n = boundary::neumann;
  std::vector<po::problem> all;
  auto const add = [&](std::vector<po::axis> axes, double lambda = 0) {
    all.push_back({.axes = std::move(axes), .lambda = lambda});
  };
  add({periodic(32), periodic(24)});
  add({axis_of(30, n, n, grid::cells), periodic(21)});
  add({axis_of(15, d, d, grid::nodes), axis_of(17, n, n, grid::nodes)});
  add({axis_of(20, d, n, grid::cells), axis_of(28, n, d, grid::nodes)}, .5);
  add({periodic(2), periodic(3)}); // fewer than ranks
  add({periodic(16), axis_of(12, n, n, grid::cells), axis_of(10, d, d, grid::cells)});
  add({periodic(9), periodic(10), periodic(7)});
  return all;
}

template <class T>
std::vector<T> random_rhs(po::problem const& of, std::uint64_t seed) {
  std::size_t size = 1;
  for (auto const& along : of.axes) size *= along.points;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> values(-1, 1);
  std::vector<T> rhs(size);
  std::size_t const different = std::min<std::size_t>(size, 1'000'003); // large fields repeat
  for (std::size_t i = 0; i < different; ++i) rhs[i] = static_cast<T>(values(random));
  for (std::size_t i = different; i < size; i += different)
    std::copy_n(rhs.begin(), std::min(different, size - i),
                rhs.begin() + static_cast<std::ptrdiff_t>(i));
  return rhs;
}

template <class T, class Place>
void solves(wf::local_group<Place>& group, po::problem const& of, engine how, bool same_bits,
            std::uint64_t seed) {
  CAPTURE(seed);
  CAPTURE(group.size());
  auto const rhs = random_rhs<T>(of, seed);
  std::vector<T> expected(rhs.size()), mean(1);
  {
    Place alone;
    test::memory_of<Place, T> in(alone, rhs), out(alone, expected), removed(alone, mean);
    po::solver<T, Place> whole(alone, of, how);
    whole.solve({.rhs = in.all(), .solution = out.all(), .removed_mean = removed.all()});
    expected = out.contents();
    mean = removed.contents();
  }
  T largest = 0;
  for (T const x : expected) largest = std::max(largest, std::abs(x));
  T const tolerance = same_bits ? 0 : 50 * std::numeric_limits<T>::epsilon() * largest;
  std::size_t const rest = rhs.size() / of.axes[0].points;
  group.run([&](wf::communicator<Place>& comm) {
    CAPTURE(seed);
    po::slab_solver<T, Place> solver(comm, of);
    CHECK(solver.engine_name() == "fused");
    auto const own = solver.local_slab();
    auto const part = test::part_of(rhs, own.first * rest, own.count * rest);
    test::memory_of<Place, T> in(comm.place(), part),
        out(comm.place(), std::vector<T>(part.size(), T(NAN))),
        removed(comm.place(), std::vector<T>{T(NAN)});
    for (bool const in_place : {false, true}) {
      auto const to = in_place ? in.all() : out.all();
      solver.solve({.rhs = in.all(), .solution = to, .removed_mean = removed.all()});
      auto const got = test::contents(comm.place(), to);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i)
        wrong += !(std::abs(got[i] - expected[own.first * rest + i]) <= tolerance);
      CHECK(wrong == 0);
      CHECK(std::abs(removed.get(0) - mean[0]) <=
            (same_bits ? 0 : 10 * std::numeric_limits<T>::epsilon()));
    }
  });
}

TEST_CASE("slabs are as even as pairs can be, and all that there is") {
  for (std::size_t const points : {2u, 7u, 64u})
    for (int const ranks : test::group_sizes) {
      wf::local_group<wf::host> group(ranks);
      group.run([&](wf::communicator<wf::host>& comm) {
        po::slab_solver<float, wf::host> const solver(comm,
                                                      {.axes = {periodic(points), periodic(4)}});
        std::size_t next = 0;
        for (int r = 0; r < ranks; ++r) {
          auto const part = solver.rank_slab(r);
          CHECK(part.first == next);
          CHECK((part.first % 2 == 0 || part.first == points));
          CHECK(part.count <= (points + 1) / static_cast<unsigned>(ranks) + 2);
          next += part.count;
        }
        CHECK(next == points);
        CHECK(solver.local_slab().first == solver.rank_slab(comm.rank()).first);
        CHECK(test::refused_by([&] { static_cast<void>(solver.rank_slab(ranks)); }) == "rank");
      });
    }
}

TEST_CASE("tiles of squares fit each other, and are even where they are said to be") {
  for (std::size_t const units : {8u, 16u})
    for (int ranks = 1; ranks <= static_cast<int>(units); ++ranks) {
      po::slab_tiles const tiles(ranks, units, 8, 4, 1024);
      CAPTURE(units);
      CAPTURE(ranks);
      std::size_t elements = 0;
      bool is_even = true;
      auto const at = [](int i) { return static_cast<std::size_t>(i); };
      for (int r = 0; r < ranks; ++r) {
        std::vector<char> lines(tiles.size_by_lines(r)), columns(tiles.size_by_columns(r));
        elements += lines.size();
        for (int k = 0; k < tiles.line_parts(); ++k)
          for (int j = 0; j < tiles.column_parts(); ++j) {
            auto const sent = tiles.sent(r, k, j), received = tiles.received(r, k, j);
            for (int other = 0; other < ranks; ++other) {
              auto const from = sent[at(other)], to = received[at(other)];
              CHECK(from.count == tiles.received(other, k, j)[at(r)].count);
              CHECK(to.count == tiles.sent(other, k, j)[at(r)].count);
              for (std::size_t i = 0; i < from.count; ++i) ++lines.at(from.first + i);
              for (std::size_t i = 0; i < to.count; ++i) ++columns.at(to.first + i);
              is_even = is_even &&
                        from.first == tiles.sent(0, k, j)[0].first + at(other) * from.count &&
                        to.first == tiles.received(0, k, j)[0].first + at(other) * to.count;
            }
          }
        CHECK(std::count(lines.begin(), lines.end(), 1) == std::ssize(lines));
        CHECK(std::count(columns.begin(), columns.end(), 1) == std::ssize(columns));
        for (int j = 0; j < tiles.column_parts(); ++j)
          for (std::size_t unit = 0; unit < units; ++unit)
            for (int k = 0; k < tiles.line_parts(); ++k) {
              int const owner = [&] {
                int o = 0;
                while (tiles.groups_of(o, k).first + tiles.groups_of(o, k).count <= unit * 8 &&
                       o + 1 < ranks)
                  ++o;
                return o;
              }();
              auto const theirs = tiles.groups_of(owner, k);
              if (unit * 8 < theirs.first || unit * 8 >= theirs.first + theirs.count) continue;
              auto const place = tiles.place_of(unit, r, j);
              CHECK(place.first == tiles.received(r, k, j)[at(owner)].first +
                                       (unit * 8 - theirs.first) * tiles.piece());
              CHECK(place.apart == theirs.count * tiles.piece());
            }
      }
      CHECK(elements == units * 8 * 4 * 1024);
      if (tiles.are_even()) CHECK(is_even);
      CHECK(tiles.are_even() == (units % at(ranks) == 0));
    }
}

FAST_EVERY_GROUP("slabs on ranks give the solution of one place") {
  if constexpr (po::on_gpu<Place>)
    REQUIRE(wf::gpu().compute_capability() >= 90); // as the lines want
  std::uint64_t const seed = test::new_seed();
  for (auto const& of : problems()) {
    bool const same_bits = !po::on_gpu<Place>;
    solves<double>(group, of, engine::fused, same_bits, seed);
    solves<float>(group, of, engine::fused, same_bits, seed);
  }
}

TEST_CASE("ranks refuse slabs that cannot be") {
  auto const good = problems()[0];
  constexpr struct {
    char const* argument;
    void (*change)(po::problem& of);
  } rows[] = {{"problem.axes", [](auto& of) { of.axes.pop_back(); }},
              {"problem.batch", [](auto& of) { of.batch = 2; }},
              {"problem.gradient", [](auto& of) { of.gradient = true; }},
              {"problem.gauge", [](auto& of) { of.gauge = po::gauge::first_point; }}};
  for (auto const& [argument, change] : rows) {
    auto bad = good;
    change(bad);
    CHECK(test::refused_by([&] {
            wf::local_group<wf::host>(2).run(
                [&](auto& comm) { po::slab_solver<double, wf::host>(comm, bad); });
          }) == argument);
  }
  wf::local_group<wf::host> group(2);
  CHECK(test::ranks_noticing(group, "another problem", [&](auto& comm) {
          auto mine = good;
          mine.lambda = comm.rank();
          po::slab_solver<double, wf::host>(comm, mine);
        }) == 2);
}

TEST_CASE("two solvers of a group work in turns, whoever comes first, and may move") {
  std::uint64_t const seed = test::new_seed();
  CAPTURE(seed);
  wf::local_group<wf::host> group(3);
  group.run([&](wf::communicator<wf::host>& comm) {
    using solver = po::slab_solver<double, wf::host>;
    std::mt19937_64 random(seed + static_cast<unsigned>(comm.rank()));
    solver first(comm, problems()[0]), second(comm, problems()[5]);
    std::size_t const sizes[] = {first.local_slab().count * 24, second.local_slab().count * 120};
    std::vector<double> expected[2];
    for (int round = 0; round < 20; ++round) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 200));
      int const which = round % 2;
      std::vector<double> u(sizes[which]);
      for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sin(static_cast<double>(i));
      (which == 0 ? first : second).solve({.rhs = u, .solution = u});
      if (round < 2) expected[which] = u;
      CHECK(u == expected[which]);
      if (round == 10) {
        solver moved = std::move(first);
        first = std::move(moved);
      }
    }
  });
}

TEST_CASE("a rank's bad arrays are refused before anything is written, and the others notice") {
  using fields = po::slab_fields<double, wf::host>;
  using numbers = std::vector<double>;
  // change(fields, the memory of the solution, which has one element more)
  constexpr struct {
    char const* argument;
    void (*change)(fields& all, numbers& u);
  } rows[] = {
      {"fields.rhs", [](fields& all, numbers&) { all.rhs = all.rhs.first(3); }},
      {"fields.solution", [](fields& all, numbers& u) { all.solution = u; }},
      {"fields.solution",
       [](fields& all, numbers& u) { all.rhs = std::span<double const>(u).last(all.rhs.size()); }},
      {"fields.removed_mean",
       [](fields& all, numbers& u) { all.removed_mean = std::span(u).last(2); }}};
  for (auto const& row : rows) {
    wf::local_group<wf::host> group(2);
    bool noticed = false;
    CHECK(test::refused_by([&] {
            group.run([&](wf::communicator<wf::host>& comm) {
              po::slab_solver<double, wf::host> mine(comm, problems()[0]);
              numbers f(mine.local_slab().count * 24, 1.), u(f.size() + 1, 7.);
              fields all{.rhs = f, .solution = std::span(u).first(f.size())};
              if (comm.rank() == 1) row.change(all, u);
              try {
                mine.solve(all);
              } catch (wf::argument_error const&) {
                CHECK(std::count(u.begin(), u.end(), 7.) == std::ssize(u));
                throw;
              } catch (wf::communication_error const&) {
                noticed = true;
                throw;
              }
            });
          }) == row.argument);
    CHECK(noticed);
  }
}

/// Solutions of a problem on GPUs, rank after rank.
template <class T>
std::vector<T> solved(wf::local_group<wf::gpu>& group, po::problem const& of,
                      std::vector<T> const& rhs) {
  std::vector<T> all(rhs.size());
  std::size_t const rest = rhs.size() / of.axes[0].points;
  group.run([&](wf::communicator<wf::gpu>& comm) {
    po::slab_solver<T, wf::gpu> solver(comm, of);
    std::size_t const first = solver.local_slab().first * rest,
                      size = solver.local_slab().count * rest;
    wf::device_buffer<T> part(comm.place(), std::span(rhs).subspan(first, size));
    solver.solve({.rhs = part.span(), .solution = part.span()});
    wf::copy(comm.place(), part.span(), std::span(all).subspan(first, size));
  });
  return all;
}

/// A field on the group has the bits of the solver's on one GPU.
template <class T>
void check_field(wf::local_group<wf::gpu>& group, std::size_t height, std::size_t width,
                 double lambda, std::uint64_t seed) {
  solves<T>(group, {.axes = {periodic(height), periodic(width)}, .lambda = lambda}, engine::fused,
            true, seed);
}
void check_squares(wf::local_group<wf::gpu>& group, std::uint64_t seed) {
  check_field<float>(group, 4096, 4096, 0, seed);
  check_field<float>(group, 8192, 4096, .5, seed);
  check_field<float>(group, 4096, 16384, 0, seed);
  check_field<double>(group, 4096, 8192, 0, seed);
}

TEST_SUITE("gpu") {
  TEST_CASE("a group of one solves squares with the bits of the solver") {
    REQUIRE(wf::gpu().compute_capability() >= 90);
    wf::local_group<wf::gpu> alone(std::vector{0});
    check_squares(alone, test::new_seed());
  }
}

TEST_SUITE("gpus") {
  TEST_CASE("fast: lines on GPUs have the same bits for any number of them") {
    std::uint64_t const seed = test::new_seed();
    CAPTURE(seed);
    wf::local_group<wf::gpu> alone(std::vector{0}), all{std::span<int const>{}};
    for (auto const& of : problems()) {
      auto const rhs = random_rhs<double>(of, seed);
      CHECK(solved(all, of, rhs) == solved(alone, of, rhs));
      std::vector<float> const floats(rhs.begin(), rhs.end());
      CHECK(solved(all, of, floats) == solved(alone, of, floats));
    }
  }
  TEST_CASE("squares in tiles have the bits of one GPU's") {
    wf::local_group<wf::gpu> all{std::span<int const>{}};
    check_squares(all, test::new_seed());
  }
  TEST_CASE("longer fields have the bits of one GPU's") {
    // As many as a power of two: others are refused.
    std::vector<int> devices(std::bit_floor(static_cast<unsigned>(wf::gpu_count())));
    std::iota(devices.begin(), devices.end(), 0);
    wf::local_group<wf::gpu> all{devices};
    std::uint64_t const seed = test::new_seed();
    check_field<float>(all, 4096, 32768, .5, seed);
    check_field<double>(all, 4096, 16384, 0, seed);
  }
  TEST_CASE("GPUs of which some have a default stream do not solve") {
    wf::local_group<wf::gpu> group(std::vector{0, 1});
    CHECK_THROWS_AS(group.run([](wf::communicator<wf::gpu>& comm) {
      po::slab_solver<double, wf::gpu> solver(comm, problems()[0]); // packed
      wf::device_buffer<double> field(comm.place(), solver.local_slab().count * 24);
      if (comm.rank() == 1) comm.place().set_stream(nullptr);
      solver.solve({.rhs = field.span(), .solution = field.span()});
    }),
                    wf::communication_error);
  }
  TEST_CASE("a solve that one GPU refuses, or does not come to, holds nobody") {
    for (bool const comes : {true, false}) {
      CAPTURE(comes);
      wf::local_group<wf::gpu> group(std::vector{0, 1}, {.time_limit = std::chrono::seconds(3)});
      bool noticed = false;
      auto const begin = std::chrono::steady_clock::now();
      try {
        group.run([&](wf::communicator<wf::gpu>& comm) {
          po::slab_solver<float, wf::gpu> solver(comm, {.axes = {periodic(4096), periodic(4096)}});
          wf::device_buffer<float> field(comm.place(), solver.local_slab().count * 4096);
          if (comm.rank() == 1) {
            if (comes) solver.solve({.rhs = field.span().subspan(0, 1), .solution = field.span()});
            return;
          }
          CHECK_THROWS_AS(solver.solve({.rhs = field.span(), .solution = field.span()}),
                          wf::communication_error);
          noticed = true;
        });
      } catch (wf::argument_error const& error) {
        CHECK(comes);
        CHECK(std::string(error.argument()) == "fields.rhs");
      }
      CHECK(noticed);
      CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
      // GPUs go on.
      wf::local_group<wf::gpu> again(std::vector{0, 1});
      again.run(test::exchanges<wf::gpu>);
    }
  }
}

} // namespace slab_solver_test
