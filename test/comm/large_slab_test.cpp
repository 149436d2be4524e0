// A grid that takes more memory than one GPU has.

#include "communicator.hpp"

#include <warpfold/comm/poisson.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace large_slab_test {

namespace wf = warpfold;
namespace po = warpfold::poisson;

constexpr std::size_t side = 2048, plane_size = side * side;

/// One mode of a plane.
std::vector<double> plane(double amplitude) {
  std::vector<double> all(plane_size);
  auto const wave = [](std::size_t i, int mode) {
    return std::cos(2 * std::numbers::pi * mode * static_cast<double>(i) / side);
  };
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) all[y * side + x] = amplitude * wave(y, 3) * wave(x, 5);
  return all;
}

/// Free bytes of the rank with the fewest.
std::size_t free_memory(wf::communicator<wf::gpu>& comm) {
  wf::device_guard const current{comm.place().device()};
  std::size_t free = 0, total = 0;
  wf::check(cudaMemGetInfo(&free, &total));
  auto const all = comm.all_gather(free);
  return *std::min_element(all.begin(), all.end());
}

TEST_SUITE("gpus") {
  TEST_CASE("a grid takes more than one GPU's memory") {
    wf::local_group<wf::gpu> group(std::vector{0, 1});
    group.run([&](wf::communicator<wf::gpu>& comm) {
      auto& place = comm.place();
      wf::device_guard const current{place.device()};
      // The slab and twice as much for what is exchanged take most of what is free.
      std::size_t const room = free_memory(comm);
      auto const fits = [&](std::size_t planes) {
        return planes * plane_size * sizeof(double) / 2 * 3 < room / 20 * 19;
      };
      std::size_t depth = 2;
      while (fits(2 * depth)) depth *= 2;
      if (fits(depth / 2 * 3)) depth = depth / 2 * 3;
      CAPTURE(depth);
      CHECK(3 * depth * plane_size * sizeof(double) > room);
      po::slab_solver<double, wf::gpu> solver(
          comm, {.axes = {{.points = depth}, {.points = side}, {.points = side}}});
      auto const own = solver.local_slab();

      // Modes of the planes with alternating signs.
      wf::device_buffer<double> field(place, own.count * plane_size);
      wf::device_buffer<double> const even(place, plane(1)), odd(place, plane(-1));
      for (std::size_t z = 0; z < own.count; ++z)
        wf::check(cudaMemcpyAsync(
            field.data() + z * plane_size, ((own.first + z) % 2 == 0 ? even : odd).data(),
            plane_size * sizeof(double), cudaMemcpyDeviceToDevice, place.stream()));
      solver.solve({.rhs = field.span(), .solution = field.span()});

      auto const square = [](double wavenumber) {
        return std::pow(2 * std::numbers::pi * wavenumber, 2);
      };
      double const amplitude =
          -1 / (square(static_cast<double>(depth) / 2) + square(3) + square(5));
      for (std::size_t const z : {std::size_t{0}, own.count / 2, own.count - 1}) {
        auto const got = wf::to_vector(place, field.span().subspan(z * plane_size, plane_size));
        auto const expected = plane((own.first + z) % 2 == 0 ? amplitude : -amplitude);
        double largest = 0;
        for (std::size_t i = 0; i < plane_size; ++i)
          largest = std::max(largest, std::abs(got[i] - expected[i]));
        CHECK(largest < 1e-12 * std::abs(amplitude));
      }
      auto const ends = wf::minmax(comm, field.span());
      CHECK(std::abs(ends.max / amplitude + 1) < 1e-12);
      CHECK(std::abs(ends.min / amplitude - 1) < 1e-12);
    });
  }
}

} // namespace large_slab_test
