// Random work: order statistics and quantiles.

#include "random_work.hpp"

#include <warpfold/twins/quantiles.hpp>

namespace random_work {
namespace {

/// At least one element, now and then of few different values.
template <class Place, class T>
std::vector<T> some_values(step<Place>& at, bool is_exact) {
  auto values = values_of<T>(at, std::max<std::size_t>(at.size(), 1), is_exact);
  if (at.random.one_in(4)) {
    std::size_t const few = 1 + at.random.below(5);
    at.what << ", of " << few << " values";
    for (std::size_t i = few; i < values.size(); ++i) values[i] = values[at.random.below(few)];
  }
  return values;
}

template <class Place, class T>
void select(step<Place>& at) {
  constexpr bool is_compared = wf::detail::one_of<T, std::int32_t, float, double>;
  bool const by_vendor = is_compared && at.random.one_in(3);
  auto const how = by_vendor ? test::vendor_of(at.place) : twins::fold;
  input<Place, T> x(at, some_values<Place, T>(at, by_vendor));
  std::vector<std::uint64_t> ranks(1 + at.random.below(wf::max_quantiles));
  for (auto& rank : ranks) rank = at.random.below(x.here.size());
  at.what << ", " << ranks.size() << " ranks, " << to_string(how);
  forms const all{
      [&](auto& place, auto... more) { wf::order_statistics(place, x.on(place), ranks, more...); },
      [&](auto& place, auto... more) {
        wf::order_statistics_async(place, x.on(place), ranks, more...);
      }};
  auto const known = verify_output<T, is_compared>(at, ranks.size(), all, how);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    auto const less = std::ranges::count_if(x.here, [&](T y) { return y < known[i]; });
    auto const more = std::ranges::count_if(x.here, [&](T y) { return y > known[i]; });
    auto const rank = static_cast<std::ptrdiff_t>(ranks[i]);
    at.require(known[i] != known[i] || (less <= rank && std::ssize(x.here) - more > rank),
               "an element of another rank");
  }
}
template <class Place>
void elements(step<Place>& at) {
  with_one_of<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(
      at.random, [&]<class T>() { select<Place, T>(at); });
}

template <class Place>
void quantiles(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double>(at.random, [&]<class T>() {
    input<Place, T> x(at, some_values<Place, T>(at, false));
    std::vector<double> qs(1 + at.random.below(wf::max_quantiles));
    for (double& q : qs) q = at.random.between(0, 1);
    auto const between = static_cast<wf::interpolation>(at.random.below(5));
    at.what << ", " << qs.size() << " of them, interpolation " << static_cast<int>(between);
    forms const all{
        [&](auto& place, auto to) { wf::quantiles(place, x.on(place), qs, to, between); },
        [&](auto& place, auto to) { wf::quantiles_async(place, x.on(place), qs, to, between); }};
    verify_output<wf::detail::quantile_value<T>, false>(at, qs.size(), all);
    std::uint64_t const rank = at.random.below(x.here.size());
    auto const element = verify(at, WARPFOLD_FORMS(wf::nth_element, x.on(place), rank));
    double const q = at.random.one_in(3) ? 0.5 : qs[0];
    auto const quantile = verify(at, WARPFOLD_FORMS(wf::quantile, x.on(place), q));
    auto const median = verify(at, WARPFOLD_FORMS(wf::median, x.on(place)));
    at.require(q != 0.5 || agree(quantile, median), "the median is another quantile");
    at.require(element != element ||
                   std::ranges::count_if(x.here, [&](T y) { return y < element; }) <=
                       static_cast<std::ptrdiff_t>(rank),
               "an element of another rank");
  });
}

template <class Place>
void first(step<Place>& at) {
  with_one_of<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>(
      at.random, [&]<class T>() {
        input<Place, T> x(at, some_values<Place, T>(at, false));
        std::size_t const k = at.random.below(x.here.size() + 1);
        wf::top_k_options const options{.smallest = at.random.one_in(2)};
        at.what << ", " << k << " of them, smallest " << options.smallest;
        array<Place, T> there(at, k);
        std::vector<T> here(k);
        auto const elements = [&]<class On>(On&) {
          if constexpr (std::same_as<On, wf::host const>) return std::span<T>(here);
          else return there.view();
        };
        forms const all{[&](auto& place, auto to) {
                          wf::top_k(place, x.on(place), elements(place), to, options);
                        },
                        [&](auto& place, auto to) {
                          wf::top_k_async(place, x.on(place), elements(place), to, options);
                        }};
        auto const known = verify_output<std::uint64_t, false>(at, k, all);
        at.require(agree(there.read(), here), "not the host's elements");
        for (std::size_t i = 0; i < k; ++i)
          at.require(agree(here[i], x.here[known[i]]), "not the element at its position");
      });
}

template <class Place>
void risk(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    input<Place, T> x(at, some_values<Place, T>(at, false));
    wf::pricing::risk_options const options{.level = at.random.between(0.001, 0.999),
                                            .confidence = at.random.between(0.5, 0.999)};
    at.what << ", level " << options.level << ", confidence " << options.confidence;
    forms const all{
        [&](auto& place) { return wf::pricing::risk(place, x.on(place), options); },
        [&](auto& place, auto to) { wf::pricing::risk_async(place, x.on(place), to, options); }};
    auto const known = verify(at, all);
    at.require(!(known.value_at_risk > known.expected_shortfall), "a shortfall below its quantile");
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"order statistics", elements<Place>},
                         {"quantiles", quantiles<Place>},
                         {"top_k", first<Place>},
                         {"risk figures", risk<Place>}});
});

} // namespace
} // namespace random_work
