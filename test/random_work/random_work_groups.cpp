// Random work: groups of host threads, and of one GPU, whose results do not depend on how elements
// are spread.

#include "pricing/monte_carlo.hpp"
#include "pricing/paths/path_options.hpp"
#include "random_work.hpp"

#include <warpfold/comm/pricing.hpp>
#include <warpfold/comm/reduction.hpp>

namespace random_work {
namespace {

using test::pricing::same_estimates;

/// Calls check(over) in a thread for each rank.
template <class Place, class Check>
void in_a_group(step<Place>& at, Check check) {
  if constexpr (step<Place>::on_gpu) {
    int const devices[] = {at.place.device()};
    wf::local_group<wf::gpu> group(devices);
    group.run(check);
  } else {
    int const ranks = 1 + static_cast<int>(at.random.below(4));
    at.what << ", " << ranks << " ranks";
    wf::local_group<wf::host> group(ranks, at.place.threads());
    for (std::size_t runs = 1 + at.random.below(2); runs > 0; --runs) group.run(check);
  }
}

template <class Place>
void reduce_together(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), at.random.one_in(2));
    T const bound = values.empty() ? T{} : values[at.random.below(values.size())];
    in_a_group(at, [&](wf::communicator<Place>& over) {
      auto const [first, count] = wf::rank_part(values.size(), over.rank(), over.size());
      test::memory_of<Place, T> part(over.place(), test::part_of(values, first, count));
      auto const mine = part.all();
      if (at.is_exact) at.require(agree(wf::sum(over, mine), wf::sum(one, values)), "not the sum");
      at.require(agree(wf::max(over, mine), wf::max(one, values)), "not the maximum");
      at.require(agree(wf::argmin(over, mine), wf::argmin(one, values)),
                 "not the place of the minimum");
      at.require(agree_but_for_moments(wf::describe(over, mine), wf::describe(one, values)),
                 "not the description");
      at.require(wf::count_if(over, mine, wf::less_than<T>{bound}) ==
                     wf::count_if(one, values, wf::less_than<T>{bound}),
                 "not the count");
      if constexpr (std::floating_point<T>) {
        at.require(agree(wf::exact_sum(over, mine), wf::exact_sum(one, values)),
                   "not the exact sum");
        wf::even_bins<T> const bins{100, -2, 2};
        at.require(wf::histogram(over, mine, bins) == wf::histogram(one, values, bins),
                   "not the histogram");
      }
    });
  });
}

template <class Place>
void simulate_together(step<Place>& at) {
  std::uint64_t const paths = 2 + at.size(at.largest / 16 + 1);
  auto const book = test::paths::asian_book(1 + at.random.below(5));
  wf::pricing::simulation_options const how{
      .paths = paths, .steps = 4, .seed = at.random.word(), .control_variate = true};
  auto const known = test::paths::simulated<double>(at.place, book, how);
  in_a_group(at, [&](wf::communicator<Place>& over) {
    at.require(same_estimates(test::paths::simulated<double>(over, book, how), known),
               "not the estimates of one place");
  });
}

/// All ranks name the same arrays, and write their parts of them.
template <class Place>
void price_together(step<Place>& at) {
  auto const options =
      test::pricing::random_options<double>(at.size(at.largest / 8 + 1), at.random.seed());
  auto const of = test::pricing::columns_of(options);
  wf::pricing::host_book<double> const book{of[0], of[1], of[2], of[3], of[4], of[5]};
  std::vector<double> calls(options.size()), vegas(options.size()), known(options.size()),
      known_vegas(options.size());
  wf::pricing::price<double>(one, book, {.call = known, .vega = known_vegas});
  in_a_group(at, [&](wf::communicator<Place>& over) {
    wf::pricing::price<double>(over, book, {.call = calls, .vega = vegas});
  });
  at.require(agree(calls, known) && agree(vegas, known_vegas), "not the prices of one place");
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"group: reductions", reduce_together<Place>},
                         {"group: simulate", simulate_together<Place>},
                         {"group: price", price_together<Place>}});
});

} // namespace
} // namespace random_work
