// Differences of simulations on the same paths, in every order of lanes and blocks: bit for bit the
// host's.

#include "pricing/greeks/difference_body.hpp"
#include "pricing/one_option.hpp"
#include "simt/simt.hpp"

namespace {

namespace detail = warpfold::detail;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using test::same_estimates;

/// Sums of three runs of two values, as ranks leave them.
struct differences {
  static constexpr int values = 2, runs = 3;
  std::uint32_t width; ///< tiles of a rank
  std::size_t apart;   ///< sums of a rank, and others
  std::vector<detail::path_sums> sums;
  std::vector<double> discounts;
  pricing::difference_ending ending;
  pricing::difference_batch batch{};

  differences(std::int64_t samples, std::int64_t rounds, std::uint32_t ranks)
      : ending{{samples, rounds, 1}, 2, 1} {
    auto const tiles = static_cast<std::uint32_t>(ending.shape.tiles());
    width = (tiles + ranks - 1) / ranks;
    apart = runs * values * width + 5;
    sums.resize(apart * ranks);
    std::mt19937 random(simt::seed());
    auto const any = [&] { return static_cast<double>(random() % 1000) / 7; };
    for (auto& one : sums) one = {any(), any(), 0, 0, 0, random() % 100};
    for (int i = 0; i < runs * values; ++i) discounts.push_back(1 + any() / 1000);
    batch.count = 3;
    batch.of[0] = {2, {0, 2}, {0.5, -0.5}};
    batch.of[1] = {3, {0, 1, 2}, {1. / 3, -2. / 3, 1. / 3}};
    batch.of[2] = {1, {1}, {1}};
  }
  pricing::run_sums recorded() {
    return {{reinterpret_cast<std::byte*>(sums.data()), apart * sizeof(sums[0]), width},
            discounts.data(),
            values};
  }
  std::vector<estimate> on_host() {
    std::vector<estimate> results;
    for (int d = 0; d < batch.count; ++d)
      for (int v = 0; v < values; ++v)
        results.push_back(pricing::estimate_difference(recorded(), batch.of[d], v, ending));
    return results;
  }
  std::vector<estimate> emulated(simt::options const& how, int grid) {
    std::vector<estimate> results(static_cast<std::size_t>(batch.count * values));
    for (int d = 0; d < batch.count; ++d) batch.to[d] = results.data() + d * values;
    simt::launch<pricing::difference_shared>(
        grid, detail::path_threads, how,
        [&](simt::block const& block, pricing::difference_shared& shared) {
          pricing::estimate_differences(block, recorded(), batch, ending, shared);
        });
    return results;
  }
};

} // namespace

TEST_CASE("simt greeks: the host's bits on every grid") {
  struct row {
    std::int64_t samples, rounds;
  };
  for (row const& r : {row{1, 1}, row{128, 1}, row{129, 1}, row{128 * 127, 1}, row{128 * 128, 1},
                       row{128 * 128 + 7, 1}, row{100'000, 3}})
    for (std::uint32_t const ranks : {1, 3}) {
      CAPTURE(r.samples);
      differences all(r.samples, r.rounds, ranks);
      auto const expected = all.on_host();
      simt::in_every_order([&](simt::options const& how) {
        for (int const grid : {1, 4, 6}) CHECK(same_estimates(all.emulated(how, grid), expected));
      });
    }
}

TEST_CASE("simt greeks: by hand") {
  for (int const samples : {330, 300}) {
    // Two tiles of 128 samples and one of 74, or of 44, which counts with the second; d is 128, 256
    // and 11.
    differences all(samples, 1, 1);
    all.discounts.assign(6, 1);
    double const of_run_0[] = {300, 512, 22}, of_run_2[] = {44, 0, 0};
    for (std::size_t t = 0; t < 3; ++t) {
      all.sums[t] = {of_run_0[t], 0, 0, 0, 0, 10};
      all.sums[4 * 3 + t] = {of_run_2[t], 0, 0, 0, 0, t};
    }
    auto const got = all.on_host()[0];
    double const mean = (128. + 256 + 11) / samples;
    CHECK(got.value == doctest::Approx(mean));
    auto const apart = [&](double d, double n) { return (d - n * mean) * (d - n * mean) / n; };
    double const variance = samples == 330 ? (apart(128, 128) + apart(256, 128) + apart(11, 74)) / 2
                                           : apart(128, 128) + apart(267, 172);
    CHECK(got.standard_error == doctest::Approx(std::sqrt(variance / samples)));
    CHECK(got.upper == doctest::Approx(got.value + 2 * got.standard_error));
    CHECK(got.paths == static_cast<std::uint64_t>(samples));
    CHECK(got.paying == 3); // the fewest
    CHECK(got.too_few_paid);
  }
}

// The last of a block's barriers are for those that have another difference.
TEST_CASE("simt greeks: every barrier but the last is needed") {
  differences all(128 * 300, 1, 1);
  auto const expected = all.on_host();
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          return same_estimates(all.emulated(how, 1), expected);
        }) == "101 estimate_differences, ");
}
