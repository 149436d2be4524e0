// Refusals of groups, alone and together: the argument is named, and nothing is written.

#include "comm/communicator.hpp"
#include "poisson/refused_fields.hpp"
#include "refusals.hpp"
#include "twins.hpp"

#include <warpfold/comm/poisson.hpp>
#include <warpfold/comm/pricing.hpp>
#include <warpfold/comm/risk.hpp>
#include <warpfold/twins/poisson.hpp>
#include <warpfold/twins/random.hpp>

#include <array>
#include <chrono>
#include <limits>
#include <thread>

namespace refusals_comm_test {

using namespace test;
namespace wf = warpfold;
namespace po = warpfold::poisson;
namespace pr = warpfold::pricing;
using namespace std::chrono_literals;

constexpr wf::less_than below{2.F};
constexpr std::uint64_t places[] = {0, 20};
constexpr double qs[] = {0.5, -1};
constexpr pr::option<double> ordinary{100, 100, 1, 0.2, 0.01, 0};

/// Calls call(comm) on a group of one that nothing has failed in.
template <class Place, class Call>
void alone(Place& place, Call call) {
  if constexpr (std::same_as<Place, wf::host>) wf::local_group<wf::host>(1).run(call);
  else {
    auto const device = place.device();
    wf::local_group<wf::gpu>(std::span(&device, 1)).run(call);
  }
}

/// Makes rows of what call(comm) refuses on such a group.
template <class Place>
auto rows_alone(refusals<Place>& all) {
  return [&](char const* function, char const* argument, auto call) {
    all.row(function, argument, [&] { alone(all.place(), call); });
  };
}

/// Verbs of one array, by the argument that is refused in the place of `values`.
template <class Place>
void check_reductions(refusals<Place>& all) {
  using span = view_t<Place, float const>;
  span const values = all.template memory<float>(20);
  auto const row = rows_alone(all);
  auto const reads = [&](char const* function, auto verb) {
    auto const refuses = [&](span from) {
      row(function, "values", [=](auto& comm) { verb(comm, from); });
    };
    for (auto const bad : refusals<Place>::template nowhere<float const>(3)) refuses(bad);
    for (std::size_t const size : impossible) refuses({values.data(), size});
  };
#define READS(verb, ...)                                                                           \
  reads(#verb, [](auto& comm, span from) { static_cast<void>(wf::verb(comm, from __VA_ARGS__)); })
  all.of("comm/reduction.hpp");
  READS(sum);
  READS(product);
  READS(min);
  READS(max);
  READS(exact_sum);
  READS(exact_norm2);
  READS(describe);
  READS(argmin);
  READS(argmax);
  READS(minmax);
  for (auto const bad : refusals<Place>::template nowhere<float const>(20)) {
    row("dot", "x", [=](auto& comm) { wf::dot(comm, bad, values); });
    row("exact_dot", "x", [=](auto& comm) { wf::exact_dot(comm, bad, values); });
    row("exact_dot", "y", [=](auto& comm) { wf::exact_dot(comm, values, bad); });
  }
  row("dot", "y", [=](auto& comm) { wf::dot(comm, values, values.subspan(1)); });
  wf::extremum_options const unknown{.nan = static_cast<wf::nan_policy>(99)};
  row("min", "options.nan", [=](auto& comm) { wf::min(comm, values, unknown); });
  row("max", "options.nan", [=](auto& comm) { wf::max(comm, values, unknown); });
  row("argmin", "options.nan", [=](auto& comm) { wf::argmin(comm, values, unknown); });
  row("argmax", "options.nan", [=](auto& comm) { wf::argmax(comm, values, unknown); });
  row("minmax", "options.nan", [=](auto& comm) { wf::minmax(comm, values, unknown); });

  all.of("comm/counting.hpp");
  READS(count_if, , below);
  READS(all_of, , below);
  READS(any_of, , below);
  for (int const bins : {1, 1000}) // by two ways
    reads("histogram", [=](auto& comm, span from) { wf::histogram(comm, from, {bins, 0, 1}); });
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (wf::even_bins<float> const& bad :
       {wf::even_bins<float>{0, 0, 1}, {8, 1, 0}, {8, nan, 1}, {1'000'000, 0, 1}})
    row("histogram", "bins", [=](auto& comm) { wf::histogram(comm, values, bad); });
  all.of("comm/quantiles.hpp");
  READS(median);
  READS(nth_element, , 0);
  READS(quantile, , 0.5);
  READS(top_k, , 1);
  READS(order_statistics, , std::span(places));
  READS(quantiles, , std::span(qs));
  row("nth_element", "rank", [=](auto& comm) { wf::nth_element(comm, values, 20); });
  row("order_statistics", "ranks", [=](auto& comm) { wf::order_statistics(comm, values, places); });
  row("quantiles", "qs", [=](auto& comm) { wf::quantiles(comm, values, qs); });
  row("top_k", "k", [=](auto& comm) { wf::top_k(comm, values, 21); });
#undef READS
}

template <class Place>
void check_risk(refusals<Place>& all) {
  all.of("comm/risk.hpp");
  using span = view_t<Place, double const>;
  span const losses = all.template memory<double>(20);
  auto const row = rows_alone(all);
  auto const refuses = [&](char const* argument, span from, pr::risk_options const& options = {}) {
    row("risk", argument, [=](auto& comm) { static_cast<void>(pr::risk(comm, from, options)); });
  };
  refuses("losses", {});
  for (auto const bad : refusals<Place>::template nowhere<double const>(3)) refuses("losses", bad);
  for (std::size_t const size : impossible) refuses("losses", {losses.data(), size});
  for (double const bad : {0., 1., std::nan("")}) {
    refuses("options.level", losses, {.level = bad});
    refuses("options.confidence", losses, {.confidence = bad});
  }
}

/// Books are in host memory, and simulated ones where the place is.
template <class Place>
void check_books(refusals<Place>& all) {
  all.of("comm/pricing.hpp");
  auto const row = rows_alone(all);
  std::vector<float> const strikes(8, 100.F);
  std::vector<float> prices(8, -7.F);
  for (auto const bad : refusals<wf::host>::nowhere<float const>(8)) {
    row("price", "book.strike", [&](auto& comm) {
      pr::price<float>(comm, {100, bad, 1, 0.2, 0.01}, {.call = prices});
    });
    row("implied_volatility", "quotes.price", [&](auto& comm) {
      pr::implied_volatility<float>(comm, {pr::option_kind::call, bad, 100, strikes, 1, 0},
                                    {.volatility = prices});
    });
  }
  row("price", "outputs.put", [&](auto& comm) {
    pr::price<float>(comm, {100, strikes, 1, 0.2, 0.01}, {.call = prices, .put = prices});
  });
  row("implied_volatility", "outputs.volatility", [&](auto& comm) {
    pr::implied_volatility<float>(comm, {pr::option_kind::call, strikes, 100, 100, 1, 0},
                                  {.volatility = std::span(prices).subspan(1)});
  });
  CHECK(prices == std::vector<float>(8, -7.F));

  auto const out = all.template memory<pr::estimate>(2);
  using book = pr::european_book<view_t<Place, pr::option_kind const>, view_t<Place, float const>>;
  auto const simulates = [&](char const* argument, book const& of,
                             pr::european_simulation_options const& options) {
    row("simulate", argument,
        [&](auto& comm) { pr::simulate<float>(comm, of, {.value = out}, options); });
  };
  book const right{pr::option_kind::call, 100, 100, 1, 0.2, 0.01};
  double const nan = std::numeric_limits<double>::quiet_NaN();
  simulates("book.spot", {pr::option_kind::call, nan, 100, 1, 0.2, 0.01}, {.paths = 16});
  simulates("options.paths", right, {.paths = 0});
  simulates("options.standard_error", right, {.paths = 16, .standard_error = 1});
  simulates("options.progress", right,
            {.paths = 16, .progress = [](pr::simulation_progress const&) { return true; }});

  auto const on_paths = [&](char const* argument, auto of, pr::simulation_options const& options) {
    row("simulate", argument, [&](auto& comm) {
      pr::estimate result{};
      pr::simulate(comm, of, std::span(&result, 1), options);
    });
  };
  pr::asian_option const asian{ordinary};
  pr::barrier_option const barrier{ordinary, 90, pr::barrier_type::up_and_out};
  on_paths("options.paths", std::span(&asian, 1), {.paths = 0, .steps = 2});
  for (auto const bad : refusals<wf::host>::nowhere<pr::asian_option const>(1))
    on_paths("book", bad, {.paths = 16, .steps = 2});
  on_paths("book[0].barrier", std::span(&barrier, 1), {.paths = 16, .steps = 2});
  std::array<pr::estimate, 2> untouched{};
  for (std::size_t const size : {std::size_t{0}, std::size_t{2}})
    row("simulate", "results", [&](auto& comm) {
      pr::simulate(comm, std::span(&asian, 1), std::span(untouched).first(size),
                   {.paths = 16, .steps = 2});
    });
  auto const on_model = [&](char const* argument, double spot, std::span<pr::contract const> of,
                            std::uint64_t paths) {
    row("simulate", argument, [&](auto& comm) {
      pr::estimate result{};
      pr::simulate(comm, pr::black_scholes{spot, 0.2, 0.01}, of, std::span(&result, 1),
                   {.paths = paths, .steps = 2});
    });
  };
  pr::contract const fair{100, 1}, bad_contract{-1, 1};
  on_model("options.paths", 100, std::span(&fair, 1), 0);
  on_model("model.spot", 0, std::span(&fair, 1), 16);
  on_model("book[0].strike", 100, std::span(&bad_contract, 1), 16);
  on_model("results", 100, {}, 16);
  for (auto const bad : refusals<wf::host>::nowhere<pr::contract const>(1))
    on_model("book", 100, bad, 16);
  row("simulate", "results.delta", [&](auto& comm) {
    pr::simulate(comm, pr::black_scholes{100, 0.2, 0.01}, std::span(&fair, 1),
                 {.delta = std::span(untouched)}, {.paths = 16, .steps = 2});
  });
  CHECK(untouched[0].paths == 0);
}

template <class Place>
void check_slabs(refusals<Place>& all) {
  using T = double;
  all.of("comm/poisson.hpp");
  po::axis const walls{6, 1, po::boundary::dirichlet, po::boundary::dirichlet};
  po::problem const box{{walls, {8}}};
  auto const row = rows_alone(all);
  auto const refuses_slabs = [&](char const* argument, auto change) {
    auto of = box;
    change(of);
    row("slab_solver::slab_solver", argument,
        [&](auto& comm) { po::slab_solver<T, Place>(comm, of); });
  };
  refuses_slabs("problem.axes", [](auto& of) { of.axes.pop_back(); });
  refuses_slabs("problem.axes", [](auto& of) { of.axes.clear(); });
  refuses_slabs("problem.batch", [](auto& of) { of.batch = 2; });
  refuses_slabs("problem.gradient", [](auto& of) { of.gradient = true; });
  refuses_slabs("problem.gauge", [](auto& of) { of.gauge = po::gauge::first_point; });
  refuses_slabs("problem.precision", [](auto& of) { of.precision = po::precision::single; });
  refuses_slabs("problem.lambda", [](auto& of) { of.lambda = std::nan(""); });
  refuses_slabs("problem.axes[1].points", [](auto& of) { of.axes[1].points = 0; });

  auto const rhs = all.template memory<T>(48), solution = all.template memory<T>(48);
  check_refused_fields<Place, T>([&](char const* argument, auto change) {
    row("slab_solver::solve", argument, [&](auto& comm) {
      po::slab_solver<T, Place> solver(comm, box);
      po::slab_fields<T, Place> fields{rhs, solution};
      change(fields);
      solver.solve(fields);
    });
  });
  for (int const rank : {-1, 1})
    row("slab_solver::rank_slab", "rank", [&](auto& comm) {
      static_cast<void>(po::slab_solver<T, Place>(comm, box).rank_slab(rank));
    });
}

template <class Place>
void check_groups(refusals<Place>& all) {
  all.of("comm/communicator.hpp");
  auto& place = all.place();
  all.row("communicator::communicator", "transport",
          [&] { wf::communicator<Place>(place, nullptr); });
  all.row("communicator::all_gather", "values", [&] {
    alone(place, [](auto& comm) {
      static_cast<void>(comm.all_gather(std::span(static_cast<int const*>(nullptr), 3)));
    });
  });
  all.row("local_group::run", "work", [&] {
    if constexpr (std::same_as<Place, wf::host>) wf::local_group<wf::host>(2).run({});
    else wf::local_group<wf::gpu>(std::span<int const>()).run({});
  });
}

TEST_CASE("what groups on the host refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  check_groups(all);
  for (int const ranks : {-1, 0, 1025})
    all.row("local_group::local_group", "ranks", [=] { wf::local_group<wf::host>{ranks}; });
  all.row("local_group::local_group", "threads", [] { wf::local_group<wf::host>(2, -1); });
  for (auto const limit : {0ms, -1ms, std::chrono::milliseconds::min()})
    all.row("local_group::local_group", "options.time_limit",
            [=] { wf::local_group<wf::host>(2, 1, {.time_limit = limit}); });
  check_reductions(all);
  check_risk(all);
  check_books(all);
}

TEST_CASE("what slabs on the host refuse") {
  wf::host place;
  refusals<wf::host> all(place);
  check_slabs(all);
}

TEST_CASE("what groups of gpus refuse where there are none") {
  wf::host place;
  refusals<wf::host> all(place);
  all.of("comm/communicator.hpp");
  all.row("local_group::local_group", "devices",
          [] { wf::local_group<wf::gpu>(std::span(static_cast<int const*>(nullptr), 1)); });
  all.row("local_group::local_group", "devices", [] {
    wf::local_group<wf::gpu>(std::vector{0, 1, 0});
  });
  all.row("local_group::local_group", "options.time_limit",
          [] { wf::local_group<wf::gpu>(std::vector{0}, {.time_limit = 0ms}); });
  if (wf::gpu_count() > 0) return;
  all.row("local_group::local_group", "devices",
          [] { wf::local_group<wf::gpu>(std::span<int const>()); });
  all.fails<wf::cuda_error>("local_group::local_group",
                            [] { wf::local_group<wf::gpu>(std::vector{0}); });
}

TEST_CASE("a time limit may be as long as there are numbers for") {
  wf::local_group<wf::host> group(2, 1, {.time_limit = std::chrono::milliseconds::max()});
  group.run([](auto& comm) {
    if (comm.rank() == 1) std::this_thread::sleep_for(20ms);
    CHECK(comm.all_gather(comm.rank()) == std::vector{0, 1});
  });
}

TEST_CASE("one rank refuses, and the other is told") {
  wf::local_group<wf::host> group(2);
  std::vector<float> const values(10, 1.F);
  std::span<float const> const null(static_cast<float const*>(nullptr), 10);
  auto const work = [&](auto& comm) { wf::sum(comm, comm.rank() == 0 ? null : std::span(values)); };
  CHECK(refused_by([&] { group.run(work); }) == "values");
  CHECK_THROWS_AS(group.run([](auto& comm) { comm.barrier(); }), wf::communication_error);
}

TEST_SUITE("gpu") {
  TEST_CASE("fast: what groups on a gpu refuse") {
    wf::gpu place;
    refusals<wf::gpu> all(place);
    check_groups(all);
    check_reductions(all);
    check_risk(all);
    check_books(all);
    if (place.compute_capability() >= 90) check_slabs(all);
    auto const options = wf::communicator_options{.time_limit = 0ms};
    all.row("adopt_group", wf::has_nccl() ? "group" : "place",
            [&] { static_cast<void>(wf::adopt_group(place, nullptr)); });
    for (int const size : {-1, 0})
      all.row("join_group", "size", [&] { static_cast<void>(wf::join_group(place, {}, 0, size)); });
    for (int const rank : {-1, 1})
      all.row("join_group", "rank", [&] { static_cast<void>(wf::join_group(place, {}, rank, 1)); });
    if (wf::has_nccl())
      all.row("join_group", "options.time_limit",
              [&] { static_cast<void>(wf::join_group(place, {}, 0, 1, options)); });
  }
}

} // namespace refusals_comm_test
