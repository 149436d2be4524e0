// Early exercise of the user's own payoffs, on both places.

#include "contents.hpp"
#include "gpu.hpp"
#include "pricing/one_option.hpp"

#include <warpfold/pricing/simulate.cuh>

namespace {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::exercise_estimate;
using pricing::geometric_brownian_motion;
using pricing::path_step;
using pricing::simulation_options;

struct nothing {};

/// A put: the Bermudan one of the built-in options.
template <class T>
struct own_put {
  static constexpr int basis = 4;
  T strike = 100; // with which it is no type for shared memory
  double rate = 0;

  template <class State>
  WARPFOLD_HOST_DEVICE nothing start(State const&) const {
    return {};
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void observe(nothing&, State const&, path_step<T> const&) const {}
  template <class State>
  WARPFOLD_HOST_DEVICE T exercise(nothing const&, State const& path) const {
    return strike - path.price;
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void regressors(nothing const&, State const& path, T (&to)[basis]) const {
    T const x = 5 * (path.price / strike - 1);
    to[0] = 1;
    to[1] = x;
    to[2] = x * x;
    to[3] = x * x * x;
  }
  double discount(double time) const { return std::exp(-rate * time); }
};

/// A call on the average so far, which remembers it.
template <class T>
struct average_call {
  static constexpr int basis = 6;
  T strike;
  double rate;
  struct seen {
    T sum, count;
  };

  template <class State>
  WARPFOLD_HOST_DEVICE seen start(State const&) const {
    return {0, 0};
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void observe(seen& of, State const& path, path_step<T> const&) const {
    of.sum += path.price;
    of.count += 1;
  }
  template <class State>
  WARPFOLD_HOST_DEVICE T exercise(seen const& of, State const&) const {
    return of.sum / of.count - strike;
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void regressors(seen const& of, State const& path, T (&to)[basis]) const {
    T const a = 5 * (of.sum / of.count / strike - 1), x = 5 * (path.price / strike - 1);
    to[0] = 1;
    to[1] = a;
    to[2] = x;
    to[3] = a * a;
    to[4] = a * x;
    to[5] = x * x;
  }
  double discount(double time) const { return std::exp(-rate * time); }
};

template <class T>
geometric_brownian_motion<T> const model{{100, 0, 1, 0.2, 0.1, 0}};

FAST_EVERY_PLACE_OF("a put of one's own with 10 dates is worth the built-in one", T, float,
                    double) {
  simulation_options const options{.paths = 1 << 15, .steps = 10, .seed = 5};
  auto const got = pricing::simulate(place, model<T>, own_put<T>{110, 0.1}, options);
  CHECK(std::abs(got.price.value - 10.4745) < 0.01 + 4 * got.price.standard_error);
  CHECK(std::abs(got.in_sample - 10.4795) < 0.02 + 5 * got.price.standard_error);
  CHECK(got.regressions == 9);
  CHECK(got.least_rank == 4);
  pricing::bermudan_option const built_in{110, 1};
  exercise_estimate other;
  pricing::simulate<T>(place, pricing::black_scholes{100, 0.2, 0.1}, std::span(&built_in, 1),
                       std::span(&other, 1), options);
  // The paths are those of the built-in model.
  CHECK(got.price.value == doctest::Approx(other.price.value).epsilon(1e-3));
  CHECK(paying_apart(got.price, other.price) < 100);
}

EVERY_PLACE_OF("a payoff that remembers may be exercised", T, float, double) {
  simulation_options options{.paths = 1 << 14, .steps = 12, .longest_step = 0.05, .seed = 6};
  auto const got = pricing::simulate(place, model<T>, average_call<T>{100, 0.1}, options);
  // At expiry alone it is an Asian option, worth 7.16 with these fixings (12 of a year).
  CHECK(got.price.value > 7.1);
  CHECK(got.price.value < 9);
  CHECK(got.regressions == 11);
  CHECK(got.least_rank >= 3); // the first average is the price
  options.antithetic = true;
  auto const pairs = pricing::simulate(place, model<T>, average_call<T>{100, 0.1}, options);
  double const error = std::hypot(got.price.standard_error, pairs.price.standard_error);
  CHECK(std::abs(pairs.price.value - got.price.value) < 4 * error);
  CHECK(pairs.in_sample == got.in_sample);
}

EVERY_PLACE_OF("early exercise of one's own has the same bits with and without a wait", T, float,
               double) {
  simulation_options const options{.paths = 5000, .steps = 5, .seed = 7};
  auto const now = pricing::simulate(place, model<T>, own_put<T>{110, 0.1}, options);
  memory_of<Place, exercise_estimate> later(place, std::vector<exercise_estimate>(1));
  pricing::simulate_async(place, model<T>, own_put<T>{110, 0.1}, later.all(), options);
  auto const there = contents(place, later.all())[0];
  CHECK(same_estimate(now.price, there.price));
  CHECK(same_bits(now.in_sample, there.in_sample));
}

TEST_CASE("early exercise of one's own refuses a discount that is none, and Sobol's sequence") {
  wf::host place;
  struct bad_put : own_put<float> {
    double discount(double) const { return 0; }
  };
  CHECK(refused_by([&] {
          pricing::simulate(place, model<float>, bad_put{{110, 0.1}}, {.paths = 64, .steps = 2});
        }) == "payoff.discount");
  CHECK(refused_by([&] {
          pricing::simulate(place, model<float>, own_put<float>{110, 0.1},
                            {.paths = 64, .steps = 2, .sampling = pricing::sampling::sobol});
        }) == "options.sampling");
}

/// Any number of ranks has the bits of one place.
template <class Place>
void check_shared(wf::local_group<Place>& group) {
  CAPTURE(group.size());
  simulation_options options{.paths = 5000, .steps = 5, .seed = 7, .regression_paths = 2000};
  for (bool const antithetic : {false, true}) {
    options.antithetic = antithetic;
    Place alone;
    auto const expected = pricing::simulate(alone, model<float>, own_put<float>{110, 0.1}, options);
    group.run([&](wf::communicator<Place>& comm) {
      auto const got = pricing::simulate(comm, model<float>, own_put<float>{110, 0.1}, options);
      CHECK(same_estimate(got.price, expected.price));
      CHECK(same_bits(got.in_sample, expected.in_sample));
      CHECK(got.regressions == expected.regressions);
      CHECK(got.least_rank == expected.least_rank);
    });
  }
}

TEST_CASE("ranks on a host exercise payoffs of one's own") {
  for (int const ranks : {1, 2, 3}) {
    wf::local_group<wf::host> group(ranks);
    check_shared(group);
  }
  wf::local_group<wf::host> group(2);
  CHECK_THROWS_AS(group.run([](wf::communicator<wf::host>& comm) {
    auto const paths = comm.rank() == 0 ? 300u : 301u;
    pricing::simulate(comm, model<float>, own_put<float>{110, 0.1},
                      {.paths = 500, .steps = 2, .regression_paths = paths});
  }),
                  wf::communication_error);
}

TEST_SUITE("gpu") {
  TEST_CASE("ranks on GPUs exercise payoffs of one's own") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    check_shared(group);
  }
}

} // namespace
