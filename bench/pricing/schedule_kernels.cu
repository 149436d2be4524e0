#include "plain_paths.cuh"
#include "schedule_kernels.hpp"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/pricing/simulate.cuh>

#include <algorithm>

namespace warpfold::bench {
namespace {

__global__ __launch_bounds__(threads) void notes_kernel(float_option of, plain_notes const notes,
                                                        std::uint64_t paths,
                                                        payoff_totals* totals) {
  int const note = static_cast<int>(blockIdx.y);
  std::uint64_t const first = std::uint64_t{blockIdx.x} * threads + threadIdx.x;
  curandStatePhilox4_32_10_t random;
  curand_init(2026, std::uint64_t{blockIdx.y} * gridDim.x * threads + first, 0, &random);
  float const per_spot = 1 / of.spot;
  double sum = 0, squares = 0;
  for (std::uint64_t p = first; p < paths; p += std::uint64_t{gridDim.x} * threads) {
    int date = 0;
    float paid = 0;
    bool called = false;
    float const last = walk(of, plain_notes::dates, random, [&](float price) {
      called = price * per_spot >= notes.call_level[note][date];
      if (called) paid = notes.call_payment[note][date];
      ++date;
      return !called;
    });
    float const level = last * per_spot;
    if (!called) paid = notes.notional * (level < notes.knock_in[note] ? fminf(level, 1.F) : 1.F);
    double const value = paid;
    sum += value;
    squares += value * value;
  }
  add_block(sum, squares, totals + note);
}

/// The notes as a payoff of warpfold's: every date is a step.
struct notes_payoff {
  static constexpr int results = plain_notes::count;
  plain_notes notes;
  float per_spot;

  struct memory {
    int date;
    unsigned alive; ///< a bit a note
    float paid[results];
  };
  template <class State>
  WARPFOLD_HOST_DEVICE memory start(State const&) const {
    return {0, (1U << results) - 1, {}};
  }
  template <class State>
  WARPFOLD_HOST_DEVICE void observe(memory& seen, State const& path,
                                    pricing::path_step<float> const&) const {
    float const level = path.price * per_spot;
    WARPFOLD_UNROLL
    for (int k = 0; k < results; ++k) {
      bool const called = seen.alive >> k & 1 && level >= notes.call_level[k][seen.date];
      seen.paid[k] = called ? notes.call_payment[k][seen.date] : seen.paid[k];
      seen.alive = called ? seen.alive & ~(1U << k) : seen.alive;
    }
    ++seen.date;
  }
  template <class State>
  WARPFOLD_HOST_DEVICE float value(memory const& seen, State const& path, int k) const {
    float const level = path.price * per_spot, below = level < 1 ? level : 1;
    bool const alive = seen.alive >> k & 1;
    return alive ? notes.notional * (level < notes.knock_in[k] ? below : 1) : seen.paid[k];
  }
};

} // namespace

void plain_notes_async(gpu& place, plain_notes const& notes, pricing::option<double> const& of,
                       std::uint64_t paths, device_span<payoff_totals> totals) {
  check(cudaMemsetAsync(totals.data(), 0, totals.size() * sizeof(payoff_totals), place.stream()));
  float_option const moving(of, pricing::option_kind::call, plain_notes::dates);
  auto const columns =
      static_cast<unsigned>(std::min<std::uint64_t>((paths + threads - 1) / threads, 256));
  notes_kernel<<<dim3(columns, plain_notes::count), threads, 0, place.stream()>>>(
      moving, notes, paths, totals.data());
  check(cudaGetLastError());
}

void notes_by_payoff_async(gpu& place, plain_notes const& notes, pricing::option<double> const& of,
                           std::uint64_t paths, device_span<pricing::estimate> results) {
  pricing::geometric_brownian_motion<float> const model(of);
  notes_payoff const payoff{notes, static_cast<float>(1 / of.spot)};
  pricing::simulate_async(place, model, payoff, results,
                          {.paths = paths, .steps = plain_notes::dates, .horizon = of.expiry});
}

} // namespace warpfold::bench
