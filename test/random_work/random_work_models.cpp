// Random work: contracts, products and Greeks on the paths of models, in one asset and in several.
// Without native bits a host and a GPU agree in every bit.

#include "pricing/exercise/basket_exercise.hpp"
#include "pricing/schedules/schedules.hpp"
#include "random_work_groups.hpp"

#include <warpfold/comm/pricing.hpp>

#include <algorithm>

namespace random_work {
namespace {

namespace pricing = warpfold::pricing;
using pricing::estimate;

/// What a simulation takes beside Black and Scholes's model and Heston's.
struct allowed {
  bool jumps, grids;
};

/// Calls use(model) with a model of contracts.
template <bool HasGrids = true, class Place, class Use>
void with_model(step<Place>& at, allowed these, Use use) {
  pricing::jumps jumps{};
  if (these.jumps && at.random.one_in(2))
    jumps = {at.random.between(0, 5), at.random.between(-0.2, 0.1), at.random.between(0, 0.3)};
  double const rate = at.random.between(-0.02, 0.1), yield = at.random.between(0, 0.05);
  std::size_t const which = at.random.below(HasGrids && these.grids ? 3 : 2);
  at.what << ", model " << which << ", " << jumps.intensity << " jumps a year";
  if (which == 0) {
    use(pricing::black_scholes{100, at.random.between(0.05, 0.6), rate, yield, jumps});
  } else if (which == 1) {
    auto model = test::contracts::heston_of(
        at.random.between(0.01, 0.1), at.random.between(0.5, 4), at.random.between(0.02, 0.1),
        at.random.between(0.1, 0.3), at.random.between(-0.9, 0), rate, yield);
    model.jumps = jumps;
    use(model);
  } else if constexpr (HasGrids) {
    use(test::contracts::ordinary_local());
  }
}

/// Options of a simulation that look at `times`; all of them do without native bits.
template <class Place>
pricing::simulation_options any_simulation(step<Place>& at, std::vector<double> const& times,
                                           std::size_t size) {
  pricing::simulation_options how{.paths = 0, .seed = at.random.word()};
  how.times = times;
  how.stream = at.random.below(1000);
  how.antithetic = at.random.one_in(3);
  how.independent = at.random.one_in(4);
  if (at.random.one_in(3)) how.longest_step = at.random.between(0.05, 0.2);
  how.paths = 2 + 2 * at.size(at.largest / (16 * size) + 1);
  at.what << ", " << size << " in a book, " << times.size() << " times"
          << (how.antithetic ? ", antithetic" : "") << (how.independent ? ", independent" : "");
  return how;
}
template <class Place>
std::vector<double> any_times(step<Place>& at) {
  return test::schedules::equal_times(1 + static_cast<int>(at.random.below(12)),
                                      at.random.between(0.3, 2));
}

/// Requires the host's estimates of a call of simulate(place, results) and simulate_async, which
/// writes to the place's memory; also from a graph. R: estimate or exercise_estimate.
template <class R, class Place, class Simulate, class Enqueue>
void verify_book(step<Place>& at, std::size_t size, Simulate simulate, Enqueue enqueue) {
  forms const both{[&]<class On, class Output>(On& place, Output output) {
                     if constexpr (std::same_as<On, wf::gpu>) {
                       std::vector<R> results(output.size());
                       simulate(place, std::span(results));
                       wf::copy(place, results, output);
                     } else {
                       simulate(place, output);
                     }
                   },
                   enqueue};
  verify_output<R>(at, size, both);
}
/// simulate() of this model and book.
template <class R, class T, class Place, class Model, class Product>
void verify_simulation(step<Place>& at, Model const& model, std::vector<Product> const& book,
                       pricing::simulation_options const& how) {
  std::span<Product const> const of(book);
  verify_book<R>(
      at, book.size(),
      [&](auto& place, auto results) { pricing::simulate<T>(place, model, of, results, how); },
      [&](auto& place, auto results) {
        pricing::simulate_async<T>(place, model, of, results, how);
      });
}

template <class Place>
void contracts(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const times = any_times(at);
    auto const book = test::contracts::every_contract(1 + at.random.below(80), times);
    auto const how = any_simulation(at, times, book.size());
    with_model(at, {.jumps = true, .grids = true},
               [&](auto const& model) { verify_simulation<estimate, T>(at, model, book, how); });
  });
}

template <class Place>
test::baskets::owned_basket any_basket(step<Place>& at, std::size_t most) {
  std::size_t const assets = 2 + at.random.below(most - 1);
  at.what << ", " << assets << " assets";
  return test::baskets::random_basket(assets, 1 + at.random.below(assets), at.random.seed());
}

template <class Place>
void baskets(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const times = any_times(at);
    auto const model = any_basket(at, 16);
    auto const book = test::baskets::every_contract(model.size(), 1 + at.random.below(40), times);
    verify_simulation<estimate, T>(at, pricing::basket(model), book.contracts,
                                   any_simulation(at, times, book.size()));
  });
}

template <class Place>
void schedules(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const times = any_times(at);
    std::vector<pricing::schedule> book(1 + at.random.below(40));
    for (auto& product : book)
      product = test::schedules::random_schedule(times, at.random.engine(), 100);
    auto const how = any_simulation(at, times, book.size());
    if (at.random.one_in(4)) {
      auto const of = any_basket(at, 8);
      auto const on = static_cast<pricing::selection>(at.random.below(3));
      verify_simulation<estimate, T>(at, pricing::basket_index{of.assets, of.correlation, on}, book,
                                     how);
    } else {
      with_model(at, {.jumps = false, .grids = true},
                 [&](auto const& model) { verify_simulation<estimate, T>(at, model, book, how); });
    }
  });
}

/// Options of one asset or of several that may be exercised early.
template <class Place, bool Several>
void exercise(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    using pricing::exercise_estimate;
    auto const times = any_times(at);
    std::size_t const size = 1 + at.random.below(10);
    auto how = any_simulation(at, times, size);
    how.regression_paths = 1 + at.random.below(3000);
    at.what << ", " << how.regression_paths << " for rules";
    if constexpr (Several) {
      auto const model = any_basket(at, 8);
      auto const book = test::basket_exercise::every_option(model.size(), size, times);
      verify_simulation<exercise_estimate, T>(at, pricing::basket(model), book.contracts, how);
    } else {
      std::vector<pricing::bermudan_option> book(size);
      for (auto& one : book) {
        double const expiry = times[at.random.below(times.size())];
        one = {at.random.between(80, 120), expiry,
               at.random.of({pricing::option_kind::put, pricing::option_kind::call}),
               at.random.one_in(3) ? at.random.between(0, expiry) : 0};
      }
      with_model<false>(at, {}, [&](auto const& model) {
        verify_simulation<exercise_estimate, T>(at, model, book, how);
      });
    }
  });
}

/// Prices and two Greeks: of one array, a third each.
template <class T, class Place, class Model, class Product>
void verify_greeks(step<Place>& at, Model const& model, std::vector<Product> const& book,
                   pricing::simulation_options const& how, pricing::bumps const& by) {
  std::span<Product const> const of(book);
  std::size_t const size = book.size();
  bool const second = by.method != pricing::greek_method::pathwise && at.random.one_in(2);
  auto const to = [&]<class Results>(Results all) {
    pricing::greek_spans<Results> some{all.subspan(0, size), all.subspan(size, size)};
    (second ? some.gamma : some.rho) = all.subspan(2 * size, size);
    return some;
  };
  verify_book<estimate>(
      at, 3 * size,
      [&](auto& place, auto results) {
        pricing::simulate<T>(place, model, of, to(results), how, by);
      },
      [&](auto& place, auto results) {
        pricing::simulate_async<T>(place, model, of, to(results), how, by);
      });
}

template <class Place>
void greeks(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    using enum pricing::greek_method;
    pricing::bumps const by{.method = at.random.of({bumps, pathwise, likelihood_ratio})};
    at.what << ", method " << static_cast<int>(by.method);
    auto const times = any_times(at);
    bool const plain = by.method != bumps;
    if (!plain && at.random.one_in(3)) {
      std::vector<pricing::schedule> book(1 + at.random.below(10));
      for (auto& product : book)
        product = test::schedules::random_schedule(times, at.random.engine(), 100);
      auto const how = any_simulation(at, times, book.size());
      with_model(at, {.jumps = false, .grids = true},
                 [&](auto const& model) { verify_greeks<T>(at, model, book, how, by); });
      return;
    }
    auto book = test::contracts::every_contract(1 + at.random.below(20), times);
    for (auto& one : book) // densities are of prices
      if (by.method == likelihood_ratio && one.measure != pricing::measure::price)
        one = {at.random.between(80, 120), one.expiry, pricing::settlement::digital_call};
    auto const how = any_simulation(at, times, book.size());
    with_model(at, {.jumps = !plain, .grids = !plain},
               [&](auto const& model) { verify_greeks<T>(at, model, book, how, by); });
  });
}

/// All kinds of books by ranks, in the bits of one place.
template <class Place>
void share_books(step<Place>& at) {
  auto const times = any_times(at);
  auto const how = any_simulation(at, times, 4);
  auto const check = [&]<class R>(R, auto const& model, auto const& book) {
    auto const of = std::span(book);
    std::vector<R> known(book.size());
    pricing::simulate(at.place, model, of, known, how);
    in_a_group(at, [&](wf::communicator<Place>& over) {
      std::vector<R> results(book.size());
      pricing::simulate(over, model, of, results, how);
      at.require(agree(results, known), "not the estimates of one place");
    });
  };
  auto const contracts = test::contracts::every_contract(4, times);
  std::vector<pricing::schedule> products(4);
  for (auto& one : products) one = test::schedules::random_schedule(times, at.random.engine(), 100);
  with_model(at, {.jumps = true, .grids = true},
             [&](auto const& model) { check(estimate{}, model, contracts); });
  with_model(at, {.jumps = false, .grids = true}, [&](auto const& model) {
    check(estimate{}, model, products);
    std::span<pricing::schedule const> const of(products);
    std::vector<estimate> known(4), delta(4);
    pricing::simulate(at.place, model, of, pricing::greeks{.delta = known}, how);
    in_a_group(at, [&](wf::communicator<Place>& over) {
      std::vector<estimate> mine(4);
      pricing::simulate(over, model, of, pricing::greeks{.delta = mine}, how);
      at.require(agree(mine, known), "not the deltas of one place");
    });
  });
  with_model<false>(at, {}, [&](auto const& model) {
    std::vector<pricing::bermudan_option> const book(2, {100, times.back()});
    check(pricing::exercise_estimate{}, model, book);
  });
  auto const assets = any_basket(at, 8);
  pricing::basket const basket(assets);
  check(estimate{}, basket, test::baskets::every_contract(assets.size(), 4, times).contracts);
  check(pricing::exercise_estimate{}, basket,
        test::basket_exercise::every_option(assets.size(), 2, times).contracts);
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"simulate, contracts", contracts<Place>},
                         {"simulate, baskets", baskets<Place>},
                         {"simulate, schedules", schedules<Place>},
                         {"simulate, exercise", exercise<Place, false>},
                         {"simulate, baskets' ex.", exercise<Place, true>},
                         {"simulate, Greeks", greeks<Place>},
                         {"group: books", share_books<Place>}});
});

} // namespace
} // namespace random_work
