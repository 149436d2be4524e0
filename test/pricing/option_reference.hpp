#pragma once
// European options with 60 digits, by GNU MPFR.

#include <warpfold/pricing/option.hpp>

#include <mpfr.h>

#include <algorithm>
#include <cmath>

namespace test {

/// A number of 200 bits. Only what a formula needs.
class digits {
public:
  digits(double x = 0) {
    mpfr_init2(value_, 200);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  digits(digits const& other) : digits() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  digits& operator=(digits const& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~digits() { mpfr_clear(value_); }

  friend digits operator+(digits a, digits const& b) { return a.with(mpfr_add, b); }
  friend digits operator-(digits a, digits const& b) { return a.with(mpfr_sub, b); }
  friend digits operator*(digits a, digits const& b) { return a.with(mpfr_mul, b); }
  friend digits operator/(digits a, digits const& b) { return a.with(mpfr_div, b); }
  friend digits operator-(digits const& a) { return digits(0) - a; }
  friend bool operator<(digits const& a, digits const& b) {
    return mpfr_less_p(a.value_, b.value_);
  }
  friend digits exp(digits a) { return a.with(mpfr_exp); }
  friend digits log(digits a) { return a.with(mpfr_log); }
  friend digits sqrt(digits a) { return a.with(mpfr_sqrt); }
  friend digits sin(digits a) { return a.with(mpfr_sin); }
  friend digits cos(digits a) { return a.with(mpfr_cos); }
  friend digits atan(digits a) { return a.with(mpfr_atan); }
  friend digits erfc(digits a) { return a.with(mpfr_erfc); }
  friend digits abs(digits a) { return a.with(mpfr_abs); }
  double rounded() const { return mpfr_get_d(value_, MPFR_RNDN); }

private:
  digits& with(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), digits const& b) {
    f(value_, value_, b.value_, MPFR_RNDN);
    return *this;
  }
  digits& with(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
    f(value_, value_, MPFR_RNDN);
    return *this;
  }
  mpfr_t value_;
};

/// N(x) of the normal distribution, and its density.
inline digits normal(digits const& x) { return erfc(-x / sqrt(digits(2))) / 2; }
inline digits normal_density(digits const& x) {
  static digits const root_two_pi = sqrt(digits(8) * [] {
    digits const fifth = digits(1) / 5, small = digits(1) / 239; // Machin's formula for pi / 4
    auto const arctangent = [](digits const& y) {
      digits sum = y, power = y;
      for (int k = 3; k < 100; k += 2) {
        power = -(power * y * y);
        sum = sum + power / k;
      }
      return sum;
    };
    return digits(4) * arctangent(fifth) - arctangent(small);
  }());
  return exp(-(x * x) / 2) / root_two_pi;
}

/// The formula as textbooks have it, the smaller tail of each term taken.
struct option_reference {
  digits a, b, root, d1, d2; ///< discounted spot and strike, sigma sqrt T
  warpfold::pricing::valuation<digits> value;

  explicit option_reference(warpfold::pricing::option<digits> const& o)
      : a{o.spot * exp(-o.dividend_yield * o.expiry)}, b{o.strike * exp(-o.rate * o.expiry)},
        root{o.volatility * sqrt(o.expiry)}, d1{log(a / b) / root + root / 2}, d2{d1 - root} {
    digits const density = a * normal_density(d1), n1 = normal(d1), n2 = normal(d2),
                 m1 = normal(-d1), m2 = normal(-d2), time = sqrt(o.expiry);
    digits const &q = o.dividend_yield, &r = o.rate;
    value.call = a * n1 - b * n2;
    value.put = b * m2 - a * m1;
    value.call_delta = a * n1 / o.spot;
    value.put_delta = -a * m1 / o.spot;
    value.gamma = density / (o.spot * o.spot * root);
    value.vega = density * time;
    digits const decay = -density * o.volatility / (digits(2) * time);
    value.call_theta = decay - r * b * n2 + q * a * n1;
    value.put_theta = decay + r * b * m2 - q * a * m1;
    value.call_rho = o.expiry * b * n2;
    value.put_rho = -o.expiry * b * m2;
    value.vanna = -density / o.spot * d2 / o.volatility;
    value.volga = value.vega * d1 * d2 / o.volatility;
    digits const turn = density / o.spot * (digits(2) * (r - q) * o.expiry - d2 * root) /
                        (digits(2) * o.expiry * root);
    value.call_charm = q * value.call_delta - turn;
    value.put_charm = q * value.put_delta - turn;
  }
};

} // namespace test
