// Contracts on paths with a local volatility: the same bits everywhere, and addresses.

#include "contents.hpp"
#include "pricing/paths/contracts_bits.hpp"
#include "pricing/paths/local_steps.hpp"
#include "pricing/paths/local_volatility.hpp"

namespace local_volatility_bits_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

EVERY_PLACE_OF("a contract on a local volatility has the same bits beside any others", T, float,
               double) {
  check_company<T>(place, ordinary_local());
}

EVERY_PLACE_OF("independent contracts on a local volatility have streams of their own", T, float,
               double) {
  check_streams<T>(place, ordinary_local());
}

EVERY_PLACE_OF("a local volatility has the same bits with and without a wait", T, float, double) {
  auto const book = every_contract(9, quarters);
  memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
  {
    auto const model = ordinary_local(); // copied before the call returns
    pricing::simulate_async<T>(place, model, book, results.all(), ordinary_options);
  }
  CHECK(same_estimates(contents(place, results.all()),
                       simulated<T>(place, ordinary_local(), book, ordinary_options)));
}

TEST_CASE_TEMPLATE("a local volatility on the host has the same bits for any threads", T, float,
                   double) {
  auto const book = every_contract(20, quarters);
  wf::host one(1), three(3);
  CHECK(same_estimates(simulated<T>(one, ordinary_local(), book, ordinary_options),
                       simulated<T>(three, ordinary_local(), book, ordinary_options)));
}

/// The price over the spot after path p's steps, of the normals at its addresses.
template <class T>
double walked(local_volatility const& model, wf::detail::path_plan const& plan, std::uint64_t p) {
  constexpr std::uint64_t per_block = 16 / sizeof(T);
  auto const steps = pricing::steps_of<T>(model, plan);
  std::uint64_t const count = steps.size(), m = (count + per_block - 1) / per_block * per_block;
  auto const walk = pricing::paths_of<T>(model);
  auto state = walk.start();
  for (std::uint64_t j = 0; j < count; ++j) {
    T const normal[] = {static_cast<T>(test::normal_of<T>(plan.numbers, p * m + j))};
    walk.step(state, normal, steps[j]);
  }
  return std::exp2(static_cast<double>(state.log_price + steps.back().growth));
}

EVERY_PLACE_OF("the normals of a path with a local volatility have their addresses", T, float,
               double) {
  auto const model = ordinary_local();
  contract const forward{0, 1, settlement::forward};
  double const end[] = {1};
  for (int const steps : {1, 2, 4, 5, 11}) {
    CAPTURE(steps);
    simulation_options const options{
        .times = end, .longest_step = 1. / steps, .seed = 0x123456789abcdef, .stream = 77};
    auto const plan = wf::detail::plan_paths(options);
    double sum = 0;
    double const discount = std::exp(-model.rate.integral(1));
    for (std::uint64_t p = 0; p < 4; ++p) {
      sum += 100 * discount * walked<T>(model, plan, p);
      auto some = options;
      some.paths = p + 1;
      CHECK(simulated<T>(place, model, forward, some).value ==
            doctest::Approx(sum / static_cast<double>(p + 1))
                .epsilon(20 * std::numeric_limits<T>::epsilon()));
    }
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: contracts on a local volatility are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    check_host_bits<T>(place, ordinary_local());
    // A realized variance takes no power of two: another bit of any path would show.
    contract const variance{0, 1, settlement::forward, measure::realized_variance};
    auto const there = simulated<T>(place, ordinary_local(), variance, ordinary_options);
    auto const here = simulated<T>(other, ordinary_local(), variance, ordinary_options);
    CHECK(there.value == doctest::Approx(here.value).epsilon(1e-14));
    CHECK(there.standard_error == doctest::Approx(here.standard_error).epsilon(1e-12));
  }

  TEST_CASE("a local volatility in a captured graph") {
    wf::gpu place;
    check_graph(place, ordinary_local());
  }

  TEST_CASE("a workspace that is too small for the rows of a local volatility is refused") {
    wf::gpu place;
    wf::device_buffer<estimate> results(place, 1);
    CHECK(refused_by([&] {
            pricing::simulate_async(place, ordinary_local(), std::vector{contract{100, 1}},
                                    results.span(), {.paths = 1 << 10, .steps = 5000});
          }) == "place");
  }

  TEST_CASE("many paths with a local volatility") {
    wf::gpu place;
    auto const got = simulated<float>(
        place, cev(), {{80, 1}, {100, 1}, {120, 1}, {0, 1, settlement::forward}},
        {.paths = std::uint64_t{1} << 28, .steps = 1, .longest_step = 1. / 12, .antithetic = true});
    double const prices[] = {21.411791689, 7.968853232, 1.896548166, 100};
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(i);
      CHECK(std::abs(got[i].value - prices[i]) < 4 * got[i].standard_error + 0.0005);
      CHECK(got[i].standard_error < 0.002);
    }
  }
}

} // namespace local_volatility_bits_test
