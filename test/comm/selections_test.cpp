// Order statistics, quantiles and top_k over ranks against those of the whole array.

#include "communicator.hpp"

#include <warpfold/comm/quantiles.hpp>

#include <limits>

namespace selections_test {

using test::on_parts;
namespace wf = warpfold;

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return test::same_elements(a, b);
}

template <class T>
std::vector<T> some_values(std::size_t size, int kind, std::mt19937_64& random) {
  std::vector<T> values(size);
  for (T& x : values)
    if (kind == 0) x = static_cast<T>(random()) * static_cast<T>(random() % 2 ? 1 : -1);
    else if (kind == 1) x = static_cast<T>(random() % 7);
    else x = T(5);
  if constexpr (std::floating_point<T>)
    for (std::size_t i = 0; i < size; i += 11)
      values[i] = std::array{-T(0), T(0), std::numeric_limits<T>::infinity()}[random() % 3];
  return values;
}

template <class Place, class T>
void check_all(wf::local_group<Place>& group, std::vector<T> const& values,
               std::mt19937_64& random) {
  wf::host const whole(1); // ThreadSanitizer does not know how OpenMP waits
  using Q = wf::detail::quantile_value<T>;
  std::size_t const size = values.size();
  std::vector<std::uint64_t> ranks{size / 2, 0, size - 1};
  std::vector<double> qs{0.5, 0.0, 1.0};
  while (ranks.size() < std::array<std::size_t, 3>{3, 7, 16}[random() % 3]) {
    ranks.push_back(random() % size);
    qs.push_back(static_cast<double>(random() % 1001) / 1000);
  }
  auto const between = static_cast<wf::interpolation>(random() % 5);
  std::vector<T> elements(ranks.size());
  std::vector<Q> points(qs.size());
  wf::order_statistics(whole, values, ranks, elements);
  wf::quantiles(whole, values, qs, points, between);
  on_parts(group, values, random, [&](auto& comm, auto part) {
    CHECK(same_bits(wf::order_statistics(comm, part, ranks), elements));
    CHECK(same_bits(wf::quantiles(comm, part, qs, between), points));
    T const last = wf::nth_element(comm, part, ranks.back());
    CHECK(same_bits<T>({last}, {elements.back()}));
    CHECK(same_bits<Q>({wf::quantile(comm, part, qs.back(), between)}, {points.back()}));
    CHECK(same_bits<Q>({wf::median(comm, part)}, {wf::median(whole, values)}));
  });
}

template <class Place, class T>
void check_top(wf::local_group<Place>& group, std::vector<T> const& values,
               std::mt19937_64& random) {
  wf::host const whole(1);
  std::size_t const size = values.size();
  for (std::size_t const k : {std::size_t{0}, std::size_t{1}, 1 + random() % size, size}) {
    wf::top_k_options const options{.smallest = random() % 2 == 0};
    CAPTURE(k);
    std::vector<T> elements(k);
    std::vector<std::uint64_t> positions(k);
    wf::top_k(whole, values, elements, positions, options);
    on_parts(group, values, random, [&](auto& comm, auto part) {
      auto const found = wf::top_k(comm, part, k, options);
      std::vector<T> there;
      std::vector<std::uint64_t> at;
      for (auto const& [value, index] : found) {
        there.push_back(value);
        at.push_back(index);
      }
      CHECK(at == positions);
      CHECK(same_bits(there, elements));
    });
  }
}

template <class T, class Place>
void check_type(wf::local_group<Place>& group, std::mt19937_64& random) {
  for (int const kind : {0, 1, 2})
    for (std::size_t const size : {1, 20, 5003}) {
      CAPTURE(kind);
      CAPTURE(size);
      auto const values = some_values<T>(size, kind, random);
      check_all(group, values, random);
      check_top(group, values, random);
    }
}

EVERY_GROUP("what ranks select is what the whole has") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  check_type<float>(group, random);
  check_type<std::int64_t>(group, random);
#ifndef __SANITIZE_THREAD__ // for which types differ in the width of their keys alone
  check_type<double>(group, random);
  check_type<std::int32_t>(group, random);
  check_type<std::uint32_t>(group, random);
  check_type<std::uint64_t>(group, random);
#endif
}

EVERY_GROUP("a NaN of one rank is seen by all") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  auto values = some_values<double>(3000, 0, random);
  values[random() % values.size()] = -std::numeric_limits<double>::quiet_NaN();
  check_top(group, values, random);
  on_parts(group, values, random, [&](auto& comm, auto part) {
    double const middle = wf::median(comm, part), least = wf::nth_element(comm, part, 0);
    CHECK(middle != middle);
    CHECK(least != least);
  });
}

TEST_CASE("ranks that ask for other elements notice") {
  std::vector<float> const values(100, 0.5F);
  auto const noticing = [&](auto call) {
    wf::local_group<wf::host> group(3);
    return test::ranks_noticing(group, "other arguments", [&](auto& comm) {
      static_cast<void>(call(comm, comm.rank() == 1 ? 1 : 0));
    });
  };
  CHECK(noticing([&](auto& comm, unsigned i) { return wf::nth_element(comm, values, i); }) == 3);
  CHECK(noticing([&](auto& comm, unsigned i) { return wf::quantile(comm, values, i); }) == 3);
  CHECK(noticing([&](auto& comm, unsigned i) { return wf::top_k(comm, values, i); }) == 3);
  CHECK(noticing([&](auto& comm, unsigned i) {
          return wf::top_k(comm, values, 1, {.smallest = i == 1});
        }) == 3);
  CHECK(noticing([&](auto& comm, unsigned i) {
          return wf::quantile(comm, values, 0.5, static_cast<wf::interpolation>(i));
        }) == 3);
  std::vector<std::int32_t> const others(100, 5);
  CHECK(noticing([&](auto& comm, unsigned i) {
          if (i == 0) return static_cast<double>(wf::median(comm, values));
          return wf::median(comm, others);
        }) == 3);
}

} // namespace selections_test
