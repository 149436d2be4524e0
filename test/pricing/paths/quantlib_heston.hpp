#pragma once
// QuantLib's prices of options in Heston's model.

#include "pricing/paths/contracts.hpp"

#include <ql/exercise.hpp>
#include <ql/instruments/vanillaoption.hpp>
#include <ql/models/equity/hestonmodel.hpp>
#include <ql/pricingengines/vanilla/analytichestonengine.hpp>
#include <ql/processes/hestonprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/daycounters/actual365fixed.hpp>

namespace test::contracts {

namespace ql = QuantLib;

inline ql::Date const today(20, ql::November, 2026);

inline double quantlib_price(heston const& of, int days, double strike, settlement kind) {
  ql::Actual365Fixed const counter;
  auto const flat = [&](double rate) {
    return ql::Handle<ql::YieldTermStructure>(
        ql::ext::make_shared<ql::FlatForward>(today, rate, counter));
  };
  auto const process = ql::ext::make_shared<ql::HestonProcess>(
      flat(of.rate.values()[0]), flat(of.dividend_yield.values()[0]),
      ql::Handle<ql::Quote>(ql::ext::make_shared<ql::SimpleQuote>(of.spot)), of.variance,
      of.reversion, of.mean, of.vol_of_vol, of.correlation);
  ql::VanillaOption option(
      ql::ext::make_shared<ql::PlainVanillaPayoff>(
          kind == settlement::call ? ql::Option::Call : ql::Option::Put, strike),
      ql::ext::make_shared<ql::EuropeanExercise>(today + days));
  option.setPricingEngine(ql::ext::make_shared<ql::AnalyticHestonEngine>(
      ql::ext::make_shared<ql::HestonModel>(process), 192));
  return option.NPV();
}

} // namespace test::contracts
