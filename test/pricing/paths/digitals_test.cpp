// Digital contracts, on either place, in every model: what they pay is counted, and known.

#include "pricing/baskets/baskets.hpp"
#include "pricing/greeks/greeks.hpp"
#include "pricing/paths/contracts_bits.hpp"
#include "pricing/paths/jumps.hpp"

namespace digitals_test {

using namespace test;
using namespace test::contracts;
namespace pricing = warpfold::pricing;

/// A call and a put of every measure, and the digitals beside them, at every time.
std::vector<contract> pairs() {
  std::vector<contract> book;
  for (double const t : quarters)
    for (int on = 0; on < 4; ++on)
      for (settlement const kind :
           {settlement::call, settlement::put, settlement::digital_call, settlement::digital_put})
        book.push_back({on == 3 ? 0.05 : 103, t, kind, static_cast<measure>(on)});
  return book;
}

EVERY_PLACE_OF("a digital pays 1 on the paths on which an option pays", T, float, double) {
  auto const book = pairs();
  auto const check = [&](auto const& model) {
    for (bool const antithetic : {false, true}) {
      auto options = ordinary_options;
      options.paths = 1 << 14;
      options.antithetic = antithetic;
      auto const got = simulated<T>(place, model, book, options);
      for (std::size_t i = 0; i < book.size(); i += 4) {
        CAPTURE(i);
        double const discount = std::exp(-model.rate.integral(book[i].expiry));
        for (std::size_t k : {i, i + 1}) {
          estimate const &option = got[k], &digital = got[k + 2];
          CHECK(digital.paying == option.paying);
          CHECK(digital.paying > 0);
          auto const part =
              static_cast<double>(digital.paying) / static_cast<double>(options.paths);
          CHECK(digital.value == doctest::Approx(discount * part).epsilon(1e-12));
          if (antithetic) continue;
          double const variance = part * (1 - part) / static_cast<double>(options.paths - 1);
          CHECK(digital.standard_error ==
                doctest::Approx(discount * std::sqrt(variance)).epsilon(1e-9));
        }
        // No path ends on the strike in double; one might in float.
        CHECK(got[i + 2].value + got[i + 3].value ==
              doctest::Approx(discount).epsilon(sizeof(T) == 4 ? 2e-4 : 1e-12));
      }
    }
  };
  check(ordinary);
  check(frequent);
  check(ordinary_local());
  check(greeks::formula{}.model());
}

EVERY_PLACE_OF("digitals have Black and Scholes's prices", T, float, double) {
  greeks::formula const of;
  std::vector<contract> book;
  for (double const strike : {70., 100., 140.})
    for (settlement const kind : {settlement::digital_call, settlement::digital_put})
      book.push_back({strike, 1, kind});
  auto const got = simulated<T>(place, of.model(), book, {.paths = many<Place>, .steps = 1});
  for (std::size_t i = 0; i < book.size(); ++i)
    CHECK(std::abs(z_score(got[i], of.price(book[i]))) < 4.5);
}

EVERY_PLACE_OF("digitals of what is certain", T, float, double) {
  double const times[] = {0, 0.5};
  auto const got = simulated<T>(place, pricing::black_scholes{100, 0, 0.04},
                                {{100, 0, settlement::digital_call}, // on the strike: neither
                                 {100, 0, settlement::digital_put},
                                 {90, 0.5, settlement::digital_call},
                                 {90, 0.5, settlement::digital_put},
                                 {0, 0.5, settlement::digital_call}},
                                {.paths = 1000, .times = times});
  double const expected[] = {0, 0, std::exp(-0.02), 0, std::exp(-0.02)};
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    CAPTURE(i);
    CHECK(got[i].value == doctest::Approx(expected[i]).epsilon(1e-12));
    CHECK(got[i].standard_error <= 1e-9);
    CHECK(got[i].paying == (expected[i] > 0 ? 1000 : 0));
  }
}

FAST_EVERY_PLACE_OF("digitals have the same bits alone and in any book", T, float, double) {
  auto const book = pairs();
  auto const all = simulated<T>(place, frequent, book, ordinary_options);
  for (std::size_t i = 0; i < book.size(); i += 5) {
    CAPTURE(i);
    CHECK(same_estimate(simulated<T>(place, frequent, book[i], ordinary_options), all[i]));
  }
}

EVERY_PLACE_OF("digitals on baskets pay 1 where options pay", T, float, double) {
  using pricing::basket_contract;
  baskets::owned_basket const model{{{100, 0.2, 0.03}, {90, 0.3, 0.03}},
                                    baskets::equal_correlation(2, 0.4)};
  double const each[] = {0.5, 0.5};
  std::vector<basket_contract> book;
  for (int select = 0; select < 4; ++select)
    for (settlement const kind :
         {settlement::call, settlement::put, settlement::digital_call, settlement::digital_put})
      book.push_back({each,
                      select == 0   ? 95.
                      : select == 3 ? 93.
                                    : 48.,
                      1, kind, static_cast<pricing::selection>(select)});
  std::vector<estimate> got(book.size());
  pricing::simulate<T>(place, model, book, got, {.paths = 1 << 14, .steps = 2});
  for (std::size_t i = 0; i < book.size(); i += 4)
    for (std::size_t k : {i, i + 1}) {
      CAPTURE(k);
      CHECK(got[k].paying > 0);
      CHECK(got[k + 2].paying == got[k].paying);
      double const part = static_cast<double>(got[k].paying) / (1 << 14);
      CHECK(got[k + 2].value == doctest::Approx(std::exp(-0.03) * part).epsilon(1e-12));
    }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: digitals on a gpu are the host's", T, float, double) {
    wf::gpu place;
    wf::host other;
    auto const book = pairs();
    auto const check = [&](auto const& model) {
      CHECK(same_estimates(simulated<T>(place, model, book, ordinary_options),
                           simulated<T>(other, model, book, ordinary_options)));
    };
    check(ordinary);
    check(frequent);
    check(ordinary_local());
  }
}

} // namespace digitals_test
