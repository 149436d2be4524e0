// Plasma oscillations of electrons in a periodic box, by particles in cells: docs/scatter.md. Where
// charges are deposited is a host, a gpu or a group of ranks; all else is done by the host.

#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

namespace wf = warpfold;

constexpr int side = 32, steps = 2000; // cells along an axis
constexpr double number = 64 * 64, step = 0.1;

/// An electron in a periodic box. Positions count 2^-32 of its side, and wrap around by themselves.
struct electron {
  std::array<std::uint32_t, 2> at;
  std::array<double, 2> velocity;
};

double kinetic_energy(electron const& e) {
  return (e.velocity[0] * e.velocity[0] + e.velocity[1] * e.velocity[1]) / 2;
}

template <class T>
wf::device_buffer<T> moved(wf::gpu& place, std::vector<T> const& values) {
  return {place, values};
}
template <class T>
std::vector<T> moved(wf::host const&, std::vector<T> values) {
  return values;
}
std::vector<double> to_host(wf::gpu& place, wf::device_buffer<double> const& values) {
  return wf::to_vector(place, values);
}
std::vector<double> to_host(wf::host const&, std::vector<double> values) { return values; }

// [example]
/// Cloud in cell: the four nodes around an electron, and its shares of them. These are multiples of
/// 2^-32 that add up to 1, without any rounding.
struct cloud {
  std::array<int, 4> node;
  std::array<double, 4> share;

  explicit cloud(electron const& e) {
    auto const cell = [&](int axis) { return static_cast<int>(e.at[axis] >> 27); };
    auto const part = [&](int axis) { return (e.at[axis] >> 11 & 0xffff) / 65536.; };
    for (int k = 0; k < 4; ++k) {
      int const right = k % 2, up = k / 2;
      node[k] = (cell(1) + up) % side * side + (cell(0) + right) % side;
      share[k] = (right ? part(0) : 1 - part(0)) * (up ? part(1) : 1 - part(1));
    }
  }
};

/// Charge and kinetic energy of each node: of the electrons of one place, or, where that is a
/// group, of those that all its ranks have.
std::vector<double> deposit(auto& where, auto& place, std::vector<electron> const& electrons) {
  std::vector<double> shares; // of charges and of energies, in turn
  std::vector<int> nodes;
  for (electron const& e : electrons) {
    cloud const c(e);
    nodes.insert(nodes.end(), c.node.begin(), c.node.end());
    for (double const share : c.share)
      shares.insert(shares.end(), {share, share * kinetic_energy(e)});
  }
  auto sums = moved(place, std::vector<double>(2 * side * side));
  wf::scatter_sum(where, moved(place, shares), moved(place, nodes), {.value = 1, .sum = number},
                  sums, {.wide = true, .components = 2});
  return to_host(place, sums);
}
// [example]

/// What is known in the end.
struct outcome {
  std::vector<double> nodes; ///< charge and kinetic energy of each
  bool is_charge_kept;       ///< in every step, to the last bit
  bool operator==(outcome const&) const = default;
};

outcome simulate(auto& where, auto& place, std::vector<electron> electrons) {
  wf::host one_thread(1);
  wf::poisson::solver<double, wf::host> solver(one_thread,
                                               {.axes = {{.points = side}, {.points = side}}});
  outcome result{{}, true};
  std::vector<double> excess(side * side), potential(side * side);
  for (int s = 0; s < steps; ++s) {
    result.nodes = deposit(where, place, electrons);
    double charge = 0;
    for (std::size_t n = 0; n < excess.size(); ++n) {
      charge += result.nodes[2 * n];
      excess[n] = 1 - result.nodes[2 * n] * (side * side / number); // ions and electrons
    }
    result.is_charge_kept = result.is_charge_kept && charge == number;
    solver.solve({.rhs = excess, .solution = potential});
    for (electron& e : electrons) {
      cloud const c(e);
      for (int axis = 0; axis < 2; ++axis) {
        double force = 0;
        for (int k = 0; k < 4; ++k) { // differences of the neighbours' potentials
          int const x = c.node[k] % side, y = c.node[k] / side;
          auto const neighbour = [&](int by) {
            return axis == 0 ? y * side + (x + by) % side : (y + by) % side * side + x;
          };
          force -=
              c.share[k] * (potential[neighbour(1)] - potential[neighbour(side - 1)]) * side / 2;
        }
        e.velocity[axis] += force * step;
        e.at[axis] += static_cast<std::uint32_t>(std::llrint(e.velocity[axis] * step * 0x1p32));
      }
    }
  }
  return result;
}

int main() {
  std::vector<electron> electrons;
  for (std::uint32_t i = 0; i < 64; ++i)
    for (std::uint32_t j = 0; j < 64; ++j) {
      double const wave = 0.01 * std::sin(i / 32. * std::numbers::pi);
      electrons.push_back(
          {{(i << 26) + static_cast<std::uint32_t>(std::llrint(wave * 0x1p32)), j << 26}, {}});
    }
  wf::host host;
  outcome const one = simulate(host, host, electrons);
  double energy = 0;
  for (std::size_t n = 1; n < one.nodes.size(); n += 2) energy += one.nodes[n];
  std::printf("charge: %s; kinetic energy: %.3g\n",
              one.is_charge_kept ? "all there in every step" : "lost", energy);
  auto const compare = [&](char const* what, outcome const& other) {
    std::printf("%s: %s\n", what, other == one ? "the same bits" : "other bits");
  };
  std::ranges::shuffle(electrons, std::mt19937(1));
  compare("electrons in another order", simulate(host, host, electrons));
  wf::local_group<wf::host> group(2);
  std::vector<outcome> of_ranks(2);
  group.run([&](auto& comm) {
    auto const [first, count] = wf::rank_part(electrons.size(), comm.rank(), comm.size());
    std::vector<electron> const own(electrons.begin() + first, electrons.begin() + first + count);
    of_ranks[comm.rank()] = simulate(comm, comm.place(), own);
  });
  compare("two ranks", of_ranks[0] == of_ranks[1] ? of_ranks[0] : outcome{});
  if (wf::gpu_count() == 0) return 0;
  wf::gpu gpu;
  compare("a GPU", simulate(gpu, gpu, electrons));
}
