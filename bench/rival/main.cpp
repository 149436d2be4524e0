// warpfold-rival: warpfold beside a newer CUB than the toolkit's. Google Benchmark's options, and
// --quick for the selection that takes a minute at most.

#include "program.hpp"
#include "rows.hpp"

namespace {

using namespace warpfold;
using namespace warpfold::bench;

/// As the other benchmarks empty the cache, with the newer CUB instead of the toolkit's.
void read_with_rival(gpu& place, device_span<std::int32_t const> values,
                     device_span<std::int32_t> sum) {
  rival::sum_async(place, values, sum);
}

void add_rows(session& run) {
  benchmark::AddCustomContext("rival_cccl", rival::cccl_version());
  benchmark::AddCustomContext("toolkit_cccl", WARPFOLD_TOOLKIT_CCCL);
  if (!run.place) return;
  rival::add_sums(run);
  rival::add_exact_sums(run);
  rival::add_argmins(run);
  rival::add_segments(run);
  rival::add_prefix_sums(run);
  rival::add_sums_by_key(run);
}

} // namespace

int main(int argc, char** argv) {
  program const all{"warpfold-rival", [](gpu& place) { return l2_flush(place, read_with_rival); },
                    add_rows};
  return all.run(argc, argv);
}
