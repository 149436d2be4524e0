// Refusals of sums by index of ranks: the argument is named, and nothing is written.

#include "communicator.hpp"
#include "refusals.hpp"

#include <array>

namespace refusals_scatter_ranks_test {

using namespace test;
namespace wf = warpfold;

/// The rows of a group of one, each of a new one.
template <class Place, class Group>
void check_refusals(Place& place, Group group_of_one) {
  refusals<Place> all(place);
  using span = view_t<Place, float const>;
  using indices = view_t<Place, int const>;
  span const values = all.template memory<float>(20);
  indices const at = all.template memory<int>(20);
  auto const results = all.template memory<float>(10);
  all.of("comm/scatter.hpp");
  auto const sums = [&](char const* argument, span v, indices i, view_t<Place, float> to,
                        wf::scatter_options how = {}) {
    all.row("scatter_sum", argument, [&] {
      group_of_one().run([&](auto& comm) { wf::scatter_sum(comm, v, i, {1, 20}, to, how); });
    });
    all.row("scatter_sum", argument,
            [&] { group_of_one().run([&](auto& comm) { wf::scatter_sum(comm, v, i, to, how); }); });
  };
  auto const weights = [&](char const* argument, span v, span w, view_t<Place, float> to,
                           wf::even_bins<float> bins = {10, 0, 1}) {
    all.row("histogram", argument, [&] {
      group_of_one().run([&](auto& comm) { wf::histogram(comm, v, w, bins, {1, 20}, to); });
    });
    all.row("histogram", argument,
            [&] { group_of_one().run([&](auto& comm) { wf::histogram(comm, v, w, bins, to); }); });
  };
  for (auto const bad : refusals<Place>::template nowhere<float const>(20)) {
    sums("values", bad, at, results);
    weights("values", bad, values, results);
    weights("weights", values, bad, results);
  }
  for (auto const bad : refusals<Place>::template nowhere<int const>(20))
    sums("indices", values, bad, results);
  for (auto const bad : refusals<Place>::template nowhere<float>(10)) {
    sums("results", values, at, bad);
    weights("results", values, values, bad);
  }
  sums("indices", values, at.subspan(1), results);
  sums("options.components", values, at, results, {.components = 0});
  weights("weights", values, values.subspan(1), results);
  weights("results", values, values, results.subspan(1));
  weights("bins", values, values, results, {0, 0, 1});
  all.row("scatter_sum", "bound.sum", [&] {
    group_of_one().run([&](auto& comm) { wf::scatter_sum(comm, values, at, {2, 1}, results); });
  });
  all.row("scatter_sum", "options.exact", [&] {
    group_of_one().run([&](auto& comm) {
      wf::scatter_sum(comm, values, at, {1, 20}, results, {.exact = true});
    });
  });
  all.row("scatter_sum", "options.cumulative", [&] {
    group_of_one().run(
        [&](auto& comm) { wf::scatter_sum(comm, values, at, results, {.cumulative = true}); });
  });
}
TEST_CASE("what sums by index of ranks refuse, on the host") {
  wf::host place;
  check_refusals(place, [] { return wf::local_group<wf::host>(1); });
}

TEST_SUITE("gpu") {
  TEST_CASE("what sums by index of ranks refuse, on a gpu") {
    wf::gpu place;
    check_refusals(place, [] { return wf::local_group<wf::gpu>(std::array{0}); });
  }
}

} // namespace refusals_scatter_ranks_test
