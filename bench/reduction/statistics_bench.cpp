// Descriptions on a GPU: warpfold's and the vendor's, and beside them the plain sum of the same
// elements, which reads as much and does next to nothing.

#include "bench.hpp"
#include "comm/paired_group.hpp"
#include "reduction_rows.hpp"

#include <warpfold/twins/statistics.hpp>

#include <cmath>

namespace warpfold::bench {
namespace {

template <class T>
struct results {
  using A = typename detail::default_accumulator<T>::type;
  description<A> all;
  double moment;
  A sum;
};

template <class T>
void add(session& run, std::size_t size) {
  if (size * sizeof(T) > run.pool->size()) return;
  using result = results<T>;
  auto const at = [](device_span<result> slot, auto result::*member) {
    using M = std::remove_reference_t<decltype(std::declval<result>().*member)>;
    return device_span<M>(&(slot.data()->*member), 1);
  };
  auto const complaint = [](session& on, device_span<T const> values, result const& got) {
    auto const expected =
        found_elsewhere(*on.place, values, [](auto&&... of) { return describe(of...); });
    bool const right = got.all.count == expected.count && got.all.argmin == expected.argmin &&
                       got.all.argmax == expected.argmax &&
                       std::abs(got.all.m2 / expected.m2 - 1) < 1e-11 &&
                       std::abs(got.all.m4 / expected.m4 - 1) < 1e-11;
    return std::string(right ? "" : "not what others find");
  };
  paired_group<T, result> group(run, "describe/" + type_name<T>(), size, pattern::small_integers);
  for (twins::vendor const twin : {twins::fold, twins::cub}) {
    if (!search_kind<T>::has(twin)) continue;
    group.add(
        to_string(twin),
        [=](gpu& place, device_span<T const> values, device_span<result> slot) {
          describe_async(place, values, at(slot, &result::all), twin);
        },
        complaint);
  }
  group.add("variance_fold",
            [=](gpu& place, device_span<T const> values, device_span<result> slot) {
              variance_async(place, values, at(slot, &result::moment));
            });
  group.add("sum", [=](gpu& place, device_span<T const> values, device_span<result> slot) {
    sum_async(place, values, at(slot, &result::sum));
  });
}

} // namespace

void add_statistics(session& run) {
  if (!run.place) return;
  auto const add_all = [&]<class T>(T, std::initializer_list<int> exponents) {
    for (int const e : exponents) add<T>(run, std::size_t{1} << e);
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
