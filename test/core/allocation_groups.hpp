#pragma once
// Calls of groups that are made while allocations fail.

#include "allocation_models.hpp"

#include <exception>
#include <mutex>

namespace test {

/// work(rank) on all ranks of a group, each of which handles its own errors, as one in a process of
/// its own does: none but the verb that failed tells the others. What failed first is thrown.
template <class Place>
void run_apart(warpfold::local_group<Place>& group, auto work) {
  std::mutex mutex;
  std::exception_ptr cause, consequence;
  group.run([&](warpfold::communicator<Place>& over) {
    auto const note = [&](std::exception_ptr& kept) {
      std::lock_guard const lock{mutex};
      kept = std::current_exception();
    };
    try {
      work(over);
    } catch (warpfold::communication_error const&) {
      note(consequence);
    } catch (...) {
      note(cause);
    }
  });
  if (cause) std::rethrow_exception(cause);
  if (consequence) std::rethrow_exception(consequence);
}

/// The verbs of groups, on all ranks of make(), a group or a reference to one. Between the verbs
/// hosts ask for no memory.
template <class Place, class Make>
scenarios collectives(Make make) {
  namespace wf = warpfold;
  namespace wp = warpfold::pricing;
  scenarios all;
  auto const add = [&](char const* what, auto call) {
    all.add(what, [=] {
      auto&& group = make();
      numbers found;
      run_apart(group, [&](wf::communicator<Place>& over) {
        numbers mine = call(over);
        if (over.rank() == group.size() - 1) found = std::move(mine);
      });
      return found;
    });
  };
  auto const values = std::make_shared<std::vector<double>>(rough_values<double>(1000, 7));
  auto const part_of = []<class T>(wf::communicator<Place>& over, std::vector<T> const& of) {
    auto const own = wf::rank_part(of.size(), over.rank(), over.size());
    auto const mine = std::span<T const>(of).subspan(own.first, own.count);
    if constexpr (std::same_as<Place, wf::host>) return mine;
    else return wf::device_buffer<T>(over.place(), mine);
  };
  auto const part = [=](wf::communicator<Place>& over) { return part_of(over, *values); };
  add("gathering", [](auto& over) {
    over.barrier();
    return together(over.all_gather(over.rank()), over.all_gather(2. * over.rank()));
  });
  add("sums of ranks", [=](auto& over) {
    auto const mine = part(over);
    return together(wf::sum(over, mine), wf::exact_sum(over, mine), wf::min(over, mine),
                    wf::max(over, mine), wf::product(over, mine), wf::dot(over, mine, mine),
                    wf::exact_dot(over, mine, mine), wf::exact_norm2(over, mine));
  });
  add("findings of ranks", [=](auto& over) {
    auto const mine = part(over);
    wf::less_than<double> const below{0};
    return together(wf::describe(over, mine).m2, wf::argmin(over, mine).index,
                    wf::argmax(over, mine).index, wf::minmax(over, mine).max,
                    wf::count_if(over, mine, below), wf::all_of(over, mine, below),
                    wf::any_of(over, mine, below), wf::histogram(over, mine, {100, -3, 3}),
                    wf::histogram(over, mine, {1000, -3, 3}));
  });
  add("elements of ranks", [=](auto& over) {
    std::uint64_t const ranks[] = {7, 700};
    return together(wf::order_statistics(over, part(over), ranks));
  });
  add("an element of ranks",
      [=](auto& over) { return together(wf::nth_element(over, part(over), 7)); });
  add("quantiles of ranks", [=](auto& over) {
    double const qs[] = {0.2, 0.9};
    return together(wf::quantiles(over, part(over), qs));
  });
  add("a quantile of ranks",
      [=](auto& over) { return together(wf::quantile(over, part(over), 0.2)); });
  add("a median of ranks", [=](auto& over) { return together(wf::median(over, part(over))); });
  add("the first of ranks",
      [=](auto& over) { return together(wf::top_k(over, part(over), 5)[4].index); });
  add("risk of ranks",
      [=](auto& over) { return together(wp::risk(over, part(over)).expected_shortfall); });
  auto const named = std::make_shared<std::vector<std::uint32_t>>(values->size(), 20);
  add("weights of ranks", [=](auto& over) {
    auto const mine = part(over);
    auto const where = part_of(over, *named);
    // A rank that fails before its call is waited for: no memory of hosts is asked for here.
    auto const with = [&](auto&& sums) {
      wf::histogram(over, mine, mine, {40, -3, 3}, sums);
      wf::scatter_sum(over, mine, where, sums, {.cumulative = true, .exact = true});
    };
    if constexpr (std::same_as<Place, wf::host>) {
      std::array<double, 40> sums;
      with(sums);
      return together(sums[20], sums[21]);
    } else {
      wf::device_buffer<double> sums(over.place(), 40);
      with(sums);
      return together(wf::to_vector(over.place(), sums));
    }
  });
  auto const calls = std::make_shared<std::vector<double>>(values->size());
  add("books of ranks", [=](auto& over) {
    wp::price(over, wp::host_book<double>{100, 90, 1, 0.2, *values}, {.call = *calls});
    wp::implied_volatility(over,
                           wp::host_quotes<double>{wp::option_kind::call, 15, 100, 100, 1, *values},
                           {.volatility = *calls});
    return numbers();
  });
  add("paths of ranks", [=](auto& over) {
    wp::asian_option const of[] = {{{100, 105, 1, 0.2, 0.03, 0}}, {{100, 95, 1, 0.2, 0.03, 0}}};
    std::array<wp::estimate, std::size(of)>
        results; // a rank that fails before its call is waited for
    wp::simulate(over, std::span<wp::asian_option const>(of), results,
                 {.paths = 512, .steps = 5, .control_variate = true});
    return together(results);
  });
  models::for_each_kind([&]<class R>(char const* name, R, auto const& model, auto const& book) {
    add(name, [model, &book](auto& over) {
      std::array<R, 3> room;
      auto const results = std::span(room).first(book.size());
      wp::simulate(over, model, std::span(book), results, models::options);
      if constexpr (requires { results[0].price; }) return numbers{results[0].price.value};
      else return numbers{results[0].value};
    });
  });
  for (auto const method : {wp::greek_method::bumps, wp::greek_method::pathwise})
    add("Greeks by ranks",
        [=](auto& over) { return models::greeks_of(over, models::contracts, method); });
  return all;
}

} // namespace test
