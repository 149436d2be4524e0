// Books and outputs that the verbs of option prices refuse, and that nothing is written then.

#include "pricing.hpp"

#include <string>

namespace {

using namespace test;
using namespace test::pricing;
using twins::formula;

template <class T, class Place>
void check_refusals(Place& place) {
  priced<Place, T> all(place, random_options<T>(9, 10));
  char const* const inputs[] = {"book.spot",       "book.strike", "book.expiry",
                                "book.volatility", "book.rate",   "book.dividend_yield"};
  for (std::size_t k = 0; k < 6; ++k) {
    auto book = all.book;
    auto const array = members(book)[k]->array();
    *members(book)[k] = view_t<Place, T const>(array.data(), 8);
    // The first array sets the size, so that it is the second that differs.
    CHECK(refused_by([&] { price(place, book, all.to); }) == (k == 0 ? inputs[1] : inputs[k]));
    *members(book)[k] = view_t<Place, T const>();
    CHECK(refused_by([&] { price(place, book, all.to); }) == (k == 0 ? inputs[1] : inputs[k]));
    if constexpr (std::same_as<Place, gpu>) {
      *members(book)[k] = device_span<T const>(nullptr, 9);
      CHECK(refused_by([&] { price(place, book, all.to); }) == inputs[k]);
    }
  }
  char const* const names[] = {"call",  "put",        "call_delta", "put_delta", "gamma",
                               "vega",  "call_theta", "put_theta",  "call_rho",  "put_rho",
                               "vanna", "volga",      "call_charm", "put_charm"};
  for (std::size_t k = 0; k < outputs; ++k) {
    auto to = all.to;
    *members(to)[k] = view_t<Place, T>(members(to)[k]->data(), 8);
    CHECK(refused_by([&] { price(place, all.book, to); }) == "outputs." + std::string(names[k]));
    outputs_t<Place, T> one{};
    *members(one)[k] = *members(all.to)[k];
    for (formula const by : {formula::polynomial, formula::vendor})
      if (k >= 2) CHECK(refused_by([&] { price(place, all.book, one, by); }) == "twin");
  }
  auto twice = all.to;
  twice.put = view_t<Place, T>(twice.call.data(), twice.call.size());
  CHECK(refused_by([&] { price(place, all.book, twice); }) == "outputs.put");
  auto over_inputs = all.book;
  over_inputs.expiry = all.to.vega;
  CHECK(refused_by([&] { price(place, over_inputs, {.vega = all.to.vega}); }) == "outputs.vega");
  CHECK(refused_by([&] { price(place, all.book, outputs_t<Place, T>{}); }) == "outputs");
  CHECK(refused_by([&] { price(place, all.book, all.to, static_cast<formula>(99)); }) == "twin");
  for (std::size_t k = 0; k < outputs; ++k)
    CHECK(same_elements(all.results(place, k), std::vector<T>(9, untouched<T>)));
  // No option, and nothing asked.
  price(place, book_t<Place, T>{T(1), T(1), T(1), T(1), T(1)}, outputs_t<Place, T>{});
}

} // namespace

TEST_CASE_TEMPLATE("host: bad books are refused", T, float, double) {
  host place;
  check_refusals<T>(place);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("bad books are refused", T, float, double) {
    gpu place;
    check_refusals<T>(place);
  }
}
