// Simulations of few paths, which teams of lanes walk: the bits of those that threads walk alone.

#include "pricing/paths/path_options.hpp"

#include <pricing/paths/teams.hpp>

#include <warpfold/detail/core/scratch.hpp>

namespace path_teams_test {

using namespace test;
using namespace test::paths;
namespace pricing = warpfold::pricing;

TEST_CASE("teams walk few paths") {
  using part = pricing::part_of_team<pricing::asian_group<float, 16>>;
  CHECK(std::is_same_v<part, pricing::asian_group<float, 4>>);
  auto const layout = pricing::team_layout::of<part>(3, 2);
  CHECK(layout.at_finish == 3);
  CHECK(layout.at_groups == 3 + 32);
  CHECK(layout.pieces == 3 + 32 + (8 * sizeof(part) + 15) / 16);
}

TEST_SUITE("gpu") {
  /// True if teams price the first options of the book, one group of `size`, on so many paths.
  template <class Group>
  bool takes_teams(wf::gpu const& place, std::size_t options, simulation_options const& how) {
    constexpr std::size_t size = Group::results;
    return pricing::teams_fit<pricing::part_of_team<Group>>(place, wf::detail::plan_paths(how),
                                                            (options + size - 1) / size, true);
  }

  TEST_CASE_TEMPLATE("few options have the bits that they have among many", T, float, double) {
    wf::gpu place;
    wf::detail::gpu_scratch(place).assume_multiprocessors(132); // enough for teams
    constexpr bool is_float = sizeof(T) == 4;
    for (bool const antithetic : {false, true}) {
      CAPTURE(antithetic);
      simulation_options const options{.paths = 5002,
                                       .steps = 21,
                                       .seed = 11,
                                       .stream = 2,
                                       .antithetic = antithetic,
                                       .control_variate = true};
      auto const check = [&](auto group, auto book) {
        using group_type = typename decltype(group)::type;
        auto few = book;
        few.resize(16);
        CHECK(takes_teams<group_type>(place, few.size(), options));
        CHECK_FALSE(takes_teams<group_type>(place, book.size(), options));
        auto expected = simulated<T>(place, book, options);
        expected.resize(few.size());
        CHECK(same_estimates(simulated<T>(place, few, options), expected));
        few.resize(is_float ? 11 : 3); // a part of a group
        expected.resize(few.size());
        CHECK(same_estimates(simulated<T>(place, few, options), expected));
      };
      using namespace pricing;
      check(std::type_identity<asian_group<T, is_float ? 16 : 8>>{}, asian_book(1600));
      check(std::type_identity<barrier_group<T, is_float ? 16 : 4, false>>{},
            barrier_book(1600, 0));
      check(std::type_identity<barrier_group<T, is_float ? 8 : 4, true>>{}, barrier_book(1600, 2));
    }
  }

  TEST_CASE("fast: graphs of simulations by teams, one after the other") {
    wf::gpu place;
    wf::detail::gpu_scratch(place).assume_multiprocessors(132); // enough for teams
    auto const book = asian_book(45);                           // three groups
    auto const barriers = barrier_book(20, 1);
    wf::device_buffer<estimate> results(place, book.size()), others(place, barriers.size());
    simulation_options const options{.paths = 5000, .steps = 12, .control_variate = true};
    CHECK(takes_teams<pricing::asian_group<float, 16>>(place, book.size(), options));
    auto const enqueue = [&] {
      for (int i = 0; i < 5; ++i) {
        pricing::simulate_async(place, std::span(book), results.span(), options);
        pricing::simulate_async(place, std::span(barriers), others.span(), options);
      }
    };
    auto const expected = simulated<float>(place, book, options);
    auto const expected_others = simulated<float>(place, barriers, options);
    captured graph(place, enqueue);
    for (int i = 0; i < 3; ++i) {
      wf::check(
          cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(estimate), place.stream()));
      graph.launch();
      CHECK(same_estimates(wf::to_vector(place, results.span()), expected));
      CHECK(same_estimates(wf::to_vector(place, others.span()), expected_others));
    }
    std::vector<std::uint64_t> counters(wf::detail::gpu_scratch::counter_count);
    wf::check(cudaMemcpy(counters.data(), wf::detail::gpu_scratch(place).counters(),
                         counters.size() * sizeof(counters[0]), cudaMemcpyDefault));
    CHECK(counters == std::vector<std::uint64_t>(counters.size()));
  }
} // TEST_SUITE

} // namespace path_teams_test
