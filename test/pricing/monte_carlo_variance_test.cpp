// Greeks by simulation, reduced variances, scrambled Sobol sequences, and stopping at an error.

#include "monte_carlo.hpp"

#include <pricing/european/monte_carlo_backend.hpp>

#include <limits>

namespace monte_carlo_variance_test {

using namespace test;
using namespace test::pricing;
using warpfold::pricing::simulation_progress;

/// Many standard normal numbers: none too large, and their squares' mean near 1.
void check_normal(std::vector<double> const& z) {
  double squares = 0;
  for (double const x : z) {
    CHECK(std::abs(x) < 4.75);
    squares += x * x;
  }
  double const n = static_cast<double>(z.size());
  CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2 / n));
}

/// Independent streams, so that errors are independent of each other.
template <class Place>
std::vector<double> z_of_values(Place& place, europeans<float> const& options,
                                european_simulation_options how) {
  simulated<Place, float> book(place, options);
  how.independent = true;
  auto const got = book.values(how);
  std::vector<double> z;
  for (std::size_t i = 0; i < options.size(); ++i)
    z.push_back(z_score(got[i], exact_of(options[i]).mean));
  return z;
}

/// Options that one path in 10^3 to 10^8 pays for.
template <class T>
europeans<T> far_options() {
  europeans<T> options;
  for (int i = 0; i < 40; ++i) {
    auto const far = static_cast<T>(i % 20);
    if (i < 20) options.push_back({option_kind::call, {100, 190 + 8 * far, 1, T(0.2), T(0.02), 0}});
    else options.push_back({option_kind::put, {100, 55 - far, 1, T(0.2), T(0.02), 0}});
  }
  return options;
}

EVERY_PLACE_OF("simulated Greeks are Black and Scholes's", T, float, double) {
  auto const paths = on<Place, std::uint64_t>(1 << 15, 1 << 22);
  for (bool const antithetic : {false, true})
    for (bool const importance : {false, true}) {
      CAPTURE(antithetic);
      CAPTURE(importance);
      auto const options = importance ? far_options<T>() : random_europeans<T>(60, 21);
      auto const all = simulated<Place, T>(place, options)
                           .all({.paths = paths,
                                 .seed = 77,
                                 .independent = true,
                                 .antithetic = antithetic,
                                 .importance = importance});
      for (std::size_t k = 0; k < all.size(); ++k) {
        CAPTURE(k);
        std::vector<double> z;
        for (std::size_t i = 0; i < options.size(); ++i) {
          auto const& one = all[k][i];
          z.push_back(z_score(one, exact_of(options[i]).columns()[k]));
          CHECK(one.paths == paths);
          if (importance) CHECK(one.paying > paths / 4); // they do drift
        }
        check_normal(z);
      }
    }
}

EVERY_PLACE("antithetic paths and the control variate reduce errors") {
  auto const paths = on<Place, std::uint64_t>(1 << 14, 1 << 18);
  auto const options = random_europeans<float>(100, 33);
  simulated<Place, float> book(place, options);
  auto const plain = book.values({.paths = paths, .seed = 5});
  auto const antithetic = book.values({.paths = paths, .seed = 5, .antithetic = true});
  auto const control = book.values({.paths = paths, .seed = 5, .control_variate = true});
  auto const both =
      book.values({.paths = paths, .seed = 5, .antithetic = true, .control_variate = true});
  for (std::size_t i = 0; i < options.size(); ++i) {
    CAPTURE(i);
    CHECK(antithetic[i].standard_error < plain[i].standard_error);
    CHECK(control[i].standard_error < 0.95 * plain[i].standard_error);
    CHECK(both[i].standard_error < antithetic[i].standard_error);
    CHECK(antithetic[i].paths == paths);
    // They look at a path that ends at the strike in different ways.
    CHECK(paying_apart(plain[i], control[i]) <= 2);
  }
  check_normal(z_of_values(place, options, {.paths = paths, .seed = 6, .antithetic = true}));
  check_normal(z_of_values(place, options, {.paths = paths, .seed = 7, .control_variate = true}));
  for (bool const paired : {false, true})
    check_normal(z_of_values(place, far_options<float>(),
                             {.paths = paths,
                              .seed = 8,
                              .antithetic = paired,
                              .control_variate = true,
                              .importance = true}));
}

EVERY_PLACE("drifting paths price what hardly ever pays") {
  auto const paths = on<Place, std::uint64_t>(1 << 14, 1 << 16);
  auto const options = far_options<float>();
  simulated<Place, float> book(place, options);
  auto const got = book.values({.paths = paths, .seed = 5, .importance = true});
  for (std::size_t i = 0; i < options.size(); ++i) {
    CAPTURE(i);
    auto const exact = exact_of(options[i]);
    double const plain_error = exact.deviation / std::sqrt(static_cast<double>(paths));
    CHECK(got[i].standard_error < plain_error / 8);
    CHECK(got[i].standard_error < 0.03 * exact.mean);
    CHECK_FALSE(got[i].too_few_paid);
    CHECK(got[i].paying > paths / 4);
  }
  check_normal(z_of_values(place, options, {.paths = paths, .seed = 9, .importance = true}));
  // Options that pay anyway are priced as before.
  auto const usual = random_europeans<float>(5, 3);
  simulated<Place, float> others(place, usual);
  auto const with = others.values({.paths = paths, .importance = true});
  auto const without = others.values({.paths = paths});
  for (std::size_t i = 0; i < usual.size(); ++i)
    CHECK(with[i].standard_error == doctest::Approx(without[i].standard_error).epsilon(1e-4));
}

// Without randomness there is a value, and no likelihood ratio.
FAST_EVERY_PLACE_OF("simulated Greeks have no likelihood ratio without randomness", T, float,
                    double) {
  auto const put = [](option<T> const& terms) { return european<T>{option_kind::put, terms}; };
  europeans<T> const options{put({90, 100, 0, T(0.2), T(0.1), 0}), put({90, 100, 1, 0, 0, 0}),
                             put({0, 100, 1, T(0.2), 0, 0})};
  auto const all = simulated<Place, T>(place, options).all({.paths = 4096});
  double const values[] = {10, 10, 100}, delta[] = {-1, -1, std::nan("")};
  for (std::size_t i = 0; i < options.size(); ++i) {
    CAPTURE(i);
    CHECK(all[0][i].value == doctest::Approx(values[i]).epsilon(1e-5));
    if (std::isnan(delta[i])) CHECK(std::isnan(all[1][i].value));
    else CHECK(all[1][i].value == doctest::Approx(delta[i]).epsilon(1e-5));
    for (std::size_t k = 4; k < 9; ++k) CHECK(std::isnan(all[k][i].value));
  }
}

// One value for all is the same as an array of them, and one kind too, but for rounding: books of
// one kind need an instruction less.
FAST_EVERY_PLACE_OF("one value for all simulates as an array does", T, float, double) {
  for (auto const kind : {option_kind::call, option_kind::put}) {
    option<T> const base{100, 105, 2, T(0.3), T(0.02), T(0.01)};
    europeans<T> options(5, {kind, base});
    for (std::size_t i = 0; i < options.size(); ++i) options[i].terms.strike += T(i);
    simulated<Place, T> book(place, options);
    auto const expected = book.values({.paths = 30'001, .seed = 4});
    for (std::size_t k : {0, 2, 3, 4, 5}) *members(book.book)[k] = *members(base)[k]; // no strikes
    CHECK(same_estimates(book.values({.paths = 30'001, .seed = 4}), expected));
    book.book.kind = kind;
    auto const of_one_kind = book.values({.paths = 30'001, .seed = 4});
    double const close = 64 * static_cast<double>(std::numeric_limits<T>::epsilon());
    for (std::size_t i = 0; i < options.size(); ++i) {
      CAPTURE(i);
      CHECK(of_one_kind[i].value == doctest::Approx(expected[i].value).epsilon(close));
      CHECK(of_one_kind[i].standard_error ==
            doctest::Approx(expected[i].standard_error).epsilon(close));
      CHECK(paying_apart(of_one_kind[i], expected[i]) <= 1);
    }
  }
}

// The replicates' means tell the error, which is far below that of independent paths.
EVERY_PLACE("scrambled Sobol sequences tell their error") {
  europeans<double> const options{{option_kind::call, {100, 100, 1, 0.2, 0.05, 0}},
                                  {option_kind::put, {100, 110, 2, 0.3, 0.02, 0.01}}};
  simulated<Place, double> book(place, options);
  std::vector<int> inside(options.size());
  std::uint64_t const paths = 32 * 256;
  constexpr int seeds = 1000;
  for (int seed = 0; seed < seeds; ++seed) {
    auto const got = book.values({.paths = paths,
                                  .seed = static_cast<std::uint64_t>(seed),
                                  .stream = 3,
                                  .sampling = sampling::sobol});
    for (std::size_t i = 0; i < options.size(); ++i) {
      auto const exact = exact_of(options[i]);
      inside[i] += holds(got[i], exact.mean);
      CHECK(got[i].standard_error < exact.deviation / std::sqrt(double(paths)) / 5);
      CHECK(got[i].paths == paths);
      CHECK(got[i].paying > paths / 4);
    }
  }
  for (int const count : inside) {
    MESSAGE(count << " of " << seeds);
    CHECK(count > 0.90 * seeds);
    CHECK(count < 0.97 * seeds);
  }
  auto const all =
      book.all({.paths = paths, .importance = true, .sampling = sampling::sobol, .replicates = 16});
  for (std::size_t k = 0; k < all.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(z_score(all[k][1], exact_of(options[1]).columns()[k])) < 5);
  }
}

FAST_EVERY_PLACE("a simulation stops at an error") {
  auto const options = random_europeans<float>(7, 4);
  simulated<Place, float> book(place, options);
  std::vector<simulation_progress> seen;
  european_simulation_options how{.paths = 1 << 22, .seed = 2, .standard_error = 0.05};
  how.progress = [&](simulation_progress const& now) {
    seen.push_back(now);
    return true;
  };
  auto const got = book.values(how);
  REQUIRE(seen.size() > 1);
  CHECK(seen.back().standard_error <= 0.05);
  CHECK(seen[seen.size() - 2].standard_error > 0.05);
  for (std::size_t i = 1; i < seen.size(); ++i) CHECK(seen[i].paths == 2 * seen[i - 1].paths);
  CHECK(seen[0].most_paths == 1 << 22);
  // As one call with these paths.
  auto const at_once = book.values({.paths = got[0].paths, .seed = 2});
  for (std::size_t i = 0; i < options.size(); ++i) {
    CHECK(got[i].standard_error <= 0.05);
    CHECK(got[i].paths == seen.back().paths);
    CHECK(got[i].paying == at_once[i].paying);
    CHECK(got[i].value == doctest::Approx(at_once[i].value).epsilon(1e-6));
    CHECK(got[i].standard_error == doctest::Approx(at_once[i].standard_error).epsilon(1e-5));
  }

  // Cancelled after the second batch; and never good enough.
  int calls = 0;
  how.progress = [&](simulation_progress const&) { return ++calls < 2; };
  how.standard_error = 1e-9;
  CHECK(book.values(how)[0].paths == 1 << 15);
  CHECK(calls == 2);
  how.progress = {};
  how.paths = 50'001;
  CHECK(book.values(how)[0].paths == 50'001);
  // An option that is none is not waited for.
  float const nan = std::numeric_limits<float>::quiet_NaN();
  auto with_none = options;
  with_none.push_back({option_kind::call, {nan, 100, 1, 0.2F, 0, 0}});
  simulated<Place, float> mixed(place, with_none);
  CHECK(mixed.values({.paths = 1 << 22, .seed = 2, .standard_error = 0.05})[0].paths ==
        got[0].paths);
  // Where nothing pays there is no error to speak of, and so no end before the last path.
  simulated<Place, float> worthless(place, {{option_kind::call, {100, 900, 1, 0.2F, 0, 0}}});
  how.paths = 1 << 16;
  how.standard_error = 0.1;
  CHECK(worthless.values(how)[0].paths == 1 << 16);
  how.antithetic = how.control_variate = true;
  CHECK(book.values(how)[0].paths <= 1 << 16);
  simulate(place, book.book, {.gamma = book.to.gamma}, {.paths = 1 << 15, .standard_error = 1});
  CHECK(book.results(4)[0].paths >= 1 << 14);
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: reduced variances are the host's, in every grid", T, float, double) {
    gpu place;
    host there;
    auto options = random_europeans<T>(20, 12);
    auto const far = far_options<T>();
    options.insert(options.end(), far.begin(), far.begin() + 3);
    simulated<gpu, T> here(place, options);
    simulated<host, T> beside(there, options);
    double const ulp = std::numeric_limits<T>::epsilon();
    for (int which = 0; which < 6; ++which) {
      CAPTURE(which);
      bool const all = which == 4;
      european_simulation_options const how{.paths = 16'000,
                                            .seed = 9,
                                            .independent = all,
                                            .antithetic = all || which == 1,
                                            .control_variate = all || which == 2,
                                            .importance = all || which == 3,
                                            .sampling =
                                                which == 5 ? sampling::sobol : sampling::philox};
      bool const with_greeks = !how.control_variate;
      auto const run = [&](auto& book) {
        return with_greeks ? book.all(how) : std::vector<std::vector<estimate>>{book.values(how)};
      };
      auto const expected = run(here);
      in_other_grids(place, [&] {
        auto const again = run(here);
        for (std::size_t k = 0; k < again.size(); ++k) CHECK(same_estimates(again[k], expected[k]));
      });
      auto const others = run(beside);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        CAPTURE(k);
        for (std::size_t i = 0; i < options.size(); ++i) {
          auto const& mine = expected[k][i];
          // A path that one of them lets pay and the other not changes what has a jump.
          double const off = std::abs(mine.value - others[k][i].value);
          CHECK(off <
                64 * ulp * (std::abs(others[k][i].value) + 250 * others[k][i].standard_error));
          CHECK(mine.standard_error ==
                doctest::Approx(others[k][i].standard_error).epsilon(sizeof(T) == 4 ? 1e-3 : 1e-9));
        }
      }
    }
  }
} // TEST_SUITE

} // namespace monte_carlo_variance_test
