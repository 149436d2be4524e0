// warpfold-bench: Google Benchmark's options, and --quick for the selection
// that takes a minute at most.

#include "program.hpp"

namespace {

using namespace warpfold::bench;

void add_rows(session& run) {
  add_ceilings(run);
  add_reductions(run);
  add_exact(run);
  add_extrema(run);
  add_statistics(run);
  add_host_reductions(run);
  add_norms(run);
  add_counting(run);
  add_segments(run);
  add_quantiles(run);
  add_by_key(run);
  add_scans(run);
  add_scatter(run);
  add_raycast(run);
  add_counters(run);
  add_pricing(run);
  add_random(run);
  add_path_options(run);
  add_early_exercise(run);
  add_baskets(run);
  add_schedules(run);
  add_host_pricing(run);
  add_monte_carlo(run);
  add_poisson(run);
  add_scaling(run);
}

} // namespace

int main(int argc, char** argv) {
  program const all{"warpfold-bench", [](warpfold::gpu& place) { return l2_flush(place); },
                    add_rows};
  return all.run(argc, argv);
}
