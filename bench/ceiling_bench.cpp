// The speed of memory as the runtime's own copy and memset reach it: what the others are held
// against.

#include "bench.hpp"

namespace warpfold::bench {
namespace {

template <class Work>
timing time_cold(session& run, Work work) {
  gpu& place = *run.place;
  event_pair events;
  std::vector<double> seconds;
  for (int sample = -1; sample < 11; ++sample) {
    run.flush->enqueue();
    double const taken = events.seconds(place, work);
    if (sample >= 0) seconds.push_back(taken); // the first only warms up
  }
  run.pool->forget();
  return summarize(std::move(seconds));
}

} // namespace

void add_ceilings(session& run) {
  if (!run.place) return;
  std::size_t const bytes = std::min(4 * gibi, run.pool->size() / 2);
  std::string const size = "/bytes:" + std::to_string(bytes);
  add_row("ceiling/copy" + size, [&run, bytes](benchmark::State& state) {
    timing const measured = time_cold(run, [&] {
      check(cudaMemcpyAsync(run.pool->data() + bytes, run.pool->data(), bytes,
                            cudaMemcpyDeviceToDevice, run.place->stream()));
    });
    report(state, measured, 2.0 * static_cast<double>(bytes), 0); // read and written
  });
  add_row("ceiling/memset" + size, [&run, bytes](benchmark::State& state) {
    timing const measured = time_cold(
        run, [&] { check(cudaMemsetAsync(run.pool->data(), 0, bytes, run.place->stream())); });
    report(state, measured, static_cast<double>(bytes), 0);
  });
}

} // namespace warpfold::bench
