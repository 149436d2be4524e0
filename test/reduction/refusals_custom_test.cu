// Refusals of the verbs for elements, operators and iterators of your own. On the host: the checks
// are the same lines for both places, and cost no kernels here.

#include "refusals.hpp"

#include <warpfold/counting.cuh>
#include <warpfold/counting/compaction.cuh>
#include <warpfold/counting/histogram.cuh>
#include <warpfold/pricing/simulate.cuh>
#include <warpfold/reduction.cuh>
#include <warpfold/reduction/statistics.cuh>
#include <warpfold/scan.cuh>
#include <warpfold/segments.cuh>
#include <warpfold/segments/by_key.cuh>

#include <limits>
#include <ranges>

namespace {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;

struct either {
  using is_commutative = void;
  WARPFOLD_HOST_DEVICE float operator()(float a, float b) const { return a + b - a * b; }
};
struct halved {
  WARPFOLD_HOST_DEVICE float operator()(float x) const { return x / 2; }
};
struct is_small {
  WARPFOLD_HOST_DEVICE bool operator()(float x) const { return x < 2; }
};
struct first_bin {
  WARPFOLD_HOST_DEVICE int operator()(float) const { return 0; }
};

using host_span = std::span<float const>;

/// Rows of a verb by its forms for a pointer and for a range: now(values...), later(values..., to).
template <class Result, class Now, class Later>
void reads(refusals<wf::host>& all, char const* blocking, Now now, char const* async, Later later) {
  all.template reads<float, Result>(
      blocking, [&](host_span from) { now(from); }, async,
      [&](host_span from, std::span<Result> to) { later(to, from); });
  host_span const values = all.memory<float>(20);
  auto const result = all.memory<Result>(1);
  auto const both = [&](float const* first, std::size_t size) {
    all.row(blocking, "first", [&] { now(first, size); });
    all.row(async, "first", [&] { later(result, first, size); });
  };
  for (auto const bad : refusals<wf::host>::nowhere<float const>(3)) both(bad.data(), 3);
  for (std::size_t const size : impossible) both(values.data(), size);
  for (auto const bad : refusals<wf::host>::nowhere<Result>(1))
    all.row(async, "result", [&] { later(bad, values.data(), 20); });
}

TEST_CASE("what verbs for your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("reduction.cuh");
  reads<float>(
      all, "reduce", [&](auto... from) { wf::reduce(place, from..., 0.F, either{}); },
      "reduce_async",
      [&](auto to, auto... from) { wf::reduce_async(place, from..., 0.F, either{}, to); });
  reads<float>(
      all, "transform_reduce",
      [&](auto... from) { wf::transform_reduce(place, from..., 0.F, wf::plus{}, halved{}); },
      "transform_reduce_async",
      [&](auto to, auto... from) {
        wf::transform_reduce_async(place, from..., 0.F, wf::plus{}, halved{}, to);
      });
  all.of("counting.cuh");
  reads<std::uint64_t>(
      all, "count_if", [&](auto... from) { wf::count_if(place, from..., is_small{}); },
      "count_if_async",
      [&](auto to, auto... from) { wf::count_if_async(place, from..., is_small{}, to); });
  reads<bool>(
      all, "all_of", [&](auto... from) { wf::all_of(place, from..., is_small{}); }, "all_of_async",
      [&](auto to, auto... from) { wf::all_of_async(place, from..., is_small{}, to); });
  reads<bool>(
      all, "any_of", [&](auto... from) { wf::any_of(place, from..., is_small{}); }, "any_of_async",
      [&](auto to, auto... from) { wf::any_of_async(place, from..., is_small{}, to); });
  all.of("reduction/statistics.cuh");
  constexpr auto wanted = wf::statistic::mean;
  reads<wf::description<float>>(
      all, "describe", [&](auto... from) { wf::describe<wanted>(place, from...); },
      "describe_async",
      [&](auto to, auto... from) { wf::describe_async<wanted>(place, from..., to); });
}

TEST_CASE("what compactions and histograms of your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  auto const memory = all.memory<float>(40);
  host_span const values = memory.subspan(0, 20);
  auto const output = memory.subspan(20);
  auto const count = all.memory<std::uint64_t>(1);
  all.of("counting/compaction.cuh");
  auto const compacts = [&](char const* argument, auto to, auto... from) {
    all.row("compact_if", argument, [&] { wf::compact_if(place, from..., is_small{}, to); });
    all.row("compact_if_async", argument,
            [&] { wf::compact_if_async(place, from..., is_small{}, to, count); });
  };
  for (auto const bad : refusals<wf::host>::nowhere<float const>(3)) {
    compacts("values", output, bad);
    compacts("first", output, bad.data(), bad.size());
  }
  compacts("output", memory.subspan(19), values);
  compacts("output", memory.subspan(19), values.begin(), values.size());
  for (auto const bad : refusals<wf::host>::nowhere<float>(3)) compacts("output", bad, values);
  for (std::size_t const size : impossible) {
    compacts("values", output, host_span(values.data(), size));
    compacts("first", output, values.data(), size);
    compacts("output", std::span(output.data(), size), values);
  }
  auto const refuses_count = [&](auto to) {
    all.row("compact_if_async", "count",
            [&] { wf::compact_if_async(place, values, is_small{}, output, to); });
  };
  refuses_count(count.subspan(0, 0));
  refuses_count(std::span(reinterpret_cast<std::uint64_t*>(memory.data()), 1));

  all.of("counting/histogram.cuh");
  auto const bins = all.memory<std::uint64_t>(4);
  auto const counts = [&](char const* argument, auto... from) {
    all.row("transform_histogram", argument,
            [&] { static_cast<void>(wf::transform_histogram(place, from..., first_bin{}, 4)); });
    all.row("transform_histogram_async", argument,
            [&] { wf::transform_histogram_async(place, from..., first_bin{}, bins); });
  };
  for (auto const bad : refusals<wf::host>::nowhere<float const>(3)) {
    counts("values", bad);
    counts("first", bad.data(), bad.size());
  }
  for (std::size_t const size : impossible) {
    counts("values", host_span(values.data(), size));
    counts("first", values.data(), size);
  }
  for (std::size_t const size : {std::size_t{0}, std::size_t{8193}, ~std::size_t{0}})
    all.row("transform_histogram", "bins",
            [&] { static_cast<void>(wf::transform_histogram(place, values, first_bin{}, size)); });
  auto const refuses_counts = [&](std::span<std::uint64_t> to) {
    all.row("transform_histogram_async", "counts",
            [&] { wf::transform_histogram_async(place, values, first_bin{}, to); });
  };
  refuses_counts(bins.subspan(0, 0));
  std::span const over_values(reinterpret_cast<std::uint64_t*>(memory.data()), 4);
  refuses_counts(over_values);
  all.row("transform_histogram_async", "counts", [&] {
    wf::transform_histogram_async(place, values.begin(), values.size(), first_bin{}, over_values);
  });
  for (auto const bad : refusals<wf::host>::nowhere<std::uint64_t>(4)) refuses_counts(bad);
}

TEST_CASE("what scans of your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("scan.cuh");
  auto const memory = all.memory<float>(40);
  host_span const values = memory.subspan(0, 20);
  auto const results = memory.subspan(20);
  auto const scans = [&](char const* argument, auto to, auto... from) {
    using A = typename decltype(to)::value_type;
    all.row("inclusive_scan", argument, [&] { wf::inclusive_scan(place, from..., either{}, to); });
    all.row("inclusive_scan_async", argument,
            [&] { wf::inclusive_scan_async(place, from..., either{}, to); });
    all.row("exclusive_scan", argument,
            [&] { wf::exclusive_scan(place, from..., A{3}, either{}, to); });
    all.row("exclusive_scan_async", argument,
            [&] { wf::exclusive_scan_async(place, from..., A{3}, either{}, to); });
  };
  auto const transforms = [&](char const* argument, auto to, auto first, std::size_t size) {
    using A = typename decltype(to)::value_type;
    all.row("transform_inclusive_scan", argument,
            [&] { wf::transform_inclusive_scan(place, first, size, wf::plus{}, halved{}, to); });
    all.row("transform_inclusive_scan_async", argument, [&] {
      wf::transform_inclusive_scan_async(place, first, size, wf::plus{}, halved{}, to);
    });
    all.row("transform_exclusive_scan", argument, [&] {
      wf::transform_exclusive_scan(place, first, size, A{3}, wf::plus{}, halved{}, to);
    });
    all.row("transform_exclusive_scan_async", argument, [&] {
      wf::transform_exclusive_scan_async(place, first, size, A{3}, wf::plus{}, halved{}, to);
    });
  };
  auto const all_forms = [&](char const* argument, auto to, host_span from) {
    scans(argument, to, from);
    scans(argument, to, from.data(), from.size());
    scans(argument, to, from.begin(), from.size());
    transforms(argument, to, from.data(), from.size());
    transforms(argument, to, from.begin(), from.size());
  };
  for (auto const bad : refusals<wf::host>::nowhere<float const>(3)) {
    scans("values", results.subspan(0, 3), bad);
    scans("first", results.subspan(0, 3), bad.data(), bad.size());
    transforms("first", results.subspan(0, 3), bad.data(), bad.size());
  }
  for (auto const bad : refusals<wf::host>::nowhere<float>(20)) all_forms("results", bad, values);
  for (std::size_t const size : impossible) {
    scans("values", results, host_span(values.data(), size));
    scans("first", results, values.data(), size);
    transforms("first", results, values.data(), size);
    all_forms("results", std::span(results.data(), size), values);
  }
  for (std::size_t const size : {0, 19}) all_forms("results", results.subspan(0, size), values);
  for (std::size_t const first : {1, 19}) {
    all_forms("results", memory.subspan(first, 20), values);
    all_forms("results", memory.subspan(0, 20), host_span(memory.subspan(first, 20)));
  }
  // Over the same memory, but of another type.
  auto const shared = all.memory<double>(20);
  std::span const floats(reinterpret_cast<float*>(shared.data()), 20);
  all_forms("results", shared, floats);
  // Iterators into no memory have one result for each element, too.
  scans("results", results, std::views::iota(0).begin(), std::size_t{19});
}

TEST_CASE("what segments of your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("segments.cuh");
  auto const memory = all.memory<float>(40);
  host_span const values = memory.subspan(0, 20);
  auto const results = memory.subspan(20);
  auto const segments = [&](char const* argument, host_span from, auto const& by, auto to) {
    all.row("segmented_reduce", argument,
            [&] { wf::segmented_reduce(place, from, by, 0.F, either{}, to); });
    all.row("segmented_reduce_async", argument,
            [&] { wf::segmented_reduce_async(place, from, by, 0.F, either{}, to); });
  };
  std::vector<std::int32_t> const right{0, 10, 20}, falling{0, 10, 5};
  for (auto const bad : refusals<wf::host>::nowhere<float const>(20))
    segments("values", bad, right, results.subspan(0, 2));
  segments("segments", values, falling, results.subspan(0, 2));
  segments("results", values, right, results);
  segments("results", values, right, memory.subspan(19, 2));
  segments("segments", values, wf::fixed_length{3}, results.subspan(0, 6));
  segments("results", values, wf::fixed_length{10}, memory.subspan(19, 2));
  auto const matrix = [&](char const* argument, wf::matrix_shape const& shape, auto of_rows,
                          auto of_columns) {
    all.row("reduce_rows", argument,
            [&] { wf::reduce_rows(place, values, shape, 0.F, either{}, of_rows); });
    all.row("reduce_rows_async", argument,
            [&] { wf::reduce_rows_async(place, values, shape, 0.F, either{}, of_rows); });
    all.row("reduce_columns", argument,
            [&] { wf::reduce_columns(place, values, shape, 0.F, either{}, of_columns); });
    all.row("reduce_columns_async", argument,
            [&] { wf::reduce_columns_async(place, values, shape, 0.F, either{}, of_columns); });
  };
  matrix("shape", {5, 5}, results.subspan(0, 5), results.subspan(0, 5));
  matrix("results", {5, 4}, results.subspan(0, 6), results.subspan(0, 5));
  matrix("results", {5, 4}, memory.subspan(19, 5), memory.subspan(18, 4));
}

/// A key of one's own.
struct tag {
  int number;
  WARPFOLD_HOST_DEVICE bool operator==(tag const& other) const { return number == other.number; }
};

TEST_CASE("what reductions by keys of your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("segments/by_key.cuh");
  auto const memory = all.memory<tag>(40);
  std::span<tag const> const keys = memory.subspan(0, 20);
  auto const unique = memory.subspan(20);
  host_span const values = all.memory<float>(20);
  auto const results = all.memory<float>(20);
  auto const words = all.memory<std::uint64_t>(20);
  auto const count = all.memory<std::uint64_t>(1);
  auto const reduces = [&](char const* argument, auto by, auto from, auto first, auto to) {
    all.row("reduce_by_key", argument,
            [&] { wf::reduce_by_key(place, by, from, 0.F, either{}, first, to); });
    all.row("reduce_by_key_async", argument,
            [&] { wf::reduce_by_key_async(place, by, from, 0.F, either{}, first, to, count); });
  };
  auto const alone = [&](char const* argument, char const* of_marks, auto by, auto first, auto to) {
    all.row("run_length_encode", argument, [&] { wf::run_length_encode(place, by, first, to); });
    all.row("run_length_encode_async", argument,
            [&] { wf::run_length_encode_async(place, by, first, to, count); });
    all.row("mark_runs", of_marks, [&] { wf::mark_runs(place, by, first, to); });
    all.row("mark_runs_async", of_marks, [&] { wf::mark_runs_async(place, by, first, to, count); });
  };
  for (auto const bad : refusals<wf::host>::nowhere<tag const>(20)) {
    reduces("keys", bad, values, unique, results);
    alone("keys", "keys", bad, unique, words);
  }
  for (auto const bad : refusals<wf::host>::nowhere<std::uint64_t>(20))
    alone("lengths", "marks", keys, unique, bad);
  reduces("values", keys, values.subspan(1), unique, results);
  reduces("unique", keys, values, memory.subspan(19), results);
  alone("unique", "unique", keys, memory.subspan(19), words);
  std::span<float> const over_keys(reinterpret_cast<float*>(memory.data()) + 19, 1);
  reduces("results", keys, values, unique, over_keys);
  all.row("mark_runs", "marks", [&] { wf::mark_runs(place, keys, unique, words.subspan(0, 2)); });
  all.row("reduce_by_key_async", "count", [&] {
    wf::reduce_by_key_async(place, keys, values, 0.F, either{}, unique, results,
                            count.subspan(0, 0));
  });
}

struct at_rest {
  using value_type = float;
  WARPFOLD_HOST_DEVICE float start() const { return 0; }
  WARPFOLD_HOST_DEVICE void step(float&, float, pricing::path_step<float> const&) const {}
};
struct its_end {
  WARPFOLD_HOST_DEVICE int start(float) const { return 0; }
  WARPFOLD_HOST_DEVICE void observe(int&, float, pricing::path_step<float> const&) const {}
  WARPFOLD_HOST_DEVICE float value(int, float x) const { return x; }
};

TEST_CASE("what simulations of your own refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("pricing/simulate.cuh");
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const refuses = [&](char const* argument, pricing::simulation_options const& options) {
    all.row("simulate", argument,
            [&] { static_cast<void>(pricing::simulate(place, at_rest{}, its_end{}, options)); });
  };
  refuses("options.paths", {.paths = 0, .steps = 2});
  refuses("options.steps", {.paths = 10});
  refuses("options.horizon", {.paths = 10, .steps = 2, .horizon = nan});
  refuses("options.confidence", {.paths = 10, .steps = 2, .confidence = nan});
  refuses("options.times",
          {.paths = 10, .times = {static_cast<double const*>(nullptr), std::size_t{2}}});
}

} // namespace
