// Sums by index: docs/scatter.md.

// [example]
#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  // Charges of particles, and the cells that these are in.
  std::vector<float> charges(1'000'000);
  std::vector<int> cells(charges.size());
  for (std::size_t i = 0; i < charges.size(); ++i) {
    charges[i] = 1.F / static_cast<float>(i + 1);
    cells[i] = static_cast<int>(i * 7919 % 10);
  }
  warpfold::host const place;
  std::vector<float> density(10), again(10);
  warpfold::scatter_bound const bound{.value = 1, .sum = 20};
  warpfold::scatter_sum(place, charges, cells, bound, density);

  std::ranges::reverse(charges);
  std::ranges::reverse(cells);
  warpfold::scatter_sum(place, charges, cells, bound, again);
  std::printf("%.9g in cell 0, %s from last to first\n", static_cast<double>(density[0]),
              density == again ? "the same" : "another");

  std::vector<double> const parts{1e100, 1, -1e100};
  std::vector<double> sum(1);
  warpfold::scatter_sum(place, parts, std::vector<int>(3), sum, {.exact = true});
  std::printf("1e100 + 1 - 1e100 = %g\n", sum[0]);

  charges[5] = 2;
  try {
    warpfold::scatter_sum(place, charges, cells, bound, density);
  } catch (warpfold::argument_error const& error) {
    std::puts(error.what());
  }
}
// [example]
