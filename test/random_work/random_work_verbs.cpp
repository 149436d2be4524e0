// Random work: the verbs of the table, dot products, and twins of sums and descriptions.

#include "random_work.hpp"

#include <algorithm>

namespace random_work {
namespace {

namespace verbs = test::verbs;

/// Elements of type T, and the accumulator or result that a verb is asked for.
template <class T, class... Asked>
struct elements {};
#define WARPFOLD_CANDIDATES                                                                        \
  elements<std::int32_t>, elements<std::uint32_t>, elements<std::int64_t>,                         \
      elements<std::uint64_t>, elements<float>, elements<double>, elements<__half>,                \
      elements<__nv_bfloat16>, elements<std::int32_t, std::int64_t>, elements<float, double>,      \
      elements<__half, double>, elements<__nv_bfloat16, double>, elements<double, float>

template <template <class...> class Verb, class T, class... Asked>
constexpr bool is_taken(elements<T, Asked...>) {
  return test::takes<Verb<Asked...>, T>;
}
/// Calls use<T, verb>() for one of the elements that the verb takes.
template <template <class...> class Verb, class Use, class... Candidates>
void with_elements(dice& random, Use use, std::tuple<Candidates...>) {
  std::size_t number = random.below((std::size_t{is_taken<Verb>(Candidates{})} + ...));
  auto const turn = [&]<class T, class... Asked>(elements<T, Asked...>) {
    if constexpr (test::takes<Verb<Asked...>, T>)
      if (number-- == 0) use.template operator()<T, Verb<Asked...>>();
  };
  (turn(Candidates{}), ...);
}

// ---- what is known of results, beside the host's bits -------------------------------------------

template <class Place, class Verb, class T, class R>
void check_known(step<Place>& at, Verb verb, std::vector<T> const& values, R const& got) {
  constexpr std::string_view name = Verb::name;
  [[maybe_unused]] auto const check_exact = [&](R known) {
    at.require(!at.is_exact || agree(got, known), "not the sum or product");
  };
  std::span<T const> const all(values);
  if constexpr (name == "sum") check_exact(test::exact_sum<R>(all));
  else if constexpr (name == "product") check_exact(test::exact_product<R>(all));
  else if constexpr (name == "reduce") check_exact(test::exact_sum<R>(all, 3));
  else if constexpr (name == "transform_reduce") check_exact(test::exact_sum<R>(all, 3, true));
  else if constexpr (name == "compensated_sum") {
    // The value is as near to the exact sum as its bound says.
    if (!std::isfinite(got.value) || !std::isfinite(got.error_bound)) return;
    auto rest = wf::exact_accumulate(one, values);
    rest.add(-got.value);
    at.require(std::abs(rest.template finish<decltype(R::value)>()) <= got.error_bound,
               "the bound does not hold");
  } else if constexpr (name == "exact_sum") {
    std::vector<T> const reversed(values.rbegin(), values.rend());
    at.require(agree(verb.now(one, std::span(reversed)), got), "another order, another sum");
  } else if constexpr (name == "exact_accumulate") {
    R added;
    for (std::size_t i = values.size(); i-- > 0;) added.add(test::wide(values[i]));
    at.require(got == added, "another order, another sum");
  } else if constexpr (name == "mean") {
    at.require(agree(got, wf::describe(one, values).mean), "not that of describe");
  } else if constexpr (name == "variance") {
    at.require(agree(got, wf::describe(one, values).variance()), "not that of describe");
  }
}

// ---- the verbs of the table ---------------------------------------------------------------------

template <class V, class Values, class... Options>
auto forms_of(Values& values, Options... options) {
  return forms{[&, options...](auto& place, auto... twin) {
                 return V::now(place, values.on(place), twin..., options...);
               },
               [&, options...](auto& place, auto result, auto... twin) {
                 V::later(place, values.on(place), result, twin..., options...);
               }};
}

/// Twins round moments otherwise.
template <class Verb>
constexpr bool has_moments =
    wf::detail::one_of<Verb, verbs::describe<>, verbs::mean<>, verbs::variance<>>;

/// Values for which a twin's result has the bits of the fold.
template <class Verb, class T, class Place>
std::vector<T> values_for(step<Place>& at, bool is_by_twin) {
  constexpr bool is_product = std::same_as<Verb, verbs::product<>>;
  if (is_product && (is_by_twin || at.random.one_in(2))) {
    at.is_exact = true;
    return test::factors<T>(at.size(), at.random.seed());
  }
  auto values = values_of<T>(at, at.size(), is_by_twin && !test::has_nan_policy<Verb, T>);
  if (is_product) at.is_exact = false; // it overflows
  return values;
}

template <class Place, template <class...> class Verb>
void check_verb(step<Place>& at) {
  auto const check = [&]<class T, class V>() {
    constexpr bool is_compared =
        std::same_as<V, Verb<>> && V::template is_compared<T> && !has_moments<V>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    input<Place, T> x(at, values_for<V, T>(at, how != twins::fold));
    if constexpr (test::has_nan_policy<V, T>)
      verify<is_compared>(at, forms_of<V>(x, any_policy(at)), how);
    else check_known(at, V{}, x.here, verify<is_compared>(at, forms_of<V>(x), how));
  };
  with_elements<Verb>(at.random, check, std::tuple<WARPFOLD_CANDIDATES>());
}

// ---- others -------------------------------------------------------------------------------------

/// A rung of the ladder, whose bits are the host's, or a vendor in any accumulator.
template <class Place>
void sum_by_twins(step<Place>& at) {
  auto const check = [&]<class T, class V>() {
    using A = test::verb_result<V, T>;
    if constexpr (std::same_as<V, verbs::sum<>>)
      if (at.random.one_in(2)) {
        twins::reducer const rung{test::ladder[at.random.below(std::size(test::ladder))],
                                  32 << at.random.below(6)};
        at.what << ", " << to_string(rung) << " of " << rung.block_threads();
        input<Place, T> x(at, values_of<T>(at, at.size(), at.random.one_in(3)));
        check_known(at, V{}, x.here, verify(at, forms_of<V>(x, rung)));
        return;
      }
    constexpr bool is_compared = test::has_twins<T, A> || step<Place>::on_gpu;
    auto const how = any_twin(at, test::sum_twins_of<T, A>(at.place));
    input<Place, T> x(at, values_of<T>(at, at.size(), true));
    check_known(at, V{}, x.here, verify<is_compared>(at, forms_of<V>(x), how));
  };
  with_elements<verbs::sum>(at.random, check, std::tuple<WARPFOLD_CANDIDATES>());
}

/// From any number on.
template <class Place>
void reduce_from(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half>(at.random, [&]<class T>() {
    constexpr bool is_compared = test::has_twins<T>;
    auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
    input<Place, T> x(at, values_of<T>(at, at.size(), how != twins::fold));
    auto const init = static_cast<test::accumulator_t<T>>(at.random.below(100));
    auto const fold = [&](auto op) {
      verify<is_compared>(at, WARPFOLD_FORMS(wf::reduce, x.on(place), init, op), how);
    };
    if (at.random.one_in(2)) fold(wf::plus{});
    else fold(wf::maximum<>{});
  });
}

bool is_near(double got, double known, double scale) {
  return agree(got, known) || std::abs(got - known) <= 1e-11 * scale;
}
/// Counts and extrema are the host's, moments but for rounding.
template <class Place>
void describe_by_twins(step<Place>& at) {
  with_one_of<std::int32_t, float, double>(at.random, [&]<class T>() {
    auto const tags = test::twins_of(at.place);
    auto const how = tags[1 + at.random.below(tags.size() - 1)];
    at.what << ", " << to_string(how);
    auto const values = values_of<T>(at, at.size(), true);
    array<Place, T> there(at, values);
    auto const got = wf::describe(at.place, view_t<Place, T const>(there.view()), how);
    auto const known = wf::describe(one, values);
    at.require(agree_but_for_moments(got, known), "not the host's counts or extrema");
    double const spread = static_cast<double>(known.max) - static_cast<double>(known.min);
    double const n = static_cast<double>(known.count);
    at.require(is_near(got.mean, known.mean, spread + std::abs(known.mean)), "not the mean");
    at.require(is_near(got.m2, known.m2, known.m2), "not the second moment");
    at.require(is_near(got.m3, known.m3, n * spread * spread * spread), "not the third moment");
    at.require(is_near(got.m4, known.m4, known.m4), "not the fourth moment");
  });
}

template <class Place>
void dot(step<Place>& at) {
  with_one_of<std::int32_t, std::uint64_t, float, double, __half, __nv_bfloat16>(
      at.random, [&]<class T>() {
        using A = test::accumulator_t<T>;
        constexpr bool is_compared = wf::detail::compared_dot<T, A>;
        auto const how = any_twin(at, test::twins_for<is_compared>(at.place));
        bool const is_exact = how != twins::fold || at.random.one_in(3);
        std::size_t const size = at.size();
        input<Place, T> x(at, values_of<T>(at, size, is_exact)),
            y(at, values_of<T>(at, size, is_exact));
        A const got =
            verify<is_compared>(at, WARPFOLD_FORMS(wf::dot, x.on(place), y.on(place)), how);
        if (!is_exact) return;
        test::reference_t<A> sum = 0;
        for (std::size_t i = 0; i < size; ++i)
          sum += static_cast<test::reference_t<A>>(test::wide(x.here[i])) *
                 static_cast<test::reference_t<A>>(test::wide(y.here[i]));
        at.require(agree(got, static_cast<A>(sum)), "not the dot product");
      });
}

template <class Place>
void exact_dot(step<Place>& at) {
  with_one_of<WARPFOLD_TEST_FLOATS>(at.random, [&]<class T>() {
    std::size_t const size = at.size();
    input<Place, T> x(at, values_of<T>(at, size, false)), y(at, values_of<T>(at, size, false));
    auto const in_double =
        forms{[&](auto& place) { return wf::exact_dot<double>(place, x.on(place), y.on(place)); },
              [&](auto& place, auto result) {
                wf::exact_dot_async<double>(place, x.on(place), y.on(place), result);
              }};
    if (at.random.one_in(2)) verify(at, in_double);
    else verify(at, WARPFOLD_FORMS(wf::exact_dot, x.on(place), y.on(place)));
    verify(at, WARPFOLD_FORMS(wf::exact_accumulate_products, x.on(place), y.on(place)));
  });
}

/// Predicates of counts are drawn, too: random_work_counting.cpp.
constexpr bool is_count(std::string_view header) { return header == "counting.hpp"; }

registered const these([]<class Place>(works<Place>& all) {
#define WARPFOLD_WORK(verb, header, ...)                                                           \
  if constexpr (!is_count(header)) all.push_back({#verb, check_verb<Place, verbs::verb>});
  WARPFOLD_TEST_VERBS(WARPFOLD_WORK)
  all.insert(all.end(), {{"sum, twins", sum_by_twins<Place>},
                         {"reduce, from any number", reduce_from<Place>},
                         {"describe, twins", describe_by_twins<Place>},
                         {"dot", dot<Place>},
                         {"exact_dot", exact_dot<Place>}});
});

} // namespace
} // namespace random_work
