// Asian and barrier options, and calls on paths of models, by Monte Carlo: books whose options
// share their normals, options one by one, and CUDA's sample beside them. An item is one option's
// step.

#include "path_rows.hpp"
#include "problems.hpp"

#include <functional>
#include <memory>

namespace warpfold::bench {
namespace {

using pricing::asian_option;
using pricing::barrier_option;
using pricing::estimate;
using pricing::simulation_options;

std::vector<barrier_option> barriers(std::size_t size, pricing::monitoring monitoring) {
  std::vector<barrier_option> book;
  for (std::size_t i = 0; i < size; ++i) {
    auto const x = static_cast<double>(i);
    book.push_back({{100, 80 + 2.5 * x, 1, 0.15 + 0.01 * x, 0.05, 0.02},
                    90,
                    pricing::barrier_type::down_and_out,
                    pricing::option_kind::call,
                    0,
                    monitoring});
  }
  return book;
}

/// Rows of a book: all options with the same normals, in T; where it does the same, the sample;
/// and with portable bits, if that is asked for.
template <class T, class Option>
void add_book(session& run, std::string const& name, std::vector<Option> const& book,
              simulation_options const& options, bool with_sample, bool with_portable = false) {
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    place.reserve(192 * mebi);
    // Many small simulations: a graph's start does not count.
    double const items = static_cast<double>(options.paths) * options.steps;
    int const calls =
        static_cast<int>(std::clamp(0x1p31 / (items * static_cast<double>(book.size())), 2., 64.));
    timing_plan const plan{calls, run.quick ? 9 : 41};
    device_buffer<Option> there(place, std::span<Option const>(book));
    device_buffer<payoff_totals> totals(place, book.size());
    device_buffer<estimate> results(place, book.size());
    auto const simulate = [&](int) {
      pricing::simulate_async<T>(place, std::span<Option const>(book), results.span(), options);
    };
    auto const sampled = [&](int) {
      sample_async(place, std::as_const(there).span(), options.steps, options.paths, totals.span());
    };
    simulate(0);
    std::string complaint;
    if (with_sample) {
      sampled(0);
      std::vector<double> discounts;
      for (Option const& one : book)
        discounts.push_back(std::exp(-one.terms.rate * one.terms.expiry));
      complaint = complaint_of(discounts, to_vector(place, results.span()),
                               to_vector(place, totals.span()), static_cast<double>(options.paths));
    }
    std::vector<contender> contenders{{simulate}};
    if (with_sample) contenders.push_back({sampled});
    auto portable = options;
    portable.bits = pricing::bits::portable;
    if (with_portable)
      contenders.push_back({[&](int) {
        pricing::simulate_async<T>(place, std::span<Option const>(book), results.span(), portable);
      }});
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < times.size(); ++w) outcomes[w] = {times[w], complaint};
  });
  double const items =
      static_cast<double>(options.paths) * options.steps * static_cast<double>(book.size());
  rows.add(path_row<T>(name, book.size(), options.steps, "warpfold", options.paths), 0, items);
  if (with_sample)
    rows.add(path_row<T>(name, book.size(), options.steps, "sample", options.paths), 0, items);
  if (with_portable)
    rows.add(path_row<T>(name, book.size(), options.steps, "portable", options.paths), 0, items);
}

/// A plain program that prices one call.
using plain_program =
    std::function<void(gpu&, int steps, std::uint64_t paths, device_span<payoff_totals> total)>;

/// Rows of calls of a year on a model's paths, with one strike or many, and of the first one by a
/// plain program if there is one. `averages`: calls on daily averages, with portable and native
/// bits.
template <class T, class Model>
void add_contracts(session& run, std::string const& name, Model const& model, std::size_t strikes,
                   std::uint64_t paths, plain_program const& plain = {}, bool averages = false) {
  constexpr int steps = 252;
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    place.reserve(64 * mebi);
    timing_plan const plan{2, run.quick ? 9 : 41};
    std::vector<pricing::contract> book;
    for (std::size_t i = 0; i < strikes; ++i)
      book.push_back(
          {.strike = 100 + 0.5 * static_cast<double>(i),
           .expiry = 1,
           .measure = averages ? pricing::measure::arithmetic_average : pricing::measure::price});
    device_buffer<payoff_totals> total(place, 1);
    device_buffer<estimate> results(place, strikes);
    double const times[] = {1};
    simulation_options how{.paths = paths, .times = times, .longest_step = 1. / steps};
    if (averages) how = {.paths = paths, .steps = steps};
    auto native = how;
    native.bits = pricing::bits::native;
    auto const call = [&](simulation_options const& options) {
      pricing::simulate_async<T>(place, model, std::span<pricing::contract const>(book),
                                 results.span(), options);
    };
    auto const simulate = [&](int) { call(how); };
    auto const sampled = [&](int) { plain(place, steps, paths, total.span()); };
    simulate(0);
    std::string complaint;
    if (plain) {
      sampled(0);
      complaint =
          complaint_of({std::exp(-model.rate.integral(1))}, to_vector(place, results.span()),
                       to_vector(place, total.span()), static_cast<double>(paths));
    }
    std::vector<contender> contenders{{simulate}};
    if (plain) contenders.push_back({sampled});
    if (averages) contenders.push_back({[&](int) { call(native); }});
    auto const measured = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < measured.size(); ++w) outcomes[w] = {measured[w], complaint};
  });
  double const items = static_cast<double>(paths) * steps;
  rows.add(path_row<T>(name, strikes, steps, "warpfold", paths), 0, items);
  if (plain) rows.add(path_row<T>(name, strikes, steps, "sample", paths), 0, items);
  if (averages) rows.add(path_row<T>(name, strikes, steps, "native", paths), 0, items);
}

pricing::heston bates_model() {
  auto model = heston_model();
  model.jumps = {.intensity = 1, .mean = -0.1, .deviation = 0.15};
  return model;
}
void plain_heston(gpu& place, int steps, std::uint64_t paths, device_span<payoff_totals> total) {
  heston_sample_async(place, a_heston_call, steps, paths, total);
}

/// Prices of `strikes` calls in Heston's model, and Greeks of them: an item is a path's step of one
/// run, of which all Greeks take 17.
template <class T>
void add_greeks(session& run, std::size_t strikes, std::uint64_t paths) {
  constexpr int steps = 52;
  constexpr int runs[] = {1, 3, 17};
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 5 : 21};
    double const times[] = {1};
    std::vector<pricing::contract> book;
    for (std::size_t i = 0; i < strikes; ++i)
      book.push_back({80 + 40 * static_cast<double>(i) / static_cast<double>(strikes), 1});
    device_buffer<pricing::estimate> results(place, 10 * strikes);
    auto const of = [&](std::size_t k) { return results.span().subspan(k * strikes, strikes); };
    pricing::device_greeks const few{.value = of(0), .delta = of(1), .gamma = of(2)};
    pricing::device_greeks const all{.value = of(0),
                                     .delta = of(1),
                                     .gamma = of(2),
                                     .rho = of(3),
                                     .dividend_rho = of(4),
                                     .variance = of(5),
                                     .reversion = of(6),
                                     .mean = of(7),
                                     .vol_of_vol = of(8),
                                     .correlation = of(9)};
    pricing::simulation_options const how{
        .paths = paths, .times = times, .longest_step = 1. / steps};
    place.reserve(18 * strikes * 200'000 + steps * 112 + (std::size_t{1} << 16));
    auto const model = heston_model();
    std::span<pricing::contract const> const of_book = book;
    std::vector<contender> const contenders{
        {[&](int) { pricing::simulate_async<T>(place, model, of_book, of(0), how); }},
        {[&](int) { pricing::simulate_async<T>(place, model, of_book, few, how); }},
        {[&](int) { pricing::simulate_async<T>(place, model, of_book, all, how); }}};
    auto const measured = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < measured.size(); ++w) outcomes[w] = {measured[w], ""};
  });
  char const* const ways[] = {"price", "delta_gamma", "all"};
  for (int w = 0; w < 3; ++w)
    rows.add(path_row<T>("greeks_heston", strikes, steps, ways[w], paths), w,
             static_cast<double>(paths) * steps * runs[w]);
}

/// A call of a year in Heston's model, and five pathwise Greeks of it. An item is a path's step, in
/// either row.
template <class T>
void add_pathwise(session& run, std::uint64_t paths) {
  constexpr int steps = 252;
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 9 : 41};
    double const times[] = {1};
    std::vector<pricing::contract> const book{{100, 1}};
    device_buffer<pricing::estimate> results(place, 6);
    auto const of = [&](std::size_t k) { return results.span().subspan(k, 1); };
    pricing::device_greeks const five{.delta = of(1),
                                      .variance = of(2),
                                      .mean = of(3),
                                      .vol_of_vol = of(4),
                                      .correlation = of(5)};
    pricing::simulation_options const how{
        .paths = paths, .times = times, .longest_step = 1. / steps};
    place.reserve(std::size_t{4} << 20);
    auto const model = heston_model();
    std::span<pricing::contract const> const of_book = book;
    auto const price = [&](int) { pricing::simulate_async<T>(place, model, of_book, of(0), how); };
    auto const greeks = [&](int) {
      pricing::simulate_async<T>(place, model, of_book, five, how,
                                 {.method = pricing::greek_method::pathwise});
    };
    std::vector<contender> const contenders{{price}, {greeks}};
    auto const measured = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < measured.size(); ++w) outcomes[w] = {measured[w], ""};
  });
  char const* const ways[] = {"price", "five"};
  for (int w = 0; w < 2; ++w)
    rows.add(path_row<T>("greeks_pathwise", 1, steps, ways[w], paths), w,
             static_cast<double>(paths) * steps);
}

/// A digital of a year in Heston's model, and its value and four Greeks: by likelihood ratios, and
/// by bumps. An item is a path's step of one run, of which bumps take 7.
template <class T>
void add_likelihood(session& run, std::uint64_t paths) {
  constexpr int steps = 252;
  constexpr int runs[] = {1, 1, 7};
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 5 : 21};
    double const times[] = {1};
    std::vector<pricing::contract> const book{{100, 1, pricing::settlement::digital_call}};
    device_buffer<estimate> price(place, 1), ratios(place, 5), bumped(place, 5);
    auto const greeks_in = [](device_buffer<estimate>& results) {
      auto const of = [&](std::size_t k) { return results.span().subspan(k, 1); };
      return pricing::device_greeks{
          .value = of(0), .delta = of(1), .gamma = of(2), .rho = of(3), .dividend_rho = of(4)};
    };
    simulation_options const how{.paths = paths, .times = times, .longest_step = 1. / steps};
    place.reserve(std::size_t{4} << 20);
    auto const model = heston_model();
    std::span<pricing::contract const> const of_book = book;
    std::vector<contender> const contenders{
        {[&](int) { pricing::simulate_async<T>(place, model, of_book, price.span(), how); }},
        {[&](int) {
          pricing::simulate_async<T>(place, model, of_book, greeks_in(ratios), how,
                                     {.method = pricing::greek_method::likelihood_ratio});
        }},
        {[&](int) { pricing::simulate_async<T>(place, model, of_book, greeks_in(bumped), how); }}};
    for (contender const& one : contenders) one.call(0);
    std::string complaint;
    auto const found = to_vector(place, ratios.span()), others = to_vector(place, bumped.span());
    if (found[0].value != to_vector(place, price.span())[0].value) complaint = "another value";
    for (std::size_t k = 1; k < found.size(); ++k) {
      double const apart = std::abs(found[k].value - others[k].value);
      if (!(apart <= 6 * (found[k].standard_error + others[k].standard_error)))
        complaint = "Greek " + std::to_string(k) + " is " + std::to_string(found[k].value) +
                    ", by bumps " + std::to_string(others[k].value);
    }
    auto const measured = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < measured.size(); ++w) outcomes[w] = {measured[w], complaint};
  });
  char const* const ways[] = {"price", "ratios", "bumps"};
  for (int w = 0; w < 3; ++w)
    rows.add(path_row<T>("greeks_likelihood", 1, steps, ways[w], paths), 0,
             static_cast<double>(paths) * steps * runs[w]);
}

/// The texture is made by the first call, which is not timed.
plain_program plain_local() {
  return [made = std::shared_ptr<volatility_texture>()](gpu& place, int steps, std::uint64_t paths,
                                                        device_span<payoff_totals> total) mutable {
    if (!made) {
      auto const grid = local_model().grid;
      std::vector<float> const values(grid.values().begin(), grid.values().end());
      made = std::make_shared<volatility_texture>(place, values, volatility_times, 1.F, -1.F, 1.F);
    }
    local_sample_async(place, {100, 100, 1, 0.03F}, *made, steps, paths, total);
  };
}

} // namespace

void add_path_options(session& run) {
  if (!run.place) return;
  using pricing::monitoring;
  constexpr std::uint64_t million = 1 << 20;
  simulation_options const year{.paths = million, .steps = 252, .control_variate = true};
  add_book<float>(run, "asian", asians(16), year, true, true);
  add_book<float>(run, "asian", asians(1), year, true);
  auto const with = [&](auto simulation_options::*member, auto value) {
    auto options = year;
    options.*member = value;
    return options;
  };
  using o = simulation_options;
  // Few paths: not more than a GPU has threads.
  for (int const steps : {12, 252})
    add_book<float>(run, "asian", asians(16),
                    {.paths = million / 64, .steps = steps, .control_variate = true}, true);
  add_book<float>(run, "asian_antithetic", asians(16), with(&o::antithetic, true), false);
  add_book<float>(run, "asian_independent", asians(16), with(&o::independent, true), true);
  add_book<float>(run, "asian_sobol", asians(16), with(&o::sampling, pricing::sampling::sobol),
                  false);
  add_book<double>(run, "asian", asians(16), with(&o::paths, million / 8), false);
  add_book<float>(run, "barrier_discrete", barriers(16, monitoring::discrete), year, true);
  add_book<float>(run, "barrier_continuous", barriers(16, monitoring::continuous), year, false);
  // An item is a path's step here, whatever looks at it.
  pricing::black_scholes const constant{100, 0.2, 0.03};
  add_contracts<float>(run, "heston", heston_model(), 1, million, plain_heston);
  add_contracts<float>(run, "heston", heston_model(), 64, million);
  add_contracts<float>(run, "heston_average", heston_model(), 1, million, {}, true);
  add_contracts<float>(run, "bates", bates_model(), 1, million);
  add_contracts<float>(run, "local_volatility", local_model(), 1, million, plain_local());
  add_contracts<float>(run, "local_volatility", local_model(), 64, million);
  add_contracts<float>(run, "constant_volatility", constant, 1, million);
  add_greeks<float>(run, 1, million);
  add_greeks<float>(run, 64, million);
  add_pathwise<float>(run, million);
  add_likelihood<float>(run, million);
  if (run.quick) return;
  add_contracts<double>(run, "heston", heston_model(), 1, million / 8);
  add_contracts<double>(run, "bates", bates_model(), 1, million / 8);
  add_pathwise<double>(run, million / 8);
  add_likelihood<double>(run, million / 8);
  add_contracts<double>(run, "local_volatility", local_model(), 1, million / 8);
  for (std::uint64_t const paths : {million / 8, 16 * million})
    add_book<float>(run, "asian", asians(16), with(&o::paths, paths), true);
  for (int const steps : {4, 12, 52})
    add_book<float>(run, "asian", asians(16),
                    {.paths = 16 * million, .steps = steps, .control_variate = true}, true);
  add_book<float>(run, "asian", asians(256), with(&o::paths, million / 16), true);
}

} // namespace warpfold::bench
