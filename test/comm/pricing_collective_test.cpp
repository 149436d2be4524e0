// Books that ranks price together.

#include "communicator.hpp"
#include "pricing/monte_carlo.hpp"

#include <warpfold/comm/pricing.hpp>

namespace pricing_collective_test {

using namespace test;
using namespace test::pricing;
namespace wf = warpfold;
using wf::pricing::european_simulation_options;

template <class Place, class T>
void shares_books(wf::local_group<Place>& group) {
  auto const options = random_europeans<T>(70, 3);
  std::vector<european_simulation_options> const all{
      {.paths = 40'001, .seed = 8},
      {.paths = 500, .seed = 9},     // one tile: the others have none
      {.paths = 1 << 18, .seed = 9}, // GPUs have whole branches of tiles
      {.paths = 100'000, .seed = 10, .independent = true},
      {.paths = 60'000, .seed = 11, .antithetic = true, .control_variate = true},
      {.paths = 50'000, .seed = 12, .importance = true},
      {.paths = 65'536, .seed = 13, .sampling = wf::pricing::sampling::sobol, .replicates = 16}};
  Place alone;
  simulated<Place, T> whole(alone, options);
  for (auto const& how : all) {
    CAPTURE(how.seed);
    auto const values = whole.values(how);
    group.run([&](wf::communicator<Place>& comm) {
      simulated<Place, T> book(comm.place(), options);
      simulate(comm, book.book, {.value = book.to.value}, how);
      CHECK(same_estimates(book.results(0), values));
    });
  }
  // Greeks.
  simulate(alone, whole.book, whole.to, {.paths = 70'000, .seed = 14});
  std::vector<std::vector<wf::pricing::estimate>> expected;
  for (int k = 0; k < 9; ++k) expected.push_back(whole.results(k));
  group.run([&](wf::communicator<Place>& comm) {
    simulated<Place, T> book(comm.place(), options);
    simulate(comm, book.book, book.to, {.paths = 70'000, .seed = 14});
    for (int k = 0; k < 9; ++k)
      CHECK(same_estimates(book.results(k), expected[static_cast<std::size_t>(k)]));
  });
}

EVERY_GROUP("a book has the same bits on any number of ranks") {
  shares_books<Place, float>(group);
  if (std::same_as<Place, wf::gpu> || group.size() == 3) shares_books<Place, double>(group);
}

TEST_CASE("ranks that simulate different books notice") {
  for (std::size_t const size : {0, 3}) {
    wf::local_group<wf::host> group(3);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
            simulated<wf::host, double> book(
                comm.place(), random_europeans<double>(comm.rank() == 1 ? size : 5, 3));
            simulate(comm, book.book, {.value = book.to.value}, {.paths = 1000});
          }) == 3);
  }
  auto const notice = [](auto change, char const* what = "another book") {
    wf::local_group<wf::host> group(2);
    return test::ranks_noticing(group, what, [&](auto& comm) {
      simulated<wf::host, double> book(comm.place(), random_europeans<double>(5, 3));
      european_simulation_options how{.paths = 1000};
      if (comm.rank() == 1) change(how);
      simulate(comm, book.book, {.value = book.to.value}, how);
    });
  };
  CHECK(notice([](auto& how) { how.seed = 1; }) == 2);
  CHECK(notice([](auto& how) { how.confidence = 0.9; }) == 2);
  CHECK(notice([](auto& how) { how.bits = wf::pricing::bits::portable; }) == 2);
  CHECK(notice([](auto& how) { how.stream = 1; }) == 2);
  CHECK(notice([](auto& how) { how.independent = true; }) == 2);
  // Their sums have other sizes.
  CHECK(notice([](auto& how) { how.importance = true; }, "another ") == 2);
  CHECK(notice([](auto& how) { how.control_variate = true; }, "another ") == 2);
  CHECK(notice(
            [](auto& how) {
              how.antithetic = true;
              how.paths = 2000; // as many samples
            },
            "another ") == 2);
}

TEST_CASE("ranks refuse what they do not share") {
  auto const refused = [](european_simulation_options const& how) {
    wf::local_group<wf::host> ranks(2);
    return refused_by([&] {
      ranks.run([&](wf::communicator<wf::host>& comm) {
        simulated<wf::host, double> book(comm.place(), random_europeans<double>(5, 3));
        simulate(comm, book.book, {.value = book.to.value}, how);
      });
    });
  };
  CHECK(refused({.standard_error = .1}) == "options.standard_error");
  CHECK(refused({.paths = 0}) == "options.paths");
}

} // namespace pricing_collective_test
