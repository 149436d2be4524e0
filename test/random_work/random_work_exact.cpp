// Random work: exact sums, dot products and norms, and sums with a bound of their error.

#include "random_work.hpp"

#include <warpfold/twins/norms.hpp>

#include <algorithm>

namespace random_work {
namespace {

/// The order of the elements does not matter: half of the time they are known in another one.
template <class T>
std::vector<T> in_any_order(dice& random, std::vector<T> values) {
  if (random.one_in(2)) std::reverse(values.begin(), values.end());
  return values;
}

template <class Place>
void exact_sum(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    auto const check = [&]<class R>() {
      auto const values = values_of<T>(at, at.size(), false);
      R const got = verify<R>(
          at, [](auto& place, auto range) { return wf::exact_sum<R>(place, range); },
          [](auto& place, auto result, auto range) {
            wf::exact_sum_async<R>(place, range, result);
          },
          values);
      auto const other = in_any_order(at.random, values);
      at.require(agree(got, wf::exact_sum<R>(one, other)), "another order has another sum");
    };
    if (at.random.one_in(2)) check.template operator()<float>();
    else check.template operator()<double>();
  });
}

template <class Place>
void exact_dot(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    std::size_t const size = at.size();
    auto const x = values_of<T>(at, size, false), y = values_of<T>(at, size, false);
    verify<double>(
        at, [](auto& place, auto a, auto b) { return wf::exact_dot<double>(place, a, b); },
        [](auto& place, auto result, auto a, auto b) {
          wf::exact_dot_async<double>(place, a, b, result);
        },
        x, y);
  });
}

template <class Place>
void exact_norm2(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), false);
    verify<test::accumulator_t<T>>(
        at, [](auto& place, auto range) { return wf::exact_norm2(place, range); },
        [](auto& place, auto result, auto range) { wf::exact_norm2_async(place, range, result); },
        values);
  });
}

template <class Place>
void exact_accumulate(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), false);
    auto const got = verify<wf::exact_accumulator<T>>(
        at, [](auto& place, auto range) { return wf::exact_accumulate(place, range); },
        [](auto& place, auto result, auto range) {
          wf::exact_accumulate_async(place, range, result);
        },
        values);
    wf::exact_accumulator<T> added;
    added.add(std::span<T const>(in_any_order(at.random, values)));
    at.require(got == added, "another order has another exact sum");
  });
}

/// Whatever the twin: the value is as near to the exact sum as its bound says.
template <class Place>
void compensated(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    constexpr bool is_compared = wf::detail::compared_measure<T, wf::detail::sum_and_bound<T>>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    // Additions of exact contents have no error, and so no order.
    auto const values = values_of<T>(at, at.size(), how != twins::fold);
    auto const got = verify_twin<is_compared, wf::bounded<A>>(
        at, how,
        [](auto& place, auto range, auto... twin) {
          return wf::compensated_sum(place, range, twin...);
        },
        [](auto& place, auto result, auto range, auto... twin) {
          wf::compensated_sum_async(place, range, result, twin...);
        },
        values);
    if (!std::isfinite(got.value) || !std::isfinite(got.error_bound)) return;
    auto rest = wf::exact_accumulate(one, values);
    rest.add(-got.value);
    at.require(std::abs(rest.template finish<A>()) <= got.error_bound, "the bound does not hold");
  });
}

} // namespace

template <class Place>
void add_exact(works<Place>& to) {
  to.insert(to.end(), {{"exact_sum", exact_sum<Place>},
                       {"exact_dot", exact_dot<Place>},
                       {"exact_norm2", exact_norm2<Place>},
                       {"exact_accumulate", exact_accumulate<Place>},
                       {"compensated_sum", compensated<Place>}});
}
template void add_exact(works<wf::gpu>&);
template void add_exact(works<wf::host>&);

} // namespace random_work
