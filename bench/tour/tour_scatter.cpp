// The tour's third section: sums by index. Which runs of the same values, in any order, have the
// same bits.

#include "on_place.hpp"
#include "paired_timing.hpp"
#include "tour.hpp"

#include <warpfold/twins/scatter.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <variant>
#include <vector>

namespace warpfold::tour {
namespace {

constexpr std::size_t size = std::size_t{1} << 20, bins = std::size_t{1} << 10;
constexpr int runs = 20;
/// No value is larger, and no sum of a bin.
constexpr scatter_bound bound{1, 2. * size / bins};

struct particles {
  std::vector<float> weights;
  std::vector<std::int32_t> cells;
};

/// Uniform weights in [0, 1) and cells, which the seed says.
particles drawn() {
  particles all{std::vector<float>(size), std::vector<std::int32_t>(size)};
  bench::fill_random(all.weights, bench::pattern::uniform);
  std::mt19937 random(2026);
  for (std::int32_t& cell : all.cells) cell = static_cast<std::int32_t>(random() % bins);
  return all;
}

/// The same particles, in another order for each run but run 0.
particles in_order_of(int run, particles all) {
  std::mt19937 random(static_cast<unsigned>(run));
  for (std::size_t i = size - 1; run > 0 && i > 0; --i) {
    std::size_t const other = random() % (i + 1);
    std::swap(all.weights[i], all.weights[other]);
    std::swap(all.cells[i], all.cells[other]);
  }
  return all;
}

template <class Place>
std::vector<float> sums_on(Place& place, particles const& all, twins::scattering twin) {
  auto const weights = bench::put_on(place, all.weights);
  auto const cells = bench::put_on(place, all.cells);
  auto sums = bench::make_on<float>(place, bins);
  scatter_sum(place, weights, cells, bound, sums, twin);
  return bench::contents_of(place, sums);
}

class table {
public:
  table() : all_{drawn()}, exact_(bins) {
    for (std::size_t i = 0; i < size; ++i) // multiples of 2^-24: exact
      exact_[static_cast<std::size_t>(all_.cells[i])] += static_cast<double>(all_.weights[i]);
    std::printf("\n%-36s%14s%14s%22s%14s\n", "2^20 floats, 2^10 bins", "runs", "that differ",
                "in bins, at most", "largest error");
  }

  /// Prints how runs compare with the sums in `first`, by default those of the first run; returns
  /// the latter. Ours must be the exact sums, rounded.
  template <class Place>
  std::vector<float> add(char const* text, Place& place, twins::scattering twin,
                         std::vector<float> first = {}) {
    bool const is_ours = twin == twins::scattering::fixed_point;
    int differ = 0;
    long most = 0;
    double largest = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<float> const sums = sums_on(place, in_order_of(run, all_), twin);
      if (first.empty()) first = sums;
      long here = 0;
      for (std::size_t b = 0; b < bins; ++b) {
        here += sums[b] != first[b];
        largest = std::max(largest, std::abs(static_cast<double>(sums[b]) / exact_[b] - 1));
        if (is_ours && sums[b] != static_cast<float>(exact_[b])) agrees_ = false;
      }
      differ += here > 0;
      most = std::max(most, here);
    }
    agrees_ = agrees_ && largest < 1e-3 && !(is_ours && differ > 0);
    std::printf("%-36s%14d%14d%22ld%14.2e%s\n", text, runs, differ, most, largest,
                agrees_ ? "" : "  WRONG");
    std::fflush(stdout);
    return first;
  }

  [[nodiscard]] bool agrees() const { return agrees_; }

private:
  particles all_;
  std::vector<double> exact_;
  bool agrees_ = true;
};

template <class Place>
bool section(Place& place) {
  std::printf("\n3. Sums by index\n================\n\n"
              "The same particles add their weights to their cells, in another order in every "
              "run.\n");
  table all;
  if constexpr (bench::is_gpu<Place>)
    all.add("atomic additions", place, twins::scattering::atomics);
  else all.add("one after the other, in float", place, twins::scattering::atomics);
  auto const first = all.add("warpfold's sums by index", place, twins::scattering::fixed_point);
  if constexpr (bench::is_gpu<Place>) {
    host here;
    all.add("warpfold's, on the host *", here, twins::scattering::fixed_point, first);
    std::printf("\n* compared with the GPU's first run.\n");
  }
  return all.agrees();
}

} // namespace

bool scatter_section(any_place& place) {
  return std::visit([](auto& one) { return section(one); }, place);
}

} // namespace warpfold::tour
