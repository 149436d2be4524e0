// Contracts on a model's paths that ranks simulate together.

#include "communicator.hpp"
#include "pricing/paths/jumps.hpp"

#include <warpfold/comm/pricing.hpp>

#include <functional>

namespace contracts_collective_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

std::vector<double> const quarters{0.25, 0.5, 0.75, 1};
double const nodes[] = {0.5, 1}, volatilities[] = {0.2, 0.3, 0.25, 0.35};

black_scholes const flat{100, 0.3, 0.06, 0.02};
pricing::local_volatility const local{
    .spot = 100, .rate = 0.03, .grid = pricing::volatility_grid({nodes, nodes, volatilities})};

template <class T, class Place, class Model>
std::vector<estimate> shared(wf::communicator<Place>& comm, Model const& model,
                             std::vector<contract> const& book, simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(comm, model, book, results, options);
  return results;
}

template <class T, class Place, class Model>
void shares_book(wf::local_group<Place>& group, Model const& model,
                 std::vector<contract> const& book, simulation_options const& options) {
  Place alone;
  auto const expected = simulated<T>(alone, model, book, options);
  group.run([&](wf::communicator<Place>& comm) {
    CHECK(same_estimates(shared<T>(comm, model, book, options), expected));
  });
}

EVERY_GROUP("contracts have the same bits on any number of ranks") {
  auto const book = every_contract(70, quarters);
  simulation_options options{
      .paths = 20'002, .times = quarters, .longest_step = 0.2, .seed = 3, .stream = 2};
  for (bool const antithetic : {false, true}) {
    options.antithetic = antithetic;
    shares_book<float>(group, ordinary, book, options);
    shares_book<double>(group, lewis, book, options);
    shares_book<double>(group, flat, book, options);
    shares_book<float>(group, local, book, options);
    shares_book<float>(group, bates, book, options);
    shares_book<double>(group, merton, book, options);
  }
  // One tile: the others have none.
  options.paths = 100;
  shares_book<float>(group, flat, book, options);
  options.independent = true;
  shares_book<float>(group, ordinary, {book[0], book[5]}, options);
  shares_book<float>(group, local, {}, options);
}

/// Values, deltas and gammas.
struct three_results {
  std::vector<estimate> value, delta, gamma;
  explicit three_results(std::size_t size) : value(size), delta(size), gamma(size) {}
  pricing::greeks all() { return {.value = value, .delta = delta, .gamma = gamma}; }
};

EVERY_GROUP("Greeks of contracts have the same bits on any number of ranks") {
  auto const check = [&]<class T>(T, auto const& model, std::vector<contract> const& book,
                                  simulation_options const& options) {
    Place alone;
    three_results expected(book.size());
    pricing::simulate<T>(alone, model, book, expected.all(), options);
    group.run([&](wf::communicator<Place>& comm) {
      three_results got(book.size());
      pricing::simulate<T>(comm, model, book, got.all(), options);
      CHECK(same_estimates(got.value, expected.value));
      CHECK(same_estimates(got.delta, expected.delta));
      CHECK(same_estimates(got.gamma, expected.gamma));
    });
  };
  auto const book = every_contract(70, quarters);
  simulation_options options{.paths = 5'001, .times = quarters, .seed = 3, .stream = 2};
  check(float{}, ordinary, book, options);
  check(double{}, flat, book, options);
  check(float{}, local, {}, options);
  options.paths = 100;
  options.independent = true;
  check(double{}, local, {book[0], book[5]}, options);
}

EVERY_GROUP("Greeks from one simulation have the same bits on any number of ranks") {
  auto const check = [&]<class T>(T, auto const& model, std::size_t size,
                                  simulation_options const& options, pricing::greek_method method) {
    bool const by_ratio = method == pricing::greek_method::likelihood_ratio;
    auto book = every_contract(size, quarters);
    if (by_ratio)
      for (std::size_t i = 0; i < size; ++i) {
        book[i].measure = measure::price;
        book[i].settlement = static_cast<settlement>(i % 5);
      }
    auto const of = [&](auto& where) {
      std::array<std::vector<estimate>, 5> all;
      for (auto& results : all) results.resize(size);
      pricing::greeks wanted{.value = all[0], .delta = all[1], .rho = all[2]};
      if constexpr (!requires { model.vol_of_vol; }) {
        wanted.vega = all[3];
      } else if (by_ratio) {
        wanted.gamma = all[3];
      } else {
        wanted.variance = all[3];
        wanted.correlation = all[4];
      }
      pricing::simulate<T>(where, model, book, wanted, options, {.method = method});
      return all;
    };
    Place alone;
    auto const expected = of(alone);
    group.run([&](wf::communicator<Place>& comm) {
      auto const got = of(comm);
      for (std::size_t k = 0; k < got.size(); ++k) CHECK(same_estimates(got[k], expected[k]));
    });
  };
  for (auto const method :
       {pricing::greek_method::pathwise, pricing::greek_method::likelihood_ratio}) {
    simulation_options options{.paths = 5'001, .times = quarters, .seed = 3, .stream = 2};
    check(float{}, ordinary, 50, options, method);
    check(double{}, flat, 30, options, method);
    check(float{}, flat, 0, options, method);
    options.paths = 100;
    options.independent = true;
    check(double{}, ordinary, 3, options, method);
  }
}

TEST_CASE("ranks that want different Greeks, or bump otherwise, notice") {
  using changed = void (*)(pricing::greeks&, pricing::bumps&);
  constexpr changed changes[] = {[](auto& wanted, auto&) { wanted.gamma = {}; },
                                 [](auto&, auto& by) { by.spot = 0.02; },
                                 [](auto&, auto& by) { by.sticky = pricing::sticky::price; }};
  for (auto const change : changes) {
    wf::local_group<wf::host> group(2);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
            three_results results(1);
            auto wanted = results.all();
            pricing::bumps by;
            if (comm.rank() == 1) change(wanted, by);
            std::vector<contract> const book{{100, 1}};
            pricing::simulate(comm, local, book, wanted, {.paths = 5000, .times = quarters}, by);
          }) == 2);
  }
}

TEST_CASE("ranks of which one alone takes derivatives along paths notice") {
  wf::local_group<wf::host> group(2);
  CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
          three_results results(1);
          std::vector<contract> const book{{100, 1}};
          auto const method =
              comm.rank() == 1 ? pricing::greek_method::pathwise : pricing::greek_method::bumps;
          pricing::simulate(comm, flat, book,
                            pricing::greeks{.value = results.value, .delta = results.delta},
                            {.paths = 5000, .times = quarters}, {.method = method});
        }) == 2);
}

TEST_CASE("ranks that simulate different contracts or models notice") {
  using changed = void (*)(heston&, std::vector<contract>&, simulation_options&);
  constexpr changed changes[] = {
      [](auto& model, auto&, auto&) { model.spot += 1; },
      [](auto& model, auto&, auto&) { model.vol_of_vol += 0.1; },
      [](auto& model, auto&, auto&) { model.variance += 0.01; },
      [](auto& model, auto&, auto&) { model.reversion += 0.1; },
      [](auto& model, auto&, auto&) { model.mean += 0.01; },
      [](auto& model, auto&, auto&) { model.correlation += 0.1; },
      [](auto& model, auto&, auto&) { model.rate = 0.02; },
      [](auto& model, auto&, auto&) { model.jumps.intensity = 1; },
      [](auto& model, auto&, auto&) { model.jumps.mean += 0.1; },
      [](auto& model, auto&, auto&) { model.jumps.deviation += 0.1; },
      [](auto& model, auto&, auto&) { model.dividend_yield = {{.times = nodes, .values = nodes}}; },
      [](auto&, auto& book, auto&) { book[1].strike += 1; },
      [](auto&, auto& book, auto&) { book[1].settlement = settlement::forward; },
      [](auto&, auto& book, auto&) { book[1].measure = measure::geometric_average; },
      [](auto&, auto& book, auto&) { book[1].expiry = 0.75; },
      [](auto&, auto& book, auto&) { book.clear(); },
      [](auto&, auto&, auto& options) { options.seed = 9; }};
  for (auto const change : changes) {
    wf::local_group<wf::host> group(3);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
            heston model = ordinary;
            model.rate = 0.03;
            model.dividend_yield = 0.01;
            std::vector<contract> book{{100, 1}, {90, 0.5}};
            simulation_options options{.paths = 5000, .times = quarters, .seed = 3};
            if (comm.rank() == 1) change(model, book, options);
            shared<float>(comm, model, book, options);
          }) == 3);
  }
  std::vector<double> const at{0.5, 1}, others{0.25, 2}, values{0.2, 0.3, 0.25, 0.36},
      same(std::begin(volatilities), std::end(volatilities));
  using change = std::function<void(pricing::local_volatility&)>;
  for (auto const& change_one :
       std::vector<change>{[](auto& of) { of.spot += 1; }, [](auto& of) { of.rate = 0.07; },
                           [](auto& of) { of.dividend_yield = 0.07; },
                           [&](auto& of) {
                             of.grid = pricing::volatility_grid({at, at, values});
                           },
                           [&](auto& of) {
                             of.grid = pricing::volatility_grid({others, at, same});
                           },
                           [&](auto& of) {
                             of.grid = pricing::volatility_grid({at, others, same});
                           }}) {
    wf::local_group<wf::host> group(2);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
            auto model = local;
            if (comm.rank() == 1) change_one(model);
            shared<float>(comm, model, {{100, 1}}, {.paths = 5000, .times = quarters});
          }) == 2);
  }
}

} // namespace contracts_collective_test
