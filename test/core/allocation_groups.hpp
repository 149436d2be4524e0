#pragma once
// Calls of groups that are made while allocations fail.

#include "allocation_scenarios.hpp"

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

/// The verbs of groups, on all ranks of make(). Between the verbs hosts ask for no memory.
template <class Place, class Make>
scenarios collectives(Make make) {
  namespace wf = warpfold;
  namespace wp = warpfold::pricing;
  scenarios all;
  auto const add = [&](char const* what, auto call) {
    all.add(what, [=] {
      wf::local_group<Place> group = make();
      numbers found;
      run_apart(group, [&](wf::communicator<Place>& over) {
        numbers mine = call(over);
        if (over.rank() == group.size() - 1) found = std::move(mine);
      });
      return found;
    });
  };
  auto const values = std::make_shared<std::vector<double>>(rough_values<double>(1000, 7));
  auto const part = [=](wf::communicator<Place>& over) {
    auto const own = wf::rank_part(values->size(), over.rank(), over.size());
    auto const mine = std::span<double const>(*values).subspan(own.first, own.count);
    if constexpr (std::same_as<Place, wf::host>) return mine;
    else return wf::device_buffer<double>(over.place(), mine);
  };
  add("gathering", [](auto& over) {
    over.barrier();
    return together(over.all_gather(over.rank()), over.all_gather(2. * over.rank()));
  });
  add("sums of ranks", [=](auto& over) {
    auto const mine = part(over);
    return together(wf::sum(over, mine), wf::exact_sum(over, mine), wf::min(over, mine),
                    wf::dot(over, mine, mine));
  });
  add("findings of ranks", [=](auto& over) {
    auto const mine = part(over);
    return together(wf::describe(over, mine).m2, wf::argmax(over, mine).index,
                    wf::minmax(over, mine).max, wf::count_if(over, mine, wf::less_than<double>{0}),
                    wf::histogram(over, mine, {100, -3, 3}),
                    wf::histogram(over, mine, {1000, -3, 3}));
  });
  add("weights of ranks", [=](auto& over) {
    auto const mine = part(over);
    if constexpr (std::same_as<Place, wf::host>) {
      std::array<double, 40> sums; // a rank that fails before its call is waited for
      wf::histogram(over, mine, mine, {40, -3, 3}, sums);
      return together(sums[20], sums[21]);
    } else {
      wf::device_buffer<double> sums(over.place(), 40);
      wf::histogram(over, mine, mine, {40, -3, 3}, sums);
      return together(wf::to_vector(over.place(), sums));
    }
  });
  auto const calls = std::make_shared<std::vector<double>>(values->size());
  add("books of ranks", [=](auto& over) {
    wp::price(over, wp::host_book<double>{100, 90, 1, 0.2, *values}, {.call = *calls});
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
  return all;
}

} // namespace test
