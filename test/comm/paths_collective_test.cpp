// Asian and barrier options that ranks simulate together.

#include "communicator.hpp"
#include "pricing/path_options.hpp"

#include <warpfold/comm/pricing.hpp>

namespace {

using namespace test;
using namespace test::paths;

template <class T, class Place, class Option>
std::vector<estimate> shared(wf::communicator<Place>& over, std::vector<Option> const& book,
                             simulation_options const& options) {
  return pricing::simulate<T>(over, std::span<Option const>(book), options);
}

/// An estimate's bits, but for padding.
std::vector<double> bits_of(std::vector<estimate> const& all) {
  std::vector<double> bits;
  for (estimate const& one : all)
    bits.insert(bits.end(), {one.value, one.standard_error, one.lower, one.upper,
                             static_cast<double>(one.paths), static_cast<double>(one.paying)});
  return bits;
}

template <class T, class Place, class Option>
void shares_book(wf::local_group<Place>& group, std::vector<Option> const& book,
                 simulation_options const& options) {
  Place alone;
  auto const expected = bits_of(simulated<T>(alone, book, options));
  group.run([&](wf::communicator<Place>& over) {
    CHECK(same_elements(bits_of(shared<T>(over, book, options)), expected));
  });
}

template <class Place>
void shares_books(wf::local_group<Place>& group) {
  CAPTURE(group.size());
  for (simulation_options const& options :
       {simulation_options{.paths = 40'001, .steps = 5, .seed = 3},
        {.paths = 100, .steps = 3, .seed = 4}, // one tile: the others have none
        {.paths = 20'000, .steps = 2, .seed = 5, .antithetic = true, .control_variate = false},
        {.paths = 10'000, .steps = 3, .seed = 6, .independent = true},
        {.paths = 7 * 4000, .steps = 4, .from = pricing::sampling::sobol, .replicates = 7}}) {
    CAPTURE(options.seed);
    shares_book<float>(group, asian_book(19), options);
    shares_book<double>(group, asian_book(9), options);
    shares_book<float>(group, barrier_book(17, 0), options);
    shares_book<double>(group, barrier_book(5, 2), options);
    shares_book<float>(group, std::vector<asian_option>{}, options);
  }
}

TEST_CASE("path options have the same bits on any number of ranks on a host") {
  for (int const ranks : group_sizes) {
    wf::local_group<wf::host> group(ranks);
    shares_books(group);
  }
}

TEST_CASE("ranks that simulate different path options notice") {
  simulation_options const usual{.paths = 5000, .steps = 3, .seed = 3};
  auto const check = [&](auto change) {
    wf::local_group<wf::host> group(3);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& over) {
            auto options = usual;
            auto book = asian_book(4);
            if (over.rank() == 1) change(options, book);
            shared<float>(over, book, options);
          }) == 3);
  };
  double const times[] = {0.25, 0.5, 1};
  check([](auto& options, auto&) { options.seed = 4; });
  check([](auto& options, auto&) { options.stream = 4; });
  check([](auto& options, auto&) { options.confidence = 0.9; });
  check([](auto& options, auto&) { options.control_variate = false; });
  check([](auto& options, auto&) { options.antithetic = true; });
  check([](auto& options, auto&) { options.paths = 4999; });
  check([](auto& options, auto&) { options.paths = 50'000; });
  check([&](auto& options, auto&) { options.steps = 0, options.times = times; });
  check([](auto&, auto& book) { book.pop_back(); });
  check([](auto&, auto& book) { book.clear(); });
  check([](auto&, auto& book) { book[2].terms.rate += 0.01; });
  check([](auto&, auto& book) { book[2].over = average::geometric; });

  auto const check_barrier = [&](auto change) {
    wf::local_group<wf::host> group(2);
    CHECK(test::ranks_noticing(group, "another ", [&](auto& over) {
            auto book = barrier_book(3, 2);
            if (over.rank() == 1) change(book[1]);
            shared<float>(over, book, usual);
          }) == 2);
  };
  check_barrier([](auto& of) { of.barrier += of.barrier > of.terms.spot ? 1 : -1; });
  check_barrier([](auto& of) { of.rebate += 1; });
  check_barrier([](auto& of) {
    of.when = of.when == pricing::monitoring::discrete ? pricing::monitoring::continuous
                                                       : pricing::monitoring::discrete;
  });
  check_barrier([](auto& of) {
    bool const up = of.barrier > of.terms.spot;
    bool const out = of.type == up_out || of.type == down_out;
    of.type = up ? (out ? up_in : up_out) : (out ? down_in : down_out);
  });
}

TEST_CASE("what one rank cannot simulate is an error on all") {
  wf::local_group<wf::host> group(3);
  CHECK(refused_by([&] {
          group.run([&](wf::communicator<wf::host>& over) {
            shared<float>(over, asian_book(3),
                          {.paths = over.rank() == 1 ? 0u : 1000u, .steps = 3});
          });
        }) == "options.paths");
}

TEST_SUITE("gpu") {
  TEST_CASE("path options have the same bits on any number of GPUs") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    shares_books(group);
    if (group.size() > 1) {
      wf::local_group<wf::gpu> others{std::span<int const>{}};
      CHECK(test::ranks_noticing(others, "", [](auto& over) {
              auto const seed = static_cast<std::uint64_t>(over.rank());
              shared<float>(over, asian_book(4), {.paths = 5000, .steps = 3, .seed = seed});
            }) == group.size());
    }
    // More than one batch of groups.
    shares_book<float>(group, asian_book(1600), {.paths = 1 << 20, .steps = 2, .seed = 8});
  }
}

} // namespace
