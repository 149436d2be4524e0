#pragma once
// Common to programs of rows: their options, the machine's description in the JSON, and their exit
// status.

#include "bench.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>

namespace warpfold::bench {

/// A program that runs rows of Google Benchmark, with its options and --quick.
struct program {
  std::string name;
  std::function<l2_flush(gpu&)> make_flush;
  /// Without a GPU the session has no place, and only rows of the host can be added.
  std::function<void(session&)> add_rows;

  /// Returns the exit status: 1 when a result is wrong, a row could not be measured, or the filter
  /// leaves none.
  int run(int argc, char** argv) const try {
    session all;
    all.quick = take_flag(argc, argv, "--quick");
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;

    if (gpu_count() > 0) {
      all.place.emplace();
      all.flush.emplace(make_flush(*all.place));
      all.pool.emplace(*all.place, 16 * gibi); // two arrays of 2^30 doubles
      warm_up(all);
    } else {
      std::fprintf(stderr, "%s: there is no GPU here, only the host is measured\n", name.c_str());
    }
    describe(all);
    add_rows(all);
    std::size_t const rows = benchmark::RunSpecifiedBenchmarks();
    // The rows hold measurements and refer to the session.
    benchmark::ClearRegisteredBenchmarks();
    benchmark::Shutdown();
    if (all.complaints > 0)
      std::fprintf(stderr, "%s: %d rows have no time\n", name.c_str(), all.complaints);
    return rows > 0 && all.complaints == 0 ? 0 : 1;
  } catch (std::exception const& failure) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), failure.what());
    return 1;
  }

private:
  static std::string cuda_version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  }

  /// Removes `flag` from the arguments; true if it was there.
  static bool take_flag(int& argc, char** argv, char const* flag) {
    char** const end = argv + argc;
    char** const kept = std::remove_if(
        argv + 1, end, [&](char const* argument) { return std::strcmp(argument, flag) == 0; });
    argc = static_cast<int>(kept - argv);
    return kept != end;
  }

  static void describe(session const& run) {
    benchmark::AddCustomContext("selection", run.quick ? "quick" : "full");
    benchmark::AddCustomContext("host_threads", std::to_string(run.processor.threads()));
    if (char const* commit = std::getenv("WARPFOLD_COMMIT"))
      benchmark::AddCustomContext("commit", commit);
    int runtime = 0;
    check(cudaRuntimeGetVersion(&runtime));
    benchmark::AddCustomContext("cuda_runtime", cuda_version(runtime));
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
    int clock = 0;
    check(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, run.place->device()));
    benchmark::AddCustomContext("gpu_mhz", std::to_string(clock / 1000));
    benchmark::AddCustomContext("gpu_l2_bytes", std::to_string(properties.l2CacheSize));
    benchmark::AddCustomContext("cuda_driver", cuda_version(driver));
  }

  /// Half a second of work, so that the clocks are up when the first row is measured.
  static void warm_up(session& run) {
    double spent = 0;
    while (spent < 0.5)
      spent += wall_seconds([&] {
        for (int i = 0; i < 100; ++i) run.flush->enqueue();
        run.place->synchronize();
      });
  }
};

} // namespace warpfold::bench
