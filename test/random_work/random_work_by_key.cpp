// Random work: reductions by key, lengths of runs, and columns that share marks.

#include "random_work.hpp"

#include <warpfold/twins/by_key.hpp>
#include <warpfold/twins/scan.hpp>

#include <algorithm>

namespace random_work {
namespace {

/// Keys, and what a walk over them finds.
template <class K>
struct drawn_keys {
  std::vector<K> keys, unique;
  std::vector<std::size_t> begins; ///< and the number of keys
  std::vector<std::uint64_t> lengths;

  [[nodiscard]] std::size_t count() const { return unique.size(); }
  template <class T>
  std::span<T const> run(std::vector<T> const& values, std::size_t i) const {
    return std::span(values).subspan(begins[i], begins[i + 1] - begins[i]);
  }
};

/// Runs of many lengths or of few, of keys that come again.
template <class K, class Place>
drawn_keys<K> keys_of(step<Place>& at) {
  std::size_t const size = at.size();
  double const most = at.random.between(0, std::log2(static_cast<double>(size) + 1));
  std::size_t const kinds = at.random.one_in(3) ? 2 : 1000;
  drawn_keys<K> drawn;
  while (drawn.keys.size() < size) {
    auto const length = static_cast<std::size_t>(std::exp2(at.random.between(0, most)));
    K const key = static_cast<K>(at.random.below(kinds));
    drawn.keys.resize(std::min(size, drawn.keys.size() + length), key);
  }
  for (std::size_t i = 0; i < size; ++i)
    if (i == 0 || !(drawn.keys[i - 1] == drawn.keys[i])) {
      drawn.unique.push_back(drawn.keys[i]);
      drawn.begins.push_back(i);
    }
  drawn.begins.push_back(size);
  for (std::size_t i = 0; i < drawn.count(); ++i)
    drawn.lengths.push_back(drawn.begins[i + 1] - drawn.begins[i]);
  at.what << ", " << drawn.count() << " runs";
  return drawn;
}

/// Memory for the first `room` runs.
template <class Place, class K, class A>
struct outputs {
  array<Place, K> unique;
  array<Place, A> results;
  array<Place, std::uint64_t> count;

  outputs(step<Place>& at, std::size_t room) : unique(at, room), results(at, room), count(at, 1) {}

  void check(step<Place> const& at, drawn_keys<K> const& drawn, std::vector<A> const& known,
             std::uint64_t found) {
    at.require(found == drawn.count(), "another number of runs");
    at.require(are_first(unique.read(), drawn.unique), "other unique keys");
    at.require(are_first(results.read(), known), "not the results of runs alone");
  }

private:
  /// True for the first elements of all, and behind them what was there.
  template <class T>
  static bool are_first(std::vector<T> const& found, std::vector<T> all) {
    all.resize(std::min(all.size(), found.size()));
    all.resize(found.size(), array<Place, T>::untouched());
    return agree(found, all);
  }
};

/// Checks verb.now(place, unique, results, twin...) and verb.later(place, unique, results, count,
/// twin...), enqueued as it is or from a graph.
template <bool IsCompared, class K, class A, class Place, class Verb>
void verify_runs(step<Place>& at, drawn_keys<K> const& drawn, std::vector<A> const& known,
                 Verb const& verb, twins::vendor how) {
  bool const is_whole = how != twins::fold || at.random.one_in(2); // vendors need all of it
  std::size_t const room = is_whole ? drawn.keys.size() : at.random.below(drawn.keys.size() + 1);
  at.what << ", room for " << room;
  test::with_twin<IsCompared>(how, [&](auto... twin) {
    outputs<Place, K, A> first(at, room), second(at, room);
    first.check(at, drawn, known,
                verb.now(at.place, first.unique.view(), first.results.view(), twin...));
    std::size_t const form = at.random.below(step<Place>::on_gpu ? 3 : 2);
    if (form == 0) return;
    auto const later = [&] {
      verb.later(at.place, second.unique.view(), second.results.view(), second.count.view(),
                 twin...);
    };
    if (form == 1) later();
    if constexpr (step<Place>::on_gpu)
      if (form == 2) {
        at.what << ", in a graph";
        auto graph = captured(at.place, later);
        for (std::size_t launches = 1 + at.random.below(3); launches > 0; --launches)
          graph.launch();
      }
    wait(at.place);
    second.check(at, drawn, known, second.count.read().front());
  });
}

/// of_run(a run's values) of each run.
template <class A, class K, class T, class Of>
std::vector<A> of_each(drawn_keys<K> const& drawn, std::vector<T> const& values, Of of_run) {
  std::vector<A> all(drawn.count());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = of_run(drawn.run(values, i));
  return all;
}

template <class Place, class K, class T, class A, class Op>
void reduce_runs(step<Place>& at, Op op) {
  constexpr bool is_compared =
      std::same_as<K, std::uint32_t> && wf::detail::compared_by_key<T, A, Op>;
  bool const by_vendor = is_compared && at.random.one_in(3);
  auto const how = by_vendor ? test::vendor_of(at.place) : twins::fold;
  at.what << ", " << to_string(how);
  auto const drawn = keys_of<K>(at);
  input<Place, K> keys(at, drawn.keys);
  input<Place, T> x(at, values_of<T>(at, drawn.keys.size(), by_vendor));
  auto const init = static_cast<A>(by_vendor ? 0 : at.random.below(100));
  auto const known =
      of_each<A>(drawn, x.here, [&](auto run) { return wf::reduce(one, run, init, op); });
  verify_runs<is_compared>(at, drawn, known,
                           WARPFOLD_FORMS(wf::reduce_by_key, keys.on(place), x.on(place), init, op),
                           how);
}

template <class Place>
void sums(step<Place>& at) {
  with_one_of<std::int32_t, std::int64_t, float, double, __half>(at.random, [&]<class T>() {
    reduce_runs<Place, std::uint32_t, T, test::accumulator_t<T>>(at, wf::plus{});
  });
}
template <class Place>
void others(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double>(at.random, [&]<class K>() {
    if (at.random.one_in(2)) reduce_runs<Place, K, double, double>(at, wf::maximum<>{});
    else reduce_runs<Place, K, float, double>(at, wf::plus{});
  });
}

template <class Place>
void plain_sums(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const drawn = keys_of<std::uint64_t>(at);
    input<Place, std::uint64_t> keys(at, drawn.keys);
    input<Place, T> x(at, values_of<T>(at, drawn.keys.size(), false));
    auto const known =
        of_each<test::accumulator_t<T>>(drawn, x.here, [](auto run) { return wf::sum(one, run); });
    verify_runs<false>(at, drawn, known,
                       WARPFOLD_FORMS(wf::sum_by_key, keys.on(place), x.on(place)), twins::fold);
  });
}

template <class Place>
void exact_sums(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    auto const drawn = keys_of<std::int64_t>(at);
    input<Place, std::int64_t> keys(at, drawn.keys);
    input<Place, T> x(at, values_of<T>(at, drawn.keys.size(), false));
    auto const known = of_each<test::accumulator_t<T>>(
        drawn, x.here, [](auto run) { return wf::exact_sum(one, run); });
    verify_runs<false>(at, drawn, known,
                       WARPFOLD_FORMS(wf::exact_sum_by_key, keys.on(place), x.on(place)),
                       twins::fold);
  });
}

template <class Place>
void lengths(step<Place>& at) {
  auto const how = at.random.one_in(3) ? test::vendor_of(at.place) : twins::fold;
  at.what << ", " << to_string(how);
  auto const drawn = keys_of<std::uint32_t>(at);
  input<Place, std::uint32_t> keys(at, drawn.keys);
  verify_runs<true>(at, drawn, drawn.lengths, WARPFOLD_FORMS(wf::run_length_encode, keys.on(place)),
                    how);
}

/// Sums that run on, of runs or between their offsets.
template <class Place>
void scans(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const how = at.random.one_in(3) ? test::vendor_of(at.place) : twins::fold;
    bool const is_exclusive = at.random.one_in(2);
    at.what << (is_exclusive ? ", exclusive, " : ", inclusive, ") << to_string(how);
    auto const drawn = keys_of<std::int32_t>(at);
    std::size_t const size = drawn.keys.size();
    input<Place, std::int32_t> keys(at, drawn.keys);
    input<Place, T> x(at, values_of<T>(at, size, how != twins::fold));
    auto const init = static_cast<T>(at.random.below(100));
    wf::plus const op;
    auto const known =
        is_exclusive
            ? verify_output<T, true>(
                  at, size,
                  WARPFOLD_FORMS(wf::exclusive_scan_by_key, keys.on(place), x.on(place), init, op),
                  how)
            : verify_output<T, true>(
                  at, size,
                  WARPFOLD_FORMS(wf::inclusive_scan_by_key, keys.on(place), x.on(place), op), how);
    input<Place, std::int64_t> offsets(
        at, std::vector<std::int64_t>(drawn.begins.begin(), drawn.begins.end()));
    auto const between =
        is_exclusive ? verify_output<T>(at, size,
                                        WARPFOLD_FORMS(wf::segmented_exclusive_scan, x.on(place),
                                                       offsets.on(place), init, op))
                     : verify_output<T>(at, size,
                                        WARPFOLD_FORMS(wf::segmented_inclusive_scan, x.on(place),
                                                       offsets.on(place), op));
    at.require(agree(between, known), "other results between offsets");
    if constexpr (std::integral<T>)
      for (std::size_t i = 0; i < drawn.count(); ++i) {
        auto const run = drawn.run(x.here, i).first(drawn.lengths[i] - is_exclusive);
        at.require(between[drawn.begins[i + 1] - 1] ==
                       wf::reduce(one, run, is_exclusive ? init : T{0}, op),
                   "a run's last result is not its sum");
      }
  });
}

/// Two columns by the same marks.
template <class Place>
void columns(step<Place>& at) {
  auto const drawn = keys_of<std::uint32_t>(at);
  std::size_t const size = drawn.keys.size();
  input<Place, std::uint32_t> keys(at, drawn.keys);
  outputs<Place, std::uint32_t, std::uint64_t> none(at, 0);
  array<Place, std::uint64_t> marks(at, wf::run_marks_size(size));
  std::vector<std::uint64_t> marks_here(wf::run_marks_size(size));
  std::vector<std::uint32_t> unique(drawn.count());
  at.require(wf::mark_runs(one, drawn.keys, unique, marks_here) == drawn.count() &&
                 unique == drawn.unique,
             "another number of runs, or other unique keys, on the host");
  at.require(wf::mark_runs(at.place, keys.on(at.place), none.unique.view(), marks.view()) ==
                 drawn.count(),
             "another number of runs");
  array<Place, std::uint64_t> count(at, 1);
  check_later<std::uint64_t>(at, marks.read(), [&](auto to) {
    wf::mark_runs_async(at.place, keys.on(at.place), none.unique.view(), to, count.view());
  });
  // A column is folded with the marks of its place.
  auto const marks_on = [&]<class On>(On&) {
    if constexpr (std::same_as<On, wf::host const>)
      return std::span<std::uint64_t const>(marks_here);
    else return view_t<Place, std::uint64_t const>(marks.view());
  };
  auto const check = [&](auto const& found, auto const& known) {
    at.require(agree(found, known), "not the results of runs alone");
  };
  input<Place, float> x(at, values_of<float>(at, size, false));
  if constexpr (step<Place>::on_gpu)
    at.place.reserve(wf::by_key_workspace<std::uint32_t, float>(size) +
                     wf::exact_by_key_workspace<std::uint32_t, double>(size, drawn.count()));
  forms const folds{
      [&](auto& place, auto to) {
        auto const read = marks_on(place);
        wf::segmented_reduce(place, x.on(place), wf::marked_runs{read}, 3.F, wf::plus{}, to);
      },
      [&](auto& place, auto to) {
        auto const read = marks_on(place);
        wf::segmented_reduce_async(place, x.on(place), wf::marked_runs{read}, 3.F, wf::plus{}, to);
      }};
  check(verify_output<float>(at, drawn.count(), folds), of_each<float>(drawn, x.here, [](auto run) {
          return wf::reduce(one, run, 3.F, wf::plus{});
        }));
  input<Place, double> y(at, values_of<double>(at, size, false));
  forms const exact{[&](auto& place, auto to) {
                      auto const read = marks_on(place);
                      wf::exact_segmented_sum(place, y.on(place), wf::marked_runs{read}, to);
                    },
                    [&](auto& place, auto to) {
                      auto const read = marks_on(place);
                      wf::exact_segmented_sum_async(place, y.on(place), wf::marked_runs{read}, to);
                    }};
  check(verify_output<double>(at, drawn.count(), exact),
        of_each<double>(drawn, y.here, [](auto run) { return wf::exact_sum(one, run); }));
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"by key: sums", sums<Place>},
                         {"by key: others", others<Place>},
                         {"sum_by_key", plain_sums<Place>},
                         {"by key: exact sums", exact_sums<Place>},
                         {"run_length_encode", lengths<Place>},
                         {"by key: columns", columns<Place>},
                         {"by key: scans", scans<Place>}});
});

} // namespace
} // namespace random_work
