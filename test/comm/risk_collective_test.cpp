// Risk figures over ranks against those of one place, bit by bit.

#include "communicator.hpp"
#include "verbs.hpp"

#include <warpfold/comm/risk.hpp>

#include <cmath>
#include <limits>

namespace risk_collective_test {

using test::on_parts;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::risk_figures, pricing::risk_options;

#ifdef __SANITIZE_THREAD__ // whose barriers take long
std::vector<double> const levels{0.9};
#else
std::vector<double> const levels{0.01, 0.5, 0.975};
#endif

template <class T>
std::vector<T> some_losses(std::size_t size, int kind, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<T> losses(size);
  for (T& x : losses) {
    double const loss = normal(random);
    if (kind == 0) x = static_cast<T>(100 + 30 * loss);
    else if (kind == 1) x = static_cast<T>(std::round(2 * loss)); // ties
    else x = static_cast<T>(std::ldexp(loss, static_cast<int>(random() % 240) - 120));
  }
  return losses;
}

template <class T, class Place>
void check_split(wf::local_group<Place>& group, std::vector<T> const& losses,
                 risk_options const& options, std::mt19937_64& random) {
  CAPTURE(losses.size());
  CAPTURE(options.level);
  risk_figures const whole = pricing::risk(wf::host(1), losses, options);
  on_parts(group, losses, random, [&](auto& comm, auto part) {
    CHECK(test::agree(pricing::risk(comm, part, options), whole));
  });
}

template <class T, class Place>
void check_type(wf::local_group<Place>& group, std::mt19937_64& random) {
  for (int const kind : {0, 1, 2})
    for (std::size_t const size : {1, 2, 33, 5003, 70'001}) {
      CAPTURE(kind);
      auto const losses = some_losses<T>(size, kind, random);
      for (double const level : levels)
        check_split(group, losses, {.level = level, .confidence = size == 33 ? 0.5 : 0.95}, random);
    }
}

EVERY_GROUP("risk figures have the same bits for every split over ranks") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  check_type<float>(group, random);
#ifndef __SANITIZE_THREAD__ // for which types differ in the width of their keys alone
  check_type<double>(group, random);
#endif
}

EVERY_GROUP("risk figures of ranks with NaN, infinities and large losses") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  using limits = std::numeric_limits<double>;
  for (double const x : {limits::quiet_NaN(), -limits::quiet_NaN(), limits::infinity(),
                         -limits::infinity(), limits::max(), 1e200})
    for (std::size_t const count : {1, 300, 990}) {
      CAPTURE(x);
      CAPTURE(count);
      auto losses = some_losses<double>(1000, 0, random);
      std::fill_n(losses.begin(), count, x);
      std::shuffle(losses.begin(), losses.end(), random);
      for (double const level : levels) check_split(group, losses, {.level = level}, random);
    }
}

FAST_EVERY_GROUP("all losses on one rank, or as many on each") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  for (int owner = -1; owner < group.size(); ++owner) {
    auto const losses = some_losses<float>(960, 0, random);
    auto const ranks = static_cast<std::size_t>(group.size());
    risk_figures const whole = pricing::risk(wf::host(1), losses);
    group.run([&](wf::communicator<Place>& comm) {
      std::size_t const each = losses.size() / ranks, r = static_cast<std::size_t>(comm.rank());
      std::vector<float> own;
      if (owner == comm.rank()) own = losses;
      if (owner < 0)
        own = test::part_of(losses, r * each, r + 1 < ranks ? each : losses.size() - r * each);
      test::memory_of<Place, float> part(comm.place(), own);
      CHECK(test::agree(pricing::risk(comm, part.all()), whole));
    });
  }
}

TEST_CASE("ranks without any losses, or with bad options, refuse") {
  std::vector<double> const losses{1, 2, 3};
  for (int const ranks : {1, 3}) {
    auto const refusing = [&](char const* argument, bool are_none, risk_options const& options) {
      wf::local_group<wf::host> group(ranks);
      // Who refuses first ends the group.
      auto const found = test::failing(
          group, "",
          [&](auto& comm) {
            auto const own = std::span(losses).first(are_none ? 0 : losses.size());
            static_cast<void>(pricing::risk(comm, own, options));
          },
          argument);
      CHECK(found.refused > 0);
      CHECK(found.refused + found.noticed == ranks);
    };
    refusing("losses", true, {});
    for (double const bad : {0., 1., -0.5, std::numeric_limits<double>::quiet_NaN()}) {
      refusing("options.level", false, {.level = bad});
      refusing("options.confidence", false, {.confidence = bad});
    }
  }
}

TEST_CASE("ranks that ask for other risk figures notice") {
  std::vector<float> const losses(100, 0.5F);
  std::vector<double> const others(100, 0.5);
  auto const noticing = [&](auto call) {
    wf::local_group<wf::host> group(3);
    return test::ranks_noticing(group, "other arguments",
                                [&](auto& comm) { call(comm, comm.rank() == 1); });
  };
  CHECK(noticing([&](auto& comm, bool other) {
          static_cast<void>(pricing::risk(comm, losses, {.level = other ? 0.9 : 0.95}));
        }) == 3);
  CHECK(noticing([&](auto& comm, bool other) {
          static_cast<void>(pricing::risk(comm, losses, {.confidence = other ? 0.9 : 0.95}));
        }) == 3);
  CHECK(noticing([&](auto& comm, bool other) {
          if (other) static_cast<void>(pricing::risk(comm, others));
          else static_cast<void>(pricing::risk(comm, losses));
        }) == 3);
}

} // namespace risk_collective_test
