// Options in Heston's model against QuantLib's prices by quadrature, for random models.

#include "pricing/paths/quantlib_heston.hpp"

#include <doctest/doctest.h>

#include <random>

namespace contracts_quantlib_test {

using namespace test;
using namespace test::contracts;
namespace ql = QuantLib;

TEST_CASE("options in Heston's model have QuantLib's prices") {
  ql::Settings::instance().evaluationDate() = today;
  unsigned const seed = 44;
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const within = [&](double low, double high) {
    return std::uniform_real_distribution{low, high}(random);
  };
  wf::host place;
  for (int i = 0; i < 12; ++i) {
    CAPTURE(i);
    heston const model{.spot = 100,
                       .rate = within(0, 0.08),
                       .dividend_yield = within(-0.02, 0.05),
                       .variance = within(0.01, 0.2),
                       .reversion = within(0.3, 4),
                       .mean = within(0.01, 0.2),
                       .vol_of_vol = within(0.1, 1),
                       .correlation = within(-0.9, 0.3)};
    int const days[] = {60, 200, 600};
    std::vector<double> times;
    for (int const d : days) times.push_back(d / 365.);
    std::vector<contract> book;
    for (double const t : times)
      for (double const strike : {80., 100., 120.})
        book.push_back({strike, t, strike > 100 ? settlement::put : settlement::call});
    auto const got = simulated<float>(place, model, book,
                                      {.paths = 1 << 16,
                                       .times = times,
                                       .longest_step = 1. / 32,
                                       .seed = 7,
                                       .stream = static_cast<std::uint64_t>(i)});
    for (std::size_t k = 0; k < book.size(); ++k) {
      CAPTURE(k);
      double const theirs = quantlib_price(model, days[k / 3], book[k].strike, book[k].settlement);
      CHECK(std::abs(got[k].value - theirs) < 4.5 * got[k].standard_error + 0.005);
      CHECK(got[k].standard_error < 0.5);
    }
  }
}

} // namespace contracts_quantlib_test
