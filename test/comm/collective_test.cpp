// Reductions over ranks against those of the whole array.

#include "communicator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace collective_test {

using test::group_sizes;
using test::on_parts;
namespace wf = warpfold;

/// Relative to them, or to what they were made of if most of that cancelled.
bool is_close(double a, double b, double tolerance, double scale = 0) {
  return a == b || std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), scale});
}

template <class Place, class T>
void check_verbs(wf::local_group<Place>& group, std::mt19937_64& random) {
  wf::host const whole(1); // ThreadSanitizer does not know how OpenMP waits
  std::size_t const size = 20'011;
  std::vector<T> values(size), ones(size);
  std::uniform_int_distribution<int> small(-8, 8);
  std::normal_distribution<double> normal;
  constexpr bool is_real = std::floating_point<T>;
  for (T& x : values)
    x = is_real ? static_cast<T>(normal(random) * std::exp2(small(random)))
                : static_cast<T>(random());
  for (T& x : ones) x = static_cast<T>(small(random)); // whose sums are exact
  double const tolerance = sizeof(T) == 4 ? 1e-5 : 1e-13;

  on_parts(group, ones, random, [&](auto& comm, auto part) {
    CHECK(wf::sum(comm, part) == wf::sum(whole, ones));
    CHECK(wf::dot(comm, part, part) == wf::dot(whole, ones, ones));
    CHECK(wf::count_if(comm, part, wf::less_than<T>{T(3)}) ==
          wf::count_if(whole, ones, wf::less_than<T>{T(3)}));
    auto const least = wf::argmin(comm, part), expected = wf::argmin(whole, ones);
    CHECK(least.value == expected.value);
    CHECK(least.index == expected.index);
    auto const most = wf::argmax(comm, part), greatest = wf::argmax(whole, ones);
    CHECK(most.value == greatest.value);
    CHECK(most.index == greatest.index);
  });
  on_parts(group, values, random, [&](auto& comm, auto part) {
    CHECK(wf::min(comm, part) == wf::min(whole, values));
    CHECK(wf::max(comm, part) == wf::max(whole, values));
    auto const both = wf::minmax(comm, part);
    CHECK(both.min == wf::min(whole, values));
    CHECK(both.max == wf::max(whole, values));
    auto const all = wf::describe(comm, part), expected = wf::describe(whole, values);
    CHECK(all.count == expected.count);
    CHECK(all.argmin == expected.argmin);
    CHECK(all.argmax == expected.argmax);
    CHECK(all.min == expected.min);
    double const count = static_cast<double>(size), deviation = std::sqrt(expected.m2 / count);
    CHECK(is_close(all.mean, expected.mean, 1e-12, deviation));
    CHECK(is_close(all.m2, expected.m2, 1e-12));
    CHECK(is_close(all.m3, expected.m3, 1e-9, count * std::pow(deviation, 3)));
    CHECK(is_close(all.m4, expected.m4, 1e-12));
    if constexpr (is_real) {
      CHECK(is_close(wf::sum(comm, part), wf::sum(whole, values), tolerance, count * deviation));
      CHECK(wf::exact_sum(comm, part) == wf::exact_sum(whole, values));
      CHECK(wf::exact_dot(comm, part, part) == wf::exact_dot(whole, values, values));
      CHECK(wf::exact_norm2(comm, part) == wf::exact_norm2(whole, values));
      CHECK(wf::exact_sum<float>(comm, part) == wf::exact_sum<float>(whole, values));
    } else {
      CHECK(wf::sum(comm, part) == wf::sum(whole, values));
      CHECK(wf::product(comm, part) == wf::product(whole, values));
    }
  });

  // Nothing at all, and NaN.
  on_parts(group, std::vector<T>{}, random, [&](auto& comm, auto part) {
    CHECK(wf::sum(comm, part) == 0);
    CHECK(wf::argmin(comm, part).index == 0);
    CHECK(wf::describe(comm, part).count == 0);
    CHECK(std::isnan(wf::describe(comm, part).mean));
  });
  if constexpr (is_real) {
    values[12'345] = std::numeric_limits<T>::quiet_NaN();
    on_parts(group, values, random, [&](auto& comm, auto part) {
      CHECK(std::isnan(wf::max(comm, part)));
      CHECK(wf::argmax(comm, part).index == 12'345);
      wf::extremum_options const ignoring{.nan = wf::nan_policy::ignore};
      CHECK(wf::argmax(comm, part, ignoring).index == wf::argmax(whole, values, ignoring).index);
      CHECK(wf::describe(comm, part).nan_count == 1);
      CHECK(std::isnan(wf::exact_sum(comm, part)));
    });
  }
}

EVERY_GROUP("what ranks reduce is what the whole is reduced to") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  check_verbs<Place, float>(group, random);
  check_verbs<Place, double>(group, random);
  check_verbs<Place, std::int32_t>(group, random);
  check_verbs<Place, std::uint64_t>(group, random);
}

TEST_CASE("a mean is infinite, or NaN, for any number of ranks") {
  double const infinity = std::numeric_limits<double>::infinity();
  wf::host place;
  for (std::vector<double> const& values : {std::vector<double>{infinity, 1, 2, 3},
                                            {1, infinity, infinity, 3},
                                            {1, 2, -infinity, 3},
                                            {1, -infinity, 2, infinity}})
    for (int const ranks : {2, 4}) {
      CAPTURE(ranks);
      double const expected = wf::describe(place, values).mean;
      wf::local_group<wf::host> group(ranks);
      group.run([&](wf::communicator<wf::host>& comm) {
        auto const each = values.size() / static_cast<std::size_t>(ranks);
        auto const part =
            std::span(values).subspan(static_cast<std::size_t>(comm.rank()) * each, each);
        auto const all = wf::describe(comm, part);
        CHECK((all.mean == expected || (std::isnan(all.mean) && std::isnan(expected))));
        CHECK(std::isnan(all.m2));
      });
    }
}

TEST_CASE("exact sums have the same bits for any number of ranks") {
  std::uint64_t const seed = test::new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::vector<double> values(10'007);
  for (double& x : values)
    x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                   static_cast<int>(random() % 1000) - 600);
  double const expected = wf::exact_sum(wf::host(1), values);
  for (int const ranks : group_sizes) {
    wf::local_group<wf::host> group(ranks);
    on_parts(group, values, random,
             [&](auto& comm, auto part) { CHECK(wf::exact_sum(comm, part) == expected); });
  }
}

TEST_CASE("ranks that call different verbs notice") {
  wf::local_group<wf::host> group(3);
  std::vector<float> const values(10, 1.F);
  CHECK(test::ranks_noticing(group, "another verb", [&](auto& comm) {
          if (comm.rank() == 1) static_cast<void>(wf::max(comm, values));
          else static_cast<void>(wf::sum(comm, values));
        }) == 3);
}

TEST_CASE("ranks that give other types, policies or predicates notice") {
  std::vector<double> const values{1, 2, 3};
  std::vector<float> const narrow{1, 2};
  std::vector<std::int64_t> const whole{1, 2};
  auto const disagree = [&](auto call) {
    wf::local_group<wf::host> ranks(3);
    return test::ranks_noticing(ranks, "other arguments", [&](auto& comm) {
             bool const other = comm.rank() == 1;
             call(comm, other,
                  wf::extremum_options{other ? wf::nan_policy::ignore : wf::nan_policy::propagate});
           }) == 3;
  };
  CHECK(disagree([&](auto& comm, bool other, auto) {
    static_cast<void>(other ? wf::sum<double>(comm, narrow) : wf::sum<double>(comm, values));
  }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    if (other) static_cast<void>(wf::product(comm, whole));
    else static_cast<void>(wf::product(comm, values));
  }));
  CHECK(
      disagree([&](auto& comm, bool, auto nan) { static_cast<void>(wf::min(comm, values, nan)); }));
  CHECK(
      disagree([&](auto& comm, bool, auto nan) { static_cast<void>(wf::max(comm, values, nan)); }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    if (other) static_cast<void>(wf::describe(comm, std::vector<std::uint64_t>{1, 2}));
    else static_cast<void>(wf::describe(comm, values));
  }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    if (other) static_cast<void>(wf::sum<double>(comm, whole));
    else static_cast<void>(wf::sum(comm, whole));
  }));
  CHECK(disagree(
      [&](auto& comm, bool, auto nan) { static_cast<void>(wf::argmin(comm, values, nan)); }));
  CHECK(disagree(
      [&](auto& comm, bool, auto nan) { static_cast<void>(wf::minmax(comm, values, nan)); }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    static_cast<void>(wf::count_if(comm, values, wf::greater_than{other ? 1.0 : 2.0}));
  }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    static_cast<void>(other ? wf::any_of(comm, values, wf::less_than{1.0})
                            : wf::any_of(comm, values, wf::greater_than{1.0}));
  }));
  CHECK(disagree([&](auto& comm, bool other, auto) {
    static_cast<void>(other ? wf::all_of(comm, values, wf::is_nan{})
                            : wf::all_of(comm, values, wf::is_finite{}));
  }));
  CHECK(!disagree([&](auto& comm, bool other, auto) {
    static_cast<void>(wf::count_if(comm, values, wf::equal_to{other ? -0.0 : 0.0}));
  }));
}

TEST_CASE("a bad argument on one rank is an error on all") {
  wf::local_group<wf::host> group(3);
  CHECK(test::refused_by([&] {
          group.run([&](wf::communicator<wf::host>& comm) {
            std::span<float const> const bad(static_cast<float const*>(nullptr),
                                             comm.rank() == 2 ? 5 : 0);
            static_cast<void>(wf::sum(comm, bad));
          });
        }) == "values");
}

} // namespace collective_test
