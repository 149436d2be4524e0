// Refusals of the reductions' twins: the argument is named, and nothing is written. Twins of other
// areas stand in their tables.

#include "refusals.hpp"
#include "twins.hpp"

#include <warpfold/twins/norms.hpp>
#include <warpfold/twins/statistics.hpp>

namespace {

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

/// Rows of a verb of one array of floats: now(values, tag) and later(values, result, tag).
template <class Result, class Place, class Now, class Later>
void check_verb(refusals<Place>& all, char const* blocking, Now now, char const* async,
                Later later) {
  using span = typename refusals<Place>::template span<float const>;
  auto& place = all.place();
  span const values = all.template memory<float>(20);
  auto const result = all.template memory<Result>(1);
  for (twins::vendor const twin : refused_by_both(place)) {
    all.row(blocking, "twin", [&] { now(values, twin); });
    all.row(async, "twin", [&] { later(values, result, twin); });
  }
  for (twins::vendor const twin : refused_by_async(place))
    all.row(async, "twin", [&] { later(values, result, twin); });

  std::vector<span> bad = refusals<Place>::template nowhere<float const>(3);
  for (std::size_t const size : impossible) bad.push_back({values.data(), size});
  for (twins::vendor const twin : twins_of(place))
    for (span const from : bad) {
      all.row(blocking, "values", [&] { now(from, twin); });
      if (has_async(place, twin)) all.row(async, "values", [&] { later(from, result, twin); });
    }
  for (twins::vendor const twin : async_twins_for<true>(place)) {
    for (auto const to : refusals<Place>::template nowhere<Result>(1))
      all.row(async, "result", [&] { later(values, to, twin); });
    all.row(async, "result", [&] { later(values, result.subspan(0, 0), twin); });
  }
}

// The verbs are templates: a row's two calls are made of their names.
#define TAGGED(Result, verb)                                                                       \
  check_verb<Result>(                                                                              \
      all, #verb, [&](auto from, auto twin) { static_cast<void>(wf::verb(place, from, twin)); },   \
      #verb "_async",                                                                              \
      [&](auto from, auto to, auto twin) { wf::verb##_async(place, from, to, twin); })

template <class Place>
void check_verbs(refusals<Place>& all) {
  auto& place = all.place();
  all.of("twins/reductions.hpp");
  TAGGED(float, sum);
  TAGGED(float, product);
  TAGGED(float, min);
  TAGGED(float, max);
  check_verb<float>(
      all, "reduce", [&](auto from, auto twin) { wf::reduce(place, from, 0.F, wf::plus{}, twin); },
      "reduce_async",
      [&](auto from, auto to, auto twin) {
        wf::reduce_async(place, from, 0.F, wf::plus{}, to, twin);
      });
  check_verb<float>(
      all, "transform_reduce",
      [&](auto from, auto twin) {
        wf::transform_reduce(place, from, 0.F, wf::plus{}, wf::square{}, twin);
      },
      "transform_reduce_async",
      [&](auto from, auto to, auto twin) {
        wf::transform_reduce_async(place, from, 0.F, wf::plus{}, wf::square{}, to, twin);
      });

  all.of("twins/statistics.hpp");
  TAGGED(wf::extremum<float>, argmin);
  TAGGED(wf::extremum<float>, argmax);
  TAGGED(wf::min_max<float>, minmax);
  TAGGED(wf::description<float>, describe);
  TAGGED(double, mean);
  TAGGED(double, variance);

  all.of("twins/norms.hpp");
  TAGGED(float, norm1);
  TAGGED(float, norm2);
  TAGGED(float, norm_inf);
  TAGGED(wf::bounded<float>, compensated_sum);
}

template <class Place>
void check_policies(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(20);
  auto const result = all.template memory<float>(1);
  for (int const unknown : {-1, 2})
    for (twins::vendor const twin : async_twins_for<true>(place)) {
      wf::extremum_options const options{.nan = static_cast<wf::nan_policy>(unknown)};
      all.row("min", "options.nan", [&] { wf::min(place, values, twin, options); });
      all.row("max_async", "options.nan",
              [&] { wf::max_async(place, values, result, twin, options); });
      all.row("argmax", "options.nan", [&] { wf::argmax(place, values, twin, options); });
      all.row("minmax", "options.nan", [&] { wf::minmax(place, values, twin, options); });
    }
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

/// Rungs that are none, blocks that they do not have, and all but sums in the default accumulator.
template <class Place>
void check_classics(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(20);
  auto const result = all.template memory<float>(1);
  auto const wide = all.template memory<double>(1);
  all.of("twins/reductions.hpp");
  auto const of_sums = [&](twins::reducer twin) {
    all.row("sum", "twin", [&] { wf::sum(place, values, twin); });
    all.row("sum_async", "twin", [&] { wf::sum_async(place, values, result, twin); });
    all.row("reduce", "twin", [&] { wf::reduce(place, values, 1.F, wf::plus{}, twin); });
  };
  for (twins::classic const rung : no_classics) of_sums(rung);
  for (twins::classic const rung : ladder) {
    for (int const threads : {0, -32, 16, 33, 96, 2048}) of_sums({rung, threads});
    for (auto const bad : refusals<Place>::template nowhere<float const>(3))
      all.row("sum", "values", [&] { wf::sum(place, bad, rung); });
    auto const refuses = [&](char const* function, auto call) { all.row(function, "twin", call); };
    refuses("sum", [&] { wf::sum<double>(place, values, rung); });
    refuses("sum_async", [&] { wf::sum_async<double>(place, values, wide, rung); });
    refuses("product", [&] { wf::product(place, values, rung); });
    refuses("product_async", [&] { wf::product_async(place, values, result, rung); });
    refuses("reduce", [&] { wf::reduce(place, values, 0.F, wf::maximum<>{}, rung); });
    refuses("reduce_async",
            [&] { wf::reduce_async(place, values, 0.F, wf::multiplies{}, result, rung); });
    refuses("transform_reduce",
            [&] { wf::transform_reduce(place, values, 0.F, wf::plus{}, wf::square{}, rung); });
    refuses("transform_reduce_async", [&] {
      wf::transform_reduce_async(place, values, 0.F, wf::plus{}, wf::square{}, result, rung);
    });
  }
}

/// Vendors' code is not compiled for all elements; `theirs` has _async forms.
template <class Place>
void check_elements(refusals<Place>& all, twins::vendor theirs) {
  auto& place = all.place();
  auto const counts = all.template memory<std::uint32_t>(20);
  auto const floats = all.template memory<float>(20);
  auto const halves = all.template memory<__half>(20);
  auto const bfloats = all.template memory<__nv_bfloat16>(20);
  auto const result = all.template memory<std::uint32_t>(1);
  auto const real = all.template memory<float>(1);
  auto const wide = all.template memory<double>(1);
  auto const refuses = [&](char const* function, auto call) { all.row(function, "twin", call); };
  all.of("twins/reductions.hpp");
  refuses("sum", [&] { wf::sum(place, counts, twins::thrust); });
  refuses("sum", [&] { wf::sum(place, halves, twins::thrust); });
  refuses("sum", [&] { wf::sum<double>(place, floats, twins::thrust); });
  refuses("product", [&] { wf::product(place, counts, theirs); });
  refuses("product_async", [&] { wf::product_async<double>(place, floats, wide, theirs); });
  refuses("min", [&] { wf::min(place, counts, theirs); });
  refuses("max_async", [&] { wf::max_async(place, counts, result, theirs); });
  refuses("reduce", [&] { wf::reduce(place, halves, 0.F, wf::multiplies{}, theirs); });
  refuses("transform_reduce",
          [&] { wf::transform_reduce(place, counts, 0U, wf::plus{}, wf::square{}, theirs); });
  refuses("product", [&] { wf::product(place, counts, twins::ladder_strided); });
  all.of("twins/statistics.hpp");
  refuses("argmin", [&] { wf::argmin(place, counts, theirs); });
  refuses("argmax", [&] { wf::argmax(place, halves, theirs); });
  refuses("minmax", [&] { wf::minmax(place, bfloats, theirs); });
  refuses("describe", [&] { wf::describe(place, counts, theirs); });
  refuses("mean", [&] { wf::mean(place, counts, theirs); });
  refuses("variance_async", [&] { wf::variance_async(place, halves, wide, theirs); });
  all.of("twins/norms.hpp");
  refuses("dot", [&] { wf::dot(place, counts, counts, theirs); });
  refuses("dot", [&] { wf::dot<double>(place, halves, halves, theirs); });
  refuses("dot_async", [&] { wf::dot_async(place, bfloats, bfloats, real, theirs); });
  refuses("norm1", [&] { wf::norm1(place, halves, theirs); });
  refuses("norm2_async", [&] { wf::norm2_async(place, bfloats, real, theirs); });
  refuses("norm_inf", [&] { wf::norm_inf(place, halves, theirs); });
  refuses("compensated_sum", [&] { wf::compensated_sum(place, bfloats, theirs); });
  for (twins::vendor const unknown : no_vendors) {
    refuses("min", [&] { wf::min(place, counts, unknown); });
    refuses("dot", [&] { wf::dot(place, counts, counts, unknown); });
    refuses("norm1", [&] { wf::norm1(place, halves, unknown); });
    refuses("describe", [&] { wf::describe(place, counts, unknown); });
  }
}

FAST_EVERY_PLACE("what the reductions' twins refuse") {
  refusals<Place> all(place);
  check_verbs(all);
  check_policies(all);
  check_products(all);
  check_classics(all);
  check_elements(all, vendor_of(place));
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
    spent_resource memory(2); // what a place has from the start
    wf::gpu place(0, &memory);
    wf::device_buffer<float> const values(maker, std::vector<float>(1'000'003, 1.F));
    all.of("twins/reductions.hpp");
    all.fails<std::bad_alloc>("sum", [&] { wf::sum(place, values, twins::halving); });
    CHECK(wf::sum(place, values) == 1'000'003);
  }
}

} // namespace
