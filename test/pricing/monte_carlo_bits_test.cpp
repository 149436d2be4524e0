// Pricing by simulation has the same bits however the work is cut, and the host's unless
// bits are native.

#include "monte_carlo.hpp"

#include <pricing/european/monte_carlo_backend.hpp>

#include <limits>
#include <string>

namespace monte_carlo_bits_test {

using namespace test;
using namespace test::pricing;

TEST_CASE("host: the bits of a simulation do not depend on the number of threads") {
  auto const options = random_europeans<float>(70, 2);
  host one(1), three(3);
  simulated<host, float> a(one, options), b(three, options);
  CHECK(same_estimates(a.values({.paths = 50'000}), b.values({.paths = 50'000})));
}

EVERY_PLACE_OF("a simulation of a book has the same bits with and without a wait", T, float,
               double) {
  simulated<Place, T> book(place, random_europeans<T>(7, 2));
  european_simulation_options const how{.paths = 5000, .seed = 8, .antithetic = true};
  auto const expected = book.all(how);
  simulate(place, book.book, book.to, {.paths = 99});
  simulate_async(place, book.book, book.to, how);
  for (int k = 0; k < book.columns; ++k)
    CHECK(same_estimates(book.results(k), expected[static_cast<std::size_t>(k)]));
}

/// One rank after the other, in one memory: each sees what those before it have simulated, the last
/// one all.
class relay final : public warpfold::pricing::tile_sharing {
public:
  relay(gpu& place, std::uint32_t parts) : place_{place}, parts_{parts} {}

  std::uint32_t part = 0;

  std::uint32_t ranks() const override { return parts_; }
  warpfold::pricing::piece_range own(std::uint32_t pieces) const override {
    std::uint32_t const first = std::min(part * width_of(pieces), pieces);
    return {first, std::min(width_of(pieces), pieces - first)};
  }
  warpfold::pricing::sum_places open(std::size_t rows, std::uint32_t pieces,
                                     std::size_t bytes) override {
    std::size_t const apart = rows * width_of(pieces) * bytes + 512;
    if (part == 0) {
      kept_ = device_buffer<std::byte>(place_, parts_ * apart);
      check(cudaMemsetAsync(kept_.data(), 0xff, kept_.size(), place_.stream()));
    }
    return {kept_.data(), apart, width_of(pieces)};
  }
  void share() override {}

private:
  std::uint32_t width_of(std::uint32_t pieces) const { return (pieces + parts_ - 1) / parts_; }

  gpu& place_;
  std::uint32_t parts_;
  device_buffer<std::byte> kept_;
};

struct run {
  std::size_t size;
  std::uint64_t paths;
  bool independent = false;
};

/// `part` divides the numbers of paths. The last run has more groups of options than there are
/// tickets.
template <class T>
void check_grids(std::uint64_t part) {
  gpu place;
  for (run const& one :
       {run{1, 300'000}, {70, 40'000}, {300, 5001}, {5000, 600}, {600, 5000, true}}) {
    CAPTURE(one.size);
    simulated<gpu, T> book(place, random_europeans<T>(one.size, 2));
    european_simulation_options const how{
        .paths = one.paths / part, .seed = 8, .independent = one.independent};
    auto const expected = book.values(how);
    in_other_grids(place, [&] { CHECK(same_estimates(book.values(how), expected)); });
    if (one.independent) continue;
    CHECK(same_estimates(book.values(how, simulation::stored), expected));
  }
}

/// `part` divides the numbers of paths.
template <class T>
void check_parts(std::uint64_t part) {
  using namespace warpfold::pricing;
  gpu place;
  for (run const& one :
       {run{1, 400'000}, {3, 500}, {70, 40'000}, {600, 90'001}, {1, 1 << 18}, {300, 1 << 18}}) {
    CAPTURE(one.size);
    simulated<gpu, T> book(place, random_europeans<T>(one.size, 2));
    std::uint64_t const paths = one.paths / part;
    auto const expected = book.values({.paths = paths, .seed = 8});
    auto const call = checked_call<T>(book.book, device_estimates{.value = book.to.value},
                                      {.paths = paths, .seed = 8});
    for (std::uint32_t const parts : {1u, 2u, 4u, 7u}) {
      relay sharing(place, parts);
      for (sharing.part = 0; sharing.part < parts; ++sharing.part)
        dispatch(place, call, true, &sharing);
      CHECK(same_estimates(book.results(0), expected));
    }
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("a simulation has the same bits in every grid, and stored", T, float, double) {
    check_grids<T>(1);
  }
  TEST_CASE_TEMPLATE("fast: a short simulation has the same bits in every grid, and stored", T,
                     float, double) {
    check_grids<T>(8);
  }
  TEST_CASE_TEMPLATE("a simulation has the same bits in however many parts", T, float, double) {
    check_parts<T>(1);
  }
  TEST_CASE_TEMPLATE("fast: a short simulation has the same bits in however many parts", T, float,
                     double) {
    check_parts<T>(8);
  }

  TEST_CASE_TEMPLATE("fast: portable simulations on a GPU have the host's bits", T, float, double) {
    gpu place;
    host there(2);
    using warpfold::pricing::bits;
    auto const check = [&](std::size_t size, european_simulation_options how) {
      CAPTURE(size);
      CAPTURE(how.paths);
      auto const options = random_europeans<T>(size, 21);
      simulated<gpu, T> a(place, options);
      simulated<host, T> b(there, options);
      how.bits = bits::portable;
      if (how.control_variate || how.standard_error > 0) {
        CHECK(same_estimates(a.values(how), b.values(how)));
      } else {
        auto const all = a.all(how), here = b.all(how);
        for (std::size_t k = 0; k < all.size(); ++k) CHECK(same_estimates(all[k], here[k]));
        CHECK(same_estimates(a.values(how), b.values(how)));
      }
    };
    // Options that cannot be simulated, or not without an overflow.
    auto const check_odd = [&](std::uint64_t paths) {
      auto options = random_europeans<T>(9, 22);
      T const infinite = std::numeric_limits<T>::infinity();
      options[0].terms.expiry = -1;
      options[1].terms.volatility = -1;
      options[2].terms.spot = std::numeric_limits<T>::quiet_NaN();
      options[3].terms.expiry = infinite;
      options[4].terms.spot = 0;
      options[5].terms.rate = -1, options[5].terms.expiry = 1000;
      for (bool const antithetic : {false, true}) {
        european_simulation_options const how{
            .paths = paths, .antithetic = antithetic, .bits = bits::portable};
        auto const here = simulated<host, T>(there, options).all(how);
        auto const got = simulated<gpu, T>(place, options).all(how);
        for (std::size_t k = 0; k < got.size(); ++k) CHECK(same_estimates(got[k], here[k]));
        CHECK(same_estimates(simulated<gpu, T>(place, options).values(how),
                             simulated<host, T>(there, options).values(how)));
        for (auto const& one : here[0]) CHECK(one.paying <= one.paths);
      }
    };
    for (std::size_t const size : {1, 2, 3, 5, 9, 40, 129, 300})
      for (std::uint64_t const paths : {1, 511, 4098, 70'001}) check(size, {.paths = paths});
    check(3, {.paths = 1 << 20, .seed = 8, .stream = 2});
    check(64, {.paths = 1 << 16});
    check(40, {.paths = 50'000});
    check(70, {.paths = 5000, .independent = true});
    check(7, {.paths = 5002, .antithetic = true});
    check(7, {.paths = 5002, .antithetic = true, .control_variate = true});
    check(9, {.paths = 5001, .importance = true});
    check(5, {.paths = 1 << 17, .standard_error = 1e-9});
    check_odd(1000);
    check_odd(70'002);
    check(6, {.paths = 32 * 700, .sampling = sampling::sobol});
    check(3, {.paths = 128 * 4096, .sampling = sampling::sobol, .replicates = 128});
  }

  TEST_CASE_TEMPLATE("a simulation on a GPU is the host's", T, float, double) {
    gpu place;
    host there;
    auto const options = random_europeans<T>(100, 12);
    for (bool const independent : {false, true}) {
      european_simulation_options const how{
          .paths = 100'001, .seed = 9, .independent = independent};
      auto const a = simulated<gpu, T>(place, options).values(how);
      auto const b = simulated<host, T>(there, options).values(how);
      CHECK(same_estimates(a, b) == (sizeof(T) == 8));
      for (std::size_t i = 0; i < options.size(); ++i) {
        double const close = 4 * static_cast<double>(options[i].terms.strike) *
                             static_cast<double>(std::numeric_limits<T>::epsilon());
        CHECK(std::abs(a[i].value - b[i].value) < close);
        CHECK(std::abs(a[i].standard_error - b[i].standard_error) < close);
        CHECK(paying_apart(a[i], b[i]) <= 1);
      }
    }
  }

  TEST_CASE("a simulation can be captured in a graph") {
    gpu place;
    simulated<gpu, float> book(place, random_europeans<float>(64, 2));
    european_simulation_options const how{.paths = 1 << 16, .seed = 8};
    for (simulation const by : {simulation::fused, simulation::stored, simulation::block_reduce,
                                simulation::blocks_reduce}) {
      CAPTURE(std::string(to_string(by)));
      auto const expected = book.values(how, by);
      captured graph(place,
                     [&] { simulate_async(place, book.book, {.value = book.to.value}, by, how); });
      if (by == simulation::fused) CHECK(graph.is_one_kernel());
      simulate(place, book.book, {.value = book.to.value}, {.paths = 99});
      graph.launch();
      graph.launch();
      CHECK(same_estimates(book.results(0), expected));
    }
  }
} // TEST_SUITE

} // namespace monte_carlo_bits_test
