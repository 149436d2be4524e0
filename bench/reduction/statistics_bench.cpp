// Descriptions on a GPU: warpfold's and the vendor's, and beside them the plain sum of the same
// elements, which reads as much and does next to nothing.

#include "ways.hpp"

#include <warpfold/twins/statistics.hpp>

#include <cmath>

namespace warpfold::bench {
namespace {

template <class T>
void add(session& run, std::size_t size) {
  auto const verb = [](auto&&... arguments) { return describe(arguments...); };
  auto const complaint = found_by_others(verb, [](auto const& got, auto const& expected) {
    return got.count == expected.count && got.argmin == expected.argmin &&
           got.argmax == expected.argmax && std::abs(got.m2 / expected.m2 - 1) < 1e-11 &&
           std::abs(got.m4 / expected.m4 - 1) < 1e-11;
  });
  auto ways = twin_ways<T>(
      verb, [](auto&&... arguments) { describe_async(arguments...); }, complaint);
  ways.push_back(way_of<T>(
      "variance_fold", [](gpu& place, array_t<T> values) { return variance(place, values); },
      [](auto&&... arguments) { variance_async(arguments...); }, any_result));
  ways.push_back(sum_way<T>());
  add_ways(run, "describe/" + type_name<T>(), size, pattern::small_integers, ways);
}

} // namespace

void add_statistics(session& run) {
  if (!run.place) return;
  auto const add_all = [&]<class T>(T, std::initializer_list<int> exponents) {
    for (int const e : exponents) add<T>(run, power(e));
  };
  if (run.quick) {
    add_all(float{}, {10, 20, 24, 28});
    add_all(double{}, {10, 20, 24, 28});
    return;
  }
  add_all(float{}, {10, 16, 20, 22, 24, 26, 28, 30});
  add_all(double{}, {10, 16, 20, 22, 24, 26, 28, 30});
  add_all(std::int32_t{}, {20, 24, 28, 30});
  add_all(std::int64_t{}, {20, 24, 28, 30});
  add_all(__half{}, {20, 24, 28, 30});
}

} // namespace warpfold::bench
