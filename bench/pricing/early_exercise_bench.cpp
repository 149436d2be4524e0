// Options with early exercise by least squares, and a plain program beside them. An item is one
// option's date on a pricing path; there are as many regression paths.

#include "path_rows.hpp"
#include "plain_kernels.hpp"
#include "problems.hpp"
#ifdef WARPFOLD_CUSOLVER
#include "cubic_solver.hpp"
#endif

#include <cstdio>
#include <functional>
#include <memory>

namespace warpfold::bench {
namespace {

using pricing::bermudan_option;
using pricing::exercise_estimate;

constexpr int dates = 50;

/// "", or how far a price is from the known one, if by more than four standard errors.
std::string complaint_of(pricing::estimate const& price, double known) {
  if (std::abs(price.value - known) <= 4 * price.standard_error) return "";
  return std::to_string(price.value) + " is not " + std::to_string(known) + " to four times " +
         std::to_string(price.standard_error);
}
/// "", or both means, if the regression's paths and the independent ones disagree.
std::string complaint_of(exercise_estimate const& of) {
  double const apart = std::abs(of.in_sample - of.price.value);
  if (apart <= 0.005 * of.price.value + 5 * of.price.standard_error) return "";
  return std::to_string(of.price.value) + ", but " + std::to_string(of.in_sample) + " in sample";
}

/// An estimate from sums of discounted payoffs.
pricing::estimate estimate_of(payoff_totals const& all, std::uint64_t paths) {
  double const n = static_cast<double>(paths), mean = all.sum / n;
  pricing::estimate result{};
  result.value = mean;
  result.standard_error = std::sqrt((all.squares / n - mean * mean) / n);
  return result;
}

/// Runs it as a graph; false if it does something that no graph can hold.
template <class Call>
bool runs_as_graph(gpu const& place, Call const& call) {
  try {
    graph(place, call).launch(place);
    return true;
  } catch (std::exception const&) {
    cudaGetLastError(); // the next launch is not to blame
    return false;
  }
}

struct plain_way {
  std::string name;
  std::function<solve_cubic(gpu&)> solver;
};
std::vector<plain_way> plain_ways() {
  std::vector<plain_way> all{{"plain", [](gpu&) { return solve_cubic(solve_in_one_thread); }}};
#ifdef WARPFOLD_CUSOLVER
  all.push_back({"plain_cusolver", [](gpu& place) -> solve_cubic {
                   auto const solver = std::make_shared<cubic_solver>(place);
                   return [solver](gpu&, cubic_system* system) { solver->enqueue(system); };
                 }});
#endif
  return all;
}

/// A model, and a book whose option `known` is the textbook's, if any.
template <class Model>
struct exercise_case {
  std::string name;
  Model model;
  std::vector<bermudan_option> book;
  int known = -1;
};

/// Rows in T, of plain programs, and with native bits if that is asked for.
template <class T, class Model>
void add(session& run, exercise_case<Model> const& of, std::uint64_t paths,
         std::vector<plain_way> const& plain = {}, bool with_native = false) {
  std::size_t const options = of.book.size();
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 9 : 21};
    pricing::simulation_options const how{
        .paths = paths, .steps = dates, .regression_paths = paths};
    std::span<bermudan_option const> const book = of.book;
    std::vector<exercise_estimate> found(options);
    pricing::simulate<T>(place, of.model, book, found, how); // the blocking form makes room
    for (exercise_estimate const& one : found)
      if (outcomes[0].complaint.empty()) outcomes[0].complaint = complaint_of(one);
    if (of.known >= 0 && outcomes[0].complaint.empty())
      outcomes[0].complaint =
          complaint_of(found[static_cast<std::size_t>(of.known)].price, textbook_price);
    device_buffer<exercise_estimate> results(place, options);
    std::vector<contender> contenders{
        {[&](int) { pricing::simulate_async<T>(place, of.model, book, results.span(), how); }}};
    contenders[0].call(0);

    plain_put_memory memory(place, plain.empty() ? 1 : dates, plain.empty() ? 1 : paths);
    device_buffer<payoff_totals> total(place, 1);
    std::vector<std::size_t> timed{0}; // those that could be set up
    for (std::size_t w = 1; w <= plain.size(); ++w) {
      auto& outcome = outcomes[w];
      bool const is_there = outcome.attempt([&] {
        auto const call = [&, solve = plain[w - 1].solver(place)] {
          plain_put_async(place, textbook_put, dates, paths, memory, solve, total.span());
        };
        call();
        bool const waits = !runs_as_graph(place, call);
        if (waits) {
          call();
          outcome.label = "by the wall clock: no graph could hold it";
        }
        outcome.complaint =
            complaint_of(estimate_of(to_vector(place, total.span())[0], paths), textbook_price);
        contenders.push_back({[&place, call, waits](int) {
                                call();
                                if (waits) place.synchronize();
                              },
                              waits});
      });
      if (is_there) timed.push_back(w);
    }
    auto native = how;
    native.bits = pricing::bits::native;
    if (with_native) {
      contenders.push_back({[&](int) {
        pricing::simulate_async<T>(place, of.model, book, results.span(), native);
      }});
      timed.push_back(plain.size() + 1);
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < times.size(); ++w) outcomes[timed[w]].times = times[w];
    if (options == 1) return;
    char label[64];
    std::snprintf(label, sizeof label, "%.4f ms an option",
                  1e3 * times[0].median / static_cast<double>(options));
    outcomes[0].label = label;
  });
  double const items = static_cast<double>(paths) * dates * static_cast<double>(options);
  rows.add(path_row<T>(of.name, options, dates, "warpfold", paths), 0, items);
  for (plain_way const& one : plain)
    rows.add(path_row<T>(of.name, options, dates, one.name, paths), 0, items);
  if (with_native) rows.add(path_row<T>(of.name, options, dates, "native", paths), 0, items);
}

} // namespace

void add_early_exercise(session& run) {
  if (!run.place) return;
  constexpr std::uint64_t million = 1 << 20;
  auto const& put = textbook_put;
  pricing::black_scholes const lognormal{put.spot, put.volatility, put.rate};
  exercise_case<pricing::black_scholes> const one{
      "bermudan-put", lognormal, {{put.strike, put.expiry}}, 0};
  auto many = one;
  many.book.clear();
  for (int i = 0; i < 256; ++i) many.book.push_back({put.spot + i / 32., put.expiry});
  many.known = 128;
  exercise_case<pricing::heston> const other{
      "bermudan-put_heston", {100, 0.03, 0, 0.04, 1.5, 0.05, 0.6, -0.7}, {{100, 1}}};
  add<float>(run, one, million, plain_ways(), true);
  add<float>(run, many, million);
  add<float>(run, other, million);
  if (run.quick) return;
  add<float>(run, one, million / 8);
  add<float>(run, one, million / 64);
  add<double>(run, one, million);
}

} // namespace warpfold::bench
