// Random work: positions of extrema, descriptions, mean and variance.

#include "random_work.hpp"

namespace random_work {
namespace {

template <class Place>
wf::reduce_options any_options(step<Place>& at) {
  wf::reduce_options options{.how = any_method(at)};
  if (at.random.one_in(2)) options.nan = wf::nan_policy::ignore;
  return options;
}

template <class Place, bool Largest>
void find(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    auto const options = any_options(at);
    auto const values = values_of<T>(at, at.size(), false);
    verify<wf::extremum<test::accumulator_t<T>>>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) {
          if constexpr (Largest) return wf::argmax(place, range, how);
          else return wf::argmin(place, range, how);
        },
        [](auto& place, auto const& how, auto result, auto range) {
          if constexpr (Largest) wf::argmax_async(place, range, result, how);
          else wf::argmin_async(place, range, result, how);
        },
        values);
  });
}

template <class Place>
void minmax(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half>(at.random, [&]<class T>() {
    auto const options = any_options(at);
    auto const values = values_of<T>(at, at.size(), false);
    verify<wf::min_max<test::accumulator_t<T>>>(
        at, options, known_for(options),
        [](auto& place, auto const& how, auto range) { return wf::minmax(place, range, how); },
        [](auto& place, auto const& how, auto result, auto range) {
          wf::minmax_async(place, range, result, how);
        },
        values);
  });
}

bool is_near(double got, double known, double scale) {
  return agree(got, known) || std::abs(got - known) <= 1e-11 * scale;
}

/// By any method: counts and extrema are the same, moments but for rounding.
template <class Place>
void describe(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    auto const options = any_options(at);
    bool const is_fold = options.how == method::fold;
    auto const values = values_of<T>(at, at.size(), !is_fold);
    auto const run = [](auto& place, auto const& how, auto range) {
      return wf::describe(place, range, how);
    };
    auto const enqueue = [](auto& place, auto const& how, auto result, auto range) {
      wf::describe_async(place, range, result, how);
    };
    if (is_fold) {
      verify<wf::description<test::accumulator_t<T>>>(at, options, options, run, enqueue, values);
      return;
    }
    array<Place, T> there(at, values);
    auto const got = run(at.place, options, view_t<Place, T const>(there.view()));
    auto const known = run(one, wf::reduce_options{}, std::span<T const>(values));
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
        at, {}, {},
        [](auto& place, auto const& how, auto range) {
          if constexpr (Variance) return wf::variance(place, range, how);
          else return wf::mean(place, range, how);
        },
        [](auto& place, auto const& how, auto result, auto range) {
          if constexpr (Variance) wf::variance_async(place, range, result, how);
          else wf::mean_async(place, range, result, how);
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
