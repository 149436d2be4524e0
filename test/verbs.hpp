#pragma once
// The verbs that read one array and have one result. Refusals, failing allocations, CUDA graphs,
// threads and random work loop over this table: a new verb of this shape is one line here.

#include "contents.hpp"
#include "twins.hpp"

#include <warpfold/twins.hpp>

#include <concepts>

namespace test {

namespace verbs {

/// Parameters that verbs have behind the values.
template <class Values, class T = typename Values::value_type>
accumulator_t<T> three(Values) {
  return accumulator_t<T>{3};
}
template <class Values, class T = typename Values::value_type>
warpfold::less_than<T> negative(Values) {
  return {T{}};
}
template <class T>
inline constexpr bool has_counting_twins =
    warpfold::detail::compared_predicate<T, warpfold::less_than<T>>;
template <class T>
inline constexpr bool has_norm_twins = warpfold::detail::one_of<T, float, double>;
template <class T>
inline constexpr bool has_bound_twins = has_norm_twins<T> || std::same_as<T, __half>;

} // namespace verbs

// X(verb, header, elements T that twins are compiled for, parameters behind `values`...)
#define WARPFOLD_TEST_VERBS(X)                                                                     \
  X(sum, "reduction.hpp", has_twins<T>)                                                            \
  X(product, "reduction.hpp", has_twins<T>)                                                        \
  X(min, "reduction.hpp", has_twins<T>)                                                            \
  X(max, "reduction.hpp", has_twins<T>)                                                            \
  X(reduce, "reduction.hpp", has_twins<T>, three(values), warpfold::plus{})                        \
  X(transform_reduce, "reduction.hpp", has_twins<T>, three(values), warpfold::plus{},              \
    warpfold::square{})                                                                            \
  X(argmin, "reduction/extrema.hpp", has_twins<T>)                                                 \
  X(argmax, "reduction/extrema.hpp", has_twins<T>)                                                 \
  X(minmax, "reduction/extrema.hpp", has_twins<T>)                                                 \
  X(describe, "reduction/statistics.hpp", has_twins<T>)                                            \
  X(mean, "reduction/statistics.hpp", has_twins<T>)                                                \
  X(variance, "reduction/statistics.hpp", has_twins<T>)                                            \
  X(norm1, "norms.hpp", has_norm_twins<T>)                                                         \
  X(norm2, "norms.hpp", has_norm_twins<T>)                                                         \
  X(norm_inf, "norms.hpp", has_norm_twins<T>)                                                      \
  X(compensated_sum, "reduction/compensated.hpp", has_bound_twins<T>)                              \
  X(exact_sum, "reduction/exact.hpp", false)                                                       \
  X(exact_norm2, "reduction/exact.hpp", false)                                                     \
  X(exact_accumulate, "reduction/exact.hpp", false)                                                \
  X(count_if, "counting.hpp", has_counting_twins<T>, negative(values))                             \
  X(all_of, "counting.hpp", has_counting_twins<T>, negative(values))                               \
  X(any_of, "counting.hpp", has_counting_twins<T>, negative(values))

namespace verbs {

// A type for each verb, verbs::sum<>, or verbs::sum<double> for another accumulator or result;
// `more` is a tag, options or both.
#define WARPFOLD_TEST_VERB(verb, in, compared, ...)                                                \
  template <class... Asked>                                                                        \
  struct verb {                                                                                    \
    static constexpr char const *name = #verb, *async_name = #verb "_async", *header = in;         \
    template <class T>                                                                             \
    static constexpr bool is_compared = compared;                                                  \
                                                                                                   \
    template <class Place, class Values, class... More>                                            \
    static auto now(Place& place, Values values, More... more)                                     \
        -> decltype(warpfold::verb<Asked...>(place, values __VA_OPT__(, ) __VA_ARGS__, more...)) { \
      return warpfold::verb<Asked...>(place, values __VA_OPT__(, ) __VA_ARGS__, more...);          \
    }                                                                                              \
    template <class Place, class Values, class Result, class... More>                              \
    static void later(Place& place, Values values, Result result, More... more) {                  \
      warpfold::verb##_async<Asked...>(place, values __VA_OPT__(, ) __VA_ARGS__, result, more...); \
    }                                                                                              \
  };
WARPFOLD_TEST_VERBS(WARPFOLD_TEST_VERB)
#undef WARPFOLD_TEST_VERB

} // namespace verbs

/// A verb's result for elements of type T, if it takes them.
template <class Verb, class T>
using verb_result = decltype(Verb::now(std::declval<warpfold::host&>(), std::span<T const>()));
template <class Verb, class T>
concept takes = requires {
  typename verb_result<Verb, T>;
};
/// True for verbs with a policy for NaN.
template <class Verb, class T>
concept has_nan_policy = requires(warpfold::host& place, std::span<T const> values) {
  Verb::now(place, values, warpfold::extremum_options{});
};

/// Calls use(verb) for every verb that reads elements of type T.
template <class T, class Use>
void for_each_verb(Use use) {
  auto const turn = [&]<class Verb>(Verb verb) {
    INFO(std::string(Verb::name));
    if constexpr (takes<Verb, T>) use(verb);
  };
#define WARPFOLD_TEST_TURN(verb, ...) turn(verbs::verb<>{});
  WARPFOLD_TEST_VERBS(WARPFOLD_TEST_TURN)
#undef WARPFOLD_TEST_TURN
}

// ---- results ------------------------------------------------------------------------------------

/// The type that stores a result in a vector: elements of a vector of bool have no addresses.
template <class R>
using stored_t = std::conditional_t<std::same_as<R, bool>, unsigned char, R>;
template <class Place, class R>
view_t<Place, R> as_results(view_t<Place, stored_t<R>> stored) {
  return {reinterpret_cast<R*>(stored.data()), stored.size()};
}

/// One result in the memory of a place.
template <class Place, class R>
class result_of {
public:
  explicit result_of(Place& place) : memory_(place, std::vector<stored_t<R>>(1)) {}
  view_t<Place, R> view() { return as_results<Place, R>(memory_.all()); }
  R get() { return static_cast<R>(memory_.get(0)); }

private:
  memory_of<Place, stored_t<R>> memory_;
};

/// True for the same bits; two NaN agree, too.
template <class T>
bool agree(T const& a, T const& b) {
  if constexpr (std::floating_point<T>) return (a != a && b != b) || same_bits(a, b);
  else return a == b;
}
template <class A, template <class> class Pair>
requires warpfold::detail::one_of<Pair<A>, warpfold::bounded<A>, warpfold::extremum<A>,
                                  warpfold::min_max<A>>
bool agree(Pair<A> const& a, Pair<A> const& b) {
  auto const& [first, second] = a;
  auto const& [other_first, other_second] = b;
  return agree(first, other_first) && agree(second, other_second);
}
/// Compares only what counting and comparing alone determine: twins have these bits, too.
template <class A>
bool agree_but_for_moments(warpfold::description<A> const& a, warpfold::description<A> const& b) {
  return a.count == b.count && a.nan_count == b.nan_count && agree(a.min, b.min) &&
         agree(a.max, b.max) && a.argmin == b.argmin && a.argmax == b.argmax;
}
template <class A>
bool agree(warpfold::description<A> const& a, warpfold::description<A> const& b) {
  return agree_but_for_moments(a, b) && agree(a.mean, b.mean) && agree(a.m2, b.m2) &&
         agree(a.m3, b.m3) && agree(a.m4, b.m4);
}
inline bool agree(warpfold::pricing::risk_figures const& a,
                  warpfold::pricing::risk_figures const& b) {
  return agree(a.value_at_risk, b.value_at_risk) && agree(a.lower, b.lower) &&
         agree(a.upper, b.upper) && agree(a.expected_shortfall, b.expected_shortfall) &&
         agree(a.standard_error, b.standard_error) && a.losses == b.losses;
}
inline bool agree(warpfold::pricing::estimate const& a, warpfold::pricing::estimate const& b) {
  return agree(a.value, b.value) && agree(a.standard_error, b.standard_error) &&
         agree(a.lower, b.lower) && agree(a.upper, b.upper) && a.paths == b.paths &&
         a.paying == b.paying && a.too_few_paid == b.too_few_paid;
}
inline bool agree(warpfold::pricing::exercise_estimate const& a,
                  warpfold::pricing::exercise_estimate const& b) {
  return agree(a.price, b.price) && agree(a.in_sample, b.in_sample) &&
         a.regressions == b.regressions && a.least_rank == b.least_rank;
}
template <class T>
bool agree(std::vector<T> const& a, std::vector<T> const& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](T const& x, T const& y) { return agree(x, y); });
}

} // namespace test
