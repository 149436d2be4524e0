// <warpfold/reduction/statistics.cuh>: a choice of statistics, and iterators, on both places.

#include "description.hpp"
#include "gpu.hpp"

#include <warpfold/reduction/statistics.cuh>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

namespace {

using namespace test;
namespace wf = warpfold;
using wf::statistic;

/// Statistics that are chosen have the bits that they have among all; others those of no elements.
template <statistic Choice, class T, class Place>
void check_choice(Place& place, memory_of<Place, T>& there, std::size_t size) {
  using wf::detail::includes;
  CAPTURE(static_cast<unsigned>(Choice));
  CAPTURE(size);
  auto const all = wf::describe<statistic::all>(place, there.view(0, size));
  auto const none = wf::describe<statistic::all>(place, there.view(0, 0));
  auto const got = wf::describe<Choice>(place, there.view(0, size));
  auto const choose = [&](statistic one, auto a, auto b) { return includes(Choice, one) ? a : b; };
  CHECK(got.count == all.count);
  CHECK(got.nan_count == all.nan_count);
  CHECK(same_number(got.mean, choose(statistic::mean, all.mean, none.mean)));
  CHECK(same_number(got.m2, choose(statistic::variance, all.m2, none.m2)));
  CHECK(same_number(got.m3, choose(statistic::skewness, all.m3, none.m3)));
  CHECK(same_number(got.m4, choose(statistic::kurtosis, all.m4, none.m4)));
  CHECK(got.argmin == choose(statistic::argmin, all.argmin, size));
  CHECK(got.argmax == choose(statistic::argmax, all.argmax, size));
  bool const has_min = includes(Choice, statistic::min) || includes(Choice, statistic::argmin);
  bool const has_max = includes(Choice, statistic::max) || includes(Choice, statistic::argmax);
  CHECK(got.min == (has_min ? all.min : none.min));
  CHECK(got.max == (has_max ? all.max : none.max));
}

// Others take no room.
template <statistic Choice>
using partial_of = typename wf::detail::description_tally<float, Choice>::partial;
static_assert(sizeof(partial_of<statistic::count>) == 16);
static_assert(sizeof(partial_of<statistic::mean>) == 32);
static_assert(sizeof(partial_of<statistic::min | statistic::max>) == 24);
static_assert(sizeof(partial_of<statistic::all>) == 88);

struct squared {
  __host__ __device__ double operator()(std::int64_t i) const { return static_cast<double>(i * i); }
};

/// The squares of 0 ... n - 1, which are nowhere in memory.
FAST_EVERY_PLACE("statistics by iterator") {
  auto const squares =
      thrust::make_transform_iterator(thrust::make_counting_iterator(std::int64_t{0}), squared{});
  for (std::size_t const size : {0, 1, 33, 20'011, 300'003}) {
    CAPTURE(size);
    auto const got = wf::describe<statistic::all>(place, squares, size);
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = squares[static_cast<std::ptrdiff_t>(i)];
    check_close(got, described<double>(std::span<double const>(values)));
    memory_of<Place, wf::description<double>> later(place, std::vector<wf::description<double>>(1));
    wf::describe_async<statistic::all>(place, squares, size, later.all());
    CHECK(same_description(later.get(0), got));
  }
}

FAST_EVERY_PLACE("statistics by range") {
  auto const values = values_with_nan<float>(40'003, 92);
  memory_of<Place, float> there(place, values);
  for (std::size_t const first : {0, 3}) {
    auto const view = there.view(first, 40'000);
    auto const got = wf::describe<statistic::all>(place, view);
    CHECK(same_description(got, wf::describe(place, view)));
    memory_of<Place, wf::description<float>> later(place, std::vector<wf::description<float>>(1));
    wf::describe_async<statistic::all>(place, view, later.all());
    CHECK(same_description(later.get(0), got));
    CHECK(refused_by([&] { wf::describe_async<statistic::mean>(place, view, later.view(0, 0)); }) ==
          "result");
  }
  float const* const null = nullptr;
  CHECK(refused_by([&] { wf::describe<statistic::mean>(place, null, 3); }) == "first");
}

} // namespace

FAST_EVERY_PLACE_OF("a choice of statistics", T, float, std::int64_t) {
  memory_of<Place, T> there(place, values_with_nan<T>(300'003, 91));
  // The tree depends on what is kept, so that bits can be compared where one block does it all.
  for (std::size_t const size : {0, 1, 33, 4'000}) {
    check_choice<statistic::all, T>(place, there, size);
    check_choice<statistic::max | statistic::argmin, T>(place, there, size);
    check_choice<statistic::skewness | statistic::min | statistic::max, T>(place, there, size);
    if constexpr (std::same_as<T, float>) { // what is kept of a choice depends on no type
      check_choice<statistic::count, T>(place, there, size);
      check_choice<statistic::min, T>(place, there, size);
      check_choice<statistic::argmax | statistic::mean, T>(place, there, size);
      check_choice<statistic::variance, T>(place, there, size);
    }
  }
  check_choice<statistic::max | statistic::argmin, T>(place, there, 300'003);
  if constexpr (std::same_as<T, float>) check_choice<statistic::count, T>(place, there, 300'003);
}
