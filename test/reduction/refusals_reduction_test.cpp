// What reductions refuse: the argument is named, and nothing is written.

#include "refusals.hpp"

namespace {

using namespace test;
namespace wf = warpfold;

/// What min, max and the searches for them are told to do with NaN.
template <class Place>
void check_policies(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(100);
  auto const result = all.template memory<float>(1);
  auto const found = all.template memory<wf::extremum<float>>(1);
  auto const both = all.template memory<wf::min_max<float>>(1);
  auto const refuses = [&](char const* function, auto call) {
    all.row(function, "options.nan", call);
  };
  for (int const unknown : {-1, 2}) {
    wf::extremum_options const options{.nan = static_cast<wf::nan_policy>(unknown)};
    all.of("reduction.hpp");
    refuses("min", [&] { wf::min(place, values, options); });
    refuses("min_async", [&] { wf::min_async(place, values, result, options); });
    refuses("max", [&] { wf::max(place, values, options); });
    refuses("max_async", [&] { wf::max_async(place, values, result, options); });
    all.of("extrema.hpp");
    refuses("argmin", [&] { wf::argmin(place, values, options); });
    refuses("argmin_async", [&] { wf::argmin_async(place, values, found, options); });
    refuses("argmax", [&] { wf::argmax(place, values, options); });
    refuses("argmax_async", [&] { wf::argmax_async(place, values, found, options); });
    refuses("minmax", [&] { wf::minmax(place, values, options); });
    refuses("minmax_async", [&] { wf::minmax_async(place, values, both, options); });
  }
}

// The verbs are templates: a row's two calls are made of their names.
#define READS(Result, verb)                                                                        \
  all.template reads<float, Result>(                                                               \
      #verb, [&](auto from) { static_cast<void>(wf::verb(place, from)); }, #verb "_async",         \
      [&](auto from, auto to) { wf::verb##_async(place, from, to); })

template <class Place>
void check_reductions(refusals<Place>& all) {
  auto& place = all.place();
  all.of("reduction.hpp");
  READS(float, sum);
  READS(float, product);
  READS(float, min);
  READS(float, max);
  all.template reads<float, float>(
      "reduce", [&](auto from) { wf::reduce(place, from, 0.F, wf::plus{}); }, "reduce_async",
      [&](auto from, auto to) { wf::reduce_async(place, from, 0.F, wf::plus{}, to); });
  all.template reads<float, float>(
      "transform_reduce",
      [&](auto from) { wf::transform_reduce(place, from, 0.F, wf::plus{}, wf::square{}); },
      "transform_reduce_async",
      [&](auto from, auto to) {
        wf::transform_reduce_async(place, from, 0.F, wf::plus{}, wf::square{}, to);
      });

  all.of("extrema.hpp");
  READS(wf::extremum<float>, argmin);
  READS(wf::extremum<float>, argmax);
  READS(wf::min_max<float>, minmax);
  all.of("statistics.hpp");
  READS(wf::description<float>, describe);
  READS(double, mean);
  READS(double, variance);
  all.of("compensated.hpp");
  READS(wf::bounded<float>, compensated_sum);
  all.of("norms.hpp");
  READS(float, norm1);
  READS(float, norm2);
  READS(float, norm_inf);
  all.of("exact.hpp");
  READS(float, exact_sum);
  READS(float, exact_norm2);
  READS(wf::exact_accumulator<float>, exact_accumulate);
}

/// Verbs of two arrays, whose first is right where the second is not.
template <class Place>
void check_products(refusals<Place>& all) {
  auto& place = all.place();
  using span = typename refusals<Place>::template span<float const>;
  span const x = all.template memory<float>(8), short_y{x.data(), 7};
  auto const result = all.template memory<float>(1);
  auto const products = all.template memory<wf::exact_product_accumulator<float>>(1);
  auto const rows = [&](char const* function, auto call) {
    auto const refuses = [&](char const* argument, span a, span b) {
      all.row(function, argument, [&] { call(a, b); });
    };
    for (auto const bad : all.template nowhere<float const>(8)) {
      refuses("x", bad, x);
      refuses("y", x, bad);
    }
    refuses("y", x, short_y);
    refuses("y", short_y, x);
    for (std::size_t const size : impossible) {
      refuses("x", {x.data(), size}, {x.data(), size});
      refuses("y", x, {x.data(), size});
    }
  };
  all.of("norms.hpp");
  rows("dot", [&](span a, span b) { wf::dot(place, a, b); });
  rows("dot_async", [&](span a, span b) { wf::dot_async(place, a, b, result); });
  all.row("dot_async", "result", [&] { wf::dot_async(place, x, x, all.template null<float>(1)); });
  all.of("exact.hpp");
  rows("exact_dot", [&](span a, span b) { wf::exact_dot(place, a, b); });
  rows("exact_dot_async", [&](span a, span b) { wf::exact_dot_async(place, a, b, result); });
  rows("exact_accumulate_products",
       [&](span a, span b) { wf::exact_accumulate_products(place, a, b); });
  rows("exact_accumulate_products_async",
       [&](span a, span b) { wf::exact_accumulate_products_async(place, a, b, products); });
  all.row("exact_accumulate_products_async", "result",
          [&] { wf::exact_accumulate_products_async(place, x, x, products.subspan(0, 0)); });
}

template <class Place>
void check_all() {
  Place place;
  refusals<Place> all(place);
  check_reductions(all);
  check_policies(all);
  check_products(all);
  // And it works as before.
  memory_of<Place, float> ones(place, std::vector<float>(100, 1.F));
  CHECK(wf::sum(place, ones.all()) == 100);
}

TEST_CASE("what reductions on the host refuse") { check_all<wf::host>(); }

template <class Accumulator>
void check_accumulator(refusals<wf::host>& all, char const* deserialize) {
  auto const bytes = Accumulator{}.serialize();
  auto const refuses = [&](std::span<std::byte const> read) {
    all.row(deserialize, "bytes", [&] { static_cast<void>(Accumulator::deserialize(read)); });
  };
  refuses({});
  refuses(std::span(bytes).first(8));
  refuses({static_cast<std::byte const*>(nullptr), bytes.size()});
  for (std::size_t const wrong : {0, 5, 15}) {
    auto other = bytes;
    other[wrong] ^= std::byte{1};
    refuses(other);
  }
}

TEST_CASE("what exact accumulators refuse, and that they keep what they have") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("exact.hpp");
  check_accumulator<wf::exact_accumulator<double>>(all, "exact_accumulator::deserialize");
  check_accumulator<wf::exact_product_accumulator<float>>(all,
                                                          "exact_product_accumulator::deserialize");
  wf::exact_accumulator<float> sum;
  sum.add(5);
  all.row("exact_accumulator::add", "values",
          [&] { sum.add(std::span<float const>(static_cast<float const*>(nullptr), 3)); });
  float const one = 1;
  for (std::size_t const size : impossible)
    all.row("exact_accumulator::add", "values", [&] { sum.add(std::span(&one, size)); });
  CHECK(sum.finish<double>() == 5);
}

TEST_CASE("a null span without elements is empty") {
  CHECK(wf::sum(wf::host(), std::span<int const>()) == 0);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: what reductions on a gpu refuse") { check_all<wf::gpu>(); }
}

} // namespace
