// Exact sums on both places: published cases, orders, specials, accumulators, refusals. That they
// are right for random vectors is exact_mpfr_test.cpp's to say, of the host; here GPU and host must
// agree to the bit.

#include "exact.hpp"
#include "parts.hpp"

#include <algorithm>

namespace exact_test {

using namespace test;
namespace wf = warpfold;

FAST_EVERY_PLACE("published sums") {
  for (published_sum const& one : published_sums())
    for (int const threads : {1, 3}) {
      if (is_gpu<Place> && threads > 1) continue;
      use_threads(place, threads);
      CAPTURE(one.source);
      CAPTURE(one.sum);
      memory_of<Place, double> values(place, one.values);
      CHECK(same_number(wf::exact_sum(place, values.all()), one.sum));
      // They come last after much that cancels, back to front.
      std::vector<double> many(20'000, 0x1.5p60);
      for (std::size_t i = 0; i < many.size(); i += 2) many[i] = -many[i];
      many.insert(many.end(), one.values.rbegin(), one.values.rend());
      memory_of<Place, double> more(place, many);
      CHECK(same_number(wf::exact_sum(place, more.all()), one.sum));
    }
}

template <class T, class Place>
void check_agrees_with_host(Place& place, size_list which) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  wf::host const reference{2};
  for (std::size_t const size : which)
    for (std::size_t const one_in : {0, 1, 1000}) { // with 1000 attempts fail now and then
      CAPTURE(one_in);
      auto const make = [&] { return partly_wild_values<T>(size + 3, one_in, random, 40); };
      auto const a = make(), b = make();
      memory_of<Place, T> y(place, b);
      auto const starts = size > 4096 ? std::vector<std::size_t>{0} : offsets_for(size);
      for_each_part(place, a, {&size, 1}, starts, [&](std::span<T const> u, auto p) {
        auto const first = static_cast<std::size_t>(u.data() - a.data());
        auto const v = std::span<T const>(b).subspan(first, size);
        auto const q = y.view(first, size);
        CHECK(same_bits(wf::exact_sum(place, p), wf::exact_sum(reference, u)));
        CHECK(same_bits(wf::exact_dot(place, p, q), wf::exact_dot(reference, u, v)));
        CHECK(same_bits(wf::exact_norm2(place, p), wf::exact_norm2(reference, u)));
        CHECK(wf::exact_accumulate(place, p) == wf::exact_accumulate(reference, u));
        CHECK(wf::exact_accumulate_products(place, p, q) ==
              wf::exact_accumulate_products(reference, u, v));
      });
    }
}

FAST_EVERY_PLACE_OF("exact sums in any order", T, WARPFOLD_TEST_FLOATS) {
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto values = wild_values<T>(50'021, random, 40);
  auto const once = [&] {
    memory_of<Place, T> there(place, values);
    return wf::exact_accumulate(place, there.all()).serialize();
  };
  auto const first = once();
  for (int round = 0; round < 5; ++round) {
    if (round == 0)
      std::sort(values.begin(), values.end(), [](T a, T b) { return wide(a) < wide(b); });
    else std::shuffle(values.begin(), values.end(), random);
    CHECK(once() == first);
  }
}

FAST_EVERY_PLACE("exact sums with NaN and infinities") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> tame(30'011, 0.5F);
  memory_of<Place, float> values(place, tame), ones(place, std::vector<float>(30'011, 1.0F));
  auto const with = [&](std::vector<std::pair<std::size_t, float>> const& set, float sum,
                        float norm) {
    for (auto const& [i, x] : set) values.set(i, x);
    CHECK(same_number(wf::exact_sum(place, values.all()), sum));
    CHECK(same_number(wf::exact_dot(place, values.all(), ones.all()), sum));
    CHECK(same_number(wf::exact_norm2(place, values.all()), norm));
    for (auto const& [i, x] : set) values.set(i, 0.5F);
  };
  for (std::size_t const at : {std::size_t{0}, std::size_t{17'000}, std::size_t{30'010}}) {
    with({{at, infinity}}, infinity, infinity);
    with({{at, -infinity}}, -infinity, infinity);
    with({{at, nan}}, nan, nan);
    with({{at, infinity}, {5, -infinity}}, nan, infinity);
    with({{at, infinity}, {5, infinity}}, infinity, infinity);
    with({{at, infinity}, {5, nan}}, nan, nan);
  }
  // Infinity times zero.
  values.set(7, infinity);
  ones.set(7, 0.0F);
  CHECK(same_number(wf::exact_dot(place, values.all(), ones.all()), nan));
}

FAST_EVERY_PLACE("known exact norms") {
  auto const norm = [&](std::vector<double> const& values) {
    memory_of<Place, double> there(place, values);
    return wf::exact_norm2(place, there.all());
  };
  CHECK(norm({}) == 0.0);
  CHECK(norm({3.0, -4.0}) == 5.0);
  CHECK(norm({3e300, 4e300}) == 5e300);
  CHECK(norm({0x3p-1060, 0x4p-1060}) == 0x5p-1060);
  CHECK(norm({0x1p-1074}) == 0x1p-1074);
  CHECK(norm({0x1p-1074, 0x1p-1074}) == 0x1p-1074); // 1.41 units
  CHECK(norm({0x1p-1074, 0x1p-1074, 0x1p-1074}) == 0x1p-1073);
  CHECK(norm({std::numeric_limits<double>::max(), 1.0}) == std::numeric_limits<double>::max());
  CHECK(norm({1.7e308, 1.7e308}) == std::numeric_limits<double>::infinity());
}

FAST_EVERY_PLACE("async exact sums, dot products and norms") {
  memory_of<Place, float> x(place, {1e30F, 1.0F, -1e30F}), result(place, {0.0F, 0.0F, 0.0F});
  memory_of<Place, double> wide_result(place, {0.0});
  wf::exact_sum_async(place, x.all(), result.view(0, 1));
  wf::exact_dot_async(place, x.all(), x.all(), result.view(1, 1));
  wf::exact_norm2_async(place, x.all(), result.view(2, 1));
  wf::exact_sum_async<double>(place, x.all(), wide_result.all());
  if constexpr (is_gpu<Place>) place.synchronize();
  CHECK(result.get(0) == 1.0F);
  CHECK(result.get(1) == std::numeric_limits<float>::infinity());
  CHECK(result.get(2) == static_cast<float>(std::sqrt(2.0) * static_cast<double>(1e30F)));
  CHECK(wide_result.get(0) == 1.0);
}

FAST_EVERY_PLACE("what exact sums refuse") {
  memory_of<Place, float> values(place, {1.0F, 2.0F}), result(place, {-77.0F});
  auto const all = values.all();
  auto const null = decltype(all){static_cast<float*>(nullptr), 3};
  using out = decltype(result.all());
  auto const expect = [&](char const* argument, auto call) {
    CHECK(refused_by(call) == argument);
    CHECK(result.get(0) == -77.0F);
  };
  expect("values", [&] { (void)wf::exact_sum(place, null); });
  expect("values", [&] { wf::exact_norm2_async(place, null, result.all()); });
  expect("x", [&] { (void)wf::exact_dot(place, null, all); });
  expect("y", [&] { (void)wf::exact_dot(place, all, null); });
  expect("y", [&] { wf::exact_dot_async(place, all, values.view(0, 1), result.all()); });
  expect("y", [&] { (void)wf::exact_accumulate_products(place, all, values.view(1, 1)); });
  expect("result", [&] { wf::exact_sum_async(place, all, out{}); });
  expect("result", [&] { wf::exact_sum_async(place, all, out{static_cast<float*>(nullptr), 1}); });
}

EVERY_PLACE_OF("exact sums have the bits of any number of threads", T, WARPFOLD_TEST_FLOATS) {
  use_threads(place, 3);
  check_agrees_with_host<T>(place, sizes_up_to(is_gpu<Place> ? largest : 1'000'000));
}

TEST_CASE_TEMPLATE("exact accumulators merge and travel", A, wf::exact_accumulator<float>,
                   wf::exact_accumulator<double>) {
  using T = typename A::value_type;
  auto const seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937_64 random{seed};
  auto const values = wild_values<T>(40'000, random, 40);
  A whole;
  whole.add(std::span<T const>(values));
  A one_by_one;
  for (T const x : values) one_by_one.add(x);
  CHECK(whole == one_by_one);

  // Merged in a random tree, each by way of its bytes.
  std::vector<A> parts(13);
  for (T const x : values) parts[random() % parts.size()].add(x);
  while (parts.size() > 1) {
    std::size_t const at = random() % (parts.size() - 1);
    parts[at].merge(A::deserialize(parts.back().serialize()));
    parts.pop_back();
  }
  CHECK(parts[0] == whole);
  CHECK(same_bits(parts[0].template finish<T>(), wf::exact_sum(wf::host{1}, values)));

  // Merging more often than words have room for.
  A doubled = whole;
  for (int i = 0; i < 3000; ++i) doubled.merge(A{});
  CHECK(doubled == whole);
  CHECK_FALSE(A{} == whole);

  auto const bytes = whole.serialize();
  auto const refused = [&](std::size_t at, std::byte flipped) {
    auto other = bytes;
    other[at] ^= flipped;
    CHECK(refused_by([&] { (void)A::deserialize(other); }) == "bytes");
  };
  CHECK(refused_by([&] { (void)A::deserialize(std::span(bytes).first(8)); }) == "bytes");
  refused(0, std::byte{1});
  refused(15, bytes[15] ^ std::byte{1});
  // The last word counts what is not finite.
  for (std::size_t const bit : {1, 21, 41, 62})
    refused(bytes.size() - 8 + bit / 8, static_cast<std::byte>(1U << bit % 8));
}

/// The sum of 2^63 equal terms, which comes back from its bytes.
template <class A>
void check_most_terms(A const& one) {
  A all = one;
  for (int i = 0; i < 63; ++i) {
    auto const same = all;
    all.merge(same);
    CHECK(A::deserialize(all.serialize()) == all);
  }
  A const read = A::deserialize(all.serialize());
  double const sum = one.template finish<double>();
  CHECK(read.template finish<double>() == std::ldexp(sum, 63));
  CHECK(one.serialize() != all.serialize());
}
TEST_CASE_TEMPLATE("exact accumulators of the most terms travel", T, float, double) {
  constexpr T most = std::numeric_limits<T>::max();
  for (T const sign : {T{1}, T{-1}}) {
    wf::exact_accumulator<T> sum;
    sum.add(sign * most);
    check_most_terms(sum);
    wf::exact_product_accumulator<T> products;
    products.add(sign * most, most);
    check_most_terms(products);
  }
}

TEST_CASE("exact accumulators keep NaN and infinities through any number of merges") {
  wf::exact_accumulator<double> sum, infinite;
  infinite.add(std::numeric_limits<double>::infinity());
  for (int i = 0; i < 22; ++i) { // 2^22 terms
    auto const same = infinite;
    infinite.merge(same);
  }
  sum.merge(infinite);
  CHECK(sum.finish<double>() == std::numeric_limits<double>::infinity());
  wf::exact_product_accumulator<double> products;
  products.add(std::numeric_limits<double>::infinity(), 0.0);
  CHECK(std::isnan(products.finish<double>()));
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: exact sums at few sizes", T, WARPFOLD_TEST_FLOATS) {
    wf::gpu place;
    check_agrees_with_host<T>(place, few_sizes);
  }

  TEST_CASE("accumulators of gpu and host merge") {
    wf::gpu place;
    auto const values = rough_values<float>(300'000, 77);
    memory_of<wf::gpu, float> there(place, values);
    auto sum = wf::exact_accumulate(place, there.view(0, 200'000));
    sum.merge(wf::exact_accumulate(wf::host{2}, std::span(values).subspan(200'000)));
    CHECK(sum == wf::exact_accumulate(place, there.all()));
  }

  TEST_CASE("an exact sum is one kernel, allocates nothing and is replayed") {
    counting_resource memory;
    wf::gpu place(0, &memory);
    for (std::size_t const size : {1, 1'000, 1'048'577}) {
      wf::device_buffer<double> values(place, size), result(place, 1);
      int const allocations = memory.allocations;
      auto const enqueue = [&](auto view) { wf::exact_sum_async(place, view, result.span()); };
      captured const once(place, [&] { enqueue(values.span()); });
      CHECK(memory.allocations == allocations);
      check_replayed<double>(place, size, 1, {1, 2, 3}, enqueue, [&](auto const& other) {
        CHECK(wf::to_vector(place, result.span())[0] == wf::exact_sum(wf::host{2}, other));
      });
    }
  }

  TEST_CASE("3e8 ones, and as many tenths") {
    wf::gpu place;
    wf::device_buffer<float> ones(place, std::vector<float>(300'000'000, 1.0F));
    CHECK(wf::exact_sum(place, ones) == 3e8F);
    wf::device_buffer<float> tenths(place, std::vector<float>(300'000'000, 0.1F));
    CHECK(wf::exact_sum<double>(place, tenths) == 3e8 * static_cast<double>(0.1F));
  }
}

} // namespace exact_test
