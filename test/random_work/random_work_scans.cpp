// Random work: scans, also over their own values.

#include "random_work.hpp"

#include <warpfold/twins/scan.hpp>

#include <numeric>

namespace random_work {
namespace {

/// One element after the other: the bits of every order where no operation rounds.
template <class A, class T, class Op>
std::vector<A> one_by_one(std::vector<T> const& values, A init, bool is_exclusive, Op op) {
  std::vector<A> results(values.size());
  auto const begin = values.begin(), end = values.end();
  auto const widened = [](T x) { return static_cast<A>(test::wide(x)); };
  if (is_exclusive) std::transform_exclusive_scan(begin, end, results.begin(), init, op, widened);
  else std::transform_inclusive_scan(begin, end, results.begin(), op, widened);
  return results;
}

/// Checks a scan over its own values, enqueued as it is or from a graph, if it does not block. It
/// comes after the forms beside them, which make room for it.
template <class Place, class T, class Scans>
void check_in_place(step<Place>& at, array<Place, T>& there, std::vector<T> const& known,
                    Scans const& scans) {
  std::size_t const form = at.random.below(step<Place>::on_gpu ? 3 : 2);
  at.what << ", in place by form " << form;
  if (form == 0) scans.now(at.place, there.view());
  if (form == 1) scans.later(at.place, there.view());
  if constexpr (step<Place>::on_gpu)
    if (form == 2) captured(at.place, [&] { scans.later(at.place, there.view()); }).launch();
  wait(at.place);
  at.require(agree(there.read(), known), "in place it has other results");
}

template <class Place, class T, class A, class Op>
void scan(step<Place>& at, Op op) {
  constexpr bool is_compared = wf::detail::compared_scan<T, A, Op>;
  constexpr bool adds = std::same_as<Op, wf::plus>, multiplies = std::same_as<Op, wf::multiplies>;
  bool const by_vendor = is_compared && at.random.one_in(3);
  auto const how = by_vendor ? test::vendor_of(at.place) : twins::fold;
  bool const is_exclusive = at.random.one_in(2);
  at.what << (is_exclusive ? ", exclusive, " : ", inclusive, ") << to_string(how);
  input<Place, T> x(at, values_of<T>(at, at.size(), by_vendor && adds));
  bool const rounds =
      !std::integral<A> && (multiplies || (adds && (!at.is_exact || std::integral<T>)));
  auto const init = static_cast<A>(at.random.below(100));
  auto const now = [&](auto& place, auto values, auto results, auto... twin) {
    if (is_exclusive) wf::exclusive_scan(place, values, init, op, results, twin...);
    else wf::inclusive_scan(place, values, op, results, twin...);
  };
  auto const later = [&](auto& place, auto values, auto results, auto... twin) {
    if (is_exclusive) wf::exclusive_scan_async(place, values, init, op, results, twin...);
    else wf::inclusive_scan_async(place, values, op, results, twin...);
  };
  std::size_t const size = x.here.size();
  forms const beside{[&](auto& place, auto... more) { now(place, x.on(place), more...); },
                     [&](auto& place, auto... more) { later(place, x.on(place), more...); }};
  auto const known = verify_output<A, is_compared>(at, size, beside, how);
  if constexpr (!std::same_as<Op, wf::compensated_plus>)
    at.require(rounds || agree(known, one_by_one(x.here, init, is_exclusive, op)),
               "not the standard library's results");
  std::vector<A> first(at.random.below(size + 1));
  now(one, std::span(x.here).first(first.size()), std::span(first));
  at.require(agree(first, test::part_of(known, 0, first.size())), "fewer have other results");
  if constexpr (std::same_as<T, A>) {
    if (at.random.one_in(2)) return;
    array<Place, T> there(at, x.here);
    test::with_twin<is_compared>(how, [&](auto... twin) {
      check_in_place(at, there, known,
                     forms{[&](auto& place, auto view) { now(place, view, view, twin...); },
                           [&](auto& place, auto view) { later(place, view, view, twin...); }});
    });
  }
}

template <class Place>
void sums(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_ELEMENTS>(
      at.random, [&]<class T>() { scan<Place, T, test::accumulator_t<T>>(at, wf::plus{}); });
}
template <class Place>
void wide_sums(step<Place>& at) {
  if (at.random.one_in(2)) return scan<Place, std::int32_t, std::int64_t>(at, wf::plus{});
  with_one_of<std::uint64_t, float, __nv_bfloat16>(
      at.random, [&]<class T>() { scan<Place, T, double>(at, wf::plus{}); });
}
template <class Place>
void others(step<Place>& at) {
  with_one_of<std::uint32_t, std::int64_t, float, double, __half>(at.random, [&]<class T>() {
    using A = test::accumulator_t<T>;
    std::size_t const which = at.random.below(3);
    if (which == 0) scan<Place, T, A>(at, wf::minimum<>{});
    else if (which == 1) scan<Place, T, A>(at, wf::maximum<>{});
    else scan<Place, T, A>(at, wf::multiplies{});
  });
}

template <class Place>
void compensated_sums(step<Place>& at) {
  with_one_of<float, double>(at.random,
                             [&]<class T>() { scan<Place, T, T>(at, wf::compensated_plus{}); });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"scan: sums", sums<Place>},
                         {"scan: wider sums", wide_sums<Place>},
                         {"scan: extrema, products", others<Place>},
                         {"scan: compensated sums", compensated_sums<Place>}});
});

} // namespace
} // namespace random_work
