#pragma once
// Shared by the tests of contracts' bits, in any model.

#include "pricing/paths/contracts.hpp"

namespace test::contracts {

inline std::vector<double> const quarters{0.25, 0.5, 0.75, 1};
inline simulation_options const ordinary_options{
    .paths = 3000, .times = quarters, .longest_step = 0.1, .seed = 7, .stream = 3};
inline simulation_options with(simulation_options options, bool simulation_options::*member) {
  options.*member = true;
  return options;
}

/// A contract has the same bits alone, first, last or in the middle of a book.
template <class T, class Place, class Model>
void check_company(Place& place, Model const& model) {
  auto const book = every_contract(100, quarters);
  for (auto const& options :
       {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
    auto const all = simulated<T>(place, model, book, options);
    for (std::size_t i = 0; i < book.size(); i += 7) {
      CAPTURE(i);
      CHECK(same_estimate(simulated<T>(place, model, book[i], options), all[i]));
    }
    std::vector<contract> const reversed(book.rbegin(), book.rend());
    auto const other = simulated<T>(place, model, reversed, options);
    CHECK(same_estimates({other.rbegin(), other.rend()}, all));
  }
}

/// Independent contracts have streams of their own.
template <class T, class Place, class Model>
void check_streams(Place& place, Model const& model) {
  auto const book = every_contract(5, quarters);
  auto options = with(ordinary_options, &simulation_options::independent);
  auto const all = simulated<T>(place, model, book, options);
  options.independent = false;
  for (std::size_t i = 0; i < book.size(); ++i) {
    options.stream = ordinary_options.stream + i;
    CHECK(same_estimate(simulated<T>(place, model, book[i], options), all[i]));
  }
}

/// A GPU's estimates are the host's; native ones nearly, as in float a power of two is the GPU's
/// own.
template <class T, class Model>
void check_host_bits(wf::gpu& place, Model const& model) {
  wf::host other;
  auto const book = every_contract(70, quarters);
  double const near = sizeof(T) == 4 ? 2e-6 : 1e-14;
  for (auto options : {ordinary_options, with(ordinary_options, &simulation_options::antithetic)}) {
    auto const here = simulated<T>(other, model, book, options);
    CHECK(same_estimates(simulated<T>(place, model, book, options), here));
    options.bits = pricing::bits::portable;
    CHECK(same_estimates(simulated<T>(place, model, book, options), here));
    options.bits = pricing::bits::native;
    CHECK(same_estimates(simulated<T>(other, model, book, options), here));
    auto const there = simulated<T>(place, model, book, options);
    CHECK(same_estimates(there, here) == (sizeof(T) == 8));
    for (std::size_t i = 0; i < book.size(); ++i) {
      CAPTURE(i);
      CHECK(there[i].value == doctest::Approx(here[i].value).epsilon(near).scale(10));
      CHECK(there[i].standard_error ==
            doctest::Approx(here[i].standard_error).epsilon(100 * near).scale(0.1));
      CHECK(paying_apart(there[i], here[i]) <= (sizeof(T) == 4 ? 2 : 0));
    }
  }
}

/// A captured graph gives what a call gives, again and again.
template <class Model>
void check_graph(wf::gpu& place, Model const& model) {
  auto const book = every_contract(40, quarters);
  wf::device_buffer<estimate> results(place, book.size());
  auto const expected = simulated<float>(place, model, book, ordinary_options);
  captured graph(place, [&] {
    pricing::simulate_async(place, model, book, results.span(), ordinary_options);
  });
  for (int launch = 0; launch < 2; ++launch) {
    graph.launch();
    CHECK(same_estimates(wf::to_vector(place, results.span()), expected));
  }
}

} // namespace test::contracts
