// Refusals of the reductions' twins: the argument is named, and nothing is written. Twins of other
// areas stand in their tables.

#include "refusals.hpp"
#include "verbs.hpp"

namespace refusals_twins_test {

using namespace test;
namespace wf = warpfold;

constexpr twins::vendor no_vendors[] = {
    static_cast<twins::vendor>(-1), static_cast<twins::vendor>(3), static_cast<twins::vendor>(99)};
constexpr twins::classic no_classics[] = {static_cast<twins::classic>(-1),
                                          static_cast<twins::classic>(8)};

/// Tags that neither form of a verb takes, and that the _async form does not take.
std::vector<twins::vendor> refused_by_both(wf::host const&) {
  return {no_vendors[0], no_vendors[1], no_vendors[2], twins::cub};
}
std::vector<twins::vendor> refused_by_both(wf::gpu const&) {
  return {no_vendors[0], no_vendors[1], no_vendors[2]};
}
std::vector<twins::vendor> refused_by_async(wf::host const&) { return {}; }
std::vector<twins::vendor> refused_by_async(wf::gpu const&) { return {twins::thrust}; }

/// Rows of a verb of one array of floats.
template <class Place, class Verb>
void check_verb(refusals<Place>& all, Verb verb) {
  using span = typename refusals<Place>::template span<float const>;
  using result_type = verb_result<Verb, float>;
  auto& place = all.place();
  span const values = all.template memory<float>(20);
  auto const result = all.template memory<result_type>(1);
  auto const now = [&](char const* argument, span from, auto... more) {
    all.row(Verb::name, argument, [&] { verb.now(place, from, more...); });
  };
  auto const later = [&](char const* argument, span from, auto to, auto... more) {
    all.row(Verb::async_name, argument, [&] { verb.later(place, from, to, more...); });
  };
  for (twins::vendor const twin : refused_by_both(place)) {
    now("twin", values, twin);
    later("twin", values, result, twin);
  }
  for (twins::vendor const twin : refused_by_async(place)) later("twin", values, result, twin);

  std::vector<span> bad = refusals<Place>::template nowhere<float const>(3);
  for (std::size_t const size : impossible) bad.push_back({values.data(), size});
  for (twins::vendor const twin : twins_of(place))
    for (span const from : bad) {
      now("values", from, twin);
      if (has_async(place, twin)) later("values", from, result, twin);
    }
  for (twins::vendor const twin : async_twins_for<true>(place)) {
    for (auto const to : refusals<Place>::template nowhere<result_type>(1))
      later("result", values, to, twin);
    later("result", values, result.subspan(0, 0), twin);
    if constexpr (has_nan_policy<Verb, float>)
      for (int const unknown : {-1, 2}) {
        wf::extremum_options const options{.nan = static_cast<wf::nan_policy>(unknown)};
        now("options.nan", values, twin, options);
        later("options.nan", values, result, twin, options);
      }
  }
}
#define TAGGED(verb) check_verb(all, verbs::verb<>{})

template <class Place>
void check_verbs(refusals<Place>& all) {
  all.of("twins/reductions.hpp");
  TAGGED(sum);
  TAGGED(product);
  TAGGED(min);
  TAGGED(max);
  TAGGED(reduce);
  TAGGED(transform_reduce);
  all.of("twins/statistics.hpp");
  TAGGED(argmin);
  TAGGED(argmax);
  TAGGED(minmax);
  TAGGED(describe);
  TAGGED(mean);
  TAGGED(variance);
  all.of("twins/norms.hpp");
  TAGGED(norm1);
  TAGGED(norm2);
  TAGGED(norm_inf);
  TAGGED(compensated_sum);
}

template <class Place>
void check_products(refusals<Place>& all) {
  using span = typename refusals<Place>::template span<float const>;
  auto& place = all.place();
  span const x = all.template memory<float>(8), null = refusals<Place>::template null<float>(8);
  auto const result = all.template memory<float>(1);
  auto const both = [&](char const* argument, span a, span b, twins::vendor twin) {
    all.row("dot", argument, [&] { wf::dot(place, a, b, twin); });
    all.row("dot_async", argument, [&] { wf::dot_async(place, a, b, result, twin); });
  };
  all.of("twins/norms.hpp");
  for (twins::vendor const twin : refused_by_both(place)) both("twin", x, x, twin);
  for (twins::vendor const twin : refused_by_async(place))
    all.row("dot_async", "twin", [&] { wf::dot_async(place, x, x, result, twin); });
  for (twins::vendor const twin : async_twins_for<true>(place)) {
    both("x", null, x, twin);
    both("y", x, null, twin);
    both("y", x, x.subspan(1), twin);
    all.row("dot_async", "result",
            [&] { wf::dot_async(place, x, x, refusals<Place>::template null<float>(1), twin); });
  }
}

/// Rows of both forms of a verb that refuses the tag for these values.
template <class T, class Place, class Verb>
void check_tag(Place& place, Verb verb, twins::reducer tag) {
  refusals<Place> all(place);
  all.of(Verb::header);
  auto const values = all.template memory<T>(20);
  auto const result = all.template memory<verb_result<Verb, T>>(1);
  auto const with = [&](auto twin) {
    all.row(Verb::name, "twin", [&] { verb.now(place, values, twin); });
    all.row(Verb::async_name, "twin", [&] { verb.later(place, values, result, twin); });
  };
  if constexpr (requires { verb.now(place, values, tag); }) with(tag);
  else with(tag.as_vendor());
}

/// Rungs that are none, blocks that they do not have, and all but sums in the default accumulator.
template <class Place>
void check_classics(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(20);
  auto const result = all.template memory<float>(1);
  all.of("twins/reductions.hpp");
  auto const of_sums = [&](twins::reducer twin) {
    check_tag<float>(place, verbs::sum<>{}, twin);
    check_tag<float>(place, verbs::reduce<>{}, twin);
  };
  for (twins::classic const rung : no_classics) of_sums(rung);
  for (twins::classic const rung : ladder) {
    for (int const threads : {0, -32, 16, 33, 96, 2048}) of_sums({rung, threads});
    for (auto const bad : refusals<Place>::template nowhere<float const>(3))
      all.row("sum", "values", [&] { wf::sum(place, bad, rung); });
    check_tag<float>(place, verbs::sum<double>{}, rung);
    check_tag<float>(place, verbs::product<>{}, rung);
    check_tag<float>(place, verbs::transform_reduce<>{}, rung);
    all.row("reduce", "twin", [&] { wf::reduce(place, values, 0.F, wf::maximum<>{}, rung); });
    all.row("reduce_async", "twin",
            [&] { wf::reduce_async(place, values, 0.F, wf::multiplies{}, result, rung); });
  }
}

/// Vendors' code is not compiled for elements T, but CUB's sums.
template <class T, class Place>
void check_elements(Place& place) {
  for_each_verb<T>([&]<class Verb>(Verb verb) {
    constexpr bool has_tags = requires(Place & place, view_t<Place, T const> values) {
      verb.now(place, values, twins::fold);
    };
    if constexpr (has_tags && !Verb::template is_compared<T>) {
      check_tag<T>(place, verb, twins::thrust);
      for (twins::vendor const unknown : no_vendors) check_tag<T>(place, verb, unknown);
      if (Verb::name != std::string("sum") && Verb::name != std::string("reduce"))
        check_tag<T>(place, verb, vendor_of(place));
    }
  });
}

/// Nor for all accumulators and operators; `theirs` has _async forms.
template <class Place>
void check_accumulators(refusals<Place>& all, twins::vendor theirs) {
  auto& place = all.place();
  auto const counts = all.template memory<std::uint32_t>(20);
  auto const halves = all.template memory<__half>(20);
  auto const bfloats = all.template memory<__nv_bfloat16>(20);
  auto const real = all.template memory<float>(1);
  auto const refuses = [&](char const* function, auto call) { all.row(function, "twin", call); };
  check_tag<float>(place, verbs::sum<double>{}, twins::thrust);
  check_tag<float>(place, verbs::product<double>{}, theirs);
  check_tag<std::uint32_t>(place, verbs::product<>{}, twins::ladder_strided);
  refuses("reduce", [&] { wf::reduce(place, halves, 0.F, wf::multiplies{}, theirs); });
  refuses("dot", [&] { wf::dot(place, counts, counts, theirs); });
  refuses("dot", [&] { wf::dot<double>(place, halves, halves, theirs); });
  refuses("dot_async", [&] { wf::dot_async(place, bfloats, bfloats, real, theirs); });
  for (twins::vendor const unknown : no_vendors)
    refuses("dot", [&] { wf::dot(place, counts, counts, unknown); });
}

FAST_EVERY_PLACE("what the reductions' twins refuse") {
  refusals<Place> all(place);
  check_verbs(all);
  check_products(all);
  check_classics(all);
  check_elements<std::uint32_t>(place);
  check_elements<__half>(place);
  check_elements<__nv_bfloat16>(place);
  check_accumulators(all, vendor_of(place));
  // And it works as before.
  memory_of<Place, float> ones(place, std::vector<float>(100, 1.F));
  for_each_twin<true>(place,
                      [&](auto... twin) { CHECK(wf::sum(place, ones.all(), twin...) == 100); });
}

TEST_CASE("a null span without elements is empty for all twins") {
  std::span<int const> const nothing;
  for_each_twin<true>(wf::host(), [&](auto... twin) {
    CHECK(wf::sum(wf::host(), nothing, twin...) == 0);
    CHECK(wf::describe(wf::host(), nothing, twin...).count == 0);
  });
  for (twins::classic const rung : ladder) CHECK(wf::sum(wf::host(), nothing, rung) == 0);
}

TEST_SUITE("gpu") {
  TEST_CASE("an async call does not allocate: it refuses, naming the bytes to reserve") {
    wf::gpu place;
    std::size_t const size = 1'000'003;
    memory_of<wf::gpu, float> values(place, std::vector<float>(size, 1.0F));
    memory_of<wf::gpu, float> result(place, {-77.0F});
    auto const enqueue = [&] { wf::sum_async(place, values.all(), result.all(), twins::halving); };
    std::size_t const before = place.workspace_size();
    CHECK(refused_by(enqueue) == "place");
    CHECK(result.get(0) == -77.0F);
    CHECK(place.workspace_size() == before);

    try {
      enqueue();
    } catch (wf::argument_error const& error) {
      std::string const what = error.what();
      place.reserve(std::stoull(what.substr(what.find("reserve(") + 8)));
    }
    enqueue();
    CHECK(result.get(0) == 1'000'003.0F);
  }

  TEST_CASE("a blocking call grows the workspace by itself") {
    wf::gpu place;
    memory_of<wf::gpu, float> values(place, std::vector<float>(1'000'003, 1.0F));
    CHECK(wf::sum(place, values.all(), twins::halving) == 1'000'003.0F);
    CHECK(place.workspace_size() > 1'000'003 * sizeof(float) / 2);
  }

  TEST_CASE("without memory a twin that needs some throws, and the place works on") {
    wf::gpu maker;
    refusals<wf::gpu> all(maker);
    spent_resource memory(3); // what a place has from the start
    wf::gpu place(0, &memory);
    wf::device_buffer<float> const values(maker, std::vector<float>(1'000'003, 1.F));
    all.of("twins/reductions.hpp");
    all.fails<std::bad_alloc>("sum", [&] { wf::sum(place, values, twins::halving); });
    CHECK(wf::sum(place, values) == 1'000'003);
  }
}

} // namespace refusals_twins_test
