// The verbs that imply volatilities: sizes, alignments, which arrays are there, errors, bits. What
// one volatility is worth is tested with the terms; here those are what is expected.

#include "contents.hpp"
#include "gpu.hpp"

#include <warpfold/detail/pricing/implied_volatility_terms.hpp>

#include <memory>
#include <random>

namespace {

using namespace test;
using warpfold::gpu;
using warpfold::host;
using warpfold::pricing::implied_status;
using warpfold::pricing::option_kind;
using warpfold::pricing::quote;

template <class Place, class T>
using quotes_t =
    warpfold::pricing::quote_book<view_t<Place, option_kind const>, view_t<Place, T const>>;

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

template <class T>
std::array<std::vector<T>, 6> columns_of(std::vector<quote<T>> const& quotes) {
  std::array<std::vector<T>, 6> columns;
  for (auto const& one : quotes) {
    T const all[] = {one.price, one.spot, one.strike, one.expiry, one.rate, one.dividend_yield};
    for (std::size_t k = 0; k < 6; ++k) columns[k].push_back(all[k]);
  }
  return columns;
}

template <class Span, class Kinds>
std::array<warpfold::pricing::input<Span>*, 6>
members(warpfold::pricing::quote_book<Kinds, Span>& of) {
  return {&of.price, &of.spot, &of.strike, &of.expiry, &of.rate, &of.dividend_yield};
}

/// Quotes and results in the memory of a place, `offset` elements behind an aligned address.
template <class Place, class T>
class quoted {
public:
  quoted(Place& place, std::vector<quote<T>> const& quotes, std::size_t offset = 0)
      : volatilities_(place, std::vector<T>(offset + quotes.size(), T(-7))),
        statuses_(place, std::vector<implied_status>(offset + quotes.size(), no_status)),
        volatility{volatilities_.view(offset, quotes.size())}, status{statuses_.view(
                                                                   offset, quotes.size())} {
    std::vector<option_kind> kinds(offset);
    for (auto const& one : quotes) kinds.push_back(one.kind);
    kinds_ = std::make_unique<memory_of<Place, option_kind>>(place, kinds);
    book.kind = view_t<Place, option_kind const>(kinds_->view(offset, quotes.size()));
    auto columns = columns_of(quotes);
    for (std::size_t k = 0; k < 6; ++k) {
      columns[k].insert(columns[k].begin(), offset, T(-7));
      columns_.push_back(std::make_unique<memory_of<Place, T>>(place, columns[k]));
      *members(book)[k] = view_t<Place, T const>(columns_.back()->view(offset, quotes.size()));
    }
  }

private:
  memory_of<Place, T> volatilities_;
  memory_of<Place, implied_status> statuses_;
  std::unique_ptr<memory_of<Place, option_kind>> kinds_;
  std::vector<std::unique_ptr<memory_of<Place, T>>> columns_;

public:
  quotes_t<Place, T> book{option_kind::call, T(0), T(0), T(0), T(0), T(0), T(0)};
  view_t<Place, T> volatility;
  view_t<Place, implied_status> status;
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
void check_sizes(Place& place) {
  for (std::size_t const size : {0, 1, 3, 31, 32, 33, 4095, 4096, 4097, 20'011})
    for (std::size_t const offset : {0, 1, 3}) {
      CAPTURE(size);
      CAPTURE(offset);
      auto const quotes = random_quotes<T>(size, 31);
      quoted<Place, T> all(place, quotes, offset);
      implied_volatility(place, all.book, all.volatility, all.status);
      check_results(quotes, contents(place, all.volatility), contents(place, all.status));
    }
  // Without status.
  auto const quotes = random_quotes<T>(99, 32);
  quoted<Place, T> all(place, quotes);
  implied_volatility(place, all.book, all.volatility);
  check_results(quotes, contents(place, all.volatility), {});
  CHECK(contents(place, all.status) == std::vector(99, no_status));
}

template <class T, class Place>
void check_broadcast(Place& place) {
  auto const base = random_quotes<T>(1, 33)[0];
  for (unsigned mask = 0; mask < 128; mask += 3) {
    CAPTURE(mask);
    auto quotes = random_quotes<T>(70, 34 + mask);
    for (auto& one : quotes) {
      if (!(mask & 1)) one.price = base.price;
      if (!(mask & 2)) one.spot = base.spot;
      if (!(mask & 4)) one.strike = base.strike;
      if (!(mask & 8)) one.expiry = base.expiry;
      if (!(mask & 16)) one.rate = base.rate;
      if (!(mask & 32)) one.dividend_yield = base.dividend_yield;
      if (!(mask & 64)) one.kind = option_kind::put;
    }
    quoted<Place, T> all(place, quotes);
    auto const columns = columns_of(quotes);
    for (std::size_t k = 0; k < 6; ++k)
      if (!(mask >> k & 1)) *members(all.book)[k] = columns[k][0];
    if (!(mask & 64)) all.book.kind = option_kind::put;
    implied_volatility(place, all.book, all.volatility, all.status);
    check_results(quotes, contents(place, all.volatility), contents(place, all.status));
  }
}

template <class T, class Place>
void check_refusals(Place& place) {
  quoted<Place, T> all(place, random_quotes<T>(9, 35));
  char const* const names[] = {"book.price",  "book.spot", "book.strike",
                               "book.expiry", "book.rate", "book.dividend_yield"};
  for (std::size_t k = 0; k < 6; ++k) {
    auto book = all.book;
    *members(book)[k] = view_t<Place, T const>(members(book)[k]->array().data(), 8);
    CHECK(refused_by([&] { implied_volatility(place, book, all.volatility, all.status); }) ==
          names[k]);
  }
  view_t<Place, T> const few(all.volatility.data(), 8);
  CHECK(refused_by([&] { implied_volatility(place, all.book, few, all.status); }) == "volatility");
  view_t<Place, implied_status> const few_statuses(all.status.data(), 8);
  CHECK(refused_by([&] { implied_volatility(place, all.book, all.volatility, few_statuses); }) ==
        "status");
  CHECK(contents(place, all.volatility) == std::vector<T>(9, T(-7)));
  CHECK(contents(place, all.status) == std::vector(9, no_status));
}

} // namespace

TEST_CASE_TEMPLATE("host: volatilities are implied at any size", T, float, double) {
  for (int const threads : {1, 3}) {
    host place(threads);
    check_sizes<T>(place);
  }
}
TEST_CASE_TEMPLATE("host: each quantity of quotes may be one value", T, float, double) {
  host place;
  check_broadcast<T>(place);
}
TEST_CASE_TEMPLATE("host: bad quotes are refused", T, float, double) {
  host place;
  check_refusals<T>(place);
}

TEST_SUITE("gpu") {

  TEST_CASE_TEMPLATE("volatilities are implied at any size", T, float, double) {
    gpu place;
    check_sizes<T>(place);
  }
  TEST_CASE_TEMPLATE("fast: each quantity of quotes may be one value", T, float, double) {
    gpu place;
    check_broadcast<T>(place);
  }
  TEST_CASE_TEMPLATE("bad quotes are refused", T, float, double) {
    gpu place;
    check_refusals<T>(place);
  }
  TEST_CASE_TEMPLATE("host memory through a GPU: implied volatilities", T, float, double) {
    gpu place;
    for (std::size_t const size : {std::size_t{1}, std::size_t{65'537}, std::size_t{1'500'001}}) {
      CAPTURE(size);
      auto const quotes = random_quotes<T>(size, 36);
      host processor;
      quoted<host, T> all(processor, quotes);
      implied_volatility(place, all.book, all.volatility, all.status);
      check_results(quotes, contents(processor, all.volatility), contents(processor, all.status));
    }
  }
  TEST_CASE("implied volatilities can be captured in a graph") {
    gpu place;
    auto const quotes = random_quotes<double>(5000, 37);
    quoted<gpu, double> all(place, quotes);
    captured verb(place,
                  [&] { implied_volatility_async(place, all.book, all.volatility, all.status); });
    CHECK(verb.is_one_kernel());
    verb.launch();
    check_results(quotes, contents(place, all.volatility), contents(place, all.status));
  }

} // TEST_SUITE
