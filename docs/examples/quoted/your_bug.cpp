// Answers to questions that users of other libraries asked in public: docs/is-this-your-bug.md.

#include <warpfold/warpfold.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

namespace wf = warpfold;
namespace pricing = wf::pricing;

namespace {

wf::host place; // or a gpu, with arrays in its memory

bool all_right = true;
void show(char const* what, double value, bool right) {
  std::printf("%-22s %.9g\n", what, value);
  all_right = all_right && right;
}

// [by_key]
float first_run(std::vector<std::uint32_t> const& keys, std::vector<float> const& values) {
  std::vector<std::uint32_t> unique(keys.size());
  std::vector<float> sums(keys.size());
  wf::sum_by_key(place, keys, values, unique, sums);
  return sums[0]; // the bits of wf::sum of the first run's values
}
// [by_key]

// [deposit]
std::vector<float> density(std::vector<float> const& charges, std::vector<int> const& cells) {
  std::vector<float> sums(64);
  wf::scatter_sum(place, charges, cells, {.value = 1, .sum = 1000}, sums);
  return sums; // whatever the order of the charges
}
// [deposit]

// [rows]
std::vector<float> row_sums(std::vector<float> const& matrix, std::size_t rows) {
  std::vector<float> sums(rows);
  wf::matrix_shape const shape{.rows = rows, .columns = matrix.size() / rows};
  wf::reduce_rows(place, matrix, shape, 0.F, wf::plus{}, sums);
  return sums; // each row as if it were alone
}
// [rows]

// [cumsum]
std::vector<float> running_sums(std::vector<float> const& values) {
  std::vector<float> sums(values.size());
  wf::inclusive_scan(place, values, wf::plus{}, sums);
  return sums; // by one tree, whatever the grid
}
// [cumsum]

// [normals]
std::vector<float> samples(std::uint64_t begin, std::size_t size) {
  std::vector<float> numbers(size);
  wf::random::normal(place, numbers, {.seed = 7, .stream = 2, .offset = begin});
  return numbers; // samples begin ... begin + size - 1 of stream 2, on any GPU
}
// [normals]

// [segments]
std::vector<float> segment_sums(std::vector<float> const& values,
                                std::vector<std::int64_t> const& offsets) {
  std::vector<float> sums(offsets.size() - 1);
  wf::segmented_reduce(place, values, offsets, 0.F, wf::plus{}, sums);
  return sums; // of 4 elements or of 2^20 each: one call
}
// [segments]

// [ranks]
double total(wf::communicator<wf::host>& ranks, std::vector<double> const& part) {
  return wf::exact_sum(ranks, part); // of all parts: the same for any number of ranks
}
// [ranks]

// [one_pass]
auto facts(std::vector<float> const& values) {
  return wf::describe(place, values); // one pass over the values
}
// [one_pass]

// [median]
float middle(std::vector<float> const& values) {
  return wf::nth_element(place, values, values.size() / 2); // the values stay as they are
}
// [median]

// [infinite]
float smallest(std::vector<float> const& values) {
  wf::extremum_options const options{.nan = wf::nan_policy::ignore};
  return wf::min(place, values, options); // infinity, if nothing else is there
}
// [infinite]

// [ones]
float ones() {
  std::vector<float> const many(30'000'000, 1.F); // in float 2^24 + 1 is 2^24
  return wf::sum(place, many);
}
// [ones]

// [cosines]
std::vector<double> cosines(std::vector<double> values) {
  wf::transforms::problem const problem{.kind = wf::transforms::kind::cosine_2,
                                        .shape = {values.size()}};
  wf::transforms::plan<double, wf::host>(place, problem).run(values, values);
  return values; // REDFT10, of as many points, not twice as many
}
// [cosines]

// [removed_mean]
double mean_that_was_removed(std::vector<double> const& rhs) {
  std::vector<double> solution(rhs.size()), removed(1);
  wf::poisson::solver<double, wf::host> solver(place, {.axes = {{.points = rhs.size()}}});
  solver.solve({.rhs = rhs, .solution = solution, .removed_mean = removed});
  return removed[0];
}
// [removed_mean]

// [implied]
pricing::implied_status quality_of(pricing::host_quotes<double> const& quote) {
  double volatility = 0;
  pricing::implied_status status{};
  pricing::implied_volatility(place, quote,
                              {.volatility = {&volatility, 1}, .status = {&status, 1}});
  return status; // no exception, and no NaN without a reason
}
// [implied]

// [weights]
std::vector<double> weighted(std::vector<float> const& values, std::vector<double> const& weights) {
  std::vector<double> bins(4);
  wf::histogram(place, values, weights, {.count = 4, .lower = 0, .upper = 4}, bins);
  return bins;
}
// [weights]

} // namespace

int main() {
  std::vector<float> tenths(1000, 0.1F);
  std::vector<std::uint32_t> keys(1000, 1);
  keys.back() = 2;
  std::vector<float> const head(tenths.begin(), tenths.end() - 1);
  show("by key", first_run(keys, tenths), first_run(keys, tenths) == wf::sum(place, head));

  std::vector<float> charges(1000);
  std::vector<int> cells(1000);
  for (int i = 0; i < 1000; ++i) {
    charges[static_cast<std::size_t>(i)] = 1.F / static_cast<float>(i + 1);
    cells[static_cast<std::size_t>(i)] = i % 64;
  }
  auto const first = density(charges, cells);
  std::ranges::reverse(charges);
  std::ranges::reverse(cells);
  show("deposit", first[0], density(charges, cells) == first);

  auto const rows = row_sums(tenths, 4);
  show("rows", rows[0], row_sums({tenths.begin(), tenths.begin() + 250}, 1)[0] == rows[0]);
  show("running sum", running_sums(tenths)[998],
       running_sums(head)[998] == running_sums(tenths)[998]);
  show("normal", samples(1000, 2)[1], samples(1001, 1)[0] == samples(1000, 2)[1]);
  show("segment", segment_sums(tenths, {0, 4, 1000})[1],
       segment_sums(tenths, {0, 996})[0] == segment_sums(tenths, {0, 4, 1000})[1]);
  for (int const size : {2, 3}) {
    wf::local_group<wf::host> group(size);
    double sum = 0;
    group.run([&](wf::communicator<wf::host>& ranks) {
      std::vector<double> const part{ranks.rank() == 0 ? 1e100 : 1, ranks.rank() == 1 ? -1e100 : 0};
      double const all = total(ranks, part);
      if (ranks.rank() == 0) sum = all;
    });
    show("ranks", sum, sum == size - 1);
  }
  auto const all = facts({3, 1, 4, 1, 5});
  show("mean", all.mean, all.mean == 2.8);
  show("largest", all.max, all.max == 5 && all.argmax == 4);
  show("middle", middle({3, 1, 4, 1, 5}), middle({3, 1, 4, 1, 5}) == 3);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  show("smallest", smallest({infinity, infinity}), smallest({infinity, infinity}) == infinity);
  show("ones", ones(), ones() == 3e7F);
  show("cosine", cosines({1, 2, 3, 4})[0], cosines({1, 2, 3, 4})[0] == 20);
  show("removed mean", mean_that_was_removed({1, 2, 3, 6}),
       mean_that_was_removed({1, 2, 3, 6}) == 3);
  pricing::host_quotes<double> const dearer_than_its_spot{.kind = pricing::option_kind::call,
                                                          .price = 200,
                                                          .spot = 100,
                                                          .strike = 100,
                                                          .expiry = 1,
                                                          .rate = 0};
  show("status", static_cast<double>(quality_of(dearer_than_its_spot)),
       quality_of(dearer_than_its_spot) == pricing::implied_status::above_bound);
  show("weights", weighted({0.5F, 2.5F, 0.25F}, {1, 2, 3})[0],
       weighted({0.25F, 2.5F, 0.5F}, {3, 2, 1}) == std::vector<double>{4, 0, 2, 0});
  std::puts(all_right ? "all as promised" : "NOT AS PROMISED");
  return all_right ? 0 : 1;
}
