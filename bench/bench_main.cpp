// warpfold-bench: Google Benchmark's options, and --quick for the selection that takes a minute at
// most. On a machine without a GPU only the host's rows are there. Exits with 1 when a result is
// wrong, a row could not be measured, or the filter leaves none.

#include "bench.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace {

using namespace warpfold;
using namespace warpfold::bench;

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

/// Removes `flag` from the arguments; true if it was there.
bool take_flag(int& argc, char** argv, char const* flag) {
  char** const end = argv + argc;
  char** const kept = std::remove_if(
      argv + 1, end, [&](char const* argument) { return std::strcmp(argument, flag) == 0; });
  argc = static_cast<int>(kept - argv);
  return kept != end;
}

void describe_run(session const& run) {
  benchmark::AddCustomContext("selection", run.quick ? "quick" : "full");
  benchmark::AddCustomContext("host_threads", std::to_string(run.processor.threads()));
  if (char const* commit = std::getenv("WARPFOLD_COMMIT"))
    benchmark::AddCustomContext("commit", commit);
  int runtime = 0;
  check(cudaRuntimeGetVersion(&runtime));
  benchmark::AddCustomContext("cuda_runtime", version(runtime));
  if (!run.place) {
    benchmark::AddCustomContext("gpu", "none");
    return;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, run.place->device()));
  int driver = 0;
  check(cudaDriverGetVersion(&driver));
  benchmark::AddCustomContext("gpu", properties.name);
  benchmark::AddCustomContext("gpus", std::to_string(gpu_count()));
  benchmark::AddCustomContext("gpu_memory_bytes", std::to_string(properties.totalGlobalMem));
  benchmark::AddCustomContext("gpu_multiprocessors",
                              std::to_string(properties.multiProcessorCount));
  benchmark::AddCustomContext("gpu_l2_bytes", std::to_string(properties.l2CacheSize));
  benchmark::AddCustomContext("cuda_driver", version(driver));
}

/// Half a second of work, so that the clocks are up when the first row is measured.
void warm_up(session& run) {
  double spent = 0;
  while (spent < 0.5)
    spent += wall_seconds([&] {
      for (int i = 0; i < 100; ++i) run.flush->enqueue();
      run.place->synchronize();
    });
}

} // namespace

int main(int argc, char** argv) try {
  session run;
  run.quick = take_flag(argc, argv, "--quick");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

  if (gpu_count() > 0) {
    run.place.emplace();
    run.flush.emplace(*run.place);
    run.pool.emplace(*run.place, 16 * gibi); // two arrays of 2^30 doubles
    warm_up(run);
  } else {
    std::fputs("warpfold-bench: there is no GPU here, only the host is measured\n", stderr);
  }
  describe_run(run);
  add_ceilings(run);
  add_reductions(run);
  add_exact(run);
  add_extrema(run);
  add_statistics(run);
  add_host_reductions(run);
  add_norms(run);
  add_counting(run);
  add_segments(run);
  add_raycast(run);
  add_counters(run);
  add_pricing(run);
  add_random(run);
  add_path_options(run);
  add_host_pricing(run);
  add_monte_carlo(run);
  add_poisson(run);
  add_scaling(run);
  std::size_t const rows = benchmark::RunSpecifiedBenchmarks();
  // The rows hold measurements and refer to the run.
  benchmark::ClearRegisteredBenchmarks();
  benchmark::Shutdown();
  if (run.complaints > 0)
    std::fprintf(stderr, "warpfold-bench: %d rows have no time\n", run.complaints);
  return rows > 0 && run.complaints == 0 ? 0 : 1;
} catch (std::exception const& failure) {
  std::fprintf(stderr, "warpfold-bench: %s\n", failure.what());
  return 1;
}
