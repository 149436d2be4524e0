// Contracts on a model's paths: the same bits everywhere, addresses, and substeps.

#include "contents.hpp"
#include "pricing/paths/contracts_bits.hpp"

#include <warpfold/detail/pricing/path_plan.hpp>

namespace contracts_bits_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

EVERY_PLACE_OF("a contract has the same bits alone, first, last or in the middle of a book", T,
               float, double) {
  check_company<T>(place, ordinary);
}

EVERY_PLACE_OF("independent contracts have streams of their own", T, float, double) {
  check_streams<T>(place, lewis);
}

EVERY_PLACE_OF("simulations of contracts have the same bits with and without a wait", T, float,
               double) {
  auto const book = every_contract(9, quarters);
  memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
  pricing::simulate_async<T>(place, ordinary, book, results.all(), ordinary_options);
  CHECK(same_estimates(contents(place, results.all()),
                       simulated<T>(place, ordinary, book, ordinary_options)));
  pricing::black_scholes const other{100, 0.2, 0.05};
  pricing::simulate_async<T>(place, other, book, results.all(), ordinary_options);
  CHECK(same_estimates(contents(place, results.all()),
                       simulated<T>(place, other, book, ordinary_options)));
}

EVERY_PLACE_OF("a pair of antithetic paths is the mean of both, and puts pay where calls do not", T,
               float, double) {
  auto const pairs = with(ordinary_options, &simulation_options::antithetic);
  auto const got = simulated<T>(
      place, ordinary, {{100, 1}, {100, 1, settlement::put}, {100, 1, settlement::forward}}, pairs);
  CHECK(got[0].paying + got[1].paying == pairs.paths);
  CHECK(got[2].paying == got[0].paying);
  double const near = 100 * std::numeric_limits<T>::epsilon();
  CHECK(got[0].value - got[1].value == doctest::Approx(got[2].value).epsilon(near * 10));
  // The price's normals cancel: a forward's error is smaller.
  auto const plain =
      simulated<T>(place, ordinary, contract{100, 1, settlement::forward}, ordinary_options);
  CHECK(got[2].standard_error < 0.7 * plain.standard_error);
}

TEST_CASE_TEMPLATE("contracts on the host have the same bits for any number of threads", T, float,
                   double) {
  auto const book = every_contract(20, quarters);
  wf::host one(1), three(3);
  CHECK(same_estimates(simulated<T>(one, lewis, book, ordinary_options),
                       simulated<T>(three, lewis, book, ordinary_options)));
}

TEST_CASE("steps between times are as long as they may be, and no longer") {
  auto const plan_of = [](std::vector<double> const& times, double longest) {
    return wf::detail::plan_paths({.paths = 1, .times = times, .longest_step = longest});
  };
  auto const plain = plan_of({0, 0.5, 2}, 0);
  CHECK(plain.times == std::vector<double>{0, 0.5, 2});
  CHECK(plain.observations == std::vector<int>{0, 1, 2});
  auto const cut = plan_of({0, 0.5, 2}, 0.5);
  CHECK(cut.times == std::vector<double>{0, 0.5, 1, 1.5, 2});
  CHECK(cut.observations == std::vector<int>{0, 1, -1, -1, 2});
  CHECK(cut.run.steps == 5);
  for (int const n : {1, 3, 7, 10, 49, 365}) {
    std::vector<double> times;
    for (int i = 1; i <= n; ++i) times.push_back(static_cast<double>(i) / n);
    CHECK(plan_of(times, 1. / n).times.size() == times.size());
    CHECK(plan_of(times, 0.1 / n).times.size() == 10 * times.size());
    CHECK(plan_of(times, 0.0999 / n).times.size() == 11 * times.size());
    CHECK(plan_of(times, 100).times == times);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: contracts on a model's paths are the host's", T, float, double) {
    wf::gpu place;
    for (heston const& model : {lewis, ordinary, heston_of(0.04, 0.5, 0.04, 1, 0.9)})
      check_host_bits<T>(place, model);
  }

  TEST_CASE("contracts in a captured graph") {
    wf::gpu place;
    check_graph(place, ordinary);
  }

  TEST_CASE("a workspace that is too small for contracts is refused") {
    wf::gpu place;
    auto const book = every_contract(64, quarters);
    wf::device_buffer<estimate> results(place, book.size());
    CHECK(refused_by([&] {
            pricing::simulate_async(place, ordinary, book, results.span(),
                                    {.paths = 1 << 20, .times = quarters});
          }) == "place");
  }

  TEST_CASE("fast: many contracts and paths") {
    wf::gpu place;
    auto const book = every_contract(200, quarters);
    simulation_options const options{
        .paths = (1 << 20) + 77, .times = quarters, .longest_step = 0.25, .seed = 1};
    auto const all = simulated<float>(place, ordinary, book, options);
    for (std::size_t const i : {0, 63, 64, 199})
      CHECK(same_estimate(simulated<float>(place, ordinary, book[i], options), all[i]));
  }
}

} // namespace contracts_bits_test
