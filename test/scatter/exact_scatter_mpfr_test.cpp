// Exact sums by index against GNU MPFR, with so many digits that it does not round before the end.

#include "reduction/exact.hpp"
#include "reduction/mpfr_number.hpp"
#include "scatter/scatter_reference.hpp"

namespace exact_scatter_mpfr_test {

using namespace test;
namespace wf = warpfold;

TEST_CASE_TEMPLATE("exact sums by index are those of MPFR", T, float, double) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  for (int round = 0; round < 500; ++round) {
    CAPTURE(round);
    std::size_t const size = random() % (round % 50 == 0 ? 5000 : 60), bins = 1 + random() % 8;
    auto values = wild_values<T>(size, random, static_cast<int>(random() % 50));
    if (round % 3 == 1) // few exponents around ties
      for (T& x : values) x = static_cast<T>(std::ldexp(1.0, static_cast<int>(random() % 70) - 60));
    if (round % 3 == 2) // what cancels but for a little
      for (std::size_t i = 0; i + 2 < size; i += 2) values[i + 1] = -values[i];
    auto const indices = scatter_indices<std::uint32_t>(random, size, bins, false);
    std::vector<mpfr_number> sums(bins);
    for (std::size_t i = 0; i < size; ++i) sums[indices[i]].add(static_cast<double>(values[i]));
    std::vector<T> results(bins);
    wf::scatter_sum(wf::host(1), values, indices, results, {.exact = true});
    for (std::size_t b = 0; b < bins; ++b)
      CHECK(same_bits(results[b], sums[b].template rounded<T>()));
  }
}

} // namespace exact_scatter_mpfr_test
