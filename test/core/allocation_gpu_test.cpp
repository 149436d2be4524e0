// A GPU's verbs and objects while allocations fail: the host's, a memory resource's, the CUDA
// runtime's, cuFFT's and cuRAND's.

#include "allocation_groups.hpp"
#include "golden_bits.hpp"

#ifdef WARPFOLD_TEST_COMPILED
#include <warpfold/compiled.hpp>
#endif

#include <cstdlib>

namespace {

using namespace test;
namespace wf = warpfold;
namespace po = warpfold::poisson;

/// A place whose memory fails, too. compute-sanitizer looks for leaks when the context is gone.
struct failing_place {
  failing_place() {
    static int const registered = std::atexit([] { cudaDeviceReset(); });
    REQUIRE(registered == 0);
  }
  failing_resource memory;
  wf::gpu place{0, &memory};
};

/// Values that the first workspace has no room for the scratch of.
constexpr std::size_t many = 1'000'000;

scenarios objects(failing_resource& memory) {
  scenarios all;
  all.add("a place, buffers and copies", [&memory] {
    wf::gpu made(0, &memory), place(std::move(made));
    std::vector<float> const values(1000, 2);
    wf::device_buffer<float> buffer(place, values), other(place, 500);
    buffer = wf::device_buffer<float>(place, values);
    wf::pinned_buffer<float> pinned(1000);
    wf::copy(place, buffer.span(), pinned);
    return together(pinned, wf::sum(place, buffer));
  });
  all.add("a place on a stream", [&memory] {
    wf::stream stream;
    wf::event start, stop;
    wf::gpu place(0, stream.get(), &memory);
    start.record(stream.get());
    stop.record(stream.get());
    place.reserve(std::size_t{8} << 20);
    return together(place.workspace_size());
  });
  constexpr twins::reducer with_scratch[] = {twins::cub, twins::thrust, twins::ladder_divergent,
                                             twins::halving};
  for (twins::reducer const twin : with_scratch)
    all.add(named("scratch that grows", twin), [&memory, twin] {
      wf::gpu place(0, &memory);
      wf::device_buffer<double> const values(place, std::vector<double>(many, 1));
      return together(wf::sum(place, values, twin));
    });
  all.add("exact segments whose scratch grows", [&memory] {
    wf::gpu place(0, &memory);
    wf::device_buffer<double> const values(place, std::vector<double>(many, 1));
    wf::device_buffer<double> results(place, many / 10);
    wf::exact_segmented_sum(place, values, wf::fixed_length{10}, results);
    return together(wf::sum(place, results));
  });
  return all;
}

/// Host memory through a GPU, on a place that has done it and on a new one.
scenarios pipelines(wf::gpu& place, failing_resource& memory) {
  namespace wp = warpfold::pricing;
  scenarios all;
  auto const strikes = std::make_shared<std::vector<float>>();
  for (std::size_t i = 0; i < many; ++i)
    strikes->push_back(50 + static_cast<float>(i) / (static_cast<float>(many) / 100));
  auto const prices = std::make_shared<std::vector<float>>(many);
  auto const price = [=](wf::gpu& by) {
    wp::price(by, wp::host_book<float>{100, *strikes, 1, 0.2F, 0.03F}, {.call = *prices});
    return together(std::span(*prices).first(1000), std::span(*prices).last(1000));
  };
  all.add("prices through a place", [=, &place] { return price(place); });
  all.add("prices through a new place", [=, &memory] {
    wf::gpu made(0, &memory);
    return price(made);
  });
  auto const pinned = std::make_shared<wf::pinned_buffer<float>>(many);
  all.add("page-locked prices", [=, &place] {
    wp::price(place, wp::host_book<float>{100, 90, 1, 0.2F, *strikes}, {.call = *pinned});
    return together(std::span(*pinned).last(1000));
  });
  all.add("implied volatilities through a place", [=, &place] {
    wp::implied_volatility(
        place, wp::host_quotes<float>{wp::option_kind::call, *strikes, 150, 20, 1, 0.03F},
        {.volatility = *prices});
    return together(std::span(*prices).first(1000));
  });
  return all;
}

#ifdef WARPFOLD_WITHOUT_CUFFT
constexpr bool has_cufft = false;
#else
constexpr bool has_cufft = true;
#endif

scenarios solvers(wf::gpu& place, std::vector<po::problem> const& boxes) {
  scenarios all;
  for (auto const& of : boxes) {
    bool const can_fuse = po::can_fuse<float>(place, of);
    if (has_cufft || can_fuse) add_solver(all, place, of);
    // By the one that was not chosen, too.
    if (has_cufft && can_fuse) {
      add_solver(all, place, of, twins::engine::vendor);
      add_solver(all, place, of, twins::engine::fused);
    }
  }
  return all;
}
scenarios more_solvers(wf::gpu& place) {
  auto boxes = some_boxes();
  boxes.erase(boxes.begin());
  constexpr auto neumann = po::boundary::neumann;
  boxes.push_back({.axes = {{256}, {256}}});
  boxes.push_back({.axes = {{32}, {32}, {32}}});
  boxes.push_back({.axes = {{64, 1, neumann, neumann, po::grid::cells},
                            {128, 1, neumann, neumann, po::grid::cells}}});
  auto all = solvers(place, boxes);
#ifdef WARPFOLD_TEST_COMPILED
  add_solver(all, place, {.axes = {{96}, {160}}}, po::compiled);
#endif
  po::problem const course{.axes = {{64}, {64}}, .gauge = po::gauge::first_point};
  if (has_cufft)
    for (auto const how :
         {twins::engine::course, twins::engine::course_shared, twins::engine::course_coalesced})
      add_solver(all, place, course, how);
  return all;
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: whichever allocation fails, a place's objects leave nothing behind") {
    failing_place here;
    check_every_failure(objects(here.memory), true);
  }

  TEST_CASE("fast: whichever allocation fails, a gpu's reductions leave nothing behind") {
    failing_place here;
    check_every_failure(reductions(here.place), true);
    check_every_failure(arrays_made(here.place), true);
  }

  TEST_CASE("fast: whichever allocation fails, a gpu's random numbers leave nothing behind") {
    failing_place here;
    check_every_failure(random_numbers(here.place), true);
  }

  TEST_CASE("fast: whichever allocation fails, a gpu's prices leave nothing behind") {
    failing_place here;
    check_every_failure(option_prices(here.place), true);
    check_every_failure(simulations(here.place), true);
  }
  TEST_CASE("whichever allocation fails, a gpu's books on models leave nothing behind") {
    failing_place here;
    check_every_failure(model_books(here.place), true);
  }

  TEST_CASE("fast: whichever allocation fails, books through a gpu leave nothing behind") {
    failing_place here;
    check_every_failure(pipelines(here.place, here.memory), true);
  }

  TEST_CASE("fast: whichever allocation fails, a gpu's solvers leave nothing behind") {
    failing_place here;
    check_every_failure(solvers(here.place, {some_boxes().front()}), true);
    check_every_failure(plans(here.place), true);
  }
  TEST_CASE("whichever allocation fails, more of a gpu's solvers leave nothing behind") {
    failing_place here;
    check_every_failure(more_solvers(here.place), true);
  }

  TEST_CASE("bits: results are those written down") {
    wf::gpu place;
    golden_bits golden("gpu");
    for (auto const& all : {reductions(place), arrays_made(place), random_numbers(place),
                            option_prices(place), simulations(place), model_books(place)})
      golden.compare(all);
    cudaDeviceProp device{};
    REQUIRE(cudaGetDeviceProperties(&device, place.device()) == cudaSuccess);
    int runtime = 0;
    REQUIRE(cudaRuntimeGetVersion(&runtime) == cudaSuccess);
    golden.conclude(std::string(device.name) + ", compute capability " +
                    std::to_string(device.major) + "." + std::to_string(device.minor) + ", CUDA " +
                    std::to_string(runtime / 1000) + "." + std::to_string(runtime % 1000 / 10));
  }

  TEST_CASE("whichever allocation fails, a group of one gpu leaves nothing behind") {
    failing_place here;
    auto all = collectives<wf::gpu>([] {
      int const first = 0;
      return wf::local_group<wf::gpu>(std::span(&first, 1));
    });
    all.add("slabs of one gpu", [] {
      int const first = 0;
      wf::local_group<wf::gpu> group(std::span(&first, 1));
      numbers found;
      group.run([&](wf::communicator<wf::gpu>& over) {
        po::slab_solver<float, wf::gpu> solver(over, {.axes = {{32}, {32}}});
        std::vector<float> values(32 * 32);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 11);
        wf::device_buffer<float> field(over.place(), values);
        solver.solve({.rhs = field, .solution = field});
        found = together(wf::to_vector(over.place(), field.span()));
      });
      return found;
    });
    check_every_failure(all, true);
  }
}

/// Everything on one place that has no objects beside it.
scenarios every_verb(wf::gpu& place) {
  scenarios all;
  for (scenarios const& some :
       {reductions(place), arrays_made(place), random_numbers(place), option_prices(place),
        simulations(place), model_books(place), plans(place)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

/// Leaves out vendors' code.
void call_each(scenarios const& all) {
  for (scenario const& of : all) {
    if (of.name.find(", ") != of.name.npos) continue;
    CAPTURE(of.name);
    CHECK(same_elements(of.call(), of.call()));
  }
}

TEST_SUITE("gpu") {
  // All of compute-sanitizer's tools look at it, without failures.
  TEST_CASE("fast: every verb has the same bits again, on a place and on ranks") {
    wf::gpu place;
    call_each(every_verb(place));
    int const first = 0;
    wf::local_group<wf::gpu> group(std::span(&first, 1));
    call_each(collectives<wf::gpu>([&]() -> wf::local_group<wf::gpu>& { return group; }));
  }

  // A waiting call throws; what it has enqueued by then never runs.
  TEST_CASE("whatever waits while its stream is captured throws, and the next call is right") {
    wf::gpu place;
    for (scenarios const& some : {arrays_made(place), model_books(place)})
      for (scenario const& of : some) {
        if (of.name.find(", ") != of.name.npos) continue; // a vendor's
        CAPTURE(of.name);
        numbers const right = of.call();
        CHECK_THROWS_AS(captured(place, of.call), wf::error);
        CHECK(same_elements(of.call(), right));
      }
  }
}

TEST_SUITE("gpus") {
  TEST_CASE(
      "every verb runs on its place's device, whichever is the current one, and leaves it so") {
    wf::gpu near(0), far(1);
    for (int const current : {0, 1}) {
      CAPTURE(current);
      wf::device_guard const guard(current);
      auto const here = every_verb(near), there = every_verb(far);
      for (std::size_t i = 0; i < here.size(); ++i) {
        CAPTURE(here[i].name);
        CHECK(same_elements(here[i].call(), there[i].call()));
        int now = -1;
        wf::check(cudaGetDevice(&now));
        CHECK(now == current);
      }
    }
  }
}

} // namespace
