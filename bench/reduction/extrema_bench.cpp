// Extrema and their positions on a GPU: warpfold's and the vendor's, and beside them the plain sum
// of the same elements.

#include "bench.hpp"
#include "comm/paired_group.hpp"
#include "kernels.hpp"
#include "reduction_rows.hpp"

#include <warpfold/twins/statistics.hpp>

namespace warpfold::bench {
namespace {

enum class sought { least, greatest, both };

template <class T>
struct results {
  using A = typename detail::default_accumulator<T>::type;
  extremum<A> found;
  min_max<A> both;
  A sum;
};

template <class T>
void add(session& run, std::string const& operation, sought what, std::size_t size) {
  if (size * sizeof(T) > run.pool->size()) return;
  using result = results<T>;
  auto const at = [](device_span<result> slot, auto result::*member) {
    using M = std::remove_reference_t<decltype(std::declval<result>().*member)>;
    result* const all = slot.data();
    return device_span<M>(&(all->*member), 1);
  };
  auto const with = [=](twins::vendor twin) {
    return [=](gpu& place, device_span<T const> values, device_span<result> slot) {
      if (what == sought::least) argmin_async(place, values, at(slot, &result::found), twin);
      if (what == sought::greatest) argmax_async(place, values, at(slot, &result::found), twin);
      if (what == sought::both) minmax_async(place, values, at(slot, &result::both), twin);
    };
  };
  auto const complaint = [=](session& on, device_span<T const> values, result const& got) {
    bool right = false;
    if (what == sought::both) {
      auto const expected =
          found_elsewhere(*on.place, values, [](auto&&... of) { return minmax(of...); });
      right = got.both.min == expected.min && got.both.max == expected.max;
    } else {
      auto const expected = found_elsewhere(*on.place, values, [=](auto&&... of) {
        return what == sought::least ? argmin(of...) : argmax(of...);
      });
      right = got.found.value == expected.value && got.found.index == expected.index;
    }
    return std::string(right ? "" : "not what others find");
  };
  paired_group<T, result> group(run, operation + "/" + type_name<T>(), size, pattern::falling);
  for (twins::vendor const twin : {twins::fold, twins::cub})
    if (search_kind<T>::has(twin)) group.add(to_string(twin), with(twin), complaint);
  if constexpr (std::is_floating_point_v<T>) {
    // cub::DeviceReduce::ArgMin itself, right as long as there is no NaN.
    if (what == sought::least)
      group.add(
          "cub_argmin",
          [=](gpu& place, device_span<T const> values, device_span<result> slot) {
            cub_argmin_async(place, values, at(slot, &result::found));
          },
          complaint);
  }
  group.add("sum", [=](gpu& place, device_span<T const> values, device_span<result> slot) {
    sum_async(place, values, at(slot, &result::sum));
  });
}

} // namespace

void add_extrema(session& run) {
  if (!run.place) return;
  auto const add_all = [&]<class T>(T, std::initializer_list<int> exponents) {
    for (int const e : exponents) add<T>(run, "argmin", sought::least, std::size_t{1} << e);
    for (int const e : exponents) add<T>(run, "minmax", sought::both, std::size_t{1} << e);
  };
  add_all(float{}, {10, 12, 14, 16, 18, 20, 22, 23, 24, 25, 26, 28, 30});
  add_all(std::int32_t{}, {10, 12, 14, 16, 18, 20, 22, 23, 24, 25, 26, 28, 30});
  add_all(double{}, {10, 16, 20, 24, 28, 30});
  if (run.quick) return;
  add_all(std::int64_t{}, {10, 16, 20, 24, 28, 30});
  for (int const e : {10, 16, 20, 24, 28, 30})
    add<float>(run, "argmax", sought::greatest, std::size_t{1} << e);
}

} // namespace warpfold::bench
