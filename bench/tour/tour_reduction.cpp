// The tour's first section: sums. The ladder of the reduction course beside what came after, and
// what the order of additions does to a float.

#include "on_place.hpp"
#include "paired_timing.hpp"
#include "tour.hpp"

#include <warpfold/reduction.hpp>
#include <warpfold/reduction/exact.hpp>
#include <warpfold/twins/reductions.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace warpfold::tour {
namespace {

using bench::is_gpu, bench::put_on, bench::l2_flush;

/// A way to sum, and what it took in 2008: NVIDIA G80, 86.4 GB/s at most, 2^22 integers, blocks of
/// 128 threads (M. Harris, "Optimizing Parallel Reduction in CUDA").
struct table_row {
  twins::reducer twin;
  char const* text;
  double ms_2008 = 0, gbs_2008 = 0;
};

constexpr table_row rows[] = {
    {twins::ladder_divergent, "rung 1  interleaved, divergent", 8.054, 2.083},
    {twins::ladder_strided, "rung 2  interleaved, strided index", 3.456, 4.854},
    {twins::ladder_sequential, "rung 3  sequential addressing", 1.722, 9.741},
    {twins::ladder_first_add, "rung 4  first addition on loading", 0.965, 17.377},
    {twins::ladder_last_warp, "rung 5  last warp unrolled", 0.536, 31.289},
    {twins::ladder_unrolled, "rung 6  completely unrolled", 0.381, 43.996},
    {twins::ladder_cascaded, "rung 7  many elements a thread", 0.268, 62.671},
    {twins::halving, "the tutorial's halving fold"},
    {twins::fold, "warpfold's fold"},
    {twins::cub, "CUB"},
    {twins::thrust, "Thrust"}};

/// The course gives rung 7 at 2^25 too, as a bandwidth alone.
constexpr double rung_7_gbs_at_2_to_25 = 72;

/// Median seconds of a sum. On a gpu: from event to event around the non-blocking call, with L2
/// flushed before; Thrust, which has none, by the wall clock.
class stopwatch {
public:
  explicit stopwatch(gpu& place) { flush_.emplace(place); }
  explicit stopwatch(host const&) {}

  template <class T>
  double median(gpu& place, device_buffer<T> const& values, twins::reducer twin) {
    device_buffer<T> result(place, 1);
    bench::event_pair events;
    return bench::median_seconds(11, [&] {
      flush_->enqueue();
      if (twin != twins::thrust)
        return events.seconds(place, [&] { sum_async(place, values, result.span(), twin); });
      place.synchronize();
      return bench::wall_seconds([&] { (void)sum(place, values, twin); });
    });
  }

  template <class T>
  double median(host const& place, std::vector<T> const& values, twins::reducer twin) {
    auto const add = [&] { (void)sum(place, values, twin); };
    return bench::median_seconds(3, [&] { return bench::wall_seconds(add); });
  }

private:
  std::optional<l2_flush> flush_;
};

template <class Place>
bool ladder_table(Place& place, stopwatch& watch, int exponent) {
  std::size_t const size = std::size_t{1} << exponent;
  std::vector<std::int32_t> elements(size);
  bench::fill_random(elements, bench::pattern::small_integers);
  std::int64_t exact = 0;
  for (std::int32_t const element : elements) exact += element;
  auto const values = put_on(place, std::move(elements));

  std::printf("\n%-36s%10s%10s |%10s%10s%9s%9s\n", "", "2008", "2008", "now", "now", "", "");
  std::printf("2^%d int32, exact sum %-14lld%10s%10s |%10s%10s%9s%9s\n", exponent,
              static_cast<long long>(exact), "ms", "GB/s", "ms", "GB/s", "step", "in all");
  bool all_agree = true;
  double first = 0, previous = 0;
  for (table_row const& row : rows) {
    if (row.twin == twins::cub && !is_gpu<Place>) continue;
    std::int64_t const found = sum(place, values, row.twin);
    double const seconds = watch.median(place, values, row.twin);
    if (first == 0) first = seconds;
    bool const of_2008 = exponent == 22;
    bool const is_rung = row.ms_2008 > 0;
    std::printf("%-36s", row.text);
    print(10, 3, of_2008 ? row.ms_2008 : 0);
    print(10, 1,
          of_2008                                                ? row.gbs_2008
          : row.twin == twins::ladder_cascaded && exponent == 25 ? rung_7_gbs_at_2_to_25
                                                                 : 0);
    std::printf(" |");
    print(10, 4, 1e3 * seconds);
    print(10, 1, 1e-9 * static_cast<double>(size * sizeof(std::int32_t)) / seconds);
    print(8, 2, is_rung && previous > 0 ? previous / seconds : 0, "x");
    print(8, 2, previous > 0 ? first / seconds : 0, "x");
    bool const agrees = found == exact;
    if (!agrees) std::printf("  WRONG: %lld", static_cast<long long>(found));
    std::printf("%s\n", row.twin == twins::thrust && is_gpu<Place> ? " *" : "");
    std::fflush(stdout);
    all_agree = all_agree && agrees;
    previous = seconds;
  }
  return all_agree;
}

float pairwise_sum(std::span<float const> values) {
  if (values.size() == 1) return values[0];
  std::size_t const half = values.size() / 2;
  return pairwise_sum(values.first(half)) + pairwise_sum(values.subspan(half));
}

float serial_sum(std::span<float const> values) {
  float sum = 0;
  for (float const value : values) sum += value;
  return sum;
}

/// Floats that are integers times 2^-`scale`, so that their sum is known exactly.
struct float_data {
  char const* text;
  std::vector<float> values;
  std::int64_t exact;
  int scale;
};

float_data uniform_data(std::size_t size) {
  float_data data{"uniform random numbers in [0, 1)", std::vector<float>(size), 0, 24};
  std::uint64_t state = 1963;
  for (float& value : data.values) {
    state = state * 6364136223846793005u + 1442695040888963407u; // Knuth's MMIX generator
    auto const bits = static_cast<std::int64_t>(state >> 40);
    value = std::ldexp(static_cast<float>(bits), -data.scale);
    data.exact += bits;
  }
  return data;
}

float_data tenths(std::size_t size) {
  constexpr std::int64_t tenth = 13421773; // 0.1f is this times 2^-27
  static_assert(0.1f == static_cast<float>(tenth) / static_cast<float>(1 << 27));
  return {"0.1f, again and again", std::vector<float>(size, 0.1f),
          tenth * static_cast<std::int64_t>(size), 27};
}

/// Half of it 24-bit integers up to 2^40 times larger than the other half, which they drown: but
/// they cancel.
float_data cancelling(std::size_t size) {
  float_data data = uniform_data(size);
  data.text = "uniform, and 2^40 more that cancels";
  std::size_t const quarter = size / 4;
  for (std::size_t i = 0; i < quarter; ++i) {
    float const small = data.values[i];
    data.exact -= std::llround(std::ldexp(static_cast<double>(small), data.scale));
    data.exact -=
        std::llround(std::ldexp(static_cast<double>(data.values[3 * quarter + i]), data.scale));
    data.values[i] = std::ldexp(small, 40);
    data.values[3 * quarter + i] = -data.values[i];
  }
  return data;
}

/// The bound of a sum that is only held to the right size, and of one that is held to nothing.
constexpr double any = 1, nothing = HUGE_VAL;

/// Prints one sum and its error; true if the relative error is at most `allowed`.
bool print_error(char const* text, double sum, float_data const& data, double allowed) {
  long double const exact = std::ldexp(static_cast<long double>(data.exact), -data.scale);
  auto const error = static_cast<double>(sum - exact);
  auto const relative = static_cast<double>(std::abs(sum - exact) / exact);
  bool const agrees = relative <= allowed;
  char const* const mark = !agrees ? "  WRONG" : allowed >= any ? "  +" : "";
  std::printf("%-36s%22.6f%16.6g%16.2e%s\n", text, sum, error, relative, mark);
  std::fflush(stdout);
  return agrees;
}

template <class Place>
bool accuracy_table(Place& place, float_data const& data, bool cancels = false) {
  // A sum in a fixed tree has an error of a few roundings for each level, of 2^-24 each, if there
  // is nothing that cancels; a serial one may have as many as there are elements, and the vendors
  // promise nothing.
  double const few = cancels ? nothing : 100.0 / (1 << 24), any_size = cancels ? nothing : any;
  constexpr double none = 0, rounding = 1.0 / (1 << 24);
  auto const values = put_on(place, data.values);
  std::printf("\n%-36s%22s%16s%16s\n", data.text, "sum", "error", "relative");
  bool all_agree = true;
  auto const show = [&](char const* text, double sum, double allowed) {
    all_agree = print_error(text, sum, data, allowed) && all_agree;
  };
  show("exact (64-bit integers)",
       static_cast<double>(std::ldexp(static_cast<long double>(data.exact), -data.scale)), none);
  show("one after the other, in float", serial_sum(data.values), any_size);
  show("in pairs, in float", pairwise_sum(data.values), few);
  if constexpr (is_gpu<Place>) show("CUB, in float", sum(place, values, twins::cub), any_size);
  show("Thrust, in float", sum(place, values, twins::thrust), any_size);
  show("warpfold's fold, in float", sum(place, values), few);
  // 2^25 multiples of 2^-27 below 1 need 52 bits: a double holds every partial sum.
  show("warpfold's fold, in double", sum<double>(place, values), cancels ? nothing : none);
  show("warpfold's exact sum, as float", exact_sum(place, values), rounding);
  show("warpfold's exact sum, as double", exact_sum<double>(place, values), none);
  return all_agree;
}

template <class Place>
bool section(Place& place) {
  std::printf(
      "\n1. Reduction\n============\n\n"
      "Summing integers: the seven rungs of the 2008 course, then what came after. \"step\" "
      "is the speed\nover the rung before, \"in all\" over rung 1; GB/s count every "
      "element once.\n");
  stopwatch watch(place);
  bool agree = true;
  for (int const exponent : {22, 25}) agree = ladder_table(place, watch, exponent) && agree;
  if constexpr (is_gpu<Place>)
    std::printf(
        "\n* Thrust allocates and frees GPU memory in every call and returns its result to "
        "the host, which\n  is waited for: wall clock. The others are times on the GPU, from "
        "event to event. Medians of 11\n  runs, L2 flushed before each.\n");
  else
    std::printf("\nOn the host a rung does the additions of the GPU's threads in their order; "
                "rungs that differ in\nscheduling alone are the same there. Wall clock, medians "
                "of 3 runs.\n");

  std::printf("\nSumming 2^25 floats: the order of the additions decides what is lost.\n");
  std::size_t const size = std::size_t{1} << 25;
  agree = accuracy_table(place, uniform_data(size)) && agree;
  agree = accuracy_table(place, tenths(size)) && agree;
  agree = accuracy_table(place, cancelling(size), true) && agree;
  std::printf("\n+ held to the right size at most: the error may grow with the number of elements, "
              "and with what cancels.\n");
  return agree;
}

} // namespace

bool reduction_section(any_place& place) {
  return std::visit([](auto& one) { return section(one); }, place);
}

} // namespace warpfold::tour
