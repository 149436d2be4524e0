// Random work: counts, histograms, and the elements that a predicate holds for.

#include "random_work.hpp"

#include <warpfold/twins/counting.hpp>

#include <algorithm>

namespace random_work {
namespace {

/// Calls use(a predicate): with a bound among the elements, so that it holds for some of them.
template <class T, class Use>
void with_predicate(dice& random, std::vector<T> const& values, Use use) {
  T const bound = values.empty() ? T{} : values[random.below(values.size())];
  std::size_t const which = random.below(4);
  if constexpr (!std::integral<T>)
    if (which == 3) return use(wf::is_finite{});
  if (which == 2) use(wf::equal_to<T>{bound});
  else if (which == 1) use(wf::greater_than<T>{bound});
  else use(wf::less_than<T>{bound});
}

template <class Place>
void count(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(at.random, [&]<class T>() {
    input<Place, T> x(at, values_of<T>(at, at.size(), false));
    auto const begin = x.here.begin(), end = x.here.end();
    with_predicate(at.random, x.here, [&]<class Predicate>(Predicate const& predicate) {
      constexpr bool is_compared = wf::detail::compared_predicate<T, Predicate>;
      auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
      auto const counted = static_cast<std::uint64_t>(std::count_if(begin, end, predicate));
      auto const check = [&](auto verb, auto known) {
        at.require(verify<is_compared>(at, verb, how) == known, "not the standard library's");
      };
      check(WARPFOLD_FORMS(wf::count_if, x.on(place), predicate), counted);
      check(WARPFOLD_FORMS(wf::all_of, x.on(place), predicate), counted == x.here.size());
      check(WARPFOLD_FORMS(wf::any_of, x.on(place), predicate), counted > 0);
    });
  });
}

template <class T>
wf::detail::bins_of<T> any_bins(dice& random) {
  int const count = 1 + static_cast<int>(std::exp2(random.between(0, 12.9)));
  if constexpr (std::same_as<T, std::uint8_t>) return {count, 0, 256};
  else if constexpr (std::integral<T>) {
    std::int64_t const lower = static_cast<std::int64_t>(random.below(1u << 31)) -
                               (std::signed_integral<T> ? std::int64_t{1} << 30 : 0);
    return {count, lower, lower + 1 + static_cast<std::int64_t>(random.below(1u << 30))};
  } else {
    auto const lower = static_cast<T>(random.between(-3, 1));
    return {count, lower, lower + static_cast<T>(random.between(0.5, 4))};
  }
}

/// By what histogram.hpp says of bins.
template <class T>
std::vector<std::uint64_t> counted(std::vector<T> const& values,
                                   wf::detail::bins_of<T> const& bins) {
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(bins.count));
  for (T const x : values) {
    if constexpr (std::integral<T>) {
      if (x < bins.lower || x >= bins.upper) continue;
      ++counts[static_cast<std::size_t>((x - bins.lower) * bins.count / (bins.upper - bins.lower))];
    } else {
      if (!(x >= bins.lower && x < bins.upper)) continue;
      T const scale = static_cast<T>(bins.count) / (bins.upper - bins.lower);
      auto const bin = static_cast<std::size_t>((x - bins.lower) * scale);
      ++counts[std::min(bin, counts.size() - 1)];
    }
  }
  return counts;
}

template <class Place>
void histogram(step<Place>& at) {
  with_one_of<std::uint8_t, std::int32_t, std::uint32_t, float, double>(at.random, [&]<class T>() {
    auto const values = test::rough_values<T>(at.size(), at.random.seed());
    auto const bins = any_bins<T>(at.random);
    at.what << ", " << bins.count << " bins";
    auto const known = counted(values, bins);
    input<Place, T> x(at, values);
    at.require(wf::histogram(at.place, x.on(at.place), bins) == known, "not the counts");
    check_later<std::uint64_t>(at, known, [&](auto counts) {
      wf::histogram_async(at.place, x.on(at.place), bins, counts);
    });
    if constexpr (step<Place>::on_gpu &&
                  requires { wf::histogram(at.place, x.on(at.place), bins, twins::cub); }) {
      try {
        at.require(wf::histogram(at.place, x.on(at.place), bins, twins::cub) == known,
                   "CUB has other counts");
      } catch (wf::argument_error const&) {
        // It has not all floating-point bins.
        at.require(std::floating_point<T>, "CUB's histogram was refused");
      }
    }
  });
}

template <class Place>
void compact_if(step<Place>& at) {
  with_one_of<std::int32_t, std::int64_t, float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), false);
    bool const all_fit = at.random.one_in(2);
    std::size_t const room = all_fit ? values.size() : at.random.below(values.size() + 1);
    with_predicate(at.random, values, [&]<class Predicate>(Predicate const& predicate) {
      constexpr bool is_compared = wf::detail::compared_selection<T, Predicate>;
      bool const by_vendor = is_compared && all_fit && at.random.one_in(2);
      auto const how = by_vendor ? test::vendor_of(at.place) : twins::fold;
      at.what << ", " << to_string(how) << ", room for " << room;
      std::vector<T> kept;
      std::copy_if(values.begin(), values.end(), std::back_inserter(kept), predicate);
      std::uint64_t const count = kept.size();
      kept.resize(std::min(kept.size(), room));
      kept.resize(room, array<Place, T>::untouched());
      array<Place, T> there(at, values), output(at, room), again(at, room);
      view_t<Place, T const> const view(there.view());
      auto const got = test::with_twin<is_compared>(how, [&](auto... twin) {
        return wf::compact_if(at.place, view, predicate, output.view(), twin...);
      });
      at.require(got == count, "not the count");
      auto const is_known = [&](std::vector<T> const& found) {
        // Behind the elements that it keeps a vendor may write what it likes.
        std::size_t const n = by_vendor ? std::min(room, static_cast<std::size_t>(count)) : room;
        return std::memcmp(found.data(), kept.data(), n * sizeof(T)) == 0;
      };
      at.require(room == 0 || is_known(output.read()), "not the elements");
      array<Place, std::uint64_t> counted(at, 1);
      test::with_twin<is_compared>(how, [&](auto... twin) {
        wf::compact_if_async(at.place, view, predicate, again.view(), counted.view(), twin...);
      });
      wait(at.place);
      at.require(counted.read()[0] == count && (room == 0 || is_known(again.read())),
                 "the _async form keeps others");
    });
  });
}

/// What a predicate keeps goes on to other verbs, and its number stays in the place's memory.
template <class Place>
void lengths(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const values = values_of<T>(at, at.size(), false);
    std::size_t const size = values.size(), bins = 1 + at.random.below(300);
    input<Place, T> x(at, values);
    array<Place, T> there(at, size);
    array<Place, std::uint64_t> count(at, 1);
    T const above = values.empty() ? T{} : values[at.random.below(size)];
    wf::less_than<T> const predicate{above};
    std::vector<T> kept;
    std::copy_if(values.begin(), values.end(), std::back_inserter(kept), predicate);
    at.what << ", " << kept.size() << " kept";
    // The blocking form makes room. Again beside the verbs that read what it has counted.
    wf::compact_if(at.place, x.on(at.place), predicate, there.view());
    auto const keep = [&] {
      wf::compact_if_async(at.place, x.on(at.place), predicate, there.view(), count.view());
    };
    keep();
    auto const on = [&]<class On>(On&) {
      if constexpr (std::same_as<On, wf::host const>) return std::span<T const>(kept);
      else return wf::counted{there.view(), count.view()};
    };
    verify(at, WARPFOLD_FORMS(wf::sum, on(place)));
    verify(at, WARPFOLD_FORMS(wf::product, on(place)));
    verify(at, WARPFOLD_FORMS(wf::min, on(place)));
    verify(at, WARPFOLD_FORMS(wf::max, on(place)));
    using A = test::accumulator_t<T>;
    verify(at, WARPFOLD_FORMS(wf::reduce, on(place), A{3}, wf::plus{}));
    verify(at, WARPFOLD_FORMS(wf::transform_reduce, on(place), A{3}, wf::plus{}, wf::square{}));
    std::vector<A> known(kept.size());
    bool const is_exclusive = at.random.one_in(2);
    auto const scan = [&](auto& place, auto from, auto to) {
      if (is_exclusive) wf::exclusive_scan_async(place, from, A{3}, wf::plus{}, to);
      else wf::inclusive_scan_async(place, from, wf::plus{}, to);
    };
    scan(one, std::span<T const>(kept), std::span<A>(known));
    known.resize(size, array<Place, A>::untouched());
    {
      array<Place, A> room(at, size);
      wf::inclusive_scan(at.place, x.on(at.place), wf::plus{}, room.view());
    }
    check_later<A>(at, known, [&](auto to) {
      keep();
      scan(at.place, on(at.place), to);
    });
    if constexpr (std::floating_point<T>) {
      std::vector<std::uint32_t> indices(size);
      for (auto& i : indices) i = static_cast<std::uint32_t>(at.random.below(bins));
      input<Place, std::uint32_t> where(at, indices);
      double const most = std::ldexp(1., sizeof(T) == 4 ? 127 : 900);
      wf::scatter_bound const bound{most, most * (1 + static_cast<double>(size))};
      array<Place, wf::scatter_status> status(at, 1);
      std::vector<T> sums(bins);
      std::vector<wf::scatter_status> noted(1);
      wf::scatter_sum_async(one, kept, std::span(indices).first(kept.size()), bound, sums, noted);
      if constexpr (step<Place>::on_gpu) at.place.reserve(wf::scatter_workspace(bins, size));
      check_later<T>(at, sums, [&](auto to) {
        keep();
        wf::scatter_sum_async(at.place, on(at.place), where.on(at.place), bound, to, status.view());
      });
    }
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"count_if, all_of, any_of", count<Place>},
                         {"histogram", histogram<Place>},
                         {"compact_if", compact_if<Place>},
                         {"compact_if, then others", lengths<Place>}});
});

} // namespace
} // namespace random_work
