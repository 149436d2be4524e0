// The speed of memory: what the others are held against. The runtime's own copy and memset, and a
// kernel that only reads, as a reduction does. And what every verb costs the host before it begins.

#include "bench.hpp"
#include "kernels.hpp"

#include <warpfold/detail/core/verb.hpp>

namespace warpfold::bench {
namespace {

constexpr int calls = 2; // as many as of a reduction of this size

/// Times work(0) ... work(calls - 1), of which each moves `bytes`.
template <class Work>
void measure(session& run, benchmark::State& state, double bytes, Work work) {
  event_pair events;
  std::vector<double> seconds;
  for (int sample = -1; sample < 11; ++sample) {
    run.flush->enqueue();
    double const taken = events.seconds(*run.place, [&] {
      for (int call = 0; call < calls; ++call) work(call);
    });
    if (sample >= 0) seconds.push_back(taken / calls); // the first only warms up
  }
  report(state, summarize(std::move(seconds)), bytes, 0);
}

} // namespace

void add_ceilings(session& run) {
  add_row("ceiling/verb/nobody_listens", [](benchmark::State& state) {
    std::vector<double> seconds(11);
    constexpr int verbs = 1'000'000;
    for (double& taken : seconds)
      taken = wall_seconds([] {
                for (int i = 0; i < verbs; ++i) detail::verb const scope("sum");
              }) /
              verbs;
    report(state, summarize(std::move(seconds)), 0, 0);
  });
  if (!run.place) return;
  std::size_t const bytes = std::min(4 * gibi, run.pool->size() / calls / mebi * mebi);
  std::string const size = "/bytes:" + std::to_string(bytes);
  auto const moved = static_cast<double>(bytes);
  add_row("ceiling/copy" + size, [&run, bytes, moved](benchmark::State& state) {
    measure(run, state, 2 * moved, [&](int) { // read and written
      check(cudaMemcpyAsync(run.pool->data() + bytes, run.pool->data(), bytes,
                            cudaMemcpyDeviceToDevice, run.place->stream()));
    });
    run.pool->forget();
  });
  add_row("ceiling/memset" + size, [&run, bytes, moved](benchmark::State& state) {
    measure(run, state, moved,
            [&](int) { check(cudaMemsetAsync(run.pool->data(), 0, bytes, run.place->stream())); });
    run.pool->forget();
  });
  add_row("ceiling/read" + size, [&run, bytes, moved](benchmark::State& state) {
    std::size_t const count = bytes / sizeof(float);
    int const arrays = run.pool->prepare<float>(count, calls, pattern::small_integers);
    device_buffer<unsigned> sink(*run.place, 1);
    measure(run, state, moved, [&](int call) {
      read_async(*run.place, run.pool->array<float>(call % arrays, count), sink.span());
    });
  });
}

} // namespace warpfold::bench
