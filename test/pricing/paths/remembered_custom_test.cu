// What payoffs of one's own may remember of a path on a host.

#include "pricing/paths/highest.hpp"
#include "support.hpp"

#include <warpfold/pricing/simulate.cuh>

#include <cstddef>

namespace remembered_test {

namespace wf = warpfold;
namespace pricing = warpfold::pricing;
using pricing::path_step;
using pricing::path_value;
using pricing::simulation_options;
using test::highest;
using test::walk;

/// A number with a copy constructor of its own.
template <class T>
struct remembered {
  T number;
  WARPFOLD_HOST_DEVICE remembered(T of) : number{of} {}
  WARPFOLD_HOST_DEVICE remembered(remembered const& other) : number{other.number} {}
};
/// A number that a stack has no room for many of.
template <class T>
struct spacious {
  T number, others[4096]{};
};

/// `highest`, remembered as Seen.
template <class T, class Seen>
struct highest_as {
  static constexpr int results = highest<T>::results;
  highest<T> of;

  WARPFOLD_HOST_DEVICE Seen start(T) const { return {T{0}}; }
  WARPFOLD_HOST_DEVICE void observe(Seen& seen, T w, path_step<T> const& now) const {
    of.observe(seen.number, w, now);
  }
  WARPFOLD_HOST_DEVICE path_value<T> value(Seen const& seen, T w, int k) const {
    return of.value(seen.number, w, k);
  }
  double discount(int k) const { return of.discount(k); }
  double control_mean(int k) const { return of.control_mean(k); }
};

TEST_CASE_TEMPLATE("on a host paths are walked one by one where payoffs remember much, or what is "
                   "not copied freely",
                   T, float, double) {
  wf::host place;
  for (bool const antithetic : {false, true}) {
    simulation_options const options{.paths = 1000, .steps = 5, .antithetic = antithetic};
    highest<T> const plain{2, 3};
    auto const expected = pricing::simulate(place, walk<T>{}, plain, options);
    auto const check = [&](auto payoff) {
      auto const got = pricing::simulate(place, walk<T>{}, payoff, options);
      for (std::size_t k = 0; k < expected.size(); ++k) CHECK(got[k].value == expected[k].value);
    };
    check(highest_as<T, remembered<T>>{plain});
    check(highest_as<T, spacious<T>>{plain});
  }
}

/// A payoff whose namespace has functions of names that the library uses.
namespace decoys {

template <class T>
struct ordinary : highest<T> {};

template <class... Any>
int values_of(Any const&...) {
  return 0;
}
template <class... Any>
void take_step(Any&&...) {}
template <class... Any>
void look(Any&&...) {}
template <class... Any>
void finish_of(Any&&...) {}
template <class... Any>
void value_of_path(Any&&...) {}
template <class... Any>
void finish_sample(Any&&...) {}
template <class... Any>
void walk_path(Any&&...) {}
template <class... Any>
void simulate_host(Any&&...) {}

} // namespace decoys

TEST_CASE_TEMPLATE("functions beside a payoff do not take the place of the library's", T, float,
                   double) {
  wf::host place;
  for (bool const antithetic : {false, true}) {
    simulation_options const options{.paths = 1000, .steps = 5, .antithetic = antithetic};
    auto const expected = pricing::simulate(place, walk<T>{}, highest<T>{2, 3}, options);
    auto const got = pricing::simulate(place, walk<T>{}, decoys::ordinary<T>{{2, 3}}, options);
    CHECK(expected[0].value > 0);
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(got[k].value == expected[k].value);
  }
}

} // namespace remembered_test
