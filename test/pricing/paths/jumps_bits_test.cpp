// Contracts on prices that jump: the same bits everywhere, without jumps those of a model that has
// none, and steps that are divided.

#include "contents.hpp"
#include "pricing/paths/contracts_bits.hpp"
#include "pricing/paths/jumps.hpp"

namespace jumps_bits_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

black_scholes const lively = merton_of(0.2, {7, -0.05, 0.1});

EVERY_PLACE_OF("an intensity of 0 has the bits of a model without jumps", T, float, double) {
  auto const book = every_contract(9, quarters);
  CHECK(same_estimates(
      simulated<T>(place, bates_of(ordinary, {0, -0.3, 0.2}), book, ordinary_options),
      simulated<T>(place, ordinary, book, ordinary_options)));
  CHECK(same_estimates(simulated<T>(place, merton_of(0.2, {0, 1e300, 1}), book, ordinary_options),
                       simulated<T>(place, merton_of(0.2, {}), book, ordinary_options)));
}

EVERY_PLACE_OF("a contract on a price that jumps has the same bits alone or in a book", T, float,
               double) {
  check_company<T>(place, bates);
  check_company<T>(place, lively);
}

EVERY_PLACE_OF("independent contracts on prices that jump have streams of their own", T, float,
               double) {
  check_streams<T>(place, bates);
}

EVERY_PLACE_OF("simulations of prices that jump have the same bits with and without a wait", T,
               float, double) {
  auto const book = every_contract(9, quarters);
  memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
  pricing::simulate_async<T>(place, lively, book, results.all(), ordinary_options);
  CHECK(same_estimates(contents(place, results.all()),
                       simulated<T>(place, lively, book, ordinary_options)));
}

EVERY_PLACE_OF("steps in which more than one jump is expected are divided", T, float, double) {
  double const times[] = {0.25, 1};
  auto const book = every_contract(12, {0.25, 1});
  auto const with_steps = [&](auto const& model, double longest) {
    return simulated<T>(place, model, book,
                        {.paths = 1000, .times = times, .longest_step = longest});
  };
  auto const often = [](auto model, double intensity) {
    model.jumps.intensity = intensity;
    return model;
  };
  CHECK(same_estimates(with_steps(often(bates, 4), 0), with_steps(often(bates, 4), 0.25)));
  CHECK(same_estimates(with_steps(often(lively, 4), 1), with_steps(often(lively, 4), 0.25)));
  CHECK(same_estimates(with_steps(often(lively, 8), 0.25), with_steps(often(lively, 8), 0.125)));
  CHECK(!same_estimates(with_steps(often(bates, 1), 0), with_steps(often(bates, 1), 0.25)));
}

TEST_CASE_TEMPLATE("prices that jump have the same bits for any number of threads", T, float,
                   double) {
  auto const book = every_contract(20, quarters);
  wf::host one(1), three(3);
  CHECK(same_estimates(simulated<T>(one, bates, book, ordinary_options),
                       simulated<T>(three, bates, book, ordinary_options)));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: contracts on prices that jump are the host's", T, float, double) {
    wf::gpu place;
    check_host_bits<T>(place, lively);
    check_host_bits<T>(place, bates);
    check_host_bits<T>(place, bates_of(heston_of(0.04, 0.5, 0.04, 1, 0.9), {10, -0.1, 0.05}));
  }

  TEST_CASE("contracts on prices that jump in a captured graph") {
    wf::gpu place;
    check_graph(place, bates);
  }
}

} // namespace jumps_bits_test
