// Verbs over `counted`: exactly what they are over so many elements; captured with other counts;
// what they refuse, and what does not compile.

#include "contents.hpp"
#include "gpu.hpp"
#include "support.hpp"

#include <warpfold/detail/core/scratch.hpp>

#include <algorithm>
#include <limits>

namespace counted_test {

using namespace test;
namespace wf = warpfold;

/// Elements that show in every result that they have a part in.
template <class T>
T spoiler() {
  if constexpr (std::integral<T>) return static_cast<T>(0x5a5a5a5a5a5a5a5a);
  else return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
}

/// Counts of up to `capacity`, and beyond.
std::vector<std::uint64_t> counts_for(std::size_t capacity) {
  std::vector<std::uint64_t> counts{0, capacity, capacity + 1, ~std::uint64_t{0}};
  for (std::size_t const some : {std::size_t{1}, std::size_t{33}, capacity / 7, capacity / 2})
    if (some < capacity) counts.push_back(some);
  return counts;
}

/// `size` rough values from element `first` on; those behind the first `count` spoil results.
template <class T, class Place>
memory_of<Place, T> spoiled_values(Place& place, std::size_t first, std::size_t size,
                                   std::uint64_t count) {
  auto values = rough_values<T>(first + size, 91);
  for (std::size_t i = first + std::min<std::uint64_t>(count, size); i < first + size; ++i)
    values[i] = spoiler<T>();
  return {place, values};
}

/// now() and later(result) of a counted range give the bits of expected().
template <class A, class Place, class Expected, class Now, class Later>
void check_forms(Place& place, Expected expected, Now now, Later later) {
  A const known = expected();
  CHECK(same_number(now(), known));
  memory_of<Place, A> result(place, std::vector<A>(2, A(77)));
  later(result.view(0, 1));
  if constexpr (std::same_as<Place, wf::gpu>) place.synchronize();
  CHECK(same_number(result.get(0), known));
  CHECK(same_bits(result.get(1), A(77)));
}

template <class T, class Place>
void check_folds(Place& place, std::size_t first, std::size_t capacity, std::uint64_t count) {
  using A = accumulator_t<T>;
  CAPTURE(first);
  CAPTURE(capacity);
  CAPTURE(count);
  auto memory = spoiled_values<T>(place, first, capacity, count);
  memory_of<Place, std::uint64_t> word(place, {count});
  auto const values = memory.view(first, capacity);
  auto const known = memory.view(first, std::min<std::uint64_t>(count, capacity));
  auto const some = wf::counted{values, word.all()};
  auto const check = [&](auto verb, auto later) {
    check_forms<A>(
        place, [&] { return verb(known); }, [&] { return verb(some); }, later);
  };
  check([&](auto const& x) { return wf::sum(place, x); },
        [&](auto to) { wf::sum_async(place, some, to); });
  check([&](auto const& x) { return wf::product(place, x); },
        [&](auto to) { wf::product_async(place, some, to); });
  check([&](auto const& x) { return wf::min(place, x); },
        [&](auto to) { wf::min_async(place, some, to); });
  wf::extremum_options const ignoring{wf::nan_policy::ignore};
  check([&](auto const& x) { return wf::max(place, x, ignoring); },
        [&](auto to) { wf::max_async(place, some, to, ignoring); });
  check([&](auto const& x) { return wf::reduce(place, x, A(5), wf::maximum<>{}); },
        [&](auto to) { wf::reduce_async(place, some, A(5), wf::maximum<>{}, to); });
  check(
      [&](auto const& x) { return wf::transform_reduce(place, x, A(3), wf::plus{}, wf::square{}); },
      [&](auto to) {
        wf::transform_reduce_async(place, some, A(3), wf::plus{}, wf::square{}, to);
      });
  if constexpr (wf::detail::wider_accumulator<T, double>) {
    CHECK(same_bits(wf::sum<double>(place, some), wf::sum<double>(place, known)));
    CHECK(same_bits(wf::product<double>(place, some), wf::product<double>(place, known)));
  }
}

EVERY_PLACE_OF("counted reductions have the bits of those of as many elements", T,
               WARPFOLD_TEST_ELEMENTS) {
  for (std::size_t const capacity : {0, 1, 32, 1025, 20'011, 140'003})
    for (std::uint64_t const count : counts_for(capacity))
      for (std::size_t const first : {0, 3}) check_folds<T>(place, first, capacity, count);
}
FAST_EVERY_PLACE("counted reductions of few and of many") {
  check_folds<float>(place, 0, 400'003, 150'001);
  check_folds<double>(place, 1, 20'011, 20'000);
}

/// Every form of a scan of counted values, at any place and in place.
template <class T, class Place>
void check_scans(Place& place, std::size_t first, std::size_t capacity, std::uint64_t count) {
  using A = accumulator_t<T>;
  CAPTURE(first);
  CAPTURE(capacity);
  CAPTURE(count);
  auto memory = spoiled_values<T>(place, first, capacity, count);
  memory_of<Place, std::uint64_t> word(place, {count});
  std::size_t const size = std::min<std::uint64_t>(count, capacity);
  auto const known = memory.view(first, size);
  auto const some = wf::counted{memory.view(first, capacity), word.all()};
  std::vector<A> const before(first + capacity + 2, A(77));
  auto const same = [](A x, A y) { return same_number(x, y); };
  auto const check = [&](auto scan) {
    memory_of<Place, A> expected(place, before), found(place, before);
    scan(known, expected.view(first, size));
    scan(some, found.view(first, capacity));
    if constexpr (std::same_as<Place, wf::gpu>) place.synchronize();
    CHECK(std::ranges::equal(found.contents(), expected.contents(), same)); // nor more is touched
  };
  check([&](auto const& x, auto to) { wf::inclusive_scan(place, x, wf::plus{}, to); });
  check([&](auto const& x, auto to) { wf::inclusive_scan_async(place, x, wf::plus{}, to); });
  check([&](auto const& x, auto to) { wf::exclusive_scan(place, x, A(3), wf::maximum<>{}, to); });
  check([&](auto const& x, auto to) { wf::exclusive_scan_async(place, x, A(3), wf::plus{}, to); });
  if constexpr (std::same_as<A, T>) {
    memory_of<Place, A> expected(place, std::vector<A>(size, A(77)));
    wf::inclusive_scan(place, known, wf::plus{}, expected.all());
    auto const behind = part_of(memory.contents(), first + size, capacity - size);
    wf::inclusive_scan(place, some, wf::plus{}, memory.view(first, capacity));
    auto const found = memory.contents();
    CHECK(std::ranges::equal(part_of(found, first, size), expected.contents(), same));
    CHECK(same_elements(part_of(found, first + size, capacity - size), behind));
  }
}

EVERY_PLACE_OF("counted scans have the bits of those of as many elements", T, std::int32_t,
               std::uint64_t, float, double, __half) {
  for (std::size_t const capacity : {0, 1, 513, 1024, 9001, 70'003})
    for (std::uint64_t const count : counts_for(capacity))
      for (std::size_t const first : {0, 1}) check_scans<T>(place, first, capacity, count);
}
EVERY_PLACE("counted scans of few and of many") {
  check_scans<float>(place, 0, 3'000'017, 33);
  check_scans<float>(place, 0, 3'000'017, 1'700'001);
  check_scans<double>(place, 1, 600'011, 512);
}
FAST_EVERY_PLACE("counted scans of few") {
  check_scans<float>(place, 0, 70'003, 33);
  check_scans<double>(place, 1, 20'011, 9'001);
}

template <class T, class I, class Place>
void check_scatter(Place& place, std::size_t capacity, std::size_t bins, std::uint64_t count,
                   wf::scatter_options const& how) {
  CAPTURE(capacity);
  CAPTURE(bins);
  CAPTURE(count);
  auto memory = spoiled_values<T>(place, 0, capacity, count);
  std::mt19937_64 random{92};
  std::vector<I> indices(capacity, static_cast<I>(bins)); // behind the count there are no bins
  std::size_t const size = std::min<std::uint64_t>(count, capacity);
  for (std::size_t i = 0; i < size; ++i) indices[i] = static_cast<I>(random() % bins);
  memory_of<Place, I> at(place, indices);
  memory_of<Place, std::uint64_t> word(place, {count});
  auto const some = wf::counted{memory.all(), word.all()};
  wf::scatter_bound const bound{2000, 2000.0 * static_cast<double>(capacity + 1)};
  std::vector<T> const before(bins, T(7));
  memory_of<Place, T> expected(place, before), found(place, before), later(place, before);
  wf::scatter_sum(place, memory.view(0, size), at.view(0, size), bound, expected.all(), how);
  wf::scatter_sum(place, some, at.all(), bound, found.all(), how);
  memory_of<Place, wf::scatter_status> status(place, {{1, 2, 3, 4}});
  wf::scatter_sum_async(place, some, at.all(), bound, later.all(), status.all(), how);
  CHECK(same_elements(found.contents(), expected.contents()));
  CHECK(same_elements(later.contents(), expected.contents()));
  CHECK(status.get(0).is_complete());
}
FAST_EVERY_PLACE("counted sums by index of few") {
  check_scatter<float, std::uint32_t>(place, 20'011, 300, 9'001, {});
  check_scatter<double, std::int64_t>(place, 20'011, 20'000, 9'001, {.wide = true});
}
EVERY_PLACE("counted sums by index") {
  for (std::size_t const capacity : {0, 1, 5000, 20'011})
    for (std::uint64_t const count : counts_for(capacity)) {
      check_scatter<float, std::uint32_t>(place, capacity, 300, count, {});
      check_scatter<double, std::int64_t>(place, capacity, 20'000, count, {.cumulative = true});
      check_scatter<float, std::int32_t>(place, capacity, 7, count, {.wide = true});
    }
}
EVERY_PLACE("counted sums by index, with bins of a block's own and in several passes") {
  check_scatter<float, std::uint32_t>(place, 4'300'000, 9, 2'000'001, {});
  check_scatter<float, std::uint32_t>(place, 4'300'000, 9'000'000, 2'000'001, {});
}

// ---- refusals -----------------------------------------------------------------------------------

template <class Place, class T>
auto null_view(std::size_t size) {
  return view_t<Place, T>(static_cast<T*>(nullptr), size);
}

FAST_EVERY_PLACE("what verbs refuse of a count") {
  memory_of<Place, std::uint64_t> words(place, {3, 4, 5, 6});
  memory_of<Place, float> values(place, {1, 2, 3, 4}), results(place, {7, 7, 7, 7});
  memory_of<Place, std::uint32_t> at(place, {0, 1, 2, 3});
  memory_of<Place, wf::scatter_status> status(place, {{1, 2, 3, 4}});
  auto* const odd =
      reinterpret_cast<std::uint64_t*>(reinterpret_cast<unsigned char*>(words.all().data()) + 1);
  view_t<Place, std::uint64_t> const bad[] = {
      words.view(0, 0), null_view<Place, std::uint64_t>(1), {odd, 1}};
  for (auto const count : bad) {
    auto const some = wf::counted{values.all(), count};
    auto const to = results.all();
    CHECK(refused_by([&] { wf::sum(place, some); }) == "values.count");
    CHECK(refused_by([&] { wf::product_async(place, some, to); }) == "values.count");
    CHECK(refused_by([&] { wf::min(place, some); }) == "values.count");
    CHECK(refused_by([&] { wf::reduce_async(place, some, 0.F, wf::plus{}, to); }) ==
          "values.count");
    CHECK(refused_by([&] { wf::inclusive_scan(place, some, wf::plus{}, to); }) == "values.count");
    CHECK(refused_by([&] { wf::exclusive_scan_async(place, some, 0.F, wf::plus{}, to); }) ==
          "values.count");
    CHECK(refused_by([&] {
            wf::scatter_sum(place, some, at.all(), {9, 99}, to);
          }) == "values.count");
  }
  // Results where the count lies.
  auto const own = wf::counted{words.view(1, 3), words.view(0, 1)};
  CHECK(refused_by([&] { wf::sum_async(place, own, words.view(0, 1)); }) == "result");
  CHECK(refused_by([&] { wf::max_async(place, own, words.view(0, 1)); }) == "result");
  auto const inside = wf::counted{words.all(), words.view(2, 1)};
  CHECK(refused_by([&] { wf::inclusive_scan(place, inside, wf::plus{}, words.all()); }) ==
        "results");
  memory_of<Place, double> doubles(place, {3, 4, 5, 6});
  auto const as_words =
      view_t<Place, std::uint64_t>(reinterpret_cast<std::uint64_t*>(results.all().data()), 1);
  auto const as_count =
      view_t<Place, std::uint64_t>(reinterpret_cast<std::uint64_t*>(status.all().data()), 1);
  CHECK(refused_by([&] {
          wf::scatter_sum(place, wf::counted{values.all(), as_words}, at.all(), {9, 99},
                          results.all());
        }) == "results");
  CHECK(refused_by([&] {
          wf::scatter_sum_async(place, wf::counted{values.all(), as_count}, at.all(), {9, 99},
                                results.all(), status.all());
        }) == "status");
  // As many results and indices as there may be values.
  auto const three = wf::counted{values.all(), words.view(0, 1)};
  CHECK(refused_by([&] { wf::inclusive_scan(place, three, wf::plus{}, results.view(0, 3)); }) ==
        "results");
  CHECK(refused_by([&] {
          wf::scatter_sum(place, three, at.view(0, 3), {9, 99}, results.all());
        }) == "indices");
  CHECK(results.contents() == std::vector<float>{7, 7, 7, 7});
  CHECK(words.contents() == std::vector<std::uint64_t>{3, 4, 5, 6});
}

template <class Place, class Range>
concept is_summed = requires(Place place, Range range) {
  wf::sum(place, range);
};
template <class Place, class Range>
concept is_scanned = requires(Place place, Range range, view_t<Place, float> results) {
  wf::inclusive_scan(place, range, wf::plus{}, results);
};
template <class Place, class Range>
concept is_added = requires(Place place, Range range, view_t<Place, int> at,
                            view_t<Place, float> results, wf::scatter_bound bound) {
  wf::scatter_sum(place, range, at, bound, results);
};
template <class Place, class Range>
concept is_added_without_bound = requires(Place place, Range range, view_t<Place, int> at,
                                          view_t<Place, float> results) {
  wf::scatter_sum(place, range, at, results);
};
template <class Place, class Range>
concept is_described = requires(Place place, Range range) {
  wf::describe(place, range);
}
|| requires(Place place, Range range) { wf::argmin(place, range); }
|| requires(Place place, Range range) { wf::norm1(place, range); }
|| requires(Place place, Range range) { wf::exact_sum(place, range); };
template <class Values, class Count>
concept makes_counted = requires(Values const& values, Count const& count) {
  wf::counted{values, count};
};

using on_gpu = decltype(wf::counted{std::declval<wf::device_buffer<float>&>(),
                                    std::declval<wf::device_buffer<std::uint64_t>&>()});
using on_host = decltype(wf::counted{std::declval<std::vector<float>&>(),
                                     std::declval<std::vector<std::uint64_t>&>()});
static_assert(is_summed<wf::gpu&, on_gpu> && is_summed<wf::host, on_host>);
static_assert(!is_summed<wf::host, on_gpu> && !is_summed<wf::gpu&, on_host>);
static_assert(is_scanned<wf::host, on_host> && !is_scanned<wf::host, on_gpu>);
static_assert(is_added<wf::host, on_host> && !is_added<wf::host, on_gpu>);
static_assert(!is_added_without_bound<wf::host, on_host>);
static_assert(!is_described<wf::gpu&, on_gpu> && !is_described<wf::host, on_host>);
static_assert(makes_counted<wf::device_span<int>, wf::device_span<std::uint64_t const>>);
static_assert(!makes_counted<wf::device_span<int>, std::vector<std::uint64_t>>);
static_assert(!makes_counted<std::vector<int>, wf::device_buffer<std::uint64_t>>);
static_assert(!makes_counted<std::vector<int>, std::vector<int>>);

// ---- on a GPU -----------------------------------------------------------------------------------

TEST_SUITE("gpu") {
  TEST_CASE("fast: captured verbs of a length that stays on the gpu") {
    wf::gpu place;
    wf::host const host;
    std::mt19937_64 random{93};
    std::size_t const size = 100'003, bins = 50;
    wf::device_buffer<float> values(place, size), kept(place, size), sum(place, 1), peak(place, 1);
    wf::device_buffer<float> prefixes(place, size), by_index(place, bins);
    wf::device_buffer<std::uint32_t> at(place, size);
    wf::device_buffer<std::uint64_t> count(place, 1);
    wf::device_buffer<wf::scatter_status> status(place, 1);
    std::vector<std::uint32_t> indices(size);
    for (auto& i : indices) i = static_cast<std::uint32_t>(random() % bins);
    wf::copy(place, std::span<std::uint32_t const>(indices), at.span());
    place.reserve(wf::scatter_workspace(bins, size));
    captured graph(place, [&] {
      wf::compact_if_async(place, values, wf::greater_than{0.F}, kept, count);
      wf::sum_async(place, wf::counted{kept, count}, sum);
      wf::max_async(place, wf::counted{kept, count}, peak);
      wf::inclusive_scan_async(place, wf::counted{kept, count}, wf::plus{}, prefixes);
      wf::scatter_sum_async(place, wf::counted{kept, count}, at, {2000, 1e9}, by_index, status);
    });
    for (double const share : {0.5, 0.0, 0.01, 1.0, 0.3}) {
      auto given = rough_values<float>(size, static_cast<unsigned>(random()));
      for (float& x : given)
        x = std::bernoulli_distribution(share)(random) ? std::abs(x) + 1e-6F : -std::abs(x);
      wf::copy(place, std::span<float const>(given), values.span());
      wf::check(cudaMemsetAsync(prefixes.data(), 0xff, size * sizeof(float), place.stream()));
      graph.launch();
      std::vector<float> known;
      std::ranges::copy_if(given, std::back_inserter(known), [](float x) { return x > 0; });
      CHECK(wf::to_vector(place, count)[0] == known.size());
      CHECK(same_bits(wf::to_vector(place, sum)[0], wf::sum(host, known)));
      CHECK(same_bits(wf::to_vector(place, peak)[0], wf::max(host, known)));
      std::vector<float> scanned(known.size()), added(bins);
      wf::inclusive_scan(host, known, wf::plus{}, scanned);
      auto const all = wf::to_vector(place, prefixes);
      CHECK(same_elements(part_of(all, 0, known.size()), scanned));
      CHECK((known.size() == size || all[known.size()] != all[known.size()])); // untouched
      wf::scatter_sum(host, known, std::span(indices).first(known.size()), {2000, 1e9}, added);
      CHECK(same_elements(wf::to_vector(place, by_index), added));
      CHECK(wf::to_vector(place, status)[0].is_complete());
    }
  }
  TEST_CASE("counts of runs: the longest run, and the keys' sum, without the host") {
    wf::gpu place;
    std::mt19937_64 random{94};
    std::vector<std::uint32_t> keys(300'001);
    std::uint32_t key = 0;
    for (auto& k : keys) k = key += random() % 5 == 0 ? 1 : 0;
    wf::device_buffer<std::uint32_t> there(place, keys), unique(place, keys.size());
    wf::device_buffer<std::uint64_t> lengths(place, keys.size()), count(place, 1),
        longest(place, 1);
    wf::device_buffer<std::uint64_t> total(place, 1);
    wf::check(cudaMemsetAsync(lengths.data(), 0xff, keys.size() * 8, place.stream()));
    wf::run_length_encode_async(place, there, unique, lengths, count);
    wf::max_async(place, wf::counted{lengths, count}, longest);
    wf::sum_async(place, wf::counted{lengths, count}, total);
    auto const runs = wf::to_vector(place, count)[0];
    auto const known = part_of(wf::to_vector(place, lengths), 0, runs);
    CHECK(wf::to_vector(place, longest)[0] == *std::ranges::max_element(known));
    CHECK(wf::to_vector(place, total)[0] == keys.size());
  }
  TEST_CASE_TEMPLATE("counted reductions and scans have the same bits on any grid", T, float,
                     double, std::uint64_t) {
    wf::gpu place;
    wf::host const host;
    std::mt19937_64 random{95};
    std::size_t const capacity = 5'000'011;
    auto const values = rough_values<T>(capacity, 96);
    wf::device_buffer<T> there(place, std::span<T const>(values)), results(place, capacity);
    wf::device_buffer<std::uint64_t> word(place, 1);
    for (int run = 0; run < 40; ++run) {
      std::uint64_t const count = run < 20 ? random() % (capacity + 1) : random() % 40'000;
      CAPTURE(count);
      wf::copy(place, std::span<std::uint64_t const>(&count, 1), word.span());
      wf::detail::gpu_scratch(place).assume_multiprocessors(static_cast<int>(random() % 140));
      auto const known = std::span(values).first(count);
      CHECK(same_bits(wf::sum(place, wf::counted{there, word}), wf::sum(host, known)));
      CHECK(same_bits(wf::min(place, wf::counted{there, word}), wf::min(host, known)));
      if (run % 4 != 0) continue;
      std::vector<T> expected(count);
      wf::inclusive_scan(host, known, wf::plus{}, expected);
      wf::inclusive_scan(place, wf::counted{there, word}, wf::plus{}, results);
      CHECK(same_elements(wf::to_vector(place, results.span().subspan(0, count)), expected));
    }
  }
}

} // namespace counted_test
