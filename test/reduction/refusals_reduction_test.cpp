// Refusals of reductions: the argument is named, and nothing is written.

#include "refusals.hpp"
#include "verbs.hpp"

#include <cstring>

namespace refusals_reduction_test {

using namespace test;
namespace wf = warpfold;

/// The verbs of the table, and what they refuse to be told about NaN.
template <class Place>
void check_reductions(refusals<Place>& all) {
  auto& place = all.place();
  auto const values = all.template memory<float>(100);
  for_each_verb<float>([&]<class Verb>(Verb verb) {
    using result = verb_result<Verb, float>;
    all.of(Verb::header);
    all.template reads<float, result>(
        Verb::name, [&](auto from) { verb.now(place, from); }, Verb::async_name,
        [&](auto from, auto to) { verb.later(place, from, to); });
    if constexpr (has_nan_policy<Verb, float>) {
      auto const to = all.template memory<result>(1);
      for (int const unknown : {-1, 2}) {
        wf::extremum_options const options{.nan = static_cast<wf::nan_policy>(unknown)};
        all.row(Verb::name, "options.nan", [&] { verb.now(place, values, options); });
        all.row(Verb::async_name, "options.nan", [&] { verb.later(place, values, to, options); });
      }
    }
  });
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
  all.of("reduction/exact.hpp");
  rows("exact_dot", [&](span a, span b) { wf::exact_dot(place, a, b); });
  rows("exact_dot_async", [&](span a, span b) { wf::exact_dot_async(place, a, b, result); });
  rows("exact_accumulate_products",
       [&](span a, span b) { wf::exact_accumulate_products(place, a, b); });
  rows("exact_accumulate_products_async",
       [&](span a, span b) { wf::exact_accumulate_products_async(place, a, b, products); });
  all.row("exact_accumulate_products_async", "result",
          [&] { wf::exact_accumulate_products_async(place, x, x, products.subspan(0, 0)); });
}

FAST_EVERY_PLACE("what reductions refuse") {
  refusals<Place> all(place);
  check_reductions(all);
  check_products(all);
  // And it works as before.
  memory_of<Place, float> ones(place, std::vector<float>(100, 1.F));
  CHECK(wf::sum(place, ones.all()) == 100);
}

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
  // Last words that no sum of 2^63 terms leaves, down to the next to what is accepted.
  for (std::int64_t const last :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        (std::int64_t{1} << 50) + 1, -(std::int64_t{1} << 50) - 1}) {
    auto other = bytes;
    std::memcpy(other.data() + other.size() - 16, &last, sizeof last);
    refuses(other);
  }
}

TEST_CASE("what exact accumulators refuse, and that they keep what they have") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("reduction/exact.hpp");
  check_accumulator<wf::exact_accumulator<double>>(all, "exact_accumulator::deserialize");
  check_accumulator<wf::exact_accumulator<float>>(all, "exact_accumulator::deserialize");
  check_accumulator<wf::exact_product_accumulator<float>>(all,
                                                          "exact_product_accumulator::deserialize");
  check_accumulator<wf::exact_product_accumulator<double>>(
      all, "exact_product_accumulator::deserialize");
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

} // namespace refusals_reduction_test
