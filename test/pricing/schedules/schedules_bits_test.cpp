// Products with a schedule: the same bits everywhere.

#include "contents.hpp"
#include "pricing/baskets/baskets.hpp"
#include "pricing/schedules/schedules.hpp"

namespace schedules_bits_test {

using namespace test;
using namespace test::schedules;
namespace pricing = warpfold::pricing;

std::vector<double> const times = equal_times(40, 2);
simulation_options const ordinary_options{.paths = 1500, .times = times, .seed = 7, .stream = 3};
simulation_options with(simulation_options options, bool simulation_options::*member) {
  options.*member = true;
  return options;
}

std::vector<schedule> random_book(int size, unsigned seed) {
  std::mt19937_64 random{seed};
  std::vector<schedule> book;
  for (int i = 0; i < size; ++i) book.push_back(random_schedule(times, random, 100));
  return book;
}

/// Notes on the first `dates` times; 32 fit one window.
std::vector<schedule> random_notes(std::ptrdiff_t dates, std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  return schedules::random_notes({times.begin(), times.begin() + dates}, random, size);
}

/// Calls check(model) for a model of every kind.
template <class Check>
void for_every_model(Check check) {
  check(black_scholes{100, 0.3, 0.03, 0.01});
  check(contracts::ordinary);
  check(contracts::ordinary_local());
  for (std::size_t const n : {2, 3, 8}) {
    auto const of = baskets::random_basket(n, n, 5);
    check(pricing::basket_index{of.assets, of.correlation, static_cast<pricing::selection>(n % 3)});
  }
}

EVERY_PLACE_OF("a product has the same bits alone and anywhere in a book", T, float, double) {
  auto const book = random_book(70, 1);
  for_every_model([&](auto const& model) {
    for (auto const& options :
         {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
      auto const all = simulated<T>(place, model, book, options);
      for (std::size_t i = 0; i < book.size(); i += 23) {
        CAPTURE(i);
        CHECK(same_estimate(simulated<T>(place, model, book[i], options), all[i]));
      }
      auto const other = simulated<T>(place, model, {book.rbegin(), book.rend()}, options);
      CHECK(same_estimates({other.rbegin(), other.rend()}, all));
    }
  });
}

EVERY_PLACE_OF("notes that are looked at together have the bits of other products", T, float,
               double) {
  for (std::ptrdiff_t const dates : {32, 40}) {
    auto const notes = random_notes(dates, 70, 9);
    // At a level that no price is below: it changes nothing, but is looked at date by date.
    auto others = notes;
    for (auto& note : others)
      if (note.dates.size() > 1) note.dates[0].knock_in_level = 1e-30;
    for_every_model([&](auto const& model) {
      for (auto const& options :
           {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
        auto const got = simulated<T>(place, model, notes, options);
        CHECK(same_estimates(got, simulated<T>(place, model, others, options)));
        for (std::size_t i = 0; i < notes.size(); i += 23)
          CHECK(same_estimate(simulated<T>(place, model, notes[i], options), got[i]));
      }
    });
  }
}

EVERY_PLACE_OF("independent products have streams of their own", T, float, double) {
  auto const book = random_book(5, 2);
  black_scholes const model{100, 0.3, 0.03, 0.01};
  auto options = with(ordinary_options, &simulation_options::independent);
  auto const all = simulated<T>(place, model, book, options);
  options.independent = false;
  for (std::size_t i = 0; i < book.size(); ++i) {
    options.stream = ordinary_options.stream + i;
    CHECK(same_estimate(simulated<T>(place, model, book[i], options), all[i]));
  }
}

EVERY_PLACE_OF("simulations of products have the same bits with and without a wait", T, float,
               double) {
  auto const book = random_book(40, 3);
  for_every_model([&](auto const& model) {
    memory_of<Place, estimate> results(place, std::vector<estimate>(book.size()));
    pricing::simulate_async<T>(place, model, book, results.all(), ordinary_options);
    CHECK(same_estimates(contents(place, results.all()),
                         simulated<T>(place, model, book, ordinary_options)));
  });
}

EVERY_PLACE_OF("a pair of antithetic paths is the mean of both", T, float, double) {
  // On a path without volatility both are equal; a forward's error is smaller with pairs.
  schedule const forward{.dates = {{.time = 2}}, .at_end = {.participation = 100, .strike = 1}};
  black_scholes const model{100, 0.2, 0.03};
  auto const plain = simulated<T>(place, model, forward, ordinary_options);
  auto const pairs =
      simulated<T>(place, model, forward, with(ordinary_options, &simulation_options::antithetic));
  CHECK(pairs.standard_error < 0.5 * plain.standard_error);
  CHECK(pairs.paying <= pairs.paths);
  CHECK(std::abs(z_score(pairs, 100 - 100 * std::exp(-0.06))) < 4.5);
}

TEST_CASE_TEMPLATE("products on the host have the same bits for any number of threads", T, float,
                   double) {
  auto const book = random_book(40, 4);
  wf::host one(1), seven(7);
  for_every_model([&](auto const& model) {
    CHECK(same_estimates(simulated<T>(one, model, book, ordinary_options),
                         simulated<T>(seven, model, book, ordinary_options)));
  });
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: products on a gpu have the host's bits", T, float, double) {
    wf::gpu place;
    wf::host other;
    for (auto const& book :
         {random_book(70, 5), random_notes(32, 70, 10), random_notes(40, 70, 11)})
      for_every_model([&](auto const& model) {
        for (auto const& options :
             {ordinary_options, with(ordinary_options, &simulation_options::antithetic)})
          CHECK(same_estimates(simulated<T>(place, model, book, options),
                               simulated<T>(other, model, book, options)));
      });
  }

  TEST_CASE("fast: products in a captured graph") {
    wf::gpu place;
    auto const book = random_book(40, 6);
    wf::device_buffer<estimate> results(place, book.size());
    auto const expected = simulated<float>(place, contracts::ordinary, book, ordinary_options);
    captured graph(place, [&] {
      pricing::simulate_async(place, contracts::ordinary, book, results.span(), ordinary_options);
    });
    for (int launch = 0; launch < 2; ++launch) {
      graph.launch();
      CHECK(same_estimates(wf::to_vector(place, results.span()), expected));
    }
  }

  TEST_CASE("a workspace that is too small for products is refused") {
    wf::gpu place;
    auto const book = random_book(64, 7);
    wf::device_buffer<estimate> results(place, book.size());
    CHECK(refused_by([&] {
            pricing::simulate_async(place, contracts::ordinary, book, results.span(),
                                    {.paths = 1 << 20, .times = times});
          }) == "place");
  }

  TEST_CASE("fast: many products and paths") {
    wf::gpu place;
    auto const book = random_book(200, 8);
    simulation_options const options{.paths = (1 << 19) + 77, .times = times, .seed = 1};
    auto const all = simulated<float>(place, black_scholes{100, 0.3, 0.03}, book, options);
    for (std::size_t const i : {0, 31, 32, 199})
      CHECK(same_estimate(simulated<float>(place, black_scholes{100, 0.3, 0.03}, book[i], options),
                          all[i]));
  }
}

} // namespace schedules_bits_test
