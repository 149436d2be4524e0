// Refusals of order statistics and quantiles: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include <warpfold/twins/quantiles.hpp>

#include <limits>
#include <string>

namespace refusals_quantiles_test {

using namespace test;
namespace wf = warpfold;

using ranks_t = std::vector<std::uint64_t>;

/// Selections from floats.
template <class Place>
class quantile_refusals {
public:
  explicit quantile_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    values();
    results();
    ranks();
    probabilities();
    vendors();
    first();
    work();
  }

private:
  using span = view_t<Place, float const>;
  using results_span = view_t<Place, float>;
  using positions_span = view_t<Place, std::uint64_t>;

  results_span few(std::size_t size) { return results_.subspan(0, size); }

  void one(std::string const& argument, span values, std::uint64_t rank, results_span result) {
    all_.of("quantiles.hpp");
    if (argument != "result")
      all_.row("nth_element", argument,
               [&] { static_cast<void>(wf::nth_element(place_, values, rank)); });
    all_.row("nth_element_async", argument,
             [&] { wf::nth_element_async(place_, values, rank, result); });
  }
  void some(std::string const& argument, span values, std::span<std::uint64_t const> ranks,
            results_span results) {
    all_.of("quantiles.hpp");
    all_.row("order_statistics", argument,
             [&] { wf::order_statistics(place_, values, ranks, results); });
    all_.row("order_statistics_async", argument,
             [&] { wf::order_statistics_async(place_, values, ranks, results); });
  }
  void some_by_vendor(std::string const& argument, span values,
                      std::span<std::uint64_t const> ranks, results_span results,
                      twins::vendor vendor) {
    all_.of("twins/quantiles.hpp");
    all_.row("order_statistics", argument,
             [&] { wf::order_statistics(place_, values, ranks, results, vendor); });
    all_.row("order_statistics_async", argument,
             [&] { wf::order_statistics_async(place_, values, ranks, results, vendor); });
  }
  void one_quantile(std::string const& argument, span values, double q, results_span result,
                    wf::interpolation between = wf::interpolation::linear) {
    all_.of("quantiles.hpp");
    if (argument != "result")
      all_.row("quantile", argument,
               [&] { static_cast<void>(wf::quantile(place_, values, q, between)); });
    all_.row("quantile_async", argument,
             [&] { wf::quantile_async(place_, values, q, result, between); });
  }
  void some_quantiles(std::string const& argument, span values, std::span<double const> qs,
                      results_span results, wf::interpolation between = wf::interpolation::linear) {
    all_.of("quantiles.hpp");
    all_.row("quantiles", argument, [&] { wf::quantiles(place_, values, qs, results, between); });
    all_.row("quantiles_async", argument,
             [&] { wf::quantiles_async(place_, values, qs, results, between); });
  }
  void middle(std::string const& argument, span values, results_span result) {
    all_.of("quantiles.hpp");
    if (argument != "result")
      all_.row("median", argument, [&] { static_cast<void>(wf::median(place_, values)); });
    all_.row("median_async", argument, [&] { wf::median_async(place_, values, result); });
  }
  void every(std::string const& argument, span values) {
    ranks_t const ranks{0, 0};
    std::vector<double> const qs{0.5, 0.5};
    one(argument, values, 0, few(1));
    some(argument, values, ranks, few(2));
    one_quantile(argument, values, 0.5, few(1));
    some_quantiles(argument, values, qs, few(2));
    middle(argument, values, few(1));
    for (auto const vendor : {twins::fold, vendor_of(place_)})
      some_by_vendor(argument, values, ranks, few(2), vendor);
  }

  void values() {
    every("values", values_.subspan(0, 0)); // nothing has no median
    every("values", span());
    for (auto const bad : refusals<Place>::template nowhere<float const>(3)) every("values", bad);
    for (std::size_t const size : impossible) every("values", {values_.data(), size});
  }
  void results() {
    ranks_t const ranks{0, 7};
    std::vector<double> const qs{0.5, 1};
    for (std::size_t const size : {0, 1, 3}) {
      some("results", values_, ranks, few(size));
      some_quantiles("results", values_, qs, few(size));
      some_by_vendor("results", values_, ranks, few(size), vendor_of(place_));
    }
    some("results", values_, {}, few(1));
    for (auto const bad : refusals<Place>::template nowhere<float>(2)) {
      some("results", values_, ranks, bad);
      some_quantiles("results", values_, qs, bad);
    }
    for (std::size_t const from : {0, 50, 98}) { // among the values
      some("results", shared_, ranks, shared_.subspan(from, 2));
      some_quantiles("results", shared_, qs, shared_.subspan(from, 2));
      one("result", shared_, 3, shared_.subspan(from, 1));
      one_quantile("result", shared_, 0.5, shared_.subspan(from, 1));
      middle("result", shared_, shared_.subspan(from, 1));
    }
    one("result", values_, 3, few(0));
    one_quantile("result", values_, 0.5, few(0));
    middle("result", values_, few(0));
  }
  void ranks() {
    for (std::uint64_t const rank :
         {std::uint64_t{100}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
      one("rank", values_, rank, few(1));
      ranks_t const two{99, rank};
      some("ranks", values_, two, few(2));
      some_by_vendor("ranks", values_, two, few(2), vendor_of(place_));
    }
    ranks_t const many(wf::max_quantiles + 1);
    some("ranks", values_, many, few(many.size()));
    some("ranks", values_, {static_cast<std::uint64_t const*>(nullptr), 2}, few(2));
  }
  void probabilities() {
    for (double const q : {-0.01, 1.000001, -5e-324, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
      one_quantile("q", values_, q, few(1));
      std::vector<double> const two{0.5, q};
      some_quantiles("qs", values_, two, few(2));
    }
    std::vector<double> const many(wf::max_quantiles + 1), two(2);
    some_quantiles("qs", values_, many, few(many.size()));
    some_quantiles("qs", values_, {static_cast<double const*>(nullptr), 2}, few(2));
    for (int const number : {-1, 5}) {
      auto const between = static_cast<wf::interpolation>(number);
      one_quantile("method", values_, 0.5, few(1), between);
      some_quantiles("method", values_, two, few(2), between);
    }
  }
  void some_first(std::string const& argument, span values, results_span results,
                  positions_span positions) {
    all_.of("quantiles.hpp");
    all_.row("top_k", argument, [&] { wf::top_k(place_, values, results, positions); });
    all_.row("top_k_async", argument,
             [&] { wf::top_k_async(place_, values, results, positions, {.smallest = true}); });
    some_first_by_vendor(argument, values, results, positions, vendor_of(place_));
  }
  void some_first_by_vendor(std::string const& argument, span values, results_span results,
                            positions_span positions, twins::vendor vendor) {
    all_.of("twins/quantiles.hpp");
    all_.row("top_k", argument, [&] { wf::top_k(place_, values, results, positions, {}, vendor); });
    all_.row("top_k_async", argument,
             [&] { wf::top_k_async(place_, values, results, positions, {}, vendor); });
  }
  void first() {
    auto const two = positions_.subspan(0, 2);
    for (auto const bad : refusals<Place>::template nowhere<float const>(3))
      some_first("values", bad, few(2), two);
    for (std::size_t const size : impossible)
      some_first("values", {values_.data(), size}, few(2), two);
    for (auto const bad : refusals<Place>::template nowhere<float>(2))
      some_first("results", values_, bad, two);
    for (auto const bad : refusals<Place>::template nowhere<std::uint64_t>(2))
      some_first("positions", values_, few(2), bad);
    some_first("results", values_.subspan(0, 1), few(2), two); // more than there are
    some_first("results", values_.subspan(0, 0), few(1), positions_.subspan(0, 1));
    for (std::size_t const size : {0, 1, 3})
      some_first("positions", values_, few(2), positions_.subspan(0, size));
    for (std::size_t const from : {0, 50, 98})
      some_first("results", shared_, shared_.subspan(from, 2), two);
    auto const as_floats = [](positions_span all) {
      return results_span(reinterpret_cast<float*>(all.data()), 2 * all.size());
    };
    some_first("positions", as_floats(positions_), few(2), two);
    some_first("positions", values_, as_floats(two).subspan(1, 2), two);
  }
  void vendors() {
    constexpr bool on_gpu = std::same_as<Place, wf::gpu>;
    ranks_t const ranks{0, 7};
    for (auto const vendor : {on_gpu ? twins::thrust : twins::cub, static_cast<twins::vendor>(99),
                              static_cast<twins::vendor>(-1)}) {
      some_by_vendor("twin", values_, ranks, few(2), vendor);
      some_first_by_vendor("twin", values_, few(2), positions_.subspan(0, 2), vendor);
    }
  }
  void work() {
    memory_of<Place, float> numbers(place_, {5, 1, 4}), found(place_, {7, 7});
    wf::order_statistics(place_, numbers.all(), {}, found.view(0, 0)); // nothing is asked for
    ranks_t const ranks{2, 0};
    wf::order_statistics(place_, numbers.all(), ranks, found.all());
    CHECK(found.contents() == std::vector<float>{5, 1});
    // Beside the values.
    wf::median_async(place_, numbers.view(0, 2), numbers.view(2, 1));
    CHECK(numbers.get(2) == 3);
  }

  Place& place_;
  refusals<Place> all_;
  span values_ = all_.template memory<float>(100);
  results_span results_ = all_.template memory<float>(20);
  results_span shared_ = all_.template memory<float>(100);
  positions_span positions_ = all_.template memory<std::uint64_t>(20);
};

FAST_EVERY_PLACE("what selections refuse") { quantile_refusals<Place>(place).check_all(); }

// The compiler refuses other calls where the caller stands, not the linker.
template <class Values, class Results>
concept selects = requires(wf::host& place, Values const& values, ranks_t const& ranks,
                           Results& results) {
  wf::nth_element(place, values, 0);
  wf::order_statistics(place, values, ranks, results);
  wf::order_statistics_async(place, values, ranks, results);
};
template <class Values, class Results>
concept has_quantiles = requires(wf::host& place, Values const& values,
                                 std::vector<double> const& qs, Results& results) {
  wf::median(place, values);
  wf::quantile(place, values, 0.5);
  wf::quantiles(place, values, qs, results);
  wf::median_async(place, values, results);
};

TEST_CASE("selections that are not built in do not compile") {
  using std::vector;
  CHECK(selects<vector<float>, vector<float>>);
  CHECK(selects<vector<std::uint32_t>, std::array<std::uint32_t, 1>>);
  CHECK(selects<std::span<std::int64_t const>, std::span<std::int64_t>>);
  CHECK_FALSE(selects<vector<float>, vector<double>>);
  CHECK_FALSE(selects<vector<float>, vector<float> const>);
  CHECK_FALSE(selects<vector<float>, wf::device_span<float>>);
  CHECK_FALSE(selects<wf::device_span<float>, vector<float>>);
  CHECK_FALSE(selects<vector<short>, vector<short>>);
  CHECK_FALSE(selects<vector<__half>, vector<__half>>);
  CHECK(has_quantiles<vector<float>, vector<float>>);
  CHECK(has_quantiles<vector<double>, vector<double>>);
  CHECK(has_quantiles<vector<std::int32_t>, vector<double>>);
  CHECK_FALSE(has_quantiles<vector<float>, vector<double>>);
  CHECK_FALSE(has_quantiles<vector<std::int32_t>, vector<std::int32_t>>);
}

template <class Values, class Results, class Positions>
concept has_first = requires(wf::host& place, Values const& values, Results& results,
                             Positions& positions) {
  wf::top_k(place, values, results, positions);
  wf::top_k_async(place, values, results, positions);
};
TEST_CASE("calls of top_k that are not built in do not compile") {
  using std::vector;
  CHECK(has_first<vector<float>, vector<float>, vector<std::uint64_t>>);
  CHECK(has_first<vector<std::uint32_t>, vector<std::uint32_t>, std::span<std::uint64_t>>);
  CHECK_FALSE(has_first<vector<float>, vector<double>, vector<std::uint64_t>>);
  CHECK_FALSE(has_first<vector<float>, vector<float>, vector<std::int64_t>>);
  CHECK_FALSE(has_first<vector<float>, vector<float>, vector<std::uint64_t> const>);
  CHECK_FALSE(has_first<vector<float>, vector<float>, wf::device_span<std::uint64_t>>);
  CHECK_FALSE(has_first<vector<short>, vector<short>, vector<std::uint64_t>>);
}

TEST_CASE("what a selection needs of a workspace") {
  std::size_t const sampled = wf::detail::selection_layout::sampled;
  CHECK(wf::quantiles_workspace<float>(1) <= std::size_t{1} << 20); // which a gpu has
  CHECK(wf::quantiles_workspace<double>(sampled - 1) <= std::size_t{1} << 20);
  CHECK(wf::quantiles_workspace<float>(sampled) > sampled);
  CHECK(wf::quantiles_workspace<double>(sampled) > 2 * sampled);
  CHECK(wf::top_k_workspace<double>(sampled - 1, 30'000) <= std::size_t{1} << 20);
  CHECK(wf::top_k_workspace<double>(1, 0) >= wf::quantiles_workspace<double>(1));
}

TEST_SUITE("gpu") {
  TEST_CASE(
      "fast: an async selection from many needs workspace, then neither allocates nor waits") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    wf::device_buffer<double> some(place, 2);
    // Not read: what is captured is never launched.
    std::size_t const size = std::size_t{1} << 26;
    wf::device_span<double const> const values(some.data() + 1, size);
    auto const enqueue = [&] { wf::median_async(place, values, some.span().subspan(0, 1)); };
    CHECK(place.workspace_size() < wf::quantiles_workspace<double>(size));
    int allocations = memory.allocations;
    CHECK(refused_by(enqueue) == "place");
    CHECK(memory.allocations == allocations);
    place.reserve(wf::quantiles_workspace<double>(size));
    allocations = memory.allocations;
    CHECK(captured(place, enqueue).nodes().size() > 1);
    CHECK(memory.allocations == allocations);
  }
  TEST_CASE("an async top_k needs workspace, which a blocking one makes") {
    wf::gpu place;
    std::size_t const size = 300'000;
    wf::device_buffer<float> values(place, std::vector<float>(size, 1.F)), results(place, size);
    wf::device_buffer<std::uint64_t> positions(place, size);
    auto const enqueue = [&] { wf::top_k_async(place, values, results, positions); };
    CHECK(place.workspace_size() < wf::top_k_workspace<float>(size, size));
    CHECK(refused_by(enqueue) == "place");
    wf::top_k(place, values, results, positions);
    enqueue();
    CHECK(wf::to_vector(place, positions)[size - 1] == size - 1);
    refusals<wf::gpu> all(place);
    all.of("quantiles.hpp");
    cannot_be_captured(all, "top_k", [&] { wf::top_k(place, values, results, positions); });
  }
  TEST_CASE("a blocking selection makes room by itself, for the _async ones after it") {
    wf::gpu place;
    std::size_t const size = wf::detail::selection_layout::sampled + 3;
    wf::device_buffer<float> values(place, size), result(place, 1);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    auto const enqueue = [&] { wf::median_async(place, values, result); };
    CHECK(refused_by(enqueue) == "place");
    CHECK(wf::median(place, values) == 0);
    enqueue();
    CHECK(wf::to_vector(place, result)[0] == 0);
  }
  TEST_CASE("a selection that waits cannot be captured") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    wf::device_buffer<float> values(place, std::vector<float>(100, 1.F));
    all.of("quantiles.hpp");
    cannot_be_captured(all, "median", [&] { static_cast<void>(wf::median(place, values)); });
  }
}

} // namespace refusals_quantiles_test
