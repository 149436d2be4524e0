// Models and payoffs of the user's own, on both places.

#include "gpu.hpp"
#include "pricing/one_option.hpp"
#include "pricing/paths/highest.hpp"

#include <warpfold/pricing/path_options.hpp>
#include <warpfold/pricing/simulate.cuh>

#include <numbers>

namespace {

using namespace test;
namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::estimate;
using pricing::path_step;
using pricing::path_value;
using pricing::simulation_options;

/// E max(0, W_1, ..., W_n) is the sum of E max(0, W_k) / k (Spitzer 1956).
double spitzer(int n, double dt) {
  double sum = 0;
  for (int k = 1; k <= n; ++k) sum += std::sqrt(k * dt / (2 * std::numbers::pi)) / k;
  return sum;
}

FAST_EVERY_PLACE_OF("the highest of a walk's places is Spitzer's", T, float, double) {
  for (bool const antithetic : {false, true})
    for (bool const control : {false, true}) {
      CAPTURE(antithetic);
      CAPTURE(control);
      auto const got = pricing::simulate(place, walk<T>{}, highest<T>{2, 3},
                                         {.paths = 100'000,
                                          .steps = 13,
                                          .horizon = 2,
                                          .seed = 11,
                                          .antithetic = antithetic,
                                          .control_variate = control});
      double const means[] = {3 * spitzer(13, 2. / 13), std::erfc(0.5) / 2};
      for (int k = 0; k < 2; ++k) CHECK(std::abs(z_score(got[k], means[k])) < 4.5);
      CHECK(got[1].standard_error < 0.002);
      CHECK(got[0].standard_error < 0.01);
      CHECK(got[0].paths == 100'000);
    }
  auto const quasi = pricing::simulate(place, walk<T>{}, highest<T>{2, 3},
                                       {.paths = 1 << 16,
                                        .steps = 13,
                                        .horizon = 2,
                                        .control_variate = true,
                                        .sampling = pricing::sampling::sobol});
  CHECK(std::abs(z_score(quasi[0], 3 * spitzer(13, 2. / 13))) < 5.5);
  CHECK(quasi[0].standard_error < 0.003);
}

/// Several normals a step; what is worth something is one of them.
template <class T, int Normals>
struct normals_model {
  using value_type = T;
  static constexpr int normals = Normals;
  struct state {
    int step;
    T wanted;
  };
  int at; ///< of a path's normals

  WARPFOLD_HOST_DEVICE state start() const { return {0, T{0}}; }
  WARPFOLD_HOST_DEVICE void step(state& s, T const (&z)[Normals], path_step<T> const&) const {
    for (int i = 0; i < Normals; ++i)
      if (s.step * Normals + i == at) s.wanted = z[i];
    ++s.step;
  }
};
struct wanted {
  template <class State>
  WARPFOLD_HOST_DEVICE int start(State const&) const {
    return 0;
  }
  template <class State, class T>
  WARPFOLD_HOST_DEVICE void observe(int&, State const&, path_step<T> const&) const {}
  template <class State>
  WARPFOLD_HOST_DEVICE auto value(int, State const& s) const {
    return s.wanted;
  }
};

/// Path p's normals are samples p m ... of the stream, m being their number rounded up.
template <class T, int Normals, class Place>
void check_addresses(Place& place) {
  constexpr int per_block = 16 / sizeof(T);
  wf::detail::address const from{0x123456789abcdef, 0xfedcba9876543};
  for (int const steps : {1, 2, 3, 5}) {
    int const normals = steps * Normals;
    for (int at = 0; at < normals; ++at) {
      CAPTURE(steps);
      CAPTURE(at);
      auto const value = [&](std::uint64_t paths) {
        return pricing::simulate(
                   place, normals_model<T, Normals>{at}, wanted{},
                   {.paths = paths, .steps = steps, .seed = from.seed, .stream = from.stream})
            .value;
      };
      int const rounded_up = (normals + per_block - 1) / per_block * per_block;
      double const first = normal_of<T>(from, static_cast<std::uint64_t>(at)),
                   second = normal_of<T>(from, static_cast<std::uint64_t>(rounded_up + at));
      CHECK(value(1) == first);
      CHECK(value(2) == (first + second) / 2);
    }
  }
}

FAST_EVERY_PLACE("the normals of models have their addresses") {
  check_addresses<float, 1>(place);
  check_addresses<float, 2>(place);
  check_addresses<float, 3>(place);
  check_addresses<float, 6>(place);
  check_addresses<double, 1>(place);
  check_addresses<double, 2>(place);
  check_addresses<double, 3>(place);
}

/// The last time: as it is, and as the sum of the steps' lengths.
struct clock {
  using value_type = double;
  WARPFOLD_HOST_DEVICE double start() const { return 0; }
  WARPFOLD_HOST_DEVICE void step(double& t, double, path_step<double> const& now) const {
    t += now.root * now.root;
  }
};
struct reading {
  static constexpr int results = 3;
  WARPFOLD_HOST_DEVICE double start(double) const { return 0; }
  WARPFOLD_HOST_DEVICE void observe(double& seen, double, path_step<double> const& now) const {
    seen = now.time;
  }
  WARPFOLD_HOST_DEVICE double value(double seen, double t, int k) const {
    return k == 0 ? seen : k == 1 ? t : 1;
  }
};

FAST_EVERY_PLACE("models and payoffs see the times") {
  double const times[] = {0, 0.5, 7};
  auto const at_times = pricing::simulate(place, clock{}, reading{}, {.paths = 3, .times = times});
  CHECK(at_times[0].value == 7);
  CHECK(at_times[1].value == doctest::Approx(7));
  CHECK(at_times[2].value == 1);
  CHECK(at_times[2].standard_error == 0);
  auto const even =
      pricing::simulate(place, clock{}, reading{}, {.paths = 3, .steps = 12, .horizon = 3});
  CHECK(even[0].value == 3);
  CHECK(even[1].value == doctest::Approx(3));
}

/// The steps of a path that a model takes, and those that a payoff sees.
struct counted_steps {
  using value_type = double;
  struct state {
    double time, steps, longest;
  };
  WARPFOLD_HOST_DEVICE state start() const { return {}; }
  WARPFOLD_HOST_DEVICE void step(state& s, double, path_step<double> const& now) const {
    s.steps += 1;
    s.longest = now.length > s.longest ? now.length : s.longest;
    s.time = now.time;
  }
};
struct seen_steps {
  static constexpr int results = 5;
  struct seen {
    double steps, lengths;
  };
  WARPFOLD_HOST_DEVICE seen start(counted_steps::state const&) const { return {}; }
  WARPFOLD_HOST_DEVICE void observe(seen& all, counted_steps::state const& s,
                                    path_step<double> const& now) const {
    all.steps += s.time == now.time ? 1 : 100;
    all.lengths += now.root * now.root;
  }
  WARPFOLD_HOST_DEVICE double value(seen const& all, counted_steps::state const& s, int k) const {
    return k == 0 ? all.steps : k == 1 ? all.lengths : k == 2 ? s.steps : k == 3 ? s.longest : 1;
  }
};

FAST_EVERY_PLACE("payoffs do not see steps between times") {
  double const times[] = {0, 0.5, 7};
  for (double const longest : {0., 0.25, 2., 100.})
    for (auto const from : {pricing::sampling::philox, pricing::sampling::sobol}) {
      CAPTURE(longest);
      auto const got = pricing::simulate(
          place, counted_steps{}, seen_steps{},
          {.paths = 64, .times = times, .longest_step = longest, .sampling = from});
      CHECK(got[0].value == 3);
      CHECK(got[1].value == doctest::Approx(7));
      CHECK(got[2].value == (longest == 0.25 ? 29 : longest == 2 ? 6 : 3));
      CHECK(got[3].value == doctest::Approx(longest == 0.25 ? 0.25 : longest == 2 ? 1.625 : 6.5));
    }
  // A walk's highest place at 13 times is Spitzer's, whatever steps are between.
  for (auto const from : {pricing::sampling::philox, pricing::sampling::sobol}) {
    auto const got = pricing::simulate(place, walk<double>{}, highest<double>{2, 3},
                                       {.paths = 1 << 16,
                                        .steps = 13,
                                        .horizon = 2,
                                        .longest_step = 0.07,
                                        .control_variate = true,
                                        .sampling = from});
    CHECK(std::abs(z_score(got[0], 3 * spitzer(13, 2. / 13))) < 5);
  }
  for (double const bad : {-1., 1e-9, std::nan(""), HUGE_VAL})
    CHECK(refused_by([&] {
            pricing::simulate(place, counted_steps{}, seen_steps{},
                              {.paths = 4, .times = times, .longest_step = bad});
          }) == "options.longest_step");
}

/// The built-in Asian option as a payoff of one's own.
template <class T>
struct average_payoff {
  using state = typename pricing::geometric_brownian_motion<T>::state;
  int fixings;
  double factor;

  WARPFOLD_HOST_DEVICE T start(state const&) const { return T{0}; }
  WARPFOLD_HOST_DEVICE void observe(T& sum, state const& now, path_step<T> const&) const {
    sum += now.price;
  }
  WARPFOLD_HOST_DEVICE T value(T sum, state const&) const {
    T const gain = sum / static_cast<T>(fixings) - 100;
    return gain > 0 ? gain : T{0};
  }
  double discount() const { return factor; }
};

FAST_EVERY_PLACE_OF("payoffs of one's own are as the built-in ones", T, float, double) {
  pricing::asian_option const asian{{100, 100, 0.7, 0.3, 0.05, 0.02}};
  pricing::geometric_brownian_motion<T> const model(asian.terms);
  for (int const steps : {1, 4, 11}) {
    CAPTURE(steps);
    simulation_options own{.paths = 5000, .steps = steps, .horizon = 0.7};
    auto const mine =
        pricing::simulate(place, model, average_payoff<T>{steps, std::exp(-0.05 * 0.7)}, own);
    own.horizon = 1; // the built-in one's times are fractions
    estimate built_in{};
    pricing::simulate<T>(place, std::span(&asian, 1), std::span(&built_in, 1), own);
    double const near = 100 * std::numeric_limits<T>::epsilon();
    CHECK(mine.value == doctest::Approx(built_in.value).epsilon(near));
    CHECK(mine.standard_error == doctest::Approx(built_in.standard_error).epsilon(near));
  }
}

FAST_EVERY_PLACE("what simulations of one's own refuse") {
  auto const refused = [&](simulation_options const& options) {
    return refused_by([&] { pricing::simulate(place, walk<float>{}, highest<float>{}, options); });
  };
  double const back[] = {1, 0.5};
  CHECK(refused({.paths = 10, .steps = 3}) == "(nothing)");
  CHECK(refused({.paths = 0, .steps = 3}) == "options.paths");
  CHECK(refused({.paths = 10}) == "options.steps");
  CHECK(refused({.paths = 10, .steps = 3, .bits = pricing::bits::native}) == "options.bits");
  CHECK(refused({.paths = 10, .steps = 3, .horizon = -1}) == "options.horizon");
  CHECK(refused({.paths = 10, .times = back}) == "options.times");
  CHECK(refused({.paths = 10, .steps = 3, .confidence = 1}) == "options.confidence");
  simulation_options const quasi{.paths = 320, .steps = 3, .sampling = pricing::sampling::sobol};
  CHECK(refused(quasi) == "(nothing)");
  CHECK(refused_by([&] {
          pricing::simulate(place, normals_model<float, 2>{0}, wanted{}, quasi);
        }) == "options.sampling");
}

/// Any number of ranks has the bits of one place.
template <class Place>
void check_shared(wf::local_group<Place>& group) {
  CAPTURE(group.size());
  Place alone;
  highest<float> const payoff{1, 1};
  for (simulation_options const& options :
       {simulation_options{.paths = 50'001, .steps = 4, .seed = 3, .control_variate = true},
        {.paths = 100, .steps = 4, .seed = 4, .control_variate = true},
        {.paths = 3200,
        .steps = 3,
        .control_variate = true,
        .sampling = pricing::sampling::sobol}}) {
    auto const expected = pricing::simulate(alone, walk<float>{}, payoff, options);
    group.run([&](wf::communicator<Place>& comm) {
      auto const got = pricing::simulate(comm, walk<float>{}, payoff, options);
      for (std::size_t k = 0; k < 2; ++k) CHECK(same_estimate(got[k], expected[k]));
    });
  }
}

EVERY_PLACE("simulations of one's own have the same bits with and without a wait") {
  simulation_options const options{.paths = 5000, .steps = 4, .control_variate = true};
  highest<float> const payoff{1, 1};
  memory_of<Place, estimate> results(place, std::vector<estimate>(2));
  pricing::simulate_async(place, walk<float>{}, payoff, results.all(), options);
  auto const expected = pricing::simulate(place, walk<float>{}, payoff, options);
  for (std::size_t k = 0; k < 2; ++k) CHECK(same_estimate(results.get(k), expected[k]));
  CHECK(refused_by([&] {
          pricing::simulate_async(place, walk<float>{}, payoff, results.view(0, 1), options);
        }) == "results");
}

/// Functions of hosts.
struct walk_on_hosts {
  using value_type = double;
  double start() const { return 0; }
  void step(double& x, double z, path_step<double> const& now) const { x += now.root * z; }
};
struct sign_on_hosts {
  int start(double) const { return 0; }
  void observe(int& times, double, path_step<double> const&) const { ++times; }
  double value(int times, double x) const { return times == 3 && x > 0 ? 1 : 0; }
};
TEST_CASE("models and payoffs of hosts, on a host") {
  auto const half = pricing::simulate(wf::host(), walk_on_hosts{}, sign_on_hosts{},
                                      {.paths = 10'000, .steps = 3});
  CHECK(half.standard_error < 0.006);
  CHECK(std::abs(z_score(half, 0.5)) < 4.5);
}

TEST_CASE("ranks on a host simulate models and payoffs of one's own") {
  for (int const ranks : {1, 2, 5}) {
    wf::local_group<wf::host> group(ranks);
    check_shared(group);
  }
}

TEST_SUITE("gpu") {
  TEST_CASE("ranks on GPUs simulate models and payoffs of one's own") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    check_shared(group);
  }

  TEST_CASE_TEMPLATE("simulations have the same bits on every grid, and on the host", T, float,
                     double) {
    wf::gpu place;
    simulation_options const options{
        .paths = 200'001, .steps = 6, .seed = 3, .control_variate = true};
    auto const plan = wf::detail::plan_paths(options);
    highest<T> const payoff{1, 1};
    wf::detail::single_path_problem<walk<T>, highest<T>> const problems{{}, payoff};
    std::vector<wf::detail::path_finish> const finish{{1, 1}, {1, 0}};
    wf::host other;
    auto const expected = pricing::simulate(other, walk<T>{}, payoff, options);
    for (int const blocks : {1, 2, 7, 132, 1000, 100'000}) {
      CAPTURE(blocks);
      wf::device_buffer<estimate> results(place, 2);
      wf::detail::simulate_gpu(place, plan, problems, finish, results.data(), 2, true, blocks);
      auto const got = wf::to_vector(place, results.span());
      for (std::size_t k = 0; k < 2; ++k) CHECK(same_estimate(got[k], expected[k]));
    }
  }

  TEST_CASE("an asynchronous simulation") {
    wf::gpu place;
    wf::device_buffer<estimate> results(place, 2);
    simulation_options const options{.paths = 50'000, .steps = 4, .control_variate = true};
    highest<float> const payoff{1, 1};
    auto const expected = pricing::simulate(place, walk<float>{}, payoff, options);
    captured graph(place, [&] {
      pricing::simulate_async(place, walk<float>{}, payoff, results.span(), options);
    });
    graph.launch();
    CHECK(same_bits(wf::to_vector(place, results.span())[0].value, expected[0].value));
  }

  TEST_CASE_TEMPLATE("an asynchronous simulation needs no more than 1 MiB for many steps", T, float,
                     double) {
    wf::gpu place;
    wf::device_buffer<estimate> results(place, 1);
    int const most = 104'000 / static_cast<int>(sizeof(T)); // as documented
    pricing::geometric_brownian_motion<T> const model({100, 100, 1, 0.2, 0.05, 0});
    auto const simulate = [&](int steps) {
      pricing::simulate_async(place, model, average_payoff<T>{steps, 1}, results.span(),
                              {.paths = 1 << 19, .steps = steps});
    };
    simulate(most);
    CHECK(wf::to_vector(place, results.span())[0].value > 0);
    CHECK(refused_by([&] { simulate(most + most / 10); }) == "place");
  }
}

} // namespace
