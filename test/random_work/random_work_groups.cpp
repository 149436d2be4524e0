// Random work: groups of host threads, and of one GPU, whose results do not depend on how elements
// are spread.

#include "random_work_groups.hpp"
#include "pricing/monte_carlo.hpp"
#include "pricing/paths/path_options.hpp"

#include <warpfold/comm/counting.hpp>
#include <warpfold/comm/pricing.hpp>
#include <warpfold/comm/reduction.hpp>

namespace random_work {
namespace {

using test::pricing::same_estimates;

template <class Place>
void reduce_together(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), at.random.one_in(2));
    bool const adds_exactly = at.is_exact;
    auto const others = values_of<T>(at, values.size(), adds_exactly);
    T const bound = values.empty() ? T{} : values[at.random.below(values.size())];
    wf::less_than<T> const below{bound};
    in_a_group(at, [&](wf::communicator<Place>& over) {
      auto part = part_of(over, values), other = part_of(over, others);
      auto const mine = part.all(), also = other.all();
      auto const check = [&](auto verb, char const* what) {
        at.require(agree(verb(over, mine, also), verb(one, values, others)), what);
      };
#define SAME(verb, ...)                                                                            \
  check([&](auto& on, auto const& x,                                                               \
            auto const&) { return wf::verb(on, x __VA_OPT__(, ) __VA_ARGS__); },                   \
        "not the " #verb " of one place")
      if (adds_exactly) {
        SAME(sum);
        check([](auto& on, auto const& x, auto const& y) { return wf::dot(on, x, y); },
              "not the dot product of one place");
      }
      if constexpr (std::integral<T>) SAME(product);
      SAME(min);
      SAME(max);
      SAME(argmin);
      SAME(argmax);
      SAME(minmax);
      SAME(count_if, below);
      SAME(all_of, below);
      SAME(any_of, below);
      at.require(agree_but_for_moments(wf::describe(over, mine), wf::describe(one, values)),
                 "not the description of one place");
      if constexpr (std::floating_point<T>) {
        SAME(exact_sum);
        SAME(exact_norm2);
        check([](auto& on, auto const& x, auto const& y) { return wf::exact_dot(on, x, y); },
              "not the exact_dot of one place");
        SAME(histogram, wf::even_bins<T>{100, -2, 2});
      }
#undef SAME
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

  wf::pricing::host_quotes<double> const quotes{
      wf::pricing::option_kind::call, known, of[0], of[1], of[2], of[4], of[5]};
  std::vector<double> volatilities(options.size()), right(options.size());
  wf::pricing::implied_volatility<double>(one, quotes, {.volatility = right});
  in_a_group(at, [&](wf::communicator<Place>& over) {
    wf::pricing::implied_volatility<double>(over, quotes, {.volatility = volatilities});
  });
  at.require(agree(volatilities, right), "not the volatilities of one place");
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"group: reductions", reduce_together<Place>},
                         {"group: simulate", simulate_together<Place>},
                         {"group: price", price_together<Place>}});
});

} // namespace
} // namespace random_work
