#pragma once
// A number of GNU MPFR that holds every sum of products of doubles exactly.

#include "support.hpp"

#include <mpfr.h>

namespace test {

class mpfr_number {
public:
  mpfr_number() {
    mpfr_init2(value_, 4600);
    mpfr_set_zero(value_, 1);
  }
  ~mpfr_number() { mpfr_clear(value_); }
  mpfr_number(mpfr_number const&) = delete;
  mpfr_number& operator=(mpfr_number const&) = delete;

  void add(double x) { exact(mpfr_add_d(value_, value_, x, MPFR_RNDN)); }
  void add_product(double x, double y) {
    mpfr_number product;
    exact(mpfr_set_d(product.value_, x, MPFR_RNDN));
    exact(mpfr_mul_d(product.value_, product.value_, y, MPFR_RNDN));
    exact(mpfr_add(value_, value_, product.value_, MPFR_RNDN));
  }
  void take_root() { mpfr_sqrt(value_, value_, MPFR_RNDN); }

  template <class T>
  T rounded() const {
    T const result = std::is_same_v<T, float> ? static_cast<T>(mpfr_get_flt(value_, MPFR_RNDN))
                                              : static_cast<T>(mpfr_get_d(value_, MPFR_RNDN));
    return mpfr_zero_p(value_) ? T{0} : result;
  }
  /// True if its absolute value is at most `bound`.
  bool is_within(double bound) const {
    mpfr_number most;
    most.add(bound);
    return mpfr_cmpabs(value_, most.value_) <= 0;
  }

private:
  static void exact(int ternary) { REQUIRE(ternary == 0); }
  mpfr_t value_;
};

} // namespace test
