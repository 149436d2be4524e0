// Extrema and their positions on a GPU: warpfold's and the vendor's, and beside them the plain sum
// of the same elements.

#include "kernels.hpp"
#include "ways.hpp"

#include <warpfold/twins/statistics.hpp>

namespace warpfold::bench {
namespace {

enum class sought { least, greatest };

template <class T>
bool agree(extremum<T> const& a, extremum<T> const& b) {
  return a.value == b.value && a.index == b.index;
}
template <class T>
bool agree(min_max<T> const& a, min_max<T> const& b) {
  return a.min == b.min && a.max == b.max;
}

constexpr auto found_alike = [](auto const& a, auto const& b) { return agree(a, b); };

/// Warpfold's way and CUB's by verb(place, values, twin) and verb_async(place, values, result,
/// twin); `more` are measured beside them.
template <class T, class Verb, class Async>
void add(session& run, std::string const& name, std::size_t size, Verb verb, Async verb_async,
         std::vector<way<T>> const& more = {}) {
  auto ways = twin_ways<T>(verb, verb_async, found_by_others(verb, found_alike));
  ways.insert(ways.end(), more.begin(), more.end());
  ways.push_back(sum_way<T>());
  add_ways(run, name + "/" + type_name<T>(), size, pattern::falling, ways);
}

template <class T>
void add_argument(session& run, sought what, std::size_t size) {
  bool const is_least = what == sought::least;
  std::vector<way<T>> more;
  auto const verb = [=](auto&&... arguments) {
    return is_least ? argmin(arguments...) : argmax(arguments...);
  };
  if constexpr (std::is_floating_point_v<T>)
    // cub::DeviceReduce::ArgMin itself, right as long as there is no NaN.
    if (is_least)
      more.push_back(way_of<T>(
          "cub_argmin",
          [](gpu& place, array_t<T> values) {
            device_buffer<extremum<T>> result(place, 1);
            cub_argmin_async(place, values, result.span());
            return to_vector(place, result.span())[0];
          },
          cub_argmin_async<T>, found_by_others(verb, found_alike)));
  add<T>(
      run, is_least ? "argmin" : "argmax", size, verb,
      [=](auto&&... arguments) {
        is_least ? argmin_async(arguments...) : argmax_async(arguments...);
      },
      more);
}

template <class T>
void add_minmax(session& run, std::size_t size) {
  add<T>(
      run, "minmax", size, [](auto&&... arguments) { return minmax(arguments...); },
      [](auto&&... arguments) { minmax_async(arguments...); });
}

} // namespace

void add_extrema(session& run) {
  if (!run.place) return;
  auto const add_all = [&]<class T>(T, std::initializer_list<int> exponents) {
    for (int const e : exponents) add_argument<T>(run, sought::least, power(e));
    for (int const e : exponents) add_minmax<T>(run, power(e));
  };
  add_all(float{}, {10, 12, 14, 16, 18, 20, 22, 23, 24, 25, 26, 28, 30});
  add_all(std::int32_t{}, {10, 12, 14, 16, 18, 20, 22, 23, 24, 25, 26, 28, 30});
  add_all(double{}, {10, 16, 20, 24, 28, 30});
  if (run.quick) return;
  add_all(std::int64_t{}, {10, 16, 20, 24, 28, 30});
  for (int const e : {10, 16, 20, 24, 28, 30}) add_argument<float>(run, sought::greatest, power(e));
}

} // namespace warpfold::bench
