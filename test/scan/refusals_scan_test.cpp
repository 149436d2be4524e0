// Refusals of scans: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "scan/instances.hpp"
#include "twins/scan/instances.hpp"

#include <functional>
#include <numeric>

namespace refusals_scan_test {

using namespace test;
namespace wf = warpfold;

constexpr auto no_vendor = static_cast<twins::vendor>(99);

/// Scans of floats, in float or double.
template <class Place>
class scan_refusals {
public:
  explicit scan_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    sizes();
    pointers();
    overlaps();
    constexpr bool on_gpu = std::same_as<Place, wf::gpu>;
    for (auto const vendor :
         {on_gpu ? twins::thrust : twins::cub, no_vendor, static_cast<twins::vendor>(-1)})
      with_vendor("twin", values_, results_, vendor);
    for (auto const vendor : {twins::fold, vendor_of(place_)}) {
      with_vendor("values", refusals<Place>::template null<float const>(3), few(3), vendor);
      with_vendor("results", values_, few(99), vendor);
      with_vendor("results", values_, refusals<Place>::template null<float>(100), vendor);
      with_vendor("results", shared_.subspan(0, 50), shared_.subspan(1, 50), vendor);
    }
    work();
  }

private:
  using values_span = view_t<Place, float const>;
  using results_span = view_t<Place, float>;

  results_span few(std::size_t size) { return results_.subspan(0, size); }

  template <class T, class A>
  void scans(std::string const& argument, view_t<Place, T const> values, view_t<Place, A> results) {
    wf::plus const op;
    all_.of("scan.hpp");
    all_.row("inclusive_scan", argument, [&] { wf::inclusive_scan(place_, values, op, results); });
    all_.row("inclusive_scan_async", argument,
             [&] { wf::inclusive_scan_async(place_, values, op, results); });
    all_.row("exclusive_scan", argument,
             [&] { wf::exclusive_scan(place_, values, A{3}, op, results); });
    all_.row("exclusive_scan_async", argument,
             [&] { wf::exclusive_scan_async(place_, values, A{3}, op, results); });
  }
  void floats(std::string const& argument, values_span values, results_span results) {
    scans<float, float>(argument, values, results);
  }
  void with_vendor(std::string const& argument, values_span values, results_span results,
                   twins::vendor vendor) {
    wf::plus const op;
    all_.of("twins/scan.hpp");
    all_.row("inclusive_scan", argument,
             [&] { wf::inclusive_scan(place_, values, op, results, vendor); });
    all_.row("inclusive_scan_async", argument,
             [&] { wf::inclusive_scan_async(place_, values, op, results, vendor); });
    all_.row("exclusive_scan", argument,
             [&] { wf::exclusive_scan(place_, values, 0.F, op, results, vendor); });
    all_.row("exclusive_scan_async", argument,
             [&] { wf::exclusive_scan_async(place_, values, 0.F, op, results, vendor); });
  }

  void sizes() {
    auto const more = all_.template memory<float>(101);
    auto const doubles = all_.template memory<double>(101);
    for (std::size_t const size : {0, 1, 99, 101}) {
      floats("results", values_, more.subspan(0, size));
      scans<float, double>("results", values_, doubles.subspan(0, size));
    }
    floats("results", values_.subspan(0, 0), few(1));
    floats("results", shared_, shared_.subspan(0, 99)); // in place
    floats("results", shared_.subspan(0, 99), shared_);
  }
  void pointers() {
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(3)) floats("values", bad, few(3));
    for (auto const bad : all::template nowhere<double const>(3))
      scans<double, double>("values", bad, all_.template memory<double>(3));
    for (auto const bad : all::template nowhere<float>(100)) floats("results", values_, bad);
    for (auto const bad : all::template nowhere<double>(100))
      scans<float, double>("results", values_, bad);
    for (auto const bad : all::template nowhere<float>(3)) floats("values", bad, bad); // in place
    for (std::size_t const size : impossible) {
      floats("values", {values_.data(), size}, results_);
      floats("results", values_, {results_.data(), size});
      floats("values", {results_.data(), size}, {results_.data(), size});
    }
  }
  void overlaps() {
    for (std::size_t const apart : {1, 4, 31, 49}) {
      floats("results", shared_.subspan(0, 50), shared_.subspan(apart, 50));
      floats("results", shared_.subspan(apart, 50), shared_.subspan(0, 50));
    }
    // Over the same memory, but of another type: wider, of the same width, or at the end of it.
    auto const doubles = all_.template memory<double>(60);
    auto* const first = reinterpret_cast<float*>(doubles.data());
    for (std::size_t const from : {0, 1, 30, 59})
      scans<float, double>("results", {first + from, 30}, doubles.subspan(0, 30));
    scans<float, double>("results", {first + 17, 30}, doubles.subspan(23, 30));
    auto const integers = all_.memory(std::vector<std::int64_t>(60, 5));
    scans<std::int64_t, double>("results", integers,
                                {reinterpret_cast<double*>(integers.data()), 60});
    scans<std::int32_t, std::int64_t>(
        "results", {reinterpret_cast<std::int32_t const*>(integers.data()), 60}, integers);
    auto const halves = all_.template memory<__half>(60);
    scans<__half, float>("results", halves.subspan(0, 30),
                         {reinterpret_cast<float*>(halves.data()), 30});
  }

  void work() {
    wf::plus const op;
    memory_of<Place, float> ones(place_, std::vector<float>(100, 1.F)), sums = ones_too();
    memory_of<Place, double> wide(place_, std::vector<double>(100));
    wf::inclusive_scan(place_, ones.all(), op, sums.all());
    CHECK(sums.contents() == counted_from(1.F));
    wf::exclusive_scan(place_, ones.all(), 7., op, wide.all());
    CHECK(wide.contents() == counted_from(7.));
    // Beside each other, and in place.
    wf::inclusive_scan(place_, ones.view(0, 50), op, ones.view(50, 50));
    CHECK(ones.get(49) == 1);
    CHECK(ones.get(99) == 50);
    wf::exclusive_scan(place_, sums.all(), 0.F, wf::maximum<>{}, sums.all());
    CHECK(sums.contents() == counted_from(0.F));
    // Nothing to do is nothing wrong, wherever it is.
    wf::inclusive_scan(place_, ones.view(3, 0), op, ones.view(2, 0));
    wf::exclusive_scan(place_, ones.view(3, 0), 1., op, wide.view(2, 0));
    wf::inclusive_scan(place_, values_span(), op, results_span());
  }
  memory_of<Place, float> ones_too() { return {place_, std::vector<float>(100, 1.F)}; }
  template <class A>
  static std::vector<A> counted_from(A first) {
    std::vector<A> all(100);
    std::iota(all.begin(), all.end(), first);
    return all;
  }

  Place& place_;
  refusals<Place> all_;
  values_span values_ = all_.template memory<float>(100);
  results_span results_ = all_.template memory<float>(100);
  results_span shared_ = all_.template memory<float>(100);
};

FAST_EVERY_PLACE("what scans refuse") { scan_refusals<Place>(place).check_all(); }

template <class... Types>
struct types {};
using candidates =
    types<bool, char, std::int8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
          std::int64_t, std::uint64_t, float, double, long double, __half, __nv_bfloat16>;
using operators = types<wf::plus, wf::multiplies, wf::minimum<>, wf::maximum<>,
                        wf::minimum<wf::nan_policy::ignore>, wf::maximum<wf::nan_policy::ignore>,
                        wf::compensated_plus, std::plus<>>;

/// A combination that is compiled into the library counts one, one of the vendors 1000.
template <class T, class A, class... Ops>
constexpr int admitted(types<Ops...>) {
  return ((wf::detail::built_in_scan<T, A, Ops> + 1000 * wf::detail::compared_scan<T, A, Ops>)+...);
}
template <class T, class... As>
constexpr int admitted_accumulators(types<As...>) {
  return (admitted<T, As>(operators{}) + ...);
}
template <class... Ts>
constexpr int admitted_elements(types<Ts...> all) {
  return (admitted_accumulators<Ts>(all) + ...);
}

TEST_CASE("the scans that calls may ask for are those that are compiled") {
  using namespace warpfold; // the lists name their operators without it
#define COUNT(T, A, Op) +(wf::detail::built_in_scan<T, A, Op> ? 1 : 1'000'000)
#define COUNT_VENDORS(T, Op) +(wf::detail::compared_scan<T, T, Op> ? 1000 : 1'000'000)
  CHECK(admitted_elements(candidates{}) == 0 WARPFOLD_FOR_EACH_SCAN(COUNT)
                                               WARPFOLD_COMPARED_SCANS(COUNT_VENDORS));
#undef COUNT
#undef COUNT_VENDORS
}

/// True if the library has a scan on both places.
template <class T, class A, class Op>
bool is_compiled() {
  void (*on_gpu)(wf::gpu&, wf::device_span<T const>, wf::detail::scan_start<A>, wf::device_span<A>,
                 bool, std::uint64_t const*) = &wf::detail::scan_to<T, A, Op>;
  void (*on_host)(wf::host const&, std::span<T const>, wf::detail::scan_start<A>, std::span<A>,
                  bool, std::uint64_t const*) = &wf::detail::scan_to<T, A, Op>;
  return is_there(on_gpu) && is_there(on_host);
}

TEST_CASE("every compiled scan is there to link") {
  using namespace warpfold;
#define FIND(T, A, Op) CHECK(is_compiled<T, A, Op>());
  WARPFOLD_FOR_EACH_SCAN(FIND)
#undef FIND
}

// The compiler refuses other calls where the caller stands, not the linker.
template <class Values, class Op, class Results>
concept scans = requires(wf::host& place, Values const& values, Results& results) {
  wf::inclusive_scan(place, values, Op{}, results);
  wf::inclusive_scan_async(place, values, Op{}, results);
};
template <class Values, class A, class Op, class Results>
concept scans_from = requires(wf::host& place, Values const& values, A init, Results& results) {
  wf::exclusive_scan(place, values, init, Op{}, results);
  wf::exclusive_scan_async(place, values, init, Op{}, results);
};

TEST_CASE("what scans are not built in does not compile") {
  using std::vector, wf::plus;
  CHECK(scans<vector<float>, plus, vector<float>>);
  CHECK(scans<vector<float>, plus, std::span<double>>);
  CHECK(scans<vector<__half>, wf::maximum<>, std::array<float, 4>>);
  CHECK_FALSE(scans<vector<float>, wf::maximum<>, vector<double>>);
  CHECK(scans<vector<double>, wf::compensated_plus, vector<double>>);
  CHECK_FALSE(scans<vector<float>, wf::compensated_plus, vector<double>>);
  CHECK_FALSE(scans<vector<__half>, wf::compensated_plus, vector<float>>);
  CHECK_FALSE(scans<vector<int>, wf::compensated_plus, vector<int>>);
  CHECK_FALSE(scans<vector<float>, std::plus<>, vector<float>>);
  CHECK_FALSE(scans<vector<float>, plus, vector<int>>);
  CHECK_FALSE(scans<vector<float>, plus, vector<float> const>);
  CHECK_FALSE(scans<vector<float>, plus, std::span<float const>>);
  CHECK_FALSE(scans<vector<float>, plus, wf::device_span<float>>);
  CHECK_FALSE(scans<wf::device_span<float>, plus, vector<float>>);
  CHECK_FALSE(scans<vector<__half>, plus, vector<__half>>);
  CHECK_FALSE(scans<vector<short>, plus, vector<short>>);
  CHECK_FALSE(scans<vector<std::int32_t>, plus, vector<std::uint32_t>>);
  CHECK(scans_from<vector<float>, float, plus, vector<float>>);
  CHECK(scans_from<vector<std::int32_t>, std::int64_t, plus, std::span<std::int64_t>>);
  CHECK_FALSE(scans_from<vector<float>, int, plus, vector<float>>);
  CHECK_FALSE(scans_from<vector<float>, double, plus, vector<float>>);
  CHECK_FALSE(scans_from<vector<float>, float, plus, std::span<float const>>);
}

TEST_SUITE("gpu") {
  TEST_CASE(
      "fast: an async scan of many needs look-back memory, then neither allocates nor waits") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    wf::device_buffer<float> some(place, 1);
    std::size_t const size = std::size_t{1} << 31;
    // Neither is read or written: what is captured is never launched.
    wf::device_span<float const> const from(some.data(), size);
    auto const far = reinterpret_cast<std::uintptr_t>(some.data()) + (std::uintptr_t{1} << 36);
    wf::device_span<float> const to(reinterpret_cast<float*>(far), size);
    wf::plus const op;
    auto const inclusive = [&] { wf::inclusive_scan_async(place, from, op, to); };
    auto const exclusive = [&] { wf::exclusive_scan_async(place, from, 0.F, op, to); };
    CHECK(place.lookback_size() < wf::scan_lookback<float>(size));
    int allocations = memory.allocations;
    CHECK(refused_by(inclusive) == "place");
    CHECK(refused_by(exclusive) == "place");
    CHECK(memory.allocations == allocations);
    // More than a grid has blocks for.
    std::size_t const huge = std::size_t{1} << 42;
    auto const beyond = reinterpret_cast<std::uintptr_t>(some.data()) + (std::uintptr_t{1} << 45);
    CHECK(refused_by([&] {
            wf::inclusive_scan(place, wf::device_span<float const>(some.data(), huge), op,
                               wf::device_span<float>(reinterpret_cast<float*>(beyond), huge));
          }) == "values");
    CHECK(memory.allocations == allocations);
    place.reserve_lookback(wf::scan_lookback<float>(size));
    allocations = memory.allocations;
    CHECK(captured(place, inclusive).is_one_kernel());
    CHECK(captured(place, exclusive).is_one_kernel());
    for (std::size_t const few : {1, 1'024, 1'025, 100'000, 2'000'000}) {
      CAPTURE(few);
      auto const scan = [&] {
        wf::inclusive_scan_async(place, from.subspan(0, few), op, to.subspan(0, few));
      };
      CHECK(captured(place, scan).is_one_kernel());
    }
    CHECK(memory.allocations == allocations);
  }
  TEST_CASE("a blocking scan makes room by itself, for the _async ones after it") {
    wf::gpu place;
    std::size_t const size = (std::size_t{1} << 25) + 3;
    wf::device_buffer<double> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(double), place.stream()));
    auto const enqueue = [&] { wf::exclusive_scan_async(place, values, 5., wf::plus{}, values); };
    CHECK(place.lookback_size() < wf::scan_lookback<double>(size));
    CHECK(refused_by(enqueue) == "place");
    wf::inclusive_scan(place, values, wf::plus{}, values);
    CHECK(place.lookback_size() >= wf::scan_lookback<double>(size));
    enqueue();
    CHECK(wf::to_vector(place, values.span().subspan(size - 1))[0] == 5);
  }
}

} // namespace refusals_scan_test
