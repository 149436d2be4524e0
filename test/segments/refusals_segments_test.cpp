// Refusals of the segmented reductions: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "segments/instances.hpp"
#include "twins/segments/instances.hpp"

#include <limits>

namespace refusals_segments_test {

using namespace test;
namespace wf = warpfold;

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();
constexpr auto no_vendor = static_cast<twins::vendor>(99);

/// Segments, rows and columns of 100 values, with 100 results to choose from.
template <class Place>
class segment_refusals {
public:
  explicit segment_refusals(Place& place) : place_{place}, all_{place} {}

  void check_all() {
    sizes();
    pointers();
    overlaps();
    for (auto const vendor : {twins::thrust, no_vendor, static_cast<twins::vendor>(-1)})
      with_vendor("twin", vendor, 2, 10);
    with_vendor("results", twins::fold, 3, 11);
    if constexpr (std::same_as<Place, wf::gpu>) with_vendor("results", twins::cub, 1, 9);
    else with_vendor("twin", twins::cub, 2, 10);
    if constexpr (std::same_as<Place, wf::host>)
      for (std::vector<std::int32_t> const& bad : std::vector<std::vector<std::int32_t>>{
               {0, 50, 49, 100}, {-1, 50}, {0, 101}, {0, 200, 100}})
        segments("segments", values_, all_.memory(bad), results(bad.size() - 1));
    work();
  }

private:
  using values_span = view_t<Place, float const>;
  using results_span = view_t<Place, float>;

  results_span results(std::size_t size) { return results_.subspan(0, size); }

  template <class Segments>
  void segments(std::string const& argument, values_span values, Segments segments,
                results_span results) {
    all_.of("segments.hpp");
    all_.row("segmented_reduce", argument,
             [&] { wf::segmented_reduce(place_, values, segments, 0.F, wf::plus{}, results); });
    all_.row("segmented_reduce_async", argument, [&] {
      wf::segmented_reduce_async(place_, values, segments, 0.F, wf::plus{}, results);
    });
    all_.of("segments/exact_segments.hpp");
    all_.row("exact_segmented_sum", argument,
             [&] { wf::exact_segmented_sum(place_, values, segments, results); });
    all_.row("exact_segmented_sum_async", argument,
             [&] { wf::exact_segmented_sum_async(place_, values, segments, results); });
  }
  void matrix(std::string const& argument, values_span values, wf::matrix_shape const& shape,
              results_span rows, results_span columns) {
    wf::plus const op;
    all_.of("segments.hpp");
    all_.row("reduce_rows", argument,
             [&] { wf::reduce_rows(place_, values, shape, 0.F, op, rows); });
    all_.row("reduce_rows_async", argument,
             [&] { wf::reduce_rows_async(place_, values, shape, 0.F, op, rows); });
    all_.row("reduce_columns", argument,
             [&] { wf::reduce_columns(place_, values, shape, 0.F, op, columns); });
    all_.row("reduce_columns_async", argument,
             [&] { wf::reduce_columns_async(place_, values, shape, 0.F, op, columns); });
  }

  void sizes() {
    segments("results", values_, offsets_, results(1));
    segments("results", values_, offsets_, results(3));
    segments("segments", values_, offsets_.subspan(0, 0), results(0));
    segments("segments", values_, wf::fixed_length{0}, results(0));
    segments("segments", values_, wf::fixed_length{3}, results(33));
    segments("segments", values_, wf::fixed_length{huge}, results(0));
    segments("results", values_, wf::fixed_length{5}, results(19));
    for (wf::matrix_shape const shape : {wf::matrix_shape{10, 10, 9},
                                         {10, 10, 11},
                                         {11, 10},
                                         {huge, 1, huge},
                                         {2, huge},
                                         {huge / 10 + 1, 10}})
      matrix("shape", values_, shape, results(10), results(10));
    matrix("results", values_, {10, 9, 10}, results(9), results(10));
  }
  void pointers() {
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(3)) {
      segments("values", bad, offsets_, results(2));
      segments("values", bad, wf::fixed_length{3}, results(1));
      matrix("values", bad, {1, 3}, results(1), results(3));
    }
    for (auto const bad : all::template nowhere<std::int64_t const>(3))
      segments("segments", values_, bad, results(2));
    for (auto const bad : all::template nowhere<float>(10)) {
      segments("results", values_, offsets_, bad.subspan(0, 2));
      segments("results", values_, wf::fixed_length{50}, bad.subspan(0, 2));
      matrix("results", values_, {10, 10}, bad, bad);
    }
    for (std::size_t const size : impossible) {
      segments("values", {values_.data(), size}, offsets_, results(2));
      segments("results", values_.subspan(0, 0), wf::fixed_length{1}, {results_.data(), size});
      matrix("values", {values_.data(), size}, {1, 3}, results(1), results(3));
      // Rows without columns have results, and so have columns without rows.
      all_.row("reduce_rows", "results", [&] {
        wf::reduce_rows(place_, values_, {size, 0}, 0.F, wf::plus{}, {results_.data(), size});
      });
      all_.row("reduce_columns_async", "results", [&] {
        wf::reduce_columns_async(place_, values_, {0, size}, 0.F, wf::plus{},
                                 {results_.data(), size});
      });
    }
  }
  void overlaps() {
    auto const shared = all_.template memory<float>(100);
    values_span const low = shared.subspan(0, 50);
    segments("results", low, all_.template memory<std::int32_t>({0, 20, 50}),
             shared.subspan(49, 2));
    segments("results", shared.subspan(50), wf::fixed_length{10}, shared.subspan(46, 5));
    matrix("results", low, {5, 10}, shared.subspan(20, 5), shared.subspan(45, 10));
    // With rows 10 apart, elements 0 ... 6 are in the matrix.
    matrix("results", low, {5, 7, 10}, shared.subspan(6, 5), shared.subspan(4, 7));
    matrix("results", shared.subspan(20), {5, 7, 10}, shared.subspan(17, 5), shared.subspan(27, 7));
    // Offsets and floats have the same size.
    auto const offsets = all_.template memory<std::int32_t>({0, 10, 20, 30});
    segments("results", low, offsets, {reinterpret_cast<float*>(offsets.data()) + 3, 3});
  }

  /// Two segments, then ten rows and columns, with a tag, and with `segments` and `lines` results.
  void with_vendor(std::string const& argument, twins::vendor vendor, std::size_t segments,
                   std::size_t lines) {
    all_.of("twins/segments.hpp");
    wf::matrix_shape const shape{10, 10};
    wf::plus const op;
    auto const refuses = [&](auto parts) {
      auto const out = results(segments);
      all_.row("segmented_reduce", argument,
               [&] { wf::segmented_reduce(place_, values_, parts, 0.F, op, out, vendor); });
      all_.row("segmented_reduce_async", argument,
               [&] { wf::segmented_reduce_async(place_, values_, parts, 0.F, op, out, vendor); });
    };
    refuses(offsets_);
    refuses(wf::fixed_length{50});
    auto const out = results(lines);
    all_.row("reduce_rows", argument,
             [&] { wf::reduce_rows(place_, values_, shape, 0.F, op, out, vendor); });
    all_.row("reduce_rows_async", argument,
             [&] { wf::reduce_rows_async(place_, values_, shape, 0.F, op, out, vendor); });
    all_.row("reduce_columns", argument,
             [&] { wf::reduce_columns(place_, values_, shape, 0.F, op, out, vendor); });
    all_.row("reduce_columns_async", argument,
             [&] { wf::reduce_columns_async(place_, values_, shape, 0.F, op, out, vendor); });
  }

  void work() {
    memory_of<Place, float> ones(place_, std::vector<float>(100, 1.F));
    memory_of<Place, float> results(place_, std::vector<float>(100, -77.F));
    wf::plus const op;
    wf::segmented_reduce(place_, ones.all(), offsets_, 0.F, op, results.view(0, 2));
    CHECK(results.get(0) == 60);
    CHECK(results.get(1) == 40);
    // Nothing to do is nothing wrong.
    auto const none = results.view(0, 0);
    wf::segmented_reduce(place_, ones.all(), offsets_.subspan(0, 1), 0.F, op, none);
    wf::segmented_reduce(place_, ones.view(0, 0), wf::fixed_length{7}, 0.F, op, none);
    wf::reduce_columns(place_, ones.all(), {5, 0}, 0.F, op, none);
    wf::reduce_columns(place_, ones.view(0, 0), {0, 2}, 8.F, op, results.view(0, 2));
    CHECK(results.get(1) == 8);
    // Results may lie between the rows: columns 0 ... 3 of 10, added up into 5 ... 8 of row 2.
    wf::reduce_columns(place_, ones.all(), {10, 4, 10}, 0.F, op, ones.view(25, 4));
    CHECK(ones.get(24) == 1);
    CHECK(ones.get(25) == 10);
    CHECK(ones.get(28) == 10);
  }

  Place& place_;
  refusals<Place> all_;
  values_span values_ = all_.template memory<float>(100);
  view_t<Place, std::int32_t> offsets_ = all_.template memory<std::int32_t>({0, 60, 100});
  results_span results_ = all_.template memory<float>(100);
};

FAST_EVERY_PLACE("what segments refuse") { segment_refusals<Place>(place).check_all(); }

template <class... Types>
struct types {};
/// A combination that is compiled into the library counts one, one of the vendors 1000.
template <class T, class A, class... Ops>
constexpr int admitted(types<Ops...>) {
  return ((wf::detail::built_in_segments<T, A, Ops> +
           1000 * wf::detail::compared_segments<T, A, Ops>)+...);
}
template <class T, class... As>
constexpr int admitted_accumulators(types<As...>) {
  return (admitted<T, As>(
              types<wf::plus, wf::multiplies, wf::minimum<>, wf::maximum<>,
                    wf::minimum<wf::nan_policy::ignore>, wf::maximum<wf::nan_policy::ignore>>{}) +
          ...);
}
template <class... Ts>
constexpr int admitted_elements(types<Ts...> candidates) {
  return (admitted_accumulators<Ts>(candidates) + ...);
}

TEST_CASE("the segmented reductions that calls may ask for are those that are compiled") {
  using namespace warpfold; // the list names its operators without it
#define COUNT(T, A, Op) +(wf::detail::built_in_segments<T, A, Op> ? 1 : 1'000'000)
#define COUNT_VENDORS(T, Op) +(wf::detail::compared_segments<T, T, Op> ? 1000 : 1'000'000)
  CHECK(admitted_elements(
            types<bool, std::int8_t, std::int16_t, std::int32_t, std::uint32_t, std::int64_t,
                  std::uint64_t, float, double, __half, __nv_bfloat16>{}) ==
        0 WARPFOLD_FOR_EACH_SEGMENTS(COUNT) WARPFOLD_COMPARED_SEGMENTS(COUNT_VENDORS));
#undef COUNT
#undef COUNT_VENDORS
}

TEST_SUITE("gpu") {
  TEST_CASE("an async call on long segments names the bytes to reserve") {
    wf::gpu place;
    std::size_t const size = std::size_t{1} << 28;
    wf::device_buffer<float> values(place, size);
    wf::check(cudaMemsetAsync(values.data(), 0, size * sizeof(float), place.stream()));
    std::vector<std::int64_t> const positions{0, static_cast<std::int64_t>(size)};
    wf::device_buffer<std::int64_t> const offsets(place, std::span<std::int64_t const>(positions));
    wf::device_buffer<float> result(place, 1);
    auto const call = [&] {
      wf::segmented_reduce_async(place, values, offsets, 1.F, wf::plus{}, result);
    };
    CHECK(refused_by(call) == "place");
    place.reserve(wf::segmented_workspace<float>(size));
    call();
    CHECK(wf::to_vector(place, result.span())[0] == 1);
    wf::gpu other;
    wf::segmented_reduce(other, values, offsets, 2.F, wf::plus{}, result);
    CHECK(wf::to_vector(place, result.span())[0] == 2);
  }
}

} // namespace refusals_segments_test
