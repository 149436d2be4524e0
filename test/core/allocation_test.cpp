// The host's verbs and objects while allocations fail.

#include "allocation_groups.hpp"
#include "golden_bits.hpp"

namespace {

using namespace test;
namespace wf = warpfold;

TEST_CASE("whichever allocation fails, reductions leave nothing behind and go on") {
  wf::host place(2);
  check_every_failure(reductions(place), false);
  check_every_failure(arrays_made(place), false);
}

TEST_CASE("whichever allocation fails, random numbers leave nothing behind and go on") {
  wf::host place(2);
  check_every_failure(random_numbers(place), false);
}

TEST_CASE("whichever allocation fails, pricing leaves nothing behind and goes on") {
  wf::host place(2);
  check_every_failure(option_prices(place), false);
  check_every_failure(simulations(place), false);
  check_every_failure(model_books(place), false);
}

TEST_CASE("whichever allocation fails, bad arguments are refused, or memory is said to lack") {
  wf::host place(2);
  std::vector<float> const values(3);
  check_every_failure({{"a refusal",
                        [&] {
                          numbers refused;
                          try {
                            (void)wf::sum(place, values, twins::cub);
                          } catch (wf::argument_error const& error) {
                            put(refused, error.argument().size());
                          }
                          return refused;
                        }}},
                      false);
}

TEST_CASE("whichever allocation of whichever rank fails, all ranks hear of it, and none waits") {
  auto const make = [] { return wf::local_group<wf::host>(3); };
  auto all = collectives<wf::host>(make);
  namespace wp = wf::pricing;
  std::vector<double> const strikes{80, 100, 120};
  std::vector<wp::estimate> estimates(3 * strikes.size()); // of every rank
  auto const simulate = [&](wf::communicator<wf::host>& over) {
    wp::host_europeans<double> const book{wp::option_kind::put, 100, strikes, 1, 0.2, 0.03};
    auto const mine = std::span(estimates).subspan(3 * static_cast<std::size_t>(over.rank()), 3);
    wp::simulate(over, book, {.value = mine}, {.paths = 8192});
  };
  all.add("simulation by ranks", [&] {
    auto group = make();
    run_apart(group, simulate);
    return together(estimates);
  });
  check_every_failure(all, false);
}

TEST_CASE("ranks that disagree hear of it, whichever allocation fails") {
  auto const disagree = [](wf::communicator<wf::host>& over) {
    if (over.rank() == 1) (void)over.all_gather(1.F);
    else (void)over.all_gather(1.);
  };
  check_every_failure({{"disagreement",
                        [&] {
                          wf::local_group<wf::host> group(3);
                          numbers noticed;
                          try {
                            run_apart(group, disagree);
                          } catch (wf::communication_error const&) {
                            put(noticed, 1);
                          }
                          return noticed;
                        }}},
                      false);
}

TEST_CASE("whichever allocation fails, solvers leave nothing behind and go on") {
  wf::host place(2);
  scenarios all;
  check_every_failure(plans(place), false);
  for (auto const& of : some_boxes()) add_solver(all, place, of);
#ifndef WARPFOLD_WITHOUT_FFTW
  add_solver(all, place, some_boxes().front(), twins::engine::vendor);
#endif
  check_every_failure(all, false);
}

TEST_CASE("whichever allocation of whichever rank fails, slabs leave nothing behind") {
  wf::poisson::problem const of{.axes = {{16}, {12}}};
  auto const rhs = rough_values<double>(16 * 12, 8);
  std::vector<double> solution(rhs.size());
  auto const solve = [&](wf::communicator<wf::host>& over) {
    wf::poisson::slab_solver<double, wf::host> solver(over, of);
    std::size_t const first = 12 * solver.local_slab().first, size = 12 * solver.local_slab().count;
    solver.solve({.rhs = std::span(rhs).subspan(first, size),
                  .solution = std::span(solution).subspan(first, size)});
  };
  check_every_failure({{"slabs",
                        [&] {
                          wf::local_group<wf::host> group(3);
                          run_apart(group, solve);
                          return solution;
                        }}},
                      false);
}

TEST_CASE("bits: results are those written down") {
  wf::host place;
  golden_bits golden("host");
  for (auto const& all :
       {reductions(place), arrays_made(place), random_numbers(place), option_prices(place),
        simulations(place), model_books(place), plans(place)})
    golden.compare(all);
  scenarios all;
  for (auto const& of : some_boxes()) add_solver(all, place, of);
  golden.compare(all);
  golden.conclude("a host");
}

} // namespace
