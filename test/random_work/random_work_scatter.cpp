// Random work: sums by index, against integers of 128 bits.

#include "random_work.hpp"
#include "scatter/scatter_reference.hpp"

namespace random_work {
namespace {

template <class Place, class T, class Index>
void scatter(step<Place>& at) {
  int const components = at.random.one_in(2) ? 1 : static_cast<int>(at.random.between(2, 5));
  auto const each = static_cast<std::size_t>(components);
  auto values = values_of<T>(at, at.size(), false);
  values.resize(values.size() / each * each);
  auto const named = static_cast<std::size_t>(std::exp2(at.random.between(0, 17)));
  auto indices = test::scatter_indices<Index>(at.random.engine(), values.size() / each, named,
                                              at.random.one_in(2));
  if (!indices.empty() && at.random.one_in(5))
    indices[at.random.below(indices.size())] = static_cast<Index>(at.random.one_in(2) ? -1 : named);
  std::size_t const bins = named * each;
  double most = 0;
  for (T const x : values)
    if (std::isfinite(x)) most = std::max(most, std::abs(static_cast<double>(x)));
  bool const wide = at.random.one_in(2);
  if (at.random.one_in(4)) most /= 2; // which some are beyond
  // As a bound of values can be for which that of the sums is no number.
  most = std::min(most, 1e300 / (1 + static_cast<double>(values.size())));
  wf::scatter_bound const bound{most, most * (1 + static_cast<double>(values.size()))};
  at.what << ", " << bins << " bins" << (wide ? ", wide, " : ", ") << components << " components";
  auto const known =
      test::scatter_by_definition(values, indices, test::fraction_bits(bound.sum), bound.value,
                                  bound.sum, bins, wide, {}, components);

  input<Place, T> x(at, values);
  input<Place, Index> i(at, indices);
  wf::scatter_options const how{.wide = wide, .components = components};
  array<Place, T> results(at, bins);
  auto const untouched = results.read();
  bool was_refused = false;
  try {
    wf::scatter_sum(at.place, x.on(at.place), i.on(at.place), bound, results.view(), how);
  } catch (wf::argument_error const&) {
    was_refused = true;
  }
  at.require(was_refused != known.status.is_complete(), "refused by mistake, or not at all");
  at.require(was_refused ? test::same_elements(results.read(), untouched)
                         : agree(results.read(), known.results),
             "not the sums of integers");
  array<Place, wf::scatter_status> status(at, 1);
  check_later<T>(at, known.results, [&](auto to) {
    wf::scatter_sum_async(at.place, x.on(at.place), i.on(at.place), bound, to, status.view(), how);
    if constexpr (!step<Place>::on_gpu)
      at.require(status.read()[0] == known.status, "another status");
  });
}

template <class Place>
void sums(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    with_one_of<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>(
        at.random, [&]<class Index>() { scatter<Place, T, Index>(at); });
  });
}

/// Forms of a verb that has a status before its options, if it does not wait.
#define WARPFOLD_FORMS_WITH(status, verb, ...)                                                     \
  forms {                                                                                          \
    [&](auto& place, auto to) { verb(place, __VA_ARGS__, to, how); },                              \
        [&](auto& place, auto to) { verb##_async(place, __VA_ARGS__, to, status.view(), how); }    \
  }

/// Exact sums, and sums with a bound that is found; of bins of keys, too.
template <class Place>
void unbounded(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const size = at.size(), bins = 1 + at.random.below(5000);
    bool const exact = at.random.one_in(2);
    at.what << ", " << bins << " bins" << (exact ? ", exact" : "");
    auto const values = test::scatter_values<T>(at.random.engine(), size);
    auto const indices =
        test::scatter_indices<std::uint32_t>(at.random.engine(), size, bins, at.random.one_in(2));
    array<Place, wf::scatter_status> status(at, 1);
    input<Place, T> x(at, values);
    {
      wf::scatter_options const how{.exact = exact};
      input<Place, std::uint32_t> i(at, indices);
      auto const known = verify_output<T>(
          at, bins, WARPFOLD_FORMS_WITH(status, wf::scatter_sum, x.on(place), i.on(place)));
      at.require(!exact || agree(known, test::scatter_exactly(values, indices, bins).results),
                 "not the exact sums");
    }
    wf::weighted_histogram_options const how{.exact = exact};
    auto keys = test::rough_values<float>(size, at.random.seed());
    wf::even_bins<float> const even{static_cast<int>(bins), -1, 1};
    input<Place, float> k(at, keys);
    auto known = verify_output<T>(
        at, bins, WARPFOLD_FORMS_WITH(status, wf::histogram, k.on(place), x.on(place), even));
    std::reverse(keys.begin(), keys.end());
    std::vector<T> const weights(values.rbegin(), values.rend());
    std::vector<T> backwards(bins);
    wf::histogram(one, keys, weights, even, backwards, how);
    at.require(agree(known, backwards), "another order, other sums");
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(),
             {{"sums by index", sums<Place>}, {"sums by index, unbounded", unbounded<Place>}});
});

} // namespace
} // namespace random_work
