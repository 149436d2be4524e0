// Books in host memory, of which every rank prices a part.

#include "communicator.hpp"
#include "pricing/pricing.hpp"

#include <warpfold/comm/pricing.hpp>

namespace books_collective_test {

using namespace test;
using namespace test::pricing;
namespace wf = warpfold;
using wf::pricing::implied_status;
using wf::pricing::option_kind;

TEST_CASE("parts cover a whole, in order and evenly") {
  for (std::size_t const size : {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8},
                                 std::size_t{1'000'003}, ~std::size_t{0}})
    for (int const ranks : {1, 2, 3, 5, 8, 1024}) {
      std::size_t next = 0, least = size, most = 0;
      for (int r = 0; r < ranks; ++r) {
        auto const part = wf::rank_part(size, r, ranks);
        CHECK(part.first == next);
        next += part.count;
        least = std::min(least, part.count);
        most = std::max(most, part.count);
      }
      CHECK(next == size);
      CHECK(most - least <= 1);
    }
}

/// A group's prices have the bits of one place, whatever ranks compute them.
template <class T, class Place>
void shares_prices(wf::local_group<Place>& group, std::size_t size) {
  CAPTURE(size);
  CAPTURE(group.size());
  wf::host memory;
  Place alone;
  auto const options = odd_options<T>(size, 31);
  priced<wf::host, T> expected(memory, options), got(memory, options, 1);
  price(alone, expected.book, expected.to);
  group.run([&](wf::communicator<Place>& comm) { price(comm, got.book, got.to); });
  for (std::size_t k = 0; k < outputs; ++k)
    CHECK(same_elements(got.results(memory, k), expected.results(memory, k)));

  // Volatilities of the prices, and of some that have none.
  auto prices = expected.results(memory, 0);
  for (std::size_t i = 0; i < size; i += 11) prices[i] = -prices[i];
  wf::pricing::host_quotes<T> quotes{option_kind::call,           std::span<T const>(prices),
                                     expected.book.spot,          expected.book.strike,
                                     expected.book.expiry,        expected.book.rate,
                                     expected.book.dividend_yield};
  std::vector<T> volatility(size), shared(size, untouched<T>), alone_shared(size, untouched<T>);
  std::vector<implied_status> status(size), shared_status(size);
  implied_volatility(alone, quotes, {volatility, status});
  group.run([&](wf::communicator<Place>& comm) {
    implied_volatility(comm, quotes, {shared, shared_status});
    implied_volatility(comm, quotes, {.volatility = alone_shared});
  });
  CHECK(same_elements(shared, volatility));
  CHECK(same_elements(alone_shared, volatility));
  CHECK(shared_status == status);
}

EVERY_GROUP("ranks price parts of a book, to the same bits") {
  using sizes = std::vector<std::size_t>;
  for (std::size_t const size :
       std::same_as<Place, wf::gpu> ? sizes{1, 300'001} : sizes{0, 3, 10'007}) {
    shares_prices<float>(group, size);
    shares_prices<double>(group, size);
  }
}

TEST_CASE("a rank does its part alone, and returns when all have") {
  wf::local_group<wf::host> group(3);
  std::vector<float> const strikes(100, 90.F);
  std::vector<std::vector<float>> calls(3, std::vector<float>(100, untouched<float>));
  std::vector<float> whole(100, untouched<float>);
  wf::pricing::host_book<float> const book{100, strikes, 1, 0.2, 0.05};
  group.run([&](wf::communicator<wf::host>& comm) {
    auto& mine = calls[static_cast<std::size_t>(comm.rank())];
    price(comm, book, {.call = mine});
    auto const own = wf::rank_part(100, comm.rank(), comm.size());
    for (std::size_t i = 0; i < mine.size(); ++i)
      CHECK((mine[i] > 0) == (i >= own.first && i < own.first + own.count));
    price(comm, book, {.call = whole});
    CHECK(std::all_of(whole.begin(), whole.end(), [](float x) { return x > 0; }));
  });
}

TEST_CASE("ranks that price different books notice, and bad arguments are an error on all") {
  std::vector<float> const strikes(100, 90.F);
  auto const book_of = [&](std::size_t size) {
    return wf::pricing::host_book<float>{100, std::span(strikes).first(size), 1, 0.2, 0.05};
  };
  // call(comm, calls, puts, whether rank 1 does otherwise)
  auto const failing = [&](auto call) {
    wf::local_group<wf::host> group(3);
    return test::failing(group, "", [&](wf::communicator<wf::host>& comm) {
      std::vector<float> calls(100), puts(100);
      try {
        call(comm, calls, puts, comm.rank() == 1);
      } catch (wf::argument_error const&) {
        CHECK(calls == std::vector<float>(100));
        throw;
      }
    });
  };
  CHECK(failing([&](auto& comm, auto& calls, auto&, bool odd) {
          std::size_t const size = odd ? 99 : 100;
          price(comm, book_of(size), {.call = std::span(calls).first(size)});
        }) == failures{0, 3});
  CHECK(failing([&](auto& comm, auto& calls, auto& puts, bool odd) {
          if (odd) price(comm, book_of(100), {.put = puts});
          else price(comm, book_of(100), {.call = calls});
        }) == failures{0, 3});
  CHECK(failing([&](auto& comm, auto& calls, auto&, bool odd) {
          using wf::pricing::bits;
          price(comm, book_of(100), {.call = calls}, {.bits = odd ? bits::native : bits::portable});
        }) == failures{0, 3});
  CHECK(failing([&](auto& comm, auto& calls, auto&, bool odd) {
          price(comm, book_of(odd ? 99 : 100), {.call = calls});
        }) == failures{1, 2});
  CHECK(failing([&](auto& comm, auto& calls, auto& puts, bool odd) {
          wf::pricing::host_quotes<float> const quotes{option_kind::call, puts, 100,
                                                       strikes,           1,    0.05};
          implied_volatility(comm, quotes,
                             {.volatility = odd ? std::span(puts) : std::span(calls)});
        }) == failures{1, 2});
}

TEST_SUITE("gpu") {
  TEST_CASE("GPUs that price different books notice") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    int const noticed = test::ranks_noticing(group, "", [](auto& comm) {
      std::vector<float> const strikes(comm.rank() == 1 ? 99 : 100, 90.F);
      std::vector<float> calls(strikes.size());
      wf::pricing::host_book<float> const book{100, strikes, 1, 0.2, 0.05};
      price(comm, book, {.call = calls});
    });
    CHECK(noticed == (group.size() > 1 ? group.size() : 0));
  }
}

} // namespace books_collective_test
