// Early exercise on correlated assets: the same bits everywhere, on host and GPU too.

#include "contents.hpp"
#include "pricing/exercise/basket_exercise.hpp"

namespace basket_exercise_bits_test {

using namespace test;
using namespace test::basket_exercise;
namespace pricing = warpfold::pricing;

std::vector<double> const dates{0.25, 0.5, 0.625, 1};
simulation_options const ordinary_options{
    .paths = 2000, .times = dates, .longest_step = 0.3, .seed = 7, .stream = 3};

/// Calls use(model, book) with baskets of either capacity.
template <class Use>
void with_baskets(std::size_t options, Use use) {
  for (std::size_t const n : {3, 7})
    use(random_basket(n, n - 1, 21), every_option(n, options, dates));
}

EVERY_PLACE_OF("a basket's option has the same bits alone, first, last or in the middle of a book",
               T, float, double) {
  with_baskets(70, [&](owned_basket const& model, owned_options const& of) {
    auto const& book = of.contracts;
    auto const all = priced<T>(place, model, book, ordinary_options);
    for (std::size_t i = 0; i < book.size(); i += 23) {
      CAPTURE(i);
      CHECK(same_result(priced<T>(place, model, book[i], ordinary_options), all[i]));
    }
    std::vector<bermudan_basket_option> const reversed(book.rbegin(), book.rend());
    auto const other = priced<T>(place, model, reversed, ordinary_options);
    CHECK(same_results({other.rbegin(), other.rend()}, all));
  });
}

EVERY_PLACE_OF("independent options on baskets have streams of their own", T, float) {
  auto options = ordinary_options;
  options.independent = options.antithetic = true;
  with_baskets(3, [&](owned_basket const& model, owned_options const& of) {
    auto const all = priced<T>(place, model, of.contracts, options);
    auto alone = options;
    alone.independent = false;
    for (std::size_t i = 0; i < of.size(); ++i) {
      alone.stream = options.stream + i;
      CHECK(same_result(priced<T>(place, model, of.contracts[i], alone), all[i]));
    }
  });
}

EVERY_PLACE_OF("options on baskets have the same bits with and without a wait", T, float, double) {
  memory_of<Place, exercise_estimate> results(place, std::vector<exercise_estimate>(9));
  with_baskets(9, [&](owned_basket const& model, owned_options const& of) {
    pricing::simulate_async<T>(place, model, of.contracts, results.all(), ordinary_options);
    CHECK(same_results(contents(place, results.all()),
                       priced<T>(place, model, of.contracts, ordinary_options)));
  });
}

TEST_CASE_TEMPLATE("options on baskets on the host have the same bits for any number of threads", T,
                   float, double) {
  wf::host one(1), three(3);
  with_baskets(3, [&](owned_basket const& model, owned_options const& of) {
    CHECK(same_results(priced<T>(one, model, of.contracts, ordinary_options),
                       priced<T>(three, model, of.contracts, ordinary_options)));
  });
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: options on baskets have the host's bits", T, float, double) {
    wf::gpu place;
    wf::host other;
    with_baskets(70, [&](owned_basket const& model, owned_options const& of) {
      for (bool const antithetic : {false, true})
        for (std::uint64_t const regression : {1, 100, 3000, 200'003}) {
          CAPTURE(regression);
          auto options = ordinary_options;
          options.antithetic = antithetic;
          options.regression_paths = regression;
          auto const begin = of.contracts.begin();
          std::vector const some(begin, begin + (regression > 3000 ? 3 : 70));
          CHECK(same_results(priced<T>(place, model, some, options),
                             priced<T>(other, model, some, options)));
        }
    });
  }

  TEST_CASE("options on baskets in a captured graph") {
    wf::gpu place;
    with_baskets(40, [&](owned_basket const& model, owned_options const& of) {
      wf::device_buffer<exercise_estimate> results(place, of.size());
      auto const expected = priced<float>(place, model, of.contracts, ordinary_options);
      captured graph(place, [&] {
        pricing::simulate_async(place, model, of.contracts, results.span(), ordinary_options);
      });
      for (int launch = 0; launch < 3; ++launch) {
        graph.launch();
        CHECK(same_results(wf::to_vector(place, results.span()), expected));
      }
    });
  }

  TEST_CASE("a workspace that is too small for options on baskets is refused") {
    wf::gpu place;
    auto const model = random_basket(3, 3, 21);
    auto const of = every_option(3, 5, dates);
    wf::device_buffer<exercise_estimate> results(place, of.size());
    simulation_options const options{.paths = 1 << 19, .times = dates};
    CHECK(refused_by([&] {
            pricing::simulate_async(place, model, of.contracts, results.span(), options);
          }) == "place");
    auto const expected = priced<float>(place, model, of.contracts, options);
    // Four dates of four prices, and the worth of one option, or of two.
    for (std::size_t const mebibytes : {18, 19}) {
      wf::gpu small;
      small.reserve(mebibytes << 20);
      pricing::simulate_async(small, model, of.contracts, results.span(), options);
      CHECK(same_results(wf::to_vector(small, results.span()), expected));
    }
  }
}

} // namespace basket_exercise_bits_test
