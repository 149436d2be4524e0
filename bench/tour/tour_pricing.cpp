// The tour's fifth section: European options. The course's table of transfers and kernel beside
// this machine's, and what each formula's prices are worth.

#include "paired_timing.hpp"
#include "pricing/textbook.hpp"
#include "tour.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/memory.hpp>
#include <warpfold/pricing/black_scholes.hpp>
#include <warpfold/twins/pricing.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace warpfold::tour {
namespace {

using bench::textbook;
using bench::textbook_prices;
using pricing::option;
using twins::formula;

/// The formula, and what the course's program took for as many options on a Tesla C870 with its
/// polynomial and, on its host, one thread.
struct formula_row {
  formula twin;
  char const* text;
  double course_kernel_ms = 0, course_host_ms = 0;
};
constexpr formula_row formulas[] = {{formula::polynomial, "Hull's polynomial", 0.893, 454.68},
                                    {formula::vendor, "textbook, vendor's functions"},
                                    {formula::mills, "one exponential, Mills ratios"}};
constexpr std::size_t options = 1'000'000;
/// The error that warpfold promises for floats, in units of both terms.
constexpr double promised = 1.2e-7;

/// A book with one rate and one volatility, in memory of either kind of either side.
template <template <class> class Memory>
struct arrays {
  Memory<float> spot, strike, expiry, call, put;

  /// Five of what make() makes.
  explicit arrays(auto make)
      : spot{make()}, strike{make()}, expiry{make()}, call{make()}, put{make()} {}

  template <class Span>
  [[nodiscard]] pricing::option_book<Span> book() const {
    return {.spot = spot, .strike = strike, .expiry = expiry, .volatility = 0.3F, .rate = 0.02F};
  }
};
template <class T>
using pageable = std::vector<T>;
using host_arrays = arrays<pageable>;

pricing::host_book<float> book_of(auto const& memory) {
  return memory.template book<std::span<float const>>();
}
pricing::host_outputs<float> outputs_of(auto& memory) {
  return {.call = memory.call, .put = memory.put};
}

/// The ranges of the program that came with the course: prices of 5 to 30, strikes of 1 to 100,
/// a quarter of a year to ten years, rate 0.02, volatility 0.3.
host_arrays random_book() {
  host_arrays made([] { return std::vector<float>(options); });
  std::uint64_t state = 1973;
  auto const fill = [&](std::vector<float>& values, float from, float to) {
    for (float& value : values) {
      state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
      value = from + (to - from) * std::ldexp(static_cast<float>(state >> 40), -24);
    }
  };
  fill(made.spot, 5, 30);
  fill(made.strike, 1, 100);
  fill(made.expiry, 0.25F, 10);
  return made;
}

double median_ms(int runs, auto const& seconds) {
  return 1e3 * bench::median_seconds(runs, seconds);
}

/// One line: what the course measured, what this machine takes. 0 is left blank.
void print_times(std::string const& what, double course_pageable, double course_pinned,
                 double now_pageable, double now_pinned = 0) {
  std::printf("%-48s", what.c_str());
  print(11, 3, course_pageable);
  print(10, 3, course_pinned);
  std::printf(" |");
  print(11, 3, now_pageable);
  print(10, 3, now_pinned);
  std::printf("\n");
  std::fflush(stdout);
}

void print_times_head() {
  std::printf("\n%-48s%11s%10s |%11s%10s\n", "1,000,000 options, float", "C870", "C870", "now",
              "now");
  std::printf("%-48s%11s%10s |%11s%10s\n", "milliseconds", "pageable", "pinned", "pageable",
              "pinned");
}

void host_rows(host const& processor, host_arrays& book) {
  for (formula_row const& row : formulas)
    print_times("CPU, " + std::to_string(processor.threads()) + " threads: " + row.text,
                row.course_host_ms, 0, median_ms(3, [&] {
                  return bench::wall_seconds(
                      [&] { price(processor, book_of(book), outputs_of(book), row.twin); });
                }));
}

void times(host const& place, host_arrays& book) {
  print_times_head();
  host_rows(place, book);
}

void times(gpu& place, host_arrays& book) {
  arrays<pinned_buffer> pinned([] { return pinned_buffer<float>(options); });
  arrays<device_buffer> there([&] { return device_buffer<float>(place, options); });
  std::copy(book.spot.begin(), book.spot.end(), pinned.spot.begin());
  std::copy(book.strike.begin(), book.strike.end(), pinned.strike.begin());
  std::copy(book.expiry.begin(), book.expiry.end(), pinned.expiry.begin());

  constexpr int runs = 11;
  auto const waited_for = [&](auto const& work) {
    return median_ms(runs, [&] {
      place.synchronize();
      return bench::wall_seconds(work);
    });
  };
  auto const in = [&](auto const& from) {
    return waited_for([&] {
      copy_async(place, from.spot, there.spot.span());
      copy_async(place, from.strike, there.strike.span());
      copy_async(place, from.expiry, there.expiry.span());
      place.synchronize();
    });
  };
  auto const out = [&](auto& to) {
    return waited_for([&] {
      copy_async(place, there.call.span(), to.call);
      copy_async(place, there.put.span(), to.put);
      place.synchronize();
    });
  };
  auto const whole = [&](auto& memory) {
    return waited_for([&] { price(place, book_of(memory), outputs_of(memory)); });
  };

  print_times_head();
  print_times("inputs to the GPU", 10.496, 3.714, in(book), in(pinned));
  bench::l2_flush flush(place);
  bench::event_pair events;
  pricing::device_book<float> const there_book = there.book<device_span<float const>>();
  for (formula_row const& row : formulas) {
    double const ms = median_ms(runs, [&] {
      flush.enqueue();
      return events.seconds(place, [&] {
        price_async(place, there_book, {.call = there.call, .put = there.put}, row.twin);
      });
    });
    print_times(std::string("kernel: ") + row.text, row.course_kernel_ms, row.course_kernel_ms, ms,
                ms);
  }
  print_times("results to the host", 15.471, 2.607, out(book), out(pinned));
  print_times("all of it in one call, copies overlapped", 0, 0, whole(book), whole(pinned));
  host_rows(host(), book);
}

bool same_bits(std::vector<float> const& a, std::vector<float> const& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// The course's norms, of calls, and what is wrong with single prices.
template <class Place>
bool errors(Place& place, host_arrays& book) {
  std::vector<textbook_prices<double>> exact(options);
  std::vector<double> unit(options);
  constexpr std::int64_t pieces = 1000;
  auto const one = [&](std::size_t i) {
    return option<float>{book.spot[i], book.strike[i], book.expiry[i], 0.3F, 0.02F, 0};
  };
  detail::parallel_for(host().threads(), pieces, [&](std::int64_t piece) {
    std::size_t const first = static_cast<std::size_t>(piece) * options / pieces;
    std::size_t const last = static_cast<std::size_t>(piece + 1) * options / pieces;
    for (std::size_t i = first; i < last; ++i) {
      exact[i] = textbook<double>(one(i));
      unit[i] = exact[i].spot + exact[i].strike;
    }
  });

  std::printf("\n%-44s%14s%14s%14s%10s%12s\n", "calls and puts in float against double", "L1 norm",
              "largest", "largest of", "negative", "the host's");
  std::printf("%-44s%14s%14s%14s%10s%12s\n",
              std::is_same_v<Place, gpu> ? "on the GPU" : "on the host", "of calls", "error",
              "S + X e^-rT", "prices", "bits");
  std::printf("%-44s%14.2e%14.2e\n", "Tesla C870 against its host's float", 5.984729e-08,
              1.525879e-05);
  bool all_agree = true;
  for (formula_row const& row : formulas) {
    price(host(), book_of(book), outputs_of(book), row.twin);
    std::vector<float> const host_call = book.call, host_put = book.put;
    price(place, book_of(book), outputs_of(book), row.twin);
    bool const same = same_bits(book.call, host_call) && same_bits(book.put, host_put);
    double difference = 0, total = 0, largest = 0, relative = 0;
    int negative = 0;
    bool defined = true;
    for (std::size_t i = 0; i < options; ++i) {
      double const call_error = std::abs(book.call[i] - exact[i].call);
      double const put_error = std::abs(book.put[i] - exact[i].put);
      double const error = std::max(call_error, put_error);
      difference += call_error;
      total += exact[i].call;
      largest = std::max(largest, error);
      relative = std::max(relative, error / unit[i]);
      defined = defined && std::isfinite(call_error + put_error);
      negative += (book.call[i] < 0) + (book.put[i] < 0);
    }
    bool const accurate = row.twin == formula::mills;
    bool const agrees = defined && relative <= (accurate ? promised : 1e-5) &&
                        (!accurate || (negative == 0 && same));
    std::printf("%-44s%14.2e%14.2e%14.2e%10d%12s%s\n", row.text, difference / total, largest,
                relative, negative, same ? "yes" : "no", agrees ? "" : "  WRONG");
    std::fflush(stdout);
    all_agree = all_agree && agrees;
  }
  return all_agree;
}

/// Options far out of the money: what remains of the price.
template <class Place>
bool tail(Place& place) {
  std::vector<float> const strikes{40, 60, 80, 90, 100, 120, 140, 160, 200, 250};
  std::size_t const n = strikes.size();
  pricing::host_book<float> const book{
      .spot = 100.F, .strike = strikes, .expiry = 0.25F, .volatility = 0.2F, .rate = 0.05F};
  std::vector<std::vector<float>> call, put;
  for (formula_row const& row : formulas) {
    call.emplace_back(n);
    put.emplace_back(n);
    price(place, book, {.call = call.back(), .put = put.back()}, row.twin);
  }
  std::printf("\nOptions on 100, three months, volatility 0.2, rate 0.05, in float:\n\n"
              "%4s%7s%12s%11s",
              "", "strike", "price", "condition");
  for (char const* const text : {"polynomial", "textbook", "Mills"})
    std::printf("%13s%10s", text, "error");
  std::printf("\n");
  bool all_agree = true;
  for (std::size_t i = 0; i < n; ++i) {
    bool const is_put = strikes[i] < 100;
    auto const reference =
        textbook<long double>(option<float>{100, strikes[i], 0.25F, 0.2F, 0.05F, 0});
    auto const exact = static_cast<double>(is_put ? reference.put : reference.call);
    std::printf("%4s%7.0f%12.4e%11.1f", is_put ? "put" : "call", static_cast<double>(strikes[i]),
                exact,
                static_cast<double>(is_put ? reference.put_condition : reference.call_condition));
    for (std::size_t m = 0; m < std::size(formulas); ++m) {
      auto const found = static_cast<double>((is_put ? put : call)[m][i]);
      double const error = std::abs(found - exact) / exact;
      bool const agrees = formulas[m].twin != formula::mills || error <= 2e-5;
      std::printf("%13.4e%10.1e%s", found, error, agrees ? "" : " WRONG");
      all_agree = all_agree && agrees;
    }
    std::printf("\n");
  }
  return all_agree;
}

template <class Place>
bool section(Place& place) {
  std::printf("\n5. Option prices\n================\n\n"
              "Black and Scholes's prices of 1,000,000 random calls and puts, copied to the GPU, "
              "priced and copied\nback, as in the course on a Tesla C870; and what the prices are "
              "worth.\n");
  host_arrays book = random_book();
  times(place, book);
  std::printf("\nMedians%s. The course's host had one thread.\n",
              std::is_same_v<Place, gpu>
                  ? " of 11 runs: kernels from event to event, L2 flushed before; others by the "
                    "wall clock;\nof 3 runs on the host"
                  : " of 3 runs, wall clock");
  bool const agree = errors(place, book);
  bool const tail_agrees = tail(place);
  std::printf(
      "\nErrors are relative to the price, which is computed in long double; \"condition\" is "
      "how many times\nlarger a relative change of the price is than the change of the spot "
      "that makes it.\n");
  return agree && tail_agrees;
}

} // namespace

bool pricing_section(any_place& place) {
  return std::visit([](auto& one) { return section(one); }, place);
}

} // namespace warpfold::tour
