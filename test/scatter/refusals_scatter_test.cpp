// Refusals of sums by index: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "scatter/instances.hpp"

#include <warpfold/twins/scatter.hpp>

namespace refusals_scatter_test {

using namespace test;
namespace wf = warpfold;
using wf::twins::scattering;

template <class Place>
class scatter_refusals {
public:
  explicit scatter_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    arrays();
    overlaps();
    bounds();
    components();
    histograms();
    for (int const number : {-1, 2, 99})
      with_tag("twin", values_, indices_, results_, status_, static_cast<scattering>(number));
  }

private:
  template <class T>
  using span = view_t<Place, T>;
  using values_t = span<float const>;
  using indices_t = span<std::uint32_t const>;

  /// Every form; with bounds if they are not to blame.
  template <class T, class Index>
  void calls(std::string const& argument, span<T const> values, span<Index const> indices,
             span<T> results, span<wf::scatter_status> status, wf::scatter_options how = {}) {
    all_.of("scatter.hpp");
    bool const is_async_alone = argument == "status";
    wf::scatter_bound const bound{1, 100};
    if (!is_async_alone) {
      all_.row("scatter_sum", argument,
               [&] { wf::scatter_sum(place_, values, indices, bound, results, how); });
      all_.row("scatter_sum", argument,
               [&] { wf::scatter_sum(place_, values, indices, results, how); });
    }
    all_.row("scatter_sum_async", argument,
             [&] { wf::scatter_sum_async(place_, values, indices, bound, results, status, how); });
    all_.row("scatter_sum_async", argument,
             [&] { wf::scatter_sum_async(place_, values, indices, results, status, how); });
  }
  void with_tag(std::string const& argument, values_t values, indices_t indices,
                span<float> results, span<wf::scatter_status> status,
                scattering twin = scattering::atomics) {
    all_.of("twins/scatter.hpp");
    wf::scatter_bound const bound{1, 100};
    if (argument != "status")
      all_.row("scatter_sum", argument,
               [&] { wf::scatter_sum(place_, values, indices, bound, results, twin); });
    all_.row("scatter_sum_async", argument,
             [&] { wf::scatter_sum_async(place_, values, indices, bound, results, status, twin); });
  }
  void both(std::string const& argument, values_t values, indices_t indices, span<float> results,
            span<wf::scatter_status> status) {
    calls<float, std::uint32_t>(argument, values, indices, results, status);
    with_tag(argument, values, indices, results, status);
  }

  void arrays() {
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(100))
      both("values", bad, indices_, results_, status_);
    for (auto const bad : all::template nowhere<std::uint32_t const>(100))
      both("indices", values_, bad, results_, status_);
    for (auto const bad : all::template nowhere<float>(10))
      both("results", values_, indices_, bad, status_);
    for (auto const bad : all::template nowhere<wf::scatter_status>(1))
      both("status", values_, indices_, results_, bad);
    both("status", values_, indices_, results_, status_.subspan(0, 0));
    for (std::size_t const size : impossible) {
      both("values", {values_.data(), size}, indices_, results_, status_);
      both("indices", values_, {indices_.data(), size}, results_, status_);
      both("results", values_, indices_, {results_.data(), size}, status_);
    }
    both("results", values_, indices_, {results_.data(), std::size_t{1} << 31}, status_);
    for (std::size_t const size : {0, 1, 99})
      both("indices", values_, indices_t(indices_).subspan(0, size), results_, status_);
    both("indices", values_t(values_).subspan(0, 99), indices_, results_, status_);
    auto const doubles = all_.template memory<double>(100);
    auto const far = all_.template memory<std::int64_t>(99);
    auto const sums = all_.template memory<double>(10);
    calls<double, std::int64_t>("indices", doubles, far, sums, status_);
  }
  void overlaps() {
    both("results", values_, indices_, values_.subspan(90, 10), status_);
    both("results", values_, indices_, values_, status_);
    auto* const among = reinterpret_cast<float*>(indices_.data() + 99);
    both("results", values_, indices_, {among, 10}, status_);
    auto const memory = all_.template memory<double>(100);
    auto* const first = reinterpret_cast<wf::scatter_status*>(memory.data());
    auto* const floats = reinterpret_cast<float*>(memory.data());
    auto* const words = reinterpret_cast<std::uint32_t*>(memory.data());
    both("status", values_, indices_, {floats + 7, 10}, {first, 1});
    both("status", {floats, 100}, indices_, results_, {first + 1, 1});
    both("status", values_, {words, 100}, results_, {first + 2, 1});
  }
  void bounds() {
    constexpr double inf = std::numeric_limits<double>::infinity(),
                     nan = std::numeric_limits<double>::quiet_NaN();
    auto const with = [&](std::string const& argument, wf::scatter_bound bound) {
      all_.of("scatter.hpp");
      all_.row("scatter_sum", argument,
               [&] { wf::scatter_sum(place_, values_, indices_, bound, results_); });
      all_.row("scatter_sum_async", argument,
               [&] { wf::scatter_sum_async(place_, values_, indices_, bound, results_, status_); });
    };
    for (double const bad : {-1., -1e-300, inf, -inf, nan}) {
      with("bound.value", {bad, 100});
      with("bound.sum", {1, bad});
    }
    with("bound.sum", {1, 0.999});
    with("bound.sum", {1e-300, 0});
    all_.row("scatter_sum", "options.cumulative",
             [&] { wf::scatter_sum(place_, values_, indices_, results_, {.cumulative = true}); });
    all_.row("scatter_sum_async", "options.cumulative", [&] {
      wf::scatter_sum_async(place_, values_, indices_, results_, status_, {.cumulative = true});
    });
    all_.row("scatter_sum", "options.exact", [&] {
      wf::scatter_sum(place_, values_, indices_, {1, 100}, results_, {.exact = true});
    });
    all_.row("scatter_sum_async", "options.exact", [&] {
      wf::scatter_sum_async(place_, values_, indices_, {1, 100}, results_, status_,
                            {.exact = true});
    });
    wf::scatter_options const both{.wide = true, .exact = true};
    all_.row("scatter_sum", "options.wide",
             [&] { wf::scatter_sum(place_, values_, indices_, results_, both); });
    all_.row("scatter_sum_async", "options.wide",
             [&] { wf::scatter_sum_async(place_, values_, indices_, results_, status_, both); });
    if constexpr (std::same_as<Place, wf::host>) { // sizes are looked at before memory is
      std::size_t const many = std::size_t{1} << 32;
      wf::scatter_options const wide{.wide = true};
      std::span<float const> const far(reinterpret_cast<float const*>(std::uintptr_t{1} << 40),
                                       many);
      std::span<int const> const at(reinterpret_cast<int const*>(std::uintptr_t{1} << 41), many);
      calls<float, int>("values", far, at, results_, status_, wide);
      std::size_t const more = std::size_t{1} << 35;
      all_.row("scatter_sum", "values", [&] {
        wf::scatter_sum(place_, std::span(far.data(), more), std::span(at.data(), more), results_,
                        {.exact = true});
      });
      most_values(far.data(), at.data());
    }
  }
  /// Vectors count once. Nothing is read.
  void most_values(float const* far, int const* far_indices) {
    wf::scatter_bound const bound{1, 100};
    auto const results = results_.subspan(0, 9);
    for (int const components : {1, 3})
      for (bool const exact : {false, true}) {
        wf::scatter_options const how{.wide = !exact, .components = components, .exact = exact};
        std::size_t const most = exact ? (std::size_t{1} << 35) - 1 : (std::size_t{1} << 32) - 2;
        auto const values = [&](std::size_t size) {
          return std::span(far, size * static_cast<std::size_t>(components));
        };
        auto const indices = [&](std::size_t size) { return std::span(far_indices, size); };
        auto const check = [&](std::size_t size) {
          auto const input =
              wf::detail::indexed_values(place_, values(size), indices(size), results.size(), how);
          wf::detail::check_scatter(input, exact ? nullptr : &bound, results.data(), nullptr, how);
        };
        CHECK_NOTHROW(check(most));
        CHECK(refused_by([&] { check(most + 1); }) == "values");
        all_.row("scatter_sum", "values", [&] {
          if (exact) wf::scatter_sum(place_, values(most + 1), indices(most + 1), results, how);
          else wf::scatter_sum(place_, values(most + 1), indices(most + 1), bound, results, how);
        });
      }
  }

  void components() {
    for (int const bad : {0, -1, std::numeric_limits<int>::min()})
      calls<float, std::uint32_t>("options.components", values_, indices_, results_, status_,
                                  {.components = bad});
    wf::scatter_options const two{.components = 2}, three{.components = 3};
    calls<float, std::uint32_t>("values", values_, indices_, results_, status_, three);
    calls<float, std::uint32_t>("indices", values_, indices_, results_, status_, two);
    calls<float, std::uint32_t>("results", values_, indices_.subspan(0, 50), results_.subspan(0, 9),
                                status_, two);
  }
  void histograms() {
    all_.of("scatter.hpp");
    using weights_t = span<double const>;
    auto const weights = all_.template memory<double>(100);
    auto const sums = all_.template memory<double>(10);
    auto const call = [&](std::string const& argument, values_t values, weights_t w,
                          span<double> results, wf::even_bins<float> bins = {10, 0, 1},
                          wf::scatter_bound bound = {1, 100}) {
      bool const has_bound_alone = argument.starts_with("bound");
      all_.row("histogram", argument,
               [&] { wf::histogram(place_, values, w, bins, bound, results); });
      all_.row("histogram_async", argument,
               [&] { wf::histogram_async(place_, values, w, bins, bound, results, status_); });
      if (has_bound_alone) return;
      all_.row("histogram", argument, [&] { wf::histogram(place_, values, w, bins, results); });
      all_.row("histogram_async", argument,
               [&] { wf::histogram_async(place_, values, w, bins, results, status_); });
    };
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(100))
      call("values", bad, weights, sums);
    for (auto const bad : all::template nowhere<double const>(100))
      call("weights", values_, bad, sums);
    for (auto const bad : all::template nowhere<double>(10)) call("results", values_, weights, bad);
    for (std::size_t const size : impossible) {
      call("values", {values_.data(), size}, weights, sums);
      call("weights", values_, {weights.data(), size}, sums);
    }
    call("weights", values_, weights.subspan(0, 99), sums);
    call("weights", values_t(values_).subspan(0, 99), weights, sums);
    call("results", values_, weights, sums.subspan(0, 9));
    call("results", values_, weights, weights.subspan(90, 10));
    call("results", values_, weights, {reinterpret_cast<double*>(values_.data()), 10});
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (wf::even_bins<float> const& bad :
         {wf::even_bins<float>{0, 0, 1}, {10, 1, 0}, {10, nan, 1}, {1'000'000, 0, 1}})
      call("bins", values_, weights, sums, bad);
    call("bound.value", values_, weights, sums, {10, 0, 1}, {-1, 1});
    call("bound.sum", values_, weights, sums, {10, 0, 1}, {1, 0.5});
    for (auto const bad : all::template nowhere<wf::scatter_status>(1))
      all_.row("histogram_async", "status", [&] {
        wf::histogram_async(place_, values_, weights, {10, 0, 1}, sums, bad);
      });
  }

  Place& place_;
  refusals<Place> all_;
  span<float> values_ = all_.template memory<float>(100);
  span<std::uint32_t> indices_ = all_.template memory<std::uint32_t>(100);
  span<float> results_ = all_.template memory<float>(10);
  span<wf::scatter_status> status_ = all_.template memory<wf::scatter_status>(1);
};

FAST_EVERY_PLACE("what sums by index refuse") { scatter_refusals<Place>(place).check_all(); }

template <class Place, class T, class Key, class BinOf>
void find_sums() {
  using namespace wf::detail;
  using input = scatter_input<T, Key, BinOf>;
  CHECK(is_there<void(Place&, input const&, scatter_unit<T> const&, scatter_form, std::uint64_t*,
                      wf::scatter_status*)>(&add_words));
  CHECK(
      is_there<void(Place&, scatter_rounding<T> const&, scatter_form, scatter_end)>(&round_words));
}
TEST_CASE("every compiled sum by index is there to link") {
  using wf::detail::bin_function, wf::detail::bin_of_index;
#define FIND(T, Key, BinOf)                                                                        \
  find_sums<wf::gpu, T, Key, BinOf>();                                                             \
  find_sums<wf::host const, T, Key, BinOf>();
  WARPFOLD_SCATTER_KEYS(FIND, float)
  WARPFOLD_SCATTER_KEYS(FIND, double)
#undef FIND
}

// The compiler refuses other calls where the caller stands, not the linker.
template <class Values, class Indices, class Results>
concept scatters = requires(wf::host& place, Values const& values, Indices const& indices,
                            Results& results, std::vector<wf::scatter_status>& status) {
  wf::scatter_sum(place, values, indices, results);
  wf::scatter_sum(place, values, indices, {1, 2}, results, {.wide = true});
  wf::scatter_sum_async(place, values, indices, results, status);
};

template <class Values, class Weights, class Results>
concept weighs = requires(wf::host& place, Values const& values, Weights const& weights,
                          Results& results, std::vector<wf::scatter_status>& status) {
  wf::histogram(place, values, weights, {10, 0, 1}, results);
  wf::histogram_async(place, values, weights, {10, 0, 1}, {1, 2}, results, status);
  wf::histogram_async(place, values, weights, {10, 0, 1}, results, status, {.exact = true});
};

TEST_CASE("what sums by index are not built in does not compile") {
  using std::vector;
  CHECK(scatters<vector<float>, vector<int>, vector<float>>);
  CHECK(scatters<std::span<double const>, vector<std::uint64_t>, std::span<double>>);
  CHECK_FALSE(scatters<vector<float>, vector<int>, vector<double>>);
  CHECK_FALSE(scatters<vector<float>, vector<int>, std::span<float const>>);
  CHECK_FALSE(scatters<vector<int>, vector<int>, vector<int>>);
  CHECK_FALSE(scatters<vector<float>, vector<short>, vector<float>>);
  CHECK_FALSE(scatters<vector<float>, vector<float>, vector<float>>);
  CHECK_FALSE(scatters<vector<float>, wf::device_span<int>, vector<float>>);
  CHECK(weighs<vector<std::uint8_t>, vector<float>, vector<float>>);
  CHECK(weighs<vector<float>, std::span<double const>, std::span<double>>);
  CHECK_FALSE(weighs<vector<float>, vector<float>, vector<double>>);
  CHECK_FALSE(weighs<vector<std::int64_t>, vector<float>, vector<float>>);
  CHECK_FALSE(weighs<vector<float>, vector<int>, vector<int>>);
}

} // namespace refusals_scatter_test
