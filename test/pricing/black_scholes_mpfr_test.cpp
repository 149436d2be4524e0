// Prices and Greeks against GNU MPFR on the same inputs.

#include "one_option.hpp"
#include "option_reference.hpp"
#include "random_terms.hpp"
#include "support.hpp"

namespace black_scholes_mpfr_test {

using namespace test;
namespace pricing = warpfold::pricing;

/// The largest errors that the library promises.
template <class T>
struct promise {
  static constexpr bool narrow = std::is_same_v<T, float>;
  static constexpr double absolute = narrow ? 1.2e-7 : 4e-16; ///< of A + B
  static constexpr double relative = narrow ? 2e-5 : 1e-12;   ///< of prices out of the money
  /// In units of the Greeks' natural scales: delta, theta and rho; then all others.
  static constexpr double slopes = narrow ? 5e-7 : 1e-14;
  static constexpr double curvatures = narrow ? 1e-6 : 3e-14;
};

/// The largest errors of prices, in what they are promised relative to.
struct price_errors {
  double absolute = 0, relative = 0, parity = 0;
  int outside = 0; ///< prices that the relative error is of

  template <class T>
  void add(pricing::option<T> const& o, pricing::prices<T> const& got) {
    option_reference const exact{converted<digits>(o)};
    digits const scale = exact.a + exact.b;
    digits const call = static_cast<double>(got.call), put = static_cast<double>(got.put);
    bool const valid = got.call >= T{0} && got.put >= T{0};
    if (!valid) absolute = HUGE_VAL;
    for (auto const& [mine, wanted] :
         {std::pair{call, exact.value.call}, std::pair{put, exact.value.put}})
      absolute = std::max(absolute, (abs(mine - wanted) / scale).rounded());
    parity = std::max(parity, (abs((call - put) - (exact.a - exact.b)) / scale).rounded());
    bool const call_outside = exact.a < exact.b;
    digits const& outside_price = call_outside ? exact.value.call : exact.value.put;
    if (outside_price < digits(1e-30)) return;
    ++outside;
    digits const error = (call_outside ? call : put) - outside_price;
    relative = std::max(relative, (abs(error) / outside_price).rounded());
  }
};

template <class T>
void check_promise(price_errors const& errors) {
  MESSAGE(errors.absolute << " of A + B, " << errors.relative << " of " << errors.outside
                          << " prices out of the money, parity " << errors.parity);
  CHECK(errors.absolute <= promise<T>::absolute);
  CHECK(errors.parity <= promise<T>::absolute);
  CHECK(errors.relative <= promise<T>::relative);
}

TEST_CASE_TEMPLATE("prices keep their promised errors", T, float, double) {
  unsigned const seed = 20261121;
  CAPTURE(seed);
  random_terms<T> random(seed);
  price_errors ordinary, wide;
  for (int i = 0; i < 4000; ++i) {
    auto const one = random.ordinary(), other = random.wide();
    ordinary.add(one, mills_prices(one));
    wide.add(other, mills_prices(other));
  }
  CHECK(ordinary.outside > 3800);
  CHECK(wide.outside > 3000);
  check_promise<T>(ordinary);
  check_promise<T>(wide);
}

// By a host's own functions, which are rounded correctly. What a GPU's lose is in the test of
// books.
TEST_CASE("the formula of native prices keeps the promised errors") {
  unsigned const seed = 20261127;
  CAPTURE(seed);
  random_terms<float> random(seed);
  price_errors errors;
  for (int i = 0; i < 4000; ++i)
    for (auto const& one : {random.ordinary(), random.wide()}) {
      using namespace warpfold::detail;
      if (is_regular(one)) errors.add(one, regular_prices<yields::any, pricing::bits::native>(one));
    }
  CHECK(errors.outside > 6500);
  check_promise<float>(errors);
}

/// Each Greek's natural scale: the sum of the magnitudes of its terms.
pricing::valuation<digits> scales(pricing::option<digits> const& o, option_reference const& e) {
  auto const& v = e.value;
  digits const growth = e.a / o.spot, q = abs(o.dividend_yield), r = abs(o.rate);
  digits const decay = v.vega * o.volatility / (digits(2) * o.expiry);
  digits const theta = decay + q * e.a + r * e.b, rho = o.expiry * e.b;
  digits const peak = e.a * sqrt(o.expiry), size1 = abs(e.d1) + 1, size2 = abs(e.d2) + 1;
  digits const density = v.vega / (o.spot * sqrt(o.expiry));
  digits const charm =
      q * growth + density * (abs(o.rate - o.dividend_yield) / e.root + size2 / o.expiry);
  digits const price = e.a + e.b;
  digits const tiny = 1e-28; // of the largest: below it a float may be 0
  return {price,
          price,
          growth,
          growth,
          v.gamma * size1 + peak * tiny / (o.spot * o.spot * e.root),
          v.vega * size1 + peak * tiny,
          theta,
          theta,
          rho,
          rho,
          density * size2 * size1 / o.volatility + growth * tiny / o.volatility,
          v.vega * size1 * size2 * size1 / o.volatility + peak * tiny / o.volatility,
          charm * size1 + growth * tiny,
          charm * size1 + growth * tiny};
}

TEST_CASE_TEMPLATE("Greeks keep their promised errors", T, float, double) {
  unsigned const seed = 7;
  CAPTURE(seed);
  random_terms<T> random(seed);
  std::array<double, 14> worst{};
  for (int i = 0; i < 4000; ++i) {
    pricing::option<T> const o = i % 2 == 0 ? random.ordinary() : random.wide();
    auto const got = values_of(mills_valuation(o));
    option_reference const exact{converted<digits>(o)};
    auto const want = values_of(exact.value),
               scale = values_of(scales(converted<digits>(o), exact));
    for (std::size_t k = 0; k < 14; ++k) {
      double const error =
          (abs(digits(static_cast<double>(got[k])) - want[k]) / scale[k]).rounded();
      worst[k] = std::max(worst[k], got[k] == got[k] ? error : HUGE_VAL);
    }
    auto const prices = mills_prices(o);
    CHECK(same_bits(prices.call, got[0]));
    CHECK(same_bits(prices.put, got[1]));
  }
  for (std::size_t k = 0; k < 14; ++k) {
    CAPTURE(k); // in the order of values_of
    MESSAGE("value " << k << ": " << worst[k] << " of its scale");
    bool const is_slope = k < 4 || (k >= 6 && k < 10);
    CHECK(worst[k] <= (k < 2      ? promise<T>::absolute
                       : is_slope ? promise<T>::slopes
                                  : promise<T>::curvatures));
  }
}

/// d f / d (what `move` moves) by a central difference of order 6, of 60 digits.
template <class F>
digits slope(pricing::option<digits> const& o, digits pricing::option<digits>::*moved, F f) {
  digits const step = o.*moved * digits(1e-6);
  auto const at = [&](int k) {
    auto there = o;
    there.*moved = there.*moved + step * digits(k);
    return f(option_reference{there}.value);
  };
  return (at(3) - at(-3) - digits(9) * (at(2) - at(-2)) + digits(45) * (at(1) - at(-1))) /
         (digits(60) * step);
}

TEST_CASE("the reference's Greeks are differences of its prices") {
  using option = pricing::option<digits>;
  using valuation = pricing::valuation<digits>;
  unsigned const seed = 11;
  CAPTURE(seed);
  random_terms<double> random(seed);
  for (int i = 0; i < 200; ++i) {
    option o = converted<digits>(random.ordinary());
    if (o.rate.rounded() == 0) o.rate = digits(0.01);
    auto const call = [](valuation const& v) { return v.call; };
    auto const put = [](valuation const& v) { return v.put; };
    auto const delta = [](valuation const& v) { return v.call_delta; };
    auto const vega = [](valuation const& v) { return v.vega; };
    auto const put_delta = [](valuation const& v) { return v.put_delta; };
    option_reference const e{o};
    auto const& v = e.value;
    digits const size = e.a + e.b;
    auto const check = [&](digits const& formula, digits const& difference, digits const& scale) {
      CHECK((abs(formula - difference) / scale).rounded() < 1e-25);
    };
    check(v.call_delta, slope(o, &option::spot, call), size / o.spot);
    check(v.put_delta, slope(o, &option::spot, put), size / o.spot);
    check(v.gamma, slope(o, &option::spot, delta), size / (o.spot * o.spot));
    check(v.vega, slope(o, &option::volatility, call), size / o.volatility);
    check(v.vega, slope(o, &option::volatility, put), size / o.volatility);
    check(v.call_theta, -slope(o, &option::expiry, call), size / o.expiry);
    check(v.put_theta, -slope(o, &option::expiry, put), size / o.expiry);
    check(v.call_rho, slope(o, &option::rate, call), size * o.expiry);
    check(v.put_rho, slope(o, &option::rate, put), size * o.expiry);
    check(v.vanna, slope(o, &option::volatility, delta), size / (o.spot * o.volatility));
    check(v.volga, slope(o, &option::volatility, vega), size / (o.volatility * o.volatility));
    check(v.call_charm, -slope(o, &option::expiry, delta), size / (o.spot * o.expiry));
    check(v.put_charm, -slope(o, &option::expiry, put_delta), size / (o.spot * o.expiry));
  }
}

} // namespace black_scholes_mpfr_test
