// Risk figures: the same bits everywhere and in every grid, captured graphs, workspaces.

#include "pricing/risk_forms.hpp"

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/random.hpp>

namespace risk_bits_test {

using namespace test;
using namespace warpfold;
namespace pricing = warpfold::pricing;

template <class T>
std::vector<T> any_losses(std::size_t size, unsigned seed) {
  std::vector<T> losses(size);
  random::normal(host(), losses, {.seed = seed});
  return losses;
}

EVERY_PLACE_OF("risk figures have the same bits everywhere", T, float, double) {
  for (std::size_t const size : {7, 1000, 32'769, 1'000'003}) {
    CAPTURE(size);
    auto const losses = any_losses<T>(size, 708);
    for (double const level : {0.3, 0.975}) {
      risk_options const options{.level = level};
      auto const wanted = pricing::risk(host(1), losses, options);
      CHECK(agree(figures(place, losses, options), wanted));
      CHECK(agree(pricing::risk(host(2), losses, options), wanted));
      CHECK(agree(pricing::risk(host(7), losses, options), wanted));
    }
  }
}

TEST_SUITE("gpu") {
  TEST_CASE_TEMPLATE("fast: risk figures have the same bits in every grid", T, float, double) {
    auto const losses = any_losses<T>(100'003, 709);
    auto const wanted = pricing::risk(host(), losses);
    for (int const multiprocessors : {0, 1, 3, 50}) {
      gpu place;
      detail::gpu_scratch(place).assume_multiprocessors(multiprocessors);
      CHECK(agree(figures(place, losses, {}), wanted));
    }
  }

  TEST_CASE("fast: captured risk figures are of what is there when they run") {
    for (std::size_t const size : {std::size_t{5000}, std::size_t{70'001}}) {
      gpu place;
      memory_of<gpu, double> there(place, std::vector<double>(size));
      memory_of<gpu, risk_figures> result(place, std::vector<risk_figures>(1));
      risk_options const options{.level = 0.95, .confidence = 0.9};
      captured graph(place,
                     [&] { pricing::risk_async(place, there.all(), result.all(), options); });
      for (unsigned const seed : {710, 711}) {
        auto const losses = any_losses<double>(size, seed);
        copy(place, std::span<double const>(losses), there.all());
        graph.launch();
        graph.launch();
        CHECK(agree(result.get(0), pricing::risk(host(), losses, options)));
      }
    }
  }

  TEST_CASE("risk figures of many losses need a workspace") {
    std::size_t const size = 1 << 23;
    gpu place;
    CHECK(pricing::risk_workspace<float>(size - 1) <= place.workspace_size());
    CHECK(pricing::risk_workspace<float>(size) > place.workspace_size());
    auto const losses = any_losses<float>(size, 712);
    memory_of<gpu, float> there(place, losses);
    memory_of<gpu, risk_figures> result(place, std::vector<risk_figures>(1));
    CHECK_THROWS_AS(pricing::risk_async(place, there.all(), result.all()), argument_error);
    CHECK(agree(result.get(0), {}));
    place.reserve(pricing::risk_workspace<float>(size));
    pricing::risk_async(place, there.all(), result.all());
    CHECK(agree(result.get(0), pricing::risk(host(), losses)));
  }
} // TEST_SUITE

} // namespace risk_bits_test
