// Asian and barrier options that ranks simulate together.

#include "communicator.hpp"
#include "pricing/paths/path_options.hpp"

#include <warpfold/comm/pricing.hpp>

namespace paths_collective_test {

using namespace test;
using namespace test::paths;
namespace pricing = warpfold::pricing;

template <class T, class Place, class Option>
std::vector<estimate> shared(wf::communicator<Place>& comm, std::vector<Option> const& book,
                             simulation_options const& options) {
  std::vector<estimate> results(book.size());
  pricing::simulate<T>(comm, std::span<Option const>(book), results, options);
  return results;
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
  group.run([&](wf::communicator<Place>& comm) {
    CHECK(same_elements(bits_of(shared<T>(comm, book, options)), expected));
  });
}

EVERY_GROUP("path options have the same bits on any number of ranks") {
  simulation_options const rows[] = {
      {.paths = 40'001, .steps = 5, .seed = 3, .control_variate = true},
      // One tile: the others have none.
      {.paths = 100, .steps = 3, .seed = 4, .control_variate = true},
      {.paths = 20'000, .steps = 2, .seed = 5, .antithetic = true},
      {.paths = 10'000, .steps = 3, .seed = 6, .independent = true, .control_variate = true},
      {.paths = 7 * 4000,
       .steps = 4,
       .control_variate = true,
       .sampling = pricing::sampling::sobol,
       .replicates = 7}};
  for (auto const& options : rows) {
    CAPTURE(options.seed);
    shares_book<float>(group, asian_book(19), options);
    shares_book<double>(group, asian_book(9), options);
    shares_book<float>(group, barrier_book(17, 0), options);
    shares_book<double>(group, barrier_book(5, 2), options);
    shares_book<float>(group, std::vector<asian_option>{}, options);
  }
}

/// Rank 1 changes its options and its book, and all notice.
template <class Book, class Change>
void check_noticed(Book const& usual_book, Change change) {
  wf::local_group<wf::host> group(3);
  CHECK(test::ranks_noticing(group, "another ", [&](auto& comm) {
          simulation_options options{.paths = 5000, .steps = 3, .seed = 3, .control_variate = true};
          auto book = usual_book;
          if (comm.rank() == 1) change(options, book);
          shared<float>(comm, book, options);
        }) == 3);
}

TEST_CASE("ranks that simulate different path options notice") {
  static constexpr double times[] = {0.25, 0.5, 1};
  using asians = std::vector<asian_option>;
  constexpr void (*changes[])(simulation_options&, asians&) = {
      [](auto& options, auto&) { options.seed = 4; },
      [](auto& options, auto&) { options.stream = 4; },
      [](auto& options, auto&) { options.confidence = 0.9; },
      [](auto& options, auto&) { options.control_variate = false; },
      [](auto& options, auto&) { options.antithetic = true; },
      [](auto& options, auto&) { options.bits = warpfold::pricing::bits::portable; },
      [](auto& options, auto&) { options.paths = 4999; },
      [](auto& options, auto&) { options.paths = 50'000; },
      [](auto& options, auto&) { options.steps = 0, options.times = times; },
      [](auto&, auto& book) { book.pop_back(); },
      [](auto&, auto& book) { book.clear(); },
      [](auto&, auto& book) { book[2].terms.rate += 0.01; },
      [](auto&, auto& book) { book[2].average = average::geometric; }};
  for (auto const change : changes) check_noticed(asian_book(4), change);

  constexpr void (*barrier_changes[])(barrier_option&) = {
      [](auto& of) { of.barrier += of.barrier > of.terms.spot ? 1 : -1; },
      [](auto& of) { of.rebate += 1; },
      [](auto& of) {
        using pricing::monitoring;
        bool const is_discrete = of.monitoring == monitoring::discrete;
        of.monitoring = is_discrete ? monitoring::continuous : monitoring::discrete;
      },
      [](auto& of) {
        bool const up = of.barrier > of.terms.spot;
        bool const out = of.type == up_out || of.type == down_out;
        of.type = up ? (out ? up_in : up_out) : (out ? down_in : down_out);
      }};
  for (auto const change : barrier_changes)
    check_noticed(barrier_book(3, 2), [&](auto&, auto& book) { change(book[1]); });
}

TEST_CASE("what one rank cannot simulate is an error on all") {
  wf::local_group<wf::host> group(3);
  CHECK(refused_by([&] {
          group.run([&](wf::communicator<wf::host>& comm) {
            shared<float>(comm, asian_book(3),
                          {.paths = comm.rank() == 1 ? 0u : 1000u, .steps = 3});
          });
        }) == "options.paths");
}

TEST_SUITE("gpu") {
  TEST_CASE("GPUs that simulate different path options notice, and share many batches") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    if (group.size() > 1) {
      wf::local_group<wf::gpu> others{std::span<int const>{}};
      CHECK(test::ranks_noticing(others, "", [](auto& comm) {
              auto const seed = static_cast<std::uint64_t>(comm.rank());
              shared<float>(comm, asian_book(4), {.paths = 5000, .steps = 3, .seed = seed});
            }) == group.size());
    }
    // More than one batch of groups.
    shares_book<float>(group, asian_book(1600),
                       {.paths = 1 << 20, .steps = 2, .seed = 8, .control_variate = true});
  }
}

} // namespace paths_collective_test
