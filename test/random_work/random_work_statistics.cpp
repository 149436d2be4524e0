// Random work: positions of extrema, descriptions, mean and variance.

#include "random_work.hpp"

#include <warpfold/twins/statistics.hpp>

namespace random_work {
namespace {

template <class Place, bool Largest>
void find(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const options = any_policy(at);
    auto const values = values_of<T>(at, at.size(), false);
    verify_twin<is_compared, wf::extremum<test::accumulator_t<T>>>(
        at, how,
        [=](auto& place, auto range, auto... twin) {
          if constexpr (Largest) return wf::argmax(place, range, twin..., options);
          else return wf::argmin(place, range, twin..., options);
        },
        [=](auto& place, auto result, auto range, auto... twin) {
          if constexpr (Largest) wf::argmax_async(place, range, result, twin..., options);
          else wf::argmin_async(place, range, result, twin..., options);
        },
        values);
  });
}

template <class Place>
void minmax(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half>(at.random, [&]<class T>() {
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const options = any_policy(at);
    auto const values = values_of<T>(at, at.size(), false);
    verify_twin<is_compared, wf::min_max<test::accumulator_t<T>>>(
        at, how,
        [=](auto& place, auto range, auto... twin) {
          return wf::minmax(place, range, twin..., options);
        },
        [=](auto& place, auto result, auto range, auto... twin) {
          wf::minmax_async(place, range, result, twin..., options);
        },
        values);
  });
}

bool is_near(double got, double known, double scale) {
  return agree(got, known) || std::abs(got - known) <= 1e-11 * scale;
}

/// By any twin: counts and extrema are the same, moments but for rounding.
template <class Place>
void describe(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    auto const values = values_of<T>(at, at.size(), how != twins::fold);
    if (how == twins::fold) {
      verify<wf::description<test::accumulator_t<T>>>(
          at, [](auto& place, auto range) { return wf::describe(place, range); },
          [](auto& place, auto result, auto range) { wf::describe_async(place, range, result); },
          values);
      return;
    }
    array<Place, T> there(at, values);
    auto const got = wf::describe(at.place, view_t<Place, T const>(there.view()), how);
    auto const known = wf::describe(one, values);
    at.require(same_counts(got, known), "not the host's counts or extrema");
    double const spread = static_cast<double>(known.max) - static_cast<double>(known.min);
    double const n = static_cast<double>(known.count);
    at.require(is_near(got.mean, known.mean, spread + std::abs(known.mean)), "not the mean");
    at.require(is_near(got.m2, known.m2, known.m2), "not the second moment");
    at.require(is_near(got.m3, known.m3, n * spread * spread * spread), "not the third moment");
    at.require(is_near(got.m4, known.m4, known.m4), "not the fourth moment");
  });
}

template <class Place, bool Variance>
void moment(step<Place>& at) {
  with_one_of<std::int64_t, float, double, __half>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), false);
    double const got = verify<double>(
        at,
        [](auto& place, auto range) {
          if constexpr (Variance) return wf::variance(place, range);
          else return wf::mean(place, range);
        },
        [](auto& place, auto result, auto range) {
          if constexpr (Variance) wf::variance_async(place, range, result);
          else wf::mean_async(place, range, result);
        },
        values);
    auto const all = wf::describe(one, values);
    at.require(agree(got, Variance ? all.variance() : all.mean), "not that of describe");
  });
}

} // namespace

template <class Place>
void add_statistics(works<Place>& to) {
  to.insert(to.end(), {{"argmin", find<Place, false>},
                       {"argmax", find<Place, true>},
                       {"minmax", minmax<Place>},
                       {"describe", describe<Place>},
                       {"mean", moment<Place, false>},
                       {"variance", moment<Place, true>}});
}
template void add_statistics(works<wf::gpu>&);
template void add_statistics(works<wf::host>&);

} // namespace random_work
