#pragma once
// Calls on either place that are made while allocations fail. The arrays are made before.

#include "allocation.hpp"
#include "gpu.hpp"
#include "verbs.hpp"

#include <memory>

namespace test {

template <class T, class Place>
auto array_of(Place& place, std::vector<T> const& values) {
  return std::make_shared<memory_of<Place, T>>(place, values);
}
template <class T, class Place>
auto array_of(Place& place, std::size_t size) {
  return array_of<T>(place, std::vector<T>(size));
}

/// The name of a call, and of its tag if it has one.
inline std::string named(std::string const& what) { return what; }
inline std::string named(std::string const& what, twins::reducer twin) {
  return what + ", " + to_string(twin);
}

template <class Place>
scenarios reductions(Place& place) {
  namespace wf = warpfold;
  constexpr std::size_t size = 10'011;
  auto const floats = array_of<float>(place, rough_values<float>(size, 1));
  auto const doubles = array_of<double>(place, rough_values<double>(size, 2));
  auto const ints = array_of<std::int32_t>(place, exact_values<std::int32_t>(size, 3));
  scenarios all;
  auto const add = [&]<class T>(auto verb, std::shared_ptr<memory_of<Place, T>> const& values) {
    if constexpr (takes<decltype(verb), T>)
      for_each_twin<decltype(verb)::template is_compared<T>>(place, [&](auto... twin) {
        all.add(
            named(verb.name, twin...),
            [=, &place] { return together(verb.now(place, values->all(), twin...)); },
            sizeof...(twin) != 0);
      });
  };
  for_each_verb<float>([&](auto verb) {
    add(verb, floats);
    add(verb, doubles);
    add(verb, ints);
  });
  for_each_sum_twin<float, double>(place, [&](auto... twin) {
    all.add(
        named("sums in wider accumulators", twin...),
        [=, &place] {
          return together(wf::sum<double>(place, floats->all(), twin...),
                          wf::sum<std::int64_t>(place, ints->all(), twin...));
        },
        sizeof...(twin) != 0);
  });
  for_each_twin<true>(place, [&](auto... twin) {
    all.add(
        named("dot", twin...),
        [=, &place] { return together(wf::dot(place, doubles->all(), doubles->all(), twin...)); },
        sizeof...(twin) != 0);
  });
  for (twins::classic const rung : ladder)
    all.add(
        named("sum", rung),
        [=, &place] {
          return together(wf::sum(place, floats->all(), rung), wf::sum(place, ints->all(), rung));
        },
        true);
  all.add("exact_dot", [=, &place] {
    auto const x = doubles->all();
    return together(wf::exact_dot(place, x, x),
                    wf::exact_accumulate_products(place, x, x).template finish<double>());
  });
  return all;
}

inline std::vector<std::uint32_t> ascending_indices(std::size_t size) {
  std::vector<std::uint32_t> all(size);
  for (std::size_t i = 0; i < size; ++i) all[i] = static_cast<std::uint32_t>(9 * i);
  return all;
}

template <class Place>
scenarios arrays_made(Place& place) {
  namespace wf = warpfold;
  constexpr std::size_t size = 20'000;
  auto const floats = array_of<float>(place, rough_values<float>(size, 5));
  auto const selected = array_of<float>(place, size);
  auto const results = array_of<float>(place, 200);
  auto const offsets = array_of<std::int32_t>(place, {0, 3, 3, 9'000, 19'990});
  auto const ints = array_of<std::int32_t>(place, exact_values<std::int32_t>(size, 9));
  auto const sums = array_of<std::int32_t>(place, size);
  std::vector<std::uint32_t> hundreds(size);
  for (std::size_t i = 0; i < size; ++i) hundreds[i] = static_cast<std::uint32_t>(i / 100);
  auto const keys = array_of<std::uint32_t>(place, hundreds);
  auto const unique = array_of<std::uint32_t>(place, size);
  auto const lengths = array_of<std::uint64_t>(place, size);
  scenarios all;
  for_each_async_twin<true>(place, [&](auto... twin) {
    auto const add = [&](char const* what, auto call) {
      all.add(named(what, twin...), call, sizeof...(twin) != 0);
    };
    add("compaction", [=, &place] {
      auto const count =
          wf::compact_if(place, floats->all(), wf::less_than<float>{0}, selected->all(), twin...);
      return together(count, wf::sum(place, selected->all()));
    });
    add("scans", [=, &place] {
      wf::inclusive_scan(place, ints->all(), wf::plus{}, sums->all(), twin...);
      auto const last = sums->get(size - 1);
      wf::exclusive_scan(place, ints->all(), 5, wf::plus{}, sums->all(), twin...);
      return together(last, wf::sum(place, sums->all()));
    });
    add("runs", [=, &place] {
      auto const runs = wf::reduce_by_key(place, keys->all(), ints->all(), 0, wf::plus{},
                                          unique->all(), sums->all(), twin...);
      auto const all_sums = contents(place, sums->all().subspan(0, 200));
      wf::run_length_encode(place, keys->all(), unique->all(), lengths->all(), twin...);
      return together(runs, all_sums, contents(place, lengths->all().subspan(0, 200)));
    });
    bool const has_all = (... && (twin != twins::thrust)); // or neither of these
    if (!has_all) return;
    add("histogram", [=, &place] {
      return together(wf::histogram(place, floats->all(), {64, 0, 4}, twin...));
    });
    add("segments", [=, &place] {
      wf::segmented_reduce(place, floats->all(), offsets->all(), 0.F, wf::plus{},
                           results->all().subspan(0, 4), twin...);
      wf::segmented_reduce(place, floats->all(), wf::fixed_length{200}, 0.F, wf::plus{},
                           results->all().subspan(4, 100), twin...);
      return together(results->contents());
    });
  });
  all.add("rows and columns", [=, &place] {
    wf::reduce_rows(place, floats->all(), {100, 200, 200}, 0.F, wf::plus{},
                    results->all().subspan(0, 100));
    auto const rows = contents(place, results->all().subspan(0, 100));
    wf::reduce_columns(place, floats->all(), {100, 200, 200}, 0.F, wf::plus{}, results->all());
    return together(rows, results->contents());
  });
  all.add("scans by key", [=, &place] {
    wf::inclusive_scan_by_key(place, keys->all(), ints->all(), wf::plus{}, sums->all());
    auto const sum = wf::sum(place, sums->all());
    wf::exclusive_scan_by_key(place, keys->all(), ints->all(), 5, wf::plus{}, sums->all());
    return together(sum, wf::sum(place, sums->all()));
  });
  all.add("scans of segments", [=, &place] {
    wf::segmented_inclusive_scan(place, ints->all(), offsets->all(), wf::plus{}, sums->all());
    auto const sum = wf::sum(place, sums->all());
    wf::segmented_exclusive_scan(place, ints->all(), offsets->all(), 5, wf::plus{}, sums->all());
    return together(sum, wf::sum(place, sums->all()));
  });
  all.add("compensated scans and sums by key", [=, &place] {
    wf::inclusive_scan(place, floats->all(), wf::compensated_plus{}, selected->all());
    auto const last = selected->get(size - 1);
    wf::sum_by_key(place, keys->all(), floats->all(), unique->all(), results->all());
    return together(last, results->contents());
  });
  all.add("sums of what is kept", [=, &place] {
    wf::compact_if(place, floats->all(), wf::less_than<float>{0}, selected->all());
    wf::compact_if_async(place, floats->all(), wf::less_than<float>{0}, selected->all(),
                         lengths->view(0, 1));
    return together(wf::sum(place, wf::counted{selected->all(), lengths->all()}));
  });
  all.add("scans that are enqueued", [=, &place] {
    bool fails = false;
    try {
      wf::inclusive_scan_async(place, ints->all(), wf::plus{}, sums->all());
      wf::exclusive_scan_async(place, sums->all(), 5, wf::plus{}, sums->all());
    } catch (...) {
      if constexpr (std::same_as<Place, wf::host>) throw;
      fails = true; // and has another result: on a gpu there is nothing to allocate
    }
    return together(fails, wf::sum(place, sums->all()));
  });
  auto const places = array_of<std::uint32_t>(place, ascending_indices(size));
  auto const bins = array_of<float>(place, 200'000); // with more sums than a workspace has at first
  auto const noted = array_of<wf::scatter_status>(place, 1);
  all.add("sums by index", [=, &place] {
    wf::scatter_sum(place, floats->all(), places->all(), bins->all());
    auto const some = bins->get(7);
    wf::scatter_sum_async(place, floats->all(), places->all(), {1e6, 1e9}, bins->all(),
                          noted->all(), {.cumulative = true});
    return together(some, bins->get(7), noted->get(0).refused);
  });
  all.add("exact sums by index and weights", [=, &place] {
    wf::scatter_sum(place, floats->all(), places->all(), bins->view(0, 190'000), {.exact = true});
    auto const some = bins->get(7);
    wf::histogram(place, floats->all(), floats->all(), {200, -3, 3}, results->all());
    auto const weights = results->contents();
    wf::histogram(place, floats->all(), floats->all(), {200, -3, 3}, results->all(),
                  {.exact = true});
    return together(some, weights, results->contents());
  });
  all.add("order statistics", [=, &place] {
    std::vector<std::uint64_t> const ranks{size - 1, 70};
    auto const found = sums->all().subspan(0, 2);
    wf::order_statistics(place, ints->all(), ranks, found);
    double const qs[] = {0.1, 0.9};
    wf::quantiles(place, floats->all(), qs, results->view(0, 2));
    return together(contents(place, found), results->get(1), wf::median(place, floats->all()),
                    wf::nth_element(place, ints->all(), 70),
                    wf::quantile(place, floats->all(), 0.3));
  });
  all.add("risk figures", [=, &place] {
    wf::pricing::risk_figures const found = wf::pricing::risk(place, floats->all());
    return together(found.lower, found.expected_shortfall, found.standard_error);
  });
  all.add("top_k", [=, &place] {
    wf::top_k(place, ints->all(), sums->all(), lengths->all());
    return together(sums->contents(), lengths->contents());
  });
  all.add("exact sums by key and columns", [=, &place] {
    auto const runs =
        wf::exact_sum_by_key(place, keys->all(), floats->all(), unique->all(), results->all());
    auto const exact = results->contents();
    wf::mark_runs(place, keys->all(), unique->all(), lengths->all());
    wf::segmented_reduce(place, floats->all(), wf::marked_runs{lengths->all()}, 0.F, wf::plus{},
                         results->all());
    return together(runs, exact, results->contents());
  });
  all.add("exact segments", [=, &place] {
    wf::exact_segmented_sum(place, floats->all(), offsets->all(), results->all().subspan(0, 4));
    wf::exact_segmented_sum(place, floats->all(), wf::fixed_length{200},
                            results->all().subspan(4, 100));
    return together(results->contents());
  });
  return all;
}

template <class Place>
scenarios random_numbers(Place& place) {
  namespace wr = warpfold::random;
  auto const floats = array_of<float>(place, 600);
  auto const doubles = array_of<double>(place, 600);
  auto const words = array_of<std::uint32_t>(place, 600);
  scenarios all;
  auto const add = [&](char const* what, auto... twin) {
    all.add(
        what,
        [=, &place] {
          wr::uniform(place, floats->all(), twin..., {.seed = 1});
          wr::normal(place, doubles->all(), twin..., {.seed = 2});
          wr::bits(place, words->all(), twin..., {.seed = 3});
          return together(floats->contents(), doubles->contents(), words->contents());
        },
        sizeof...(twin) != 0);
  };
  add("random numbers");
  add("random numbers by cuRAND", twins::generator::curand_philox);
  all.add("Sobol", [=, &place] {
    wr::sobol_sequence<Place> const sequence(place, 3);
    wr::normal(place, sequence, floats->all(), {.seed = 3});
    return together(floats->contents());
  });
  all.add(
      "generator",
      [=, &place] {
        wr::vendor_generator<Place> generator(place, twins::generator::curand_xorwow, {.seed = 4});
        generator.uniform_async(floats->all());
        return together(floats->contents());
      },
      true);
  return all;
}

template <class Place>
scenarios option_prices(Place& place) {
  namespace wp = warpfold::pricing;
  constexpr std::size_t size = 300;
  std::vector<double> strikes;
  for (std::size_t i = 0; i < size; ++i) strikes.push_back(60 + static_cast<double>(i) / 4);
  auto const strike = array_of<double>(place, strikes);
  auto const call = array_of<double>(place, size), other = array_of<double>(place, size);
  using book = wp::option_book<view_t<Place, double const>>;
  using outputs = wp::price_outputs<view_t<Place, double>>;
  scenarios all;
  auto const add = [&](char const* what, auto... twin) {
    all.add(
        what,
        [=, &place] {
          book const of{100, strike->all(), 0.5, 0.2, 0.03};
          wp::price<double>(place, of,
                            sizeof...(twin) == 0
                                ? outputs{.call = call->all(), .vega = other->all()}
                                : outputs{.call = call->all(), .put = other->all()},
                            twin...);
          return together(call->contents(), other->contents());
        },
        sizeof...(twin) != 0);
  };
  add("prices");
  add("prices by polynomial", twins::formula::polynomial);
  add("the vendor's prices", twins::formula::vendor);
  using kinds = view_t<Place, wp::option_kind const>;
  using quotes = wp::quote_book<kinds, view_t<Place, double const>>;
  all.add("implied volatilities", [=, &place] {
    wp::implied_volatility<double>(place,
                                   quotes{wp::option_kind::call, 30, 100, strike->all(), 0.5, 0.03},
                                   {.volatility = other->all()});
    return together(other->contents());
  });
  return all;
}

template <class Place>
scenarios simulations(Place& place) {
  namespace wp = warpfold::pricing;
  constexpr std::size_t size = 5;
  auto const strike = array_of<float>(place, {80, 90, 100, 110, 120});
  using estimates = view_t<Place, wp::estimate>;
  auto const value = array_of<wp::estimate>(place, size);
  using book = wp::european_book<view_t<Place, wp::option_kind const>, view_t<Place, float const>>;
  scenarios all;
  auto const add = [&](char const* what, wp::european_simulation_options const& options,
                       bool greeks, auto... twin) {
    all.add(
        what,
        [=, &place] {
          book const of{wp::option_kind::call, 100, strike->all(), 1, 0.2F, 0.03F};
          auto const to = value->all();
          auto how = options;
          if (sizeof...(twin) == 0) how.bits = wp::bits::portable;
          wp::simulate<float>(place, of,
                              greeks ? wp::simulation_outputs<estimates>{.vega = to}
                                     : wp::simulation_outputs<estimates>{to},
                              twin..., how);
          return together(value->contents());
        },
        sizeof...(twin) != 0);
  };
  add("fused", {.paths = 8192}, false);
  add("stored", {.paths = 8192}, false, twins::simulation::stored);
  add("vendor's", {.paths = 8192}, false, twins::simulation::vendor);
  add("Greeks", {.paths = 8192}, true);
  add("reduced variance", {.paths = 8192, .antithetic = true, .control_variate = true}, false);
  add("Sobol's points", {.paths = 1 << 13, .sampling = wp::sampling::sobol}, false);
  add("batches", {.paths = 40'000, .standard_error = 0.05}, false);
  add("batches of Greeks", {.paths = 40'000, .standard_error = 0.05}, true);

  wp::option<double> const terms{100, 105, 1, 0.2, 0.03, 0};
  for (auto const from : {wp::sampling::philox, wp::sampling::sobol}) {
    wp::simulation_options const options{.paths = 512,
                                         .steps = 5,
                                         .control_variate = true,
                                         .sampling = from,
                                         .bits = wp::bits::portable};
    all.add("Asian options", [=, &place] {
      std::vector<wp::asian_option> const of(18, {terms});
      std::vector<wp::estimate> results(of.size());
      wp::simulate(place, std::span(of), results, options);
      return together(results);
    });
    all.add("barrier options", [=, &place] {
      std::vector<wp::barrier_option> const of(3, {terms, 130, wp::barrier_type::up_and_out});
      std::vector<wp::estimate> results(of.size());
      wp::simulate<double>(place, std::span(of), results, options);
      return together(results);
    });
  }
  return all;
}

} // namespace test
