// describe, mean and variance, for every element type, twin and place: against two passes in long
// double, and each other's bits.

#include "description.hpp"
#include "parts.hpp"
#include "twins.hpp"

#include <warpfold/detail/reduction/description_tally.hpp>
#include <warpfold/detail/reduction/tally_shape.hpp>
#include <warpfold/twins/statistics.hpp>

namespace statistics_test {

using namespace test;
namespace wf = warpfold;

template <class T, class Place>
void check_values(Place& place, std::vector<T> const& values, size_list which,
                  std::vector<twins::vendor> const& tags) {
  for_each_part(place, values, which, {}, [&](std::span<T const> part, auto view) {
    auto const expected = described<accumulator_t<T>>(part);
    with_each<has_twins<T>>(tags, [&](auto... twin) {
      auto const all = wf::describe(place, view, twin...);
      check_close(all, expected);
      double const mean = wf::mean(place, view, twin...);
      double const variance = wf::variance(place, view, twin...);
      CHECK(within(mean, all.mean, expected.spread + std::abs(all.mean), 1e-13));
      CHECK(within(variance, all.variance(), all.variance(), 1e-12));
    });
  });
}

template <class T, class Place>
void check_random(Place& place, size_list which, std::vector<twins::vendor> const& tags) {
  check_values(place, rough_values<T>(which.back() + 3, 81), which, tags);
  check_values(place, values_with_nan<T>(which.back() + 3, 81), which, tags);
}

EVERY_PLACE_OF("statistics", T, WARPFOLD_TEST_ELEMENTS) {
  check_random<T>(place, sizes_up_to(is_gpu<Place> ? largest : 1'048'577),
                  twins_for<has_twins<T>>(place));
}

/// Small values far away from 0, whose squares have no room for them.
EVERY_PLACE("statistics far from 0") {
  constexpr unsigned seed = 82;
  auto values = rough_values<double>(70'000, seed);
  for (double& x : values) x += 1e9;
  constexpr std::size_t some[] = {2, 33, 1025, 20'011, 65'537};
  check_values(place, values, some, twins_of(place));
  // One element far from all others, first of its thread or not.
  for (std::size_t const at : {0, 1, 513, 40'000}) {
    auto outlier = rough_values<double>(70'000, seed);
    outlier[at] = 1e12;
    check_values(place, outlier, some, twins_of(place));
  }
}

FAST_EVERY_PLACE_OF("async statistics", T, WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  auto const values = values_with_nan<T>(40'001, 83);
  memory_of<Place, T> there(place, values);
  for (std::size_t const size : {0, 1, 33, 40'001}) {
    CAPTURE(size);
    auto const view = there.view(0, size);
    for_each_async_twin<has_twins<T>>(place, [&](auto... twin) {
      memory_of<Place, wf::description<A>> all(place, std::vector<wf::description<A>>(2));
      memory_of<Place, double> moments(place, std::vector<double>(3, -77));
      wf::describe_async(place, view, all.view(0, 1), twin...);
      wf::mean_async(place, view, moments.view(0, 1), twin...);
      wf::variance_async(place, view, moments.view(1, 2), twin...);
      CHECK(same_description(all.get(0), wf::describe(place, view, twin...)));
      CHECK(all.get(1).count == 0);
      CHECK(same_number(moments.get(0), wf::mean(place, view, twin...)));
      CHECK(same_number(moments.get(1), wf::variance(place, view, twin...)));
      CHECK(moments.get(2) == -77);
    });
  }
}

EVERY_PLACE("what statistics refuse") {
  memory_of<Place, float> values(place, std::vector<float>(100, 1.0F));
  memory_of<Place, wf::description<float>> result(place, std::vector<wf::description<float>>(1));
  memory_of<Place, double> moment(place, {-77.0});
  auto const unknown = static_cast<twins::vendor>(-1);
  CHECK(refused_by([&] { wf::describe(place, values.all(), unknown); }) == "twin");
  CHECK(refused_by([&] { wf::describe_async(place, values.all(), result.all(), unknown); }) ==
        "twin");
  CHECK(refused_by([&] { wf::mean(place, values.all(), unknown); }) == "twin");
  CHECK(refused_by([&] { wf::variance_async(place, values.all(), moment.all(), unknown); }) ==
        "twin");
  wf::detail::result_t<Place, float const> const null{static_cast<float const*>(nullptr), 3};
  CHECK(refused_by([&] { wf::describe(place, null); }) == "values");
  CHECK(refused_by([&] { wf::mean_async(place, values.all(), moment.view(0, 0)); }) == "result");
  if constexpr (!is_gpu<Place>)
    CHECK(refused_by([&] { wf::describe(place, values.all(), twins::cub); }) == "twin");
  CHECK(result.get(0).count == 0);
  CHECK(moment.get(0) == -77);
}

TEST_CASE_TEMPLATE("a description does not depend on the number of threads", T,
                   WARPFOLD_TEST_ELEMENTS) {
  auto const values = values_with_nan<T>(1'048'577, 84);
  wf::host const one(1);
  for_each_twin<has_twins<T>>(one, [&](auto... twin) {
    auto const expected = wf::describe(one, values, twin...);
    for (int const threads : {2, 3, 7})
      CHECK(same_description(wf::describe(wf::host(threads), values, twin...), expected));
  });
}

TEST_CASE("the tree of a description is what it was") {
  struct row {
    std::size_t size, partial;
    char const* shape; ///< threads, blocks, rows_per_block, last_block_rows, tail, run, runs
  };
  constexpr std::size_t one = 1;
  for (row const& r :
       {row{1'000, 16, "64 1 3 3 232 1 1 "}, row{1'000, 88, "64 1 3 3 232 1 1 "},
        row{131'072, 16, "256 32 4 4 0 1 32 "}, row{131'072, 88, "256 32 4 4 0 1 32 "},
        row{one << 24, 16, "512 256 32 32 0 1 256 "}, row{one << 24, 88, "256 512 32 32 0 2 256 "},
        row{one << 28, 16, "512 512 256 256 0 1 512 "},
        row{one << 28, 88, "256 1024 256 256 0 4 256 "},
        row{one << 30, 16, "512 2048 256 256 0 4 512 "},
        row{one << 30, 88, "256 4096 256 256 0 16 256 "}})
    CHECK(text_of(wf::detail::tally_shape_of<float>(r.size, r.partial)) == r.shape);
}

TEST_CASE_TEMPLATE("mean and variance have the tree of a description up to 6e9 bytes", T,
                   WARPFOLD_TEST_ELEMENTS) {
  using A = accumulator_t<T>;
  using all = typename wf::detail::description_tally<A, wf::statistic::all>::partial;
  using two = typename wf::detail::moment_tally<A>::partial;
  constexpr std::size_t same = 6'000'000'000 / sizeof(T);
  auto const shape_of = [](std::size_t size, std::size_t partial) {
    auto const shape = wf::detail::tally_shape_of<T>(size, partial);
    // Every element has its place, and the partials have room.
    std::size_t const row = static_cast<std::size_t>(shape.threads) * (16 / sizeof(T));
    std::size_t const blocks = static_cast<std::size_t>(shape.blocks);
    std::size_t const rows = (blocks - 1) * static_cast<std::size_t>(shape.rows_per_block) +
                             static_cast<std::size_t>(shape.last_block_rows);
    CHECK(rows * row + static_cast<std::size_t>(shape.tail) == size);
    CHECK(shape.last_block_rows <= shape.rows_per_block);
    CHECK(blocks * partial <= std::size_t{512} << 10);
    return text_of(shape);
  };
  std::vector<std::size_t> sizes{0, 1, same - 1, same};
  for (std::size_t n = 2; n <= std::size_t{1} << 38; n += n / 5 + 1)
    for (std::size_t const size : {n - 1, n, n + 1}) sizes.push_back(size);
  for (std::size_t const size : sizes) {
    CAPTURE(size);
    auto const of_all = shape_of(size, sizeof(all)), of_two = shape_of(size, sizeof(two));
    if (size <= same) CHECK(of_all == of_two);
  }
  // The first number of elements that differs.
  constexpr std::size_t differs = 6'246'371'328 / sizeof(T);
  CHECK(shape_of(differs - 1, sizeof(all)) == shape_of(differs - 1, sizeof(two)));
  CHECK_FALSE(shape_of(differs, sizeof(all)) == shape_of(differs, sizeof(two)));
}

TEST_SUITE("gpu") {
  // Without Thrust, whose results carry padding that nobody has written: initcheck reports it.
  TEST_CASE_TEMPLATE("fast: statistics at few sizes", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    check_random<T>(place, few_sizes, async_twins_for<has_twins<T>>(place));
  }

  TEST_CASE_TEMPLATE("descriptions have the same bits on gpu and host", T, WARPFOLD_TEST_ELEMENTS) {
    wf::gpu place;
    wf::host host;
    auto const check_part = [&](auto part, auto view) {
      CHECK(same_description(wf::describe(place, view), wf::describe(host, part)));
      CHECK(same_number(wf::mean(place, view), wf::mean(host, part)));
      CHECK(same_number(wf::variance(place, view), wf::variance(host, part)));
    };
    for_each_part(place, values_with_nan<T>(largest + 3, 85), sizes, {}, check_part);
  }

  // The most rows and blocks that there are before rows grow, and past it.
  TEST_CASE("descriptions of hundreds of millions have the same bits on gpu and host") {
    std::size_t const most = (std::size_t{1} << 29) + 5;
    std::vector<float> values(most);
    for (std::size_t i = 0; i < most; ++i)
      values[i] = static_cast<float>(static_cast<std::int32_t>(i * 0x9e3779b9U)) * 0x1p-31F;
    wf::gpu place;
    wf::device_buffer<float> const there(place, values);
    for (std::size_t const size : {std::size_t{20'000'003}, (std::size_t{1} << 28) + 3, most}) {
      CAPTURE(size);
      CHECK(same_description(wf::describe(place, there.span().subspan(0, size)),
                             wf::describe(wf::host(), std::span(values).first(size))));
    }
  }

  TEST_CASE("a description in a graph is one kernel and allocates nothing") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    wf::device_buffer<double> values(place, 2);
    wf::device_buffer<wf::description<double>> all(place, 1);
    int const allocations = memory.allocations;
    // Never launched, so the spans may claim more elements than there are.
    for (std::size_t const size : {std::size_t{0}, std::size_t{1'000}, std::size_t{1} << 33})
      for (std::size_t const first : {0, 1}) {
        wf::device_span<double> const view(values.data() + first, size);
        CHECK(
            captured(place, [&] { wf::describe_async(place, view, all.span()); }).is_one_kernel());
      }
    CHECK(memory.allocations == allocations);
  }
}

} // namespace statistics_test
