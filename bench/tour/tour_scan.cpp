// The tour's second section: prefix sums. Which runs of one scan have the same bits.

#include "on_place.hpp"
#include "paired_timing.hpp"
#include "tour.hpp"

#include <warpfold/twins/scan.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <variant>
#include <vector>

namespace warpfold::tour {
namespace {

using bench::is_gpu, bench::make_on, bench::put_on, bench::contents_of;

constexpr std::size_t size = std::size_t{1} << 22;
constexpr int runs = 50, most_threads = 3;

/// Prefix sums in host memory, of run 0, 1, 2 ...
using scan_run = std::function<std::vector<float>(int run)>;

template <class Place>
std::vector<float> scanned(Place& place, bench::memory_on<Place, float> const& values,
                           twins::vendor vendor) {
  auto sums = make_on<float>(place, size);
  inclusive_scan(place, values, plus{}, sums, vendor);
  return contents_of(place, sums);
}

/// Scans on a gpu, or on a host with 1, 2 and 3 threads in turns.
scan_run scans_on(gpu& place, std::vector<float> const& elements, twins::vendor vendor) {
  auto const values = std::make_shared<device_buffer<float>>(put_on(place, elements));
  return [&place, values, vendor](int) { return scanned(place, *values, vendor); };
}
scan_run scans_on(host const&, std::vector<float> const& elements, twins::vendor vendor) {
  return [&elements, vendor](int run) {
    host const place(1 + run % most_threads);
    return scanned(place, elements, vendor);
  };
}

std::size_t different_bits(std::vector<float> const& sums, std::vector<float> const& first) {
  return std::transform_reduce(
      sums.begin(), sums.end(), first.begin(), std::size_t{0}, std::plus<>{}, [](float a, float b) {
        return std::size_t{std::bit_cast<std::uint32_t>(a) != std::bit_cast<std::uint32_t>(b)};
      });
}

/// The largest relative error of the prefix sums of values that are positive or 0; infinite if one
/// is NaN.
double largest_error(std::vector<float> const& sums, std::vector<float> const& values) {
  double exact = 0, largest = 0; // multiples of 2^-24 below 2^22: exact
  for (std::size_t i = 0; i < size; ++i) {
    exact += static_cast<double>(values[i]);
    double const error = std::abs(static_cast<double>(sums[i]) - exact);
    if (std::isnan(error)) return HUGE_VAL;
    if (error > largest * exact) largest = error / exact;
  }
  return largest;
}

class table {
public:
  table() {
    bench::fill_random(values_, bench::pattern::uniform);
    std::printf("\n%-36s%14s%14s%22s%14s\n", "2^22 uniform floats in [0, 1)", "runs", "that differ",
                "in elements, at most", "largest error");
  }

  [[nodiscard]] std::vector<float> const& values() const { return values_; }

  /// Prints how `count` runs compare with the prefix sums in `first`, by default those of the first
  /// run; returns the latter. Ours must have the same bits, and an error of a few roundings for
  /// each level of a tree; the vendors promise nothing.
  std::vector<float> add(char const* text, int count, scan_run const& scan, bool is_ours,
                         std::vector<float> first = {}) {
    int differ = 0;
    std::size_t elements = 0;
    double error = 0;
    for (int run = 0; run < count; ++run) {
      auto const sums = scan(run);
      if (first.empty()) first = sums;
      std::size_t const here = different_bits(sums, first);
      differ += here > 0;
      elements = std::max(elements, here);
      error = std::max(error, largest_error(sums, values_));
    }
    bool const agrees = is_ours ? differ == 0 && error <= 100.0 / (1 << 24) : error <= 1;
    std::printf("%-36s%14d%14d%22zu%14.2e%s\n", text, count, differ, elements, error,
                agrees ? "" : "  WRONG");
    std::fflush(stdout);
    agrees_ = agrees_ && agrees;
    return first;
  }

  [[nodiscard]] bool agrees() const { return agrees_; }

private:
  std::vector<float> values_ = std::vector<float>(size);
  bool agrees_ = true;
};

template <class Place>
bool section(Place& place) {
  std::printf("\n2. Prefix sums\n==============\n\n"
              "The same floats are scanned again and again. A run differs if any prefix sum has "
              "other bits than\nin the first run.\n");
  table all;
  auto const add = [&](char const* text, twins::vendor vendor) {
    return all.add(text, runs, scans_on(place, all.values(), vendor), vendor == twins::fold);
  };
  if constexpr (is_gpu<Place>) {
    add("CUB", twins::cub);
    auto const first = add("warpfold's scan", twins::fold);
    all.add("warpfold's scan, on the host *", most_threads,
            scans_on(host(), all.values(), twins::fold), true, first);
    std::printf("\n* with 1, 2 and 3 threads; compared with the GPU's first run.\n");
  } else {
    add("Thrust", twins::thrust);
    add("warpfold's scan", twins::fold);
    std::printf("\nWith 1, 2 and 3 threads in turns. Thrust's scan takes one, whatever it is "
                "given.\n");
  }
  return all.agrees();
}

} // namespace

bool scan_section(any_place& place) {
  return std::visit([](auto& one) { return section(one); }, place);
}

} // namespace warpfold::tour
