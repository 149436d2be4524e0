#pragma once
// Common to the files of warpfold-bench.

#include "paired_timing.hpp"

#include <warpfold/warpfold.hpp>

#include <benchmark/benchmark.h>

#include <optional>
#include <string>
#include <vector>

namespace warpfold::bench {

/// One run of warpfold-bench.
struct session {
  bool quick = false;       ///< the selection that takes a minute at most
  std::optional<gpu> place; ///< nothing where there is no GPU
  std::optional<l2_flush> flush;
  std::optional<cold_pool> pool;
  host processor;
  int complaints = 0; ///< rows without a time, because something was wrong
};

/// Reports that there is no time, and why.
inline void complain(session& run, benchmark::State& state, std::string const& why) {
  ++run.complaints;
  state.SkipWithError(why.c_str());
}

/// Reports a measurement made outside Google Benchmark's loop as its one iteration.
inline void report(benchmark::State& state, timing const& measured, double bytes, double items) {
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(measured.median);
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  if (items > 0) state.SetItemsProcessed(static_cast<std::int64_t>(items));
  state.counters["median_us"] = 1e6 * measured.median;
  state.counters["p10_us"] = 1e6 * measured.p10;
  state.counters["p90_us"] = 1e6 * measured.p90;
  state.counters["samples"] = measured.samples;
}

/// A row of the output, named operation/type/method/n:size.
template <class Run>
void add_row(std::string const& name, Run run) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(run))
      ->UseManualTime()
      ->Iterations(1)
      ->Unit(benchmark::kMicrosecond);
}

// One function a case study; each adds its rows.
void add_ceilings(session& run);
void add_reductions(session& run);
void add_host_reductions(session& run);
void add_exact(session& run);
void add_norms(session& run);
void add_counting(session& run);
void add_segments(session& run);
void add_quantiles(session& run);
void add_by_key(session& run);
void add_scans(session& run);
void add_scatter(session& run);
void add_extrema(session& run);
void add_statistics(session& run);
void add_raycast(session& run);
void add_counters(session& run);
void add_pricing(session& run);
void add_random(session& run);
void add_host_pricing(session& run);
void add_monte_carlo(session& run);
void add_path_options(session& run);
void add_early_exercise(session& run);
void add_baskets(session& run);
void add_schedules(session& run);
void add_poisson(session& run);
void add_scaling(session& run);

} // namespace warpfold::bench
