// What the segmented reductions refuse: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "twins.hpp"

#include "segments/instances.hpp"
#include "twins/segments/instances.hpp"

#include <limits>

namespace {

using namespace test;
namespace wf = warpfold;

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

/// Segments, rows and columns of 100 elements, with 100 results to choose from.
template <class Place>
class segment_refusals {
public:
  explicit segment_refusals(Place& place) : place_{place}, all_{place} {}

  template <class Segments>
  void segments(std::string const& argument, Segments segments, std::size_t results) {
    segments_to(argument, values_, segments, results_.subspan(0, results));
  }
  void matrix(std::string const& argument, wf::matrix_shape const& shape, std::size_t rows,
              std::size_t columns) {
    matrix_to(argument, values_, shape, results_.subspan(0, rows), results_.subspan(0, columns));
  }

  void check_all() {
    all_.of("segments.hpp");
    segments("results", offsets_, 1);
    segments("results", offsets_, 3);
    segments("offsets", offsets_.subspan(0, 0), 0);
    segments("length", wf::fixed_length{0}, 0);
    segments("length", wf::fixed_length{3}, 33);
    segments("length", wf::fixed_length{huge}, 0);
    segments("results", wf::fixed_length{5}, 19);
    matrix("shape", {10, 10, 9}, 10, 10);
    matrix("shape", {10, 10, 11}, 10, 10);
    matrix("shape", {11, 10}, 11, 10);
    matrix("shape", {huge, 1, huge}, 10, 10);
    matrix("shape", {2, huge}, 10, 10);
    matrix("shape", {huge / 10 + 1, 10}, 10, 10);
    matrix("results", {10, 9, 10}, 9, 10);
    for (auto const how :
         {twins::thrust, static_cast<twins::vendor>(99), static_cast<twins::vendor>(-1)})
      of_vendor("twin", how, 2, 10);
    of_vendor("results", twins::fold, 3, 11);
    if constexpr (std::same_as<Place, wf::gpu>) of_vendor("results", twins::cub, 1, 9);
    else of_vendor("twin", twins::cub, 2, 10);
    using all = refusals<Place>;
    for (auto const bad : all::template nowhere<float const>(3)) {
      segments_to("values", bad, offsets_, results_.subspan(0, 2));
      segments_to("values", bad, wf::fixed_length{3}, results_.subspan(0, 1));
      matrix_to("values", bad, {1, 3}, results_.subspan(0, 1), results_.subspan(0, 3));
    }
    for (auto const bad : all::template nowhere<std::int64_t const>(3))
      segments_to("offsets", values_, bad, results_.subspan(0, 2));
    for (auto const bad : all::template nowhere<float>(10)) {
      segments_to("results", values_, offsets_, bad.subspan(0, 2));
      segments_to("results", values_, wf::fixed_length{50}, bad.subspan(0, 2));
      matrix_to("results", values_, {10, 10}, bad, bad);
    }
    for (std::size_t const size : impossible) {
      segments_to("values", {values_.data(), size}, offsets_, results_.subspan(0, 2));
      segments_to("results", values_.subspan(0, 0), wf::fixed_length{1}, {results_.data(), size});
      matrix_to("values", {values_.data(), size}, {1, 3}, results_.subspan(0, 1),
                results_.subspan(0, 3));
      // Rows without columns have results, and so have columns without rows.
      all_.row("reduce_rows", "results", [&] {
        wf::reduce_rows(place_, values_, {size, 0}, 0.F, wf::plus{}, {results_.data(), size});
      });
      all_.row("reduce_columns_async", "results", [&] {
        wf::reduce_columns_async(place_, values_, {0, size}, 0.F, wf::plus{},
                                 {results_.data(), size});
      });
    }
    overlaps();
  }

  void of_offsets(std::vector<std::int32_t> const& bad) {
    all_.of("segments.hpp");
    segments("offsets", all_.memory(bad), bad.size() - 1);
  }
  void work() {
    memory_of<Place, float> ones(place_, std::vector<float>(100, 1.F));
    memory_of<Place, float> results(place_, std::vector<float>(100, -77.F));
    wf::segmented_reduce(place_, ones.all(), offsets_, 0.F, wf::plus{}, results.view(0, 2));
    CHECK(results.get(0) == 60);
    CHECK(results.get(1) == 40);
    // Nothing to do is nothing wrong.
    wf::segmented_reduce(place_, ones.all(), offsets_.subspan(0, 1), 0.F, wf::plus{},
                         results.view(0, 0));
    wf::segmented_reduce(place_, ones.view(0, 0), wf::fixed_length{7}, 0.F, wf::plus{},
                         results.view(0, 0));
    wf::reduce_columns(place_, ones.all(), {5, 0}, 0.F, wf::plus{}, results.view(0, 0));
    wf::reduce_columns(place_, ones.view(0, 0), {0, 2}, 8.F, wf::plus{}, results.view(0, 2));
    CHECK(results.get(1) == 8);
    // Results may lie between the rows: columns 0 ... 3 of 10, added up into 5 ... 8 of row 2.
    wf::reduce_columns(place_, ones.all(), {10, 4, 10}, 0.F, wf::plus{}, ones.view(25, 4));
    CHECK(ones.get(24) == 1);
    CHECK(ones.get(25) == 10);
    CHECK(ones.get(28) == 10);
  }

private:
  using values_span = view_t<Place, float const>;
  using results_span = view_t<Place, float>;

  template <class Segments>
  void segments_to(std::string const& argument, values_span values, Segments segments,
                   results_span results) {
    all_.row("segmented_reduce", argument,
             [&] { wf::segmented_reduce(place_, values, segments, 0.F, wf::plus{}, results); });
    all_.row("segmented_reduce_async", argument, [&] {
      wf::segmented_reduce_async(place_, values, segments, 0.F, wf::plus{}, results);
    });
    all_.of("exact_segments.hpp");
    all_.row("exact_segmented_sum", argument,
             [&] { wf::exact_segmented_sum(place_, values, segments, results); });
    all_.row("exact_segmented_sum_async", argument,
             [&] { wf::exact_segmented_sum_async(place_, values, segments, results); });
    all_.of("segments.hpp");
  }
  void matrix_to(std::string const& argument, values_span values, wf::matrix_shape const& shape,
                 results_span of_rows, results_span of_columns) {
    wf::plus const op;
    all_.row("reduce_rows", argument,
             [&] { wf::reduce_rows(place_, values, shape, 0.F, op, of_rows); });
    all_.row("reduce_rows_async", argument,
             [&] { wf::reduce_rows_async(place_, values, shape, 0.F, op, of_rows); });
    all_.row("reduce_columns", argument,
             [&] { wf::reduce_columns(place_, values, shape, 0.F, op, of_columns); });
    all_.row("reduce_columns_async", argument,
             [&] { wf::reduce_columns_async(place_, values, shape, 0.F, op, of_columns); });
  }
  void overlaps() {
    auto const shared = all_.template memory<float>(100);
    values_span const low = shared.subspan(0, 50);
    segments_to("results", low, all_.template memory<std::int32_t>({0, 20, 50}),
                shared.subspan(49, 2));
    segments_to("results", shared.subspan(50), wf::fixed_length{10}, shared.subspan(46, 5));
    matrix_to("results", low, {5, 10}, shared.subspan(20, 5), shared.subspan(45, 10));
    // Of rows that are 10 apart, elements 0 ... 6 are in the matrix.
    matrix_to("results", low, {5, 7, 10}, shared.subspan(6, 5), shared.subspan(4, 7));
    matrix_to("results", shared.subspan(20), {5, 7, 10}, shared.subspan(17, 5),
              shared.subspan(27, 7));
    // Offsets and floats are of one size.
    auto const offsets = all_.template memory<std::int32_t>({0, 10, 20, 30});
    results_span const over(reinterpret_cast<float*>(offsets.data()) + 3, 3);
    segments_to("results", low, offsets, over);
  }

  /// Two segments, and ten rows and columns, with a tag and so many results.
  void of_vendor(std::string const& argument, twins::vendor how, std::size_t of_segments,
                 std::size_t of_lines) {
    all_.of("twins/segments.hpp");
    wf::matrix_shape const shape{10, 10};
    wf::plus const op;
    auto const results = results_.subspan(0, of_segments), lines = results_.subspan(0, of_lines);
    auto const refuses = [&](auto segments) {
      all_.row("segmented_reduce", argument,
               [&] { wf::segmented_reduce(place_, values_, segments, 0.F, op, results, how); });
      all_.row("segmented_reduce_async", argument, [&] {
        wf::segmented_reduce_async(place_, values_, segments, 0.F, op, results, how);
      });
    };
    refuses(offsets_);
    refuses(wf::fixed_length{50});
    all_.row("reduce_rows", argument,
             [&] { wf::reduce_rows(place_, values_, shape, 0.F, op, lines, how); });
    all_.row("reduce_rows_async", argument,
             [&] { wf::reduce_rows_async(place_, values_, shape, 0.F, op, lines, how); });
    all_.row("reduce_columns", argument,
             [&] { wf::reduce_columns(place_, values_, shape, 0.F, op, lines, how); });
    all_.row("reduce_columns_async", argument,
             [&] { wf::reduce_columns_async(place_, values_, shape, 0.F, op, lines, how); });
    all_.of("segments.hpp");
  }

  Place& place_;
  refusals<Place> all_;
  values_span values_ = all_.template memory<float>(100);
  view_t<Place, std::int32_t> offsets_ = all_.template memory<std::int32_t>({0, 60, 100});
  results_span results_ = all_.template memory<float>(100);
};

template <class... Types>
struct types {};
/// Those compiled into the library count one, those of vendors 1000.
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

TEST_CASE("what segments on the host refuse") {
  wf::host place;
  segment_refusals<wf::host> refused(place);
  refused.check_all();
  refused.of_offsets({0, 50, 49, 100});
  refused.of_offsets({-1, 50});
  refused.of_offsets({0, 101});
  refused.of_offsets({0, 200, 100});
  refused.work();
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: what segments on a gpu refuse") {
    wf::gpu place;
    segment_refusals<wf::gpu> refused(place);
    refused.check_all();
    refused.work();
  }

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

} // namespace
