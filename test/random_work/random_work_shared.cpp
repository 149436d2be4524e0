// Random work: groups of ranks that select elements, add by index, and solve.

#include "random_work_groups.hpp"
#include "scatter/scatter_reference.hpp"

#include <warpfold/comm/poisson.hpp>
#include <warpfold/comm/quantiles.hpp>
#include <warpfold/comm/risk.hpp>
#include <warpfold/comm/scatter.hpp>

namespace random_work {
namespace {

namespace po = warpfold::poisson;

template <class Place>
void select_together(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, std::max<std::size_t>(at.size(), 1), false);
    std::size_t const size = values.size(), k = at.random.below(std::min<std::size_t>(size, 50));
    std::vector<std::uint64_t> const ranks{at.random.below(size), at.random.below(size)};
    std::vector<double> const qs{at.random.between(0, 1), at.random.between(0, 1)};
    wf::pricing::risk_options const level{.level = at.random.between(0.01, 0.99)};
    std::vector<T> elements(2), first(k);
    std::vector<wf::detail::quantile_value<T>> between(2);
    std::vector<std::uint64_t> positions(k);
    wf::order_statistics(one, values, ranks, elements);
    wf::quantiles(one, values, qs, between);
    wf::top_k(one, values, first, positions);
    in_a_group(at, [&](wf::communicator<Place>& over) {
      auto part = part_of(over, values);
      auto const mine = part.all();
      at.require(agree(wf::order_statistics(over, mine, ranks), elements), "other elements");
      at.require(agree(wf::nth_element(over, mine, ranks[1]), elements[1]), "another element");
      at.require(agree(wf::quantiles(over, mine, qs), between), "other quantiles");
      at.require(agree(wf::quantile(over, mine, qs[0]), between[0]), "another quantile");
      at.require(agree(wf::median(over, mine), wf::median(one, values)), "another median");
      auto const top = wf::top_k(over, mine, k);
      for (std::size_t i = 0; i < k; ++i)
        at.require(agree(top[i].value, first[i]) && top[i].index == positions[i], "another top_k");
      if constexpr (std::floating_point<T>)
        at.require(
            agree(wf::pricing::risk(over, mine, level), wf::pricing::risk(one, values, level)),
            "other risk figures");
    });
  });
}

template <class Place>
void scatter_together(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const values = test::scatter_values<T>(at.random.engine(), at.size());
    std::size_t const bins = 1 + at.random.below(3000);
    auto const indices = test::scatter_indices<std::uint32_t>(at.random.engine(), values.size(),
                                                              bins, at.random.one_in(2));
    auto const keys = test::rough_values<float>(values.size(), at.random.seed());
    wf::even_bins<float> const even{static_cast<int>(bins), -1, 1};
    wf::scatter_bound const bound{1, 1 + static_cast<double>(values.size())};
    bool const exact = at.random.one_in(2);
    std::vector<T> sums(bins), found(bins), weighed(bins), weighed_in(bins);
    wf::scatter_sum(one, values, indices, bound, sums);
    wf::scatter_sum(one, values, indices, found, {.exact = exact});
    wf::histogram(one, keys, values, even, weighed, {.exact = exact});
    wf::histogram(one, keys, values, even, bound, weighed_in);
    in_a_group(at, [&](wf::communicator<Place>& over) {
      auto part = part_of(over, values);
      auto key = part_of(over, keys);
      auto index = part_of(over, indices);
      auto const require = [&](std::vector<T> const& known, auto verb) {
        test::memory_of<Place, T> results(over.place(), std::vector<T>(bins));
        verb(results.all());
        at.require(agree(results.contents(), known), "not the sums of one place");
      };
      require(sums, [&](auto to) { wf::scatter_sum(over, part.all(), index.all(), bound, to); });
      require(found, [&](auto to) {
        wf::scatter_sum(over, part.all(), index.all(), to, {.exact = exact});
      });
      require(weighed, [&](auto to) {
        wf::histogram(over, key.all(), part.all(), even, to, {.exact = exact});
      });
      require(weighed_in,
              [&](auto to) { wf::histogram(over, key.all(), part.all(), even, bound, to); });
    });
  });
}

/// Slabs of hosts have the solver's bits; GPUs' slabs differ by rounding.
template <class Place>
void solve_together(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const rows = 2 + at.random.below(60), columns = 2 + at.random.below(60);
    po::problem const of{.axes = {{.points = rows}, {.points = columns}},
                         .lambda = at.random.one_in(2) ? 0 : at.random.between(0.1, 2)};
    at.what << ", " << rows << " by " << columns << ", lambda " << of.lambda;
    auto const rhs = test::rough_values<T>(rows * columns, at.random.seed());
    std::vector<T> known(rhs.size());
    wf::host here{1};
    po::solver<T, wf::host>(here, of).solve({.rhs = rhs, .solution = known});
    T largest = 0;
    for (T const x : known) largest = std::max(largest, std::abs(x));
    T const near = step<Place>::on_gpu ? 50 * std::numeric_limits<T>::epsilon() * largest : T{0};
    in_a_group(at, [&](wf::communicator<Place>& over) {
      po::slab_solver<T, Place> solver(over, of);
      std::size_t const first = columns * solver.local_slab().first;
      auto const part = test::part_of(rhs, first, columns * solver.local_slab().count);
      test::memory_of<Place, T> field(over.place(), part);
      solver.solve({.rhs = field.all(), .solution = field.all()});
      auto const got = field.contents();
      for (std::size_t i = 0; i < got.size(); ++i)
        at.require(std::abs(got[i] - known[first + i]) <= near, "not the solution of one place");
    });
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"group: selections", select_together<Place>},
                         {"group: sums by index", scatter_together<Place>},
                         {"group: slabs", solve_together<Place>}});
});

} // namespace
} // namespace random_work
