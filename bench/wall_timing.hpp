#pragma once
// Repeated measurements, and the wall clock.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpfold::bench {

/// Quantiles of repeated measurements, in seconds per call.
struct timing {
  double median = 0, p10 = 0, p90 = 0;
  int samples = 0;
};

inline timing summarize(std::vector<double> seconds) {
  if (seconds.empty()) return {};
  std::sort(seconds.begin(), seconds.end());
  auto const quantile = [&](double q) {
    double const at = q * static_cast<double>(seconds.size() - 1);
    auto const below = static_cast<std::size_t>(at);
    std::size_t const above = std::min(below + 1, seconds.size() - 1);
    return seconds[below] + (at - static_cast<double>(below)) * (seconds[above] - seconds[below]);
  };
  return {quantile(0.5), quantile(0.1), quantile(0.9), static_cast<int>(seconds.size())};
}

/// Wall-clock seconds of one call of `work`.
template <class Work>
double wall_seconds(Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Times of several ways by seconds(way), each having had its turn before any has the next. The
/// order is turned round each time, so that nobody always comes after the same one, and moves on by
/// one every other time.
template <class Seconds>
std::vector<timing> time_in_turns(std::size_t ways, int samples, Seconds seconds) {
  std::vector<std::vector<double>> all(ways);
  for (std::size_t sample = 0; sample < static_cast<std::size_t>(samples); ++sample)
    for (std::size_t turn = 0; turn < ways; ++turn) {
      std::size_t const place_in_order = sample % 2 == 0 ? turn : ways - 1 - turn;
      std::size_t const w = (place_in_order + sample / 2) % ways;
      all[w].push_back(seconds(w));
    }
  std::vector<timing> times;
  for (auto& one : all) times.push_back(summarize(std::move(one)));
  return times;
}

/// Median of what seconds() returns.
template <class Seconds>
double median_seconds(int samples, Seconds seconds) {
  return time_in_turns(1, samples, [&](std::size_t) { return seconds(); })[0].median;
}

/// Median of the wall-clock milliseconds of `work`, after one call that does not count.
template <class Work>
double warm_median_ms(int samples, Work const& work) {
  work();
  return 1e3 * median_seconds(samples, [&] { return wall_seconds(work); });
}

} // namespace warpfold::bench
