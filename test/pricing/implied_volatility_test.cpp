// The verbs that imply volatilities: sizes, alignments, which arrays are there, errors, bits. What
// one volatility is worth is tested with the terms; here those are what is expected.

#include "pricing.hpp"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

namespace implied_volatility_test {

using namespace test;
using test::pricing::columns_of;
using test::pricing::with_threads;
using warpfold::gpu;
using warpfold::host;
using warpfold::pricing::implied_status;
using warpfold::pricing::option_kind;
using warpfold::pricing::quote;

template <class Place, class T>
using quotes_t =
    warpfold::pricing::quote_book<view_t<Place, option_kind const>, view_t<Place, T const>>;
template <class Place, class T>
using outputs_t =
    warpfold::pricing::implied_outputs<view_t<Place, T>, view_t<Place, implied_status>>;

constexpr auto no_status = static_cast<implied_status>(77);

/// Quotes of every status.
template <class T>
std::vector<quote<T>> random_quotes(std::size_t size, unsigned seed) {
  std::mt19937_64 random{seed};
  auto const within = [&](double lower, double upper) {
    return static_cast<T>(std::uniform_real_distribution{lower, upper}(random));
  };
  std::vector<quote<T>> all(size);
  for (auto& one : all)
    one = {random() % 2 ? option_kind::call : option_kind::put,
           within(-0.5, 12),
           within(5, 30),
           within(5, 30),
           within(0.25, 10),
           within(-0.02, 0.1),
           within(-0.01, 0.05)};
  return all;
}

/// Quotes and results in the memory of a place, `shift` elements behind an aligned address.
template <class Place, class T>
class quoted {
public:
  quoted(Place& place, std::vector<quote<T>> const& quotes, std::size_t shift = 0)
      : memory_{place} {
    std::size_t const size = shift + quotes.size();
    to = {memory_(std::vector<T>(size, T(-7))).subspan(shift),
          memory_(std::vector(size, no_status)).subspan(shift)};
    std::vector<option_kind> kinds;
    for (auto const& one : quotes) kinds.push_back(one.kind);
    memory_.put(book.kind, kinds, shift);
    auto const columns = columns_of(quotes);
    for (std::size_t k = 0; k < 6; ++k) memory_.put(*members(book)[k], columns[k], shift);
  }

  quotes_t<Place, T> book{option_kind::call, T(0), T(0), T(0), T(0), T(0), T(0)};
  outputs_t<Place, T> to;

private:
  test::pricing::arrays<Place> memory_;
};

/// As of one after the other; NaNs have no bits to agree on.
template <class T>
void check_results(std::vector<quote<T>> const& quotes, std::vector<T> const& volatility,
                   std::vector<implied_status> const& status) {
  REQUIRE(volatility.size() == quotes.size());
  std::size_t wrong = 0, wrong_status = 0;
  for (std::size_t i = 0; i < quotes.size(); ++i) {
    auto const expected = warpfold::detail::implied_volatility_of(quotes[i]);
    wrong += !(same_bits(volatility[i], expected.volatility) ||
               (std::isnan(volatility[i]) && std::isnan(expected.volatility)));
    if (!status.empty()) wrong_status += status[i] != expected.status;
  }
  CHECK(wrong == 0);
  CHECK(wrong_status == 0);
}
template <class T, class Place>
void check_results(Place& place, std::vector<quote<T>> const& quotes, quoted<Place, T> const& all) {
  check_results(quotes, contents(place, all.to.volatility), contents(place, all.to.status));
}

EVERY_PLACE_OF("volatilities are implied at any size", T, float, double) {
  with_threads(place, [](Place& on) {
    for (std::size_t const size : {0, 1, 3, 31, 32, 33, 4095, 4096, 4097, 20'011})
      for (std::size_t const shift : {0, 1, 3}) {
        CAPTURE(size);
        CAPTURE(shift);
        auto const quotes = random_quotes<T>(size, 31);
        quoted<Place, T> all(on, quotes, shift);
        if (size % 2 == 0) implied_volatility(on, all.book, all.to);
        else implied_volatility_async(on, all.book, all.to);
        check_results(on, quotes, all);
      }
    // Without status.
    auto const quotes = random_quotes<T>(99, 32);
    quoted<Place, T> all(on, quotes);
    implied_volatility(on, all.book, {.volatility = all.to.volatility});
    check_results(quotes, contents(on, all.to.volatility), {});
    CHECK(contents(on, all.to.status) == std::vector(99, no_status));
  });
}

FAST_EVERY_PLACE_OF("each quantity of quotes may be one value", T, float, double) {
  auto const base = random_quotes<T>(1, 33)[0];
  for (unsigned mask = 0; mask < 128; mask += 3) {
    CAPTURE(mask);
    auto quotes = random_quotes<T>(70, 34 + mask);
    auto const share_base = [&](auto& to) {
      for (std::size_t k = 0; k < 6; ++k)
        if (!(mask >> k & 1)) *members(to)[k] = *members(base)[k];
      if (!(mask & 64)) to.kind = option_kind::put;
    };
    for (auto& one : quotes) share_base(one);
    quoted<Place, T> all(place, quotes);
    share_base(all.book);
    implied_volatility(place, all.book, all.to);
    check_results(place, quotes, all);
  }
}

TEST_SUITE("gpu") {

  TEST_CASE_TEMPLATE("host memory through a GPU: implied volatilities", T, float, double) {
    gpu place;
    for (std::size_t const size : {std::size_t{1}, std::size_t{65'537}, std::size_t{1'500'001}}) {
      CAPTURE(size);
      auto const quotes = random_quotes<T>(size, 36);
      host processor;
      quoted<host, T> all(processor, quotes);
      implied_volatility(place, all.book, all.to);
      check_results(processor, quotes, all);
    }
  }
  TEST_CASE("implied volatilities can be captured in a graph") {
    gpu place;
    auto const quotes = random_quotes<double>(5000, 37);
    quoted<gpu, double> all(place, quotes);
    captured verb(place, [&] { implied_volatility_async(place, all.book, all.to); });
    CHECK(verb.is_one_kernel());
    verb.launch();
    check_results(place, quotes, all);
  }

} // TEST_SUITE

} // namespace implied_volatility_test
