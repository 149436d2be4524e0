// Contracts on correlated assets: the same bits everywhere, addresses, and the matrix's factor.

#include "contents.hpp"
#include "pricing/baskets/basket_steps.hpp"
#include "pricing/baskets/baskets.hpp"

namespace baskets_bits_test {

using namespace test;
using namespace test::baskets;
namespace pricing = warpfold::pricing;

std::vector<double> const quarters{0.25, 0.5, 0.75, 1};
simulation_options const ordinary_options{
    .paths = 1500, .times = quarters, .longest_step = 0.2, .seed = 7, .stream = 3};
simulation_options with(simulation_options options, bool simulation_options::*member) {
  options.*member = true;
  return options;
}
/// A basket for each capacity.
std::vector<std::size_t> const sizes{2, 3, 7, 16};

EVERY_PLACE_OF("a contract on a basket has the same bits alone and anywhere in a book", T, float,
               double) {
  for (std::size_t const n : sizes) {
    auto const model = random_basket(n, n, 5);
    auto const book = every_contract(n, 80, quarters);
    for (auto const& options :
         {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
      auto const all = simulated<T>(place, model, book.contracts, options);
      for (std::size_t i = 0; i < book.size(); i += 7) {
        CAPTURE(i);
        CHECK(same_estimate(simulated<T>(place, model, book.contracts[i], options), all[i]));
      }
      auto const other =
          simulated<T>(place, model, {book.contracts.rbegin(), book.contracts.rend()}, options);
      CHECK(same_estimates({other.rbegin(), other.rend()}, all));
    }
  }
}

EVERY_PLACE_OF("independent contracts on a basket have streams of their own", T, float, double) {
  auto const model = random_basket(3, 3, 6);
  auto const book = every_contract(3, 5, quarters);
  auto options = ordinary_options;
  options.independent = true;
  auto const all = simulated<T>(place, model, book.contracts, options);
  options.independent = false;
  for (std::size_t i = 0; i < book.size(); ++i) {
    options.stream = ordinary_options.stream + i;
    CHECK(same_estimate(simulated<T>(place, model, book.contracts[i], options), all[i]));
  }
}

EVERY_PLACE_OF("simulations of baskets have the same bits with and without a wait", T, float,
               double) {
  for (std::size_t const n : sizes) {
    auto const model = random_basket(n, 2, 7);
    auto const book = every_contract(n, 20, quarters);
    memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
    pricing::simulate_async<T>(place, model, book.contracts, results.all(), ordinary_options);
    CHECK(same_estimates(contents(place, results.all()),
                         simulated<T>(place, model, book.contracts, ordinary_options)));
  }
}

EVERY_PLACE_OF("antithetic paths of baskets are the mean of both", T, float, double) {
  auto const pairs = with(ordinary_options, &simulation_options::antithetic);
  auto const model = random_basket(3, 3, 8);
  std::vector<double> const each{0.4, 0.3, 0.3};
  std::vector<basket_contract> const book{
      {each, 100, 1}, {each, 100, 1, settlement::put}, {each, 100, 1, settlement::forward}};
  auto const got = simulated<T>(place, model, book, pairs);
  CHECK(got[0].paying + got[1].paying == pairs.paths);
  CHECK(got[2].paying == got[0].paying);
  double const near = 1000 * std::numeric_limits<T>::epsilon();
  CHECK(got[0].value - got[1].value == doctest::Approx(got[2].value).epsilon(near).scale(10));
  auto const plain = simulated<T>(place, model, book[2], ordinary_options);
  CHECK(got[2].standard_error < 0.7 * plain.standard_error);
}

TEST_CASE_TEMPLATE("baskets on the host have the same bits for any number of threads", T, float,
                   double) {
  for (std::size_t const n : sizes) {
    auto const model = random_basket(n, n, 9);
    auto const book = every_contract(n, 20, quarters);
    wf::host one(1), two(2), seven(7);
    auto const expected = simulated<T>(one, model, book.contracts, ordinary_options);
    CHECK(same_estimates(simulated<T>(two, model, book.contracts, ordinary_options), expected));
    CHECK(same_estimates(simulated<T>(seven, model, book.contracts, ordinary_options), expected));
  }
}

/// The sum of the prices at the end of path p, by the normals at its addresses.
template <class T>
double walked(pricing::basket const& model, wf::detail::path_plan const& plan, std::uint64_t p) {
  std::size_t const n = model.assets.size(), taken = n <= 2 ? 2 : n <= 4 ? 4 : n <= 8 ? 8 : 16;
  auto const factor = pricing::factor_of("", model.correlation, static_cast<int>(n));
  std::size_t const count = plan.times.size(), all = count * taken;
  std::uint64_t const first = p * (sizeof(T) == 4 ? (all + 3) / 4 * 4 : all); // whole blocks
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    auto const& asset = model.assets[static_cast<std::size_t>(factor.order[i])];
    double log_price = 0, before = 0;
    for (std::size_t j = 0; j < count; ++j) {
      double const h = plan.times[j] - before, middle = before + h / 2;
      double const v =
          (asset.volatility.integral(middle + h / 8) - asset.volatility.integral(middle)) * 8 / h;
      double move = 0;
      for (std::size_t k = 0; k <= i; ++k)
        move += factor.rows[i * n + k] * normal_of<T>(plan.numbers, first + j * taken + k);
      log_price += v * std::sqrt(h) * move - v * v * h / 2;
      before = plan.times[j];
    }
    sum += asset.spot * std::exp(log_price + asset.rate.integral(before) -
                                 asset.dividend_yield.integral(before));
  }
  return sum;
}

EVERY_PLACE_OF("the normals of a basket's path have their addresses", T, float, double) {
  double const ends[] = {0.3, 0.6}, volatilities[] = {0.2, 0.4};
  double const last[] = {1};
  for (std::size_t const n : {2, 3, 5, 9, 16})
    for (bool const changes : {false, true}) {
      CAPTURE(n);
      CAPTURE(changes);
      auto model = random_basket(n, n, 10);
      if (changes) model.assets[1].volatility = {{.times = ends, .values = volatilities}};
      std::vector<double> const weights(n, 1);
      basket_contract const forward{weights, 0, 1, settlement::forward};
      simulation_options options{
          .times = last, .longest_step = 0.5, .seed = 0x123456789abcdef, .stream = 77};
      auto plan = wf::detail::plan_paths(options);
      pricing::divide_at_volatilities(model, plan);
      CHECK(plan.times ==
            (changes ? std::vector<double>{0.3, 0.5, 1} : std::vector<double>{0.5, 1}));
      double sum = 0;
      for (std::uint64_t p = 0; p < 3; ++p) {
        sum += std::exp(-0.04) * walked<T>(model, plan, p);
        options.paths = p + 1;
        double const near = 20 * std::numeric_limits<T>::epsilon();
        CHECK(simulated<T>(place, model, forward, options).value ==
              doctest::Approx(sum / static_cast<double>(p + 1)).epsilon(near));
      }
    }
}

TEST_CASE("steps end where volatilities change") {
  double const ends[] = {0.2, 0.5, 1.1, 3}, values[] = {0.1, 0.2, 0.2, 0.3};
  double const others[] = {0.5, 0.7}, other_values[] = {0.3, 0.1}, one[] = {2};
  owned_basket const model{{{100, {{.times = ends, .values = values}}, 0},
                            {100, {{.times = others, .values = other_values}}, 0},
                            {100, {{.times = one, .values = std::span(values).first(1)}}, 0}},
                           equal_correlation(3, 0)};
  auto const divided = [&](std::vector<double> const& times, double longest) {
    auto plan = wf::detail::plan_paths({.paths = 1, .times = times, .longest_step = longest});
    pricing::divide_at_volatilities(model, plan);
    CHECK(plan.run.steps == static_cast<int>(plan.times.size()));
    return plan;
  };
  // Nothing changes at 0.7, 2 and 3, the ends of last pieces.
  auto const plan = divided({0, 0.4, 0.5, 4}, 0);
  CHECK(plan.times == std::vector<double>{0, 0.2, 0.4, 0.5, 1.1, 4});
  CHECK(plan.observations == std::vector<int>{0, -1, 1, 2, -1, 3});
  CHECK(divided({1}, 0.5).times == std::vector<double>{0.2, 0.5, 1});
  CHECK(divided({0.1}, 0).times == std::vector<double>{0.1});
}

TEST_CASE("the factor of a correlation matrix") {
  for (std::size_t const n : {2, 3, 5, 16})
    for (std::size_t rank = 1; rank <= n; rank += n < 6 ? 1 : 5)
      for (unsigned seed = 0; seed < 20; ++seed) {
        CAPTURE(n);
        CAPTURE(rank);
        CAPTURE(seed);
        auto const matrix = random_correlation(n, rank, seed);
        auto const factor = pricing::factor_of("matrix", matrix, static_cast<int>(n));
        CHECK(factor.rank == static_cast<int>(rank));
        std::vector<int> sorted = factor.order;
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 0; i < n; ++i) CHECK(sorted[i] == static_cast<int>(i));
        double worst = 0, above = 0;
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t j = 0; j < n; ++j) {
            double product = 0;
            for (std::size_t k = 0; k < n; ++k)
              product += factor.rows[i * n + k] * factor.rows[j * n + k];
            auto const a = static_cast<std::size_t>(factor.order[i]);
            auto const b = static_cast<std::size_t>(factor.order[j]);
            worst = std::max(worst, std::abs(product - matrix[a * n + b]));
            if (j > i) above = std::max(above, std::abs(factor.rows[i * n + j]));
          }
        CHECK(worst < 1e-9);
        CHECK(above == 0);
      }
  // A matrix that is next to singular, by hand.
  std::vector<double> const near = equal_correlation(2, 1 - 1e-8);
  auto const factor = pricing::factor_of("matrix", near, 2);
  CHECK(factor.rank == 2);
  CHECK(factor.rows[3] == doctest::Approx(std::sqrt(2e-8)).epsilon(1e-6));
  CHECK(pricing::factor_of("matrix", equal_correlation(2, -1), 2).rows ==
        std::vector<double>{1, 0, -1, 0});
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: contracts on baskets are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    // Native: in float a power of two is the GPU's own.
    double const near = sizeof(T) == 4 ? 2e-6 : 1e-14;
    for (std::size_t const n : {2, 3, 5, 6, 7, 9, 12, 16}) // a GPU leaves out unused normals
      for (auto options :
           {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
        auto const model = random_basket(n, n, 11);
        auto const book = every_contract(n, 70, quarters);
        auto const here = simulated<T>(other, model, book.contracts, options);
        CHECK(same_estimates(simulated<T>(place, model, book.contracts, options), here));
        options.bits = pricing::bits::native;
        auto const there = simulated<T>(place, model, book.contracts, options);
        CHECK(same_estimates(there, here) == (sizeof(T) == 8));
        for (std::size_t i = 0; i < book.size(); ++i) {
          CAPTURE(n);
          CAPTURE(i);
          CHECK(there[i].value == doctest::Approx(here[i].value).epsilon(near).scale(100));
          CHECK(there[i].standard_error ==
                doctest::Approx(here[i].standard_error).epsilon(100 * near).scale(0.1));
          CHECK(paying_apart(there[i], here[i]) <= (sizeof(T) == 4 ? 2 : 0));
        }
      }
  }

  TEST_CASE("contracts on baskets in a captured graph") {
    wf::gpu place;
    auto const model = random_basket(5, 5, 12);
    auto const book = every_contract(5, 40, quarters);
    wf::device_buffer<estimate> results(place, book.size());
    auto const expected = simulated<float>(place, model, book.contracts, ordinary_options);
    captured graph(place, [&] {
      pricing::simulate_async(place, model, book.contracts, results.span(), ordinary_options);
    });
    for (int launch = 0; launch < 2; ++launch) {
      graph.launch();
      CHECK(same_estimates(wf::to_vector(place, results.span()), expected));
    }
  }

  TEST_CASE("a workspace that is too small for baskets is refused") {
    wf::gpu place;
    auto const model = random_basket(5, 5, 12);
    auto const book = every_contract(5, 64, quarters);
    wf::device_buffer<estimate> results(place, book.size());
    CHECK(refused_by([&] {
            pricing::simulate_async(place, model, book.contracts, results.span(),
                                    {.paths = 1 << 20, .times = quarters});
          }) == "place");
  }

  TEST_CASE("fast: many contracts on baskets and paths") {
    wf::gpu place;
    auto const model = random_basket(16, 4, 13);
    auto const book = every_contract(16, 200, quarters);
    simulation_options const options{.paths = (1 << 20) + 77, .times = quarters, .seed = 1};
    auto const all = simulated<float>(place, model, book.contracts, options);
    for (std::size_t const i : {0, 63, 64, 199})
      CHECK(same_estimate(simulated<float>(place, model, book.contracts[i], options), all[i]));
  }
}

} // namespace baskets_bits_test
