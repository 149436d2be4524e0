#pragma once
// Simulation as it was and is usually written, to be compared with: European calls, Asian and
// barrier options, and calls on paths of models.

#include <warpfold/warpfold.hpp>

#include <cstdint>
#include <vector>

namespace warpfold::bench {

/// A call: pays max(2^(a + b z) - strike, 0).
struct simulated_call {
  float a, b, strike;
};
/// Sums over payoffs.
struct payoff_totals {
  double sum, squares;
};

/// One block an option, each of its threads with a generator of cuRAND that gives one normal after
/// the other, as in the samples of the CUDA Toolkit: XORWOW, whose states are made beforehand.
/// (With Philox, which needs no states, it is twins::simulation::block_reduce.)
void xorwow_async(gpu& place, device_span<std::byte> states,
                  device_span<simulated_call const> calls, std::uint64_t paths,
                  device_span<payoff_totals> to);
/// Enqueues the making of the states.
device_buffer<std::byte> xorwow_states(gpu& place, std::size_t options);

/// The course of 2008 with normals that are there already: several blocks an option and a second
/// kernel for their sums if there are at least 8192 paths for every option, else one block.
void course_async(gpu& place, device_span<simulated_call const> calls,
                  device_span<float const> normals, device_span<payoff_totals> partials,
                  device_span<payoff_totals> to);
inline constexpr int course_blocks = 16; ///< an option's most, and its partials

/// Options on a path as CUDA's samples price options by Monte Carlo: one row of blocks an option,
/// cuRAND's Philox normals in registers, a path a thread, the sums by CUB and atomics. totals[i] is
/// of option i's undiscounted payoffs. Steps are of equal length; a barrier is looked at at their
/// ends, and a rebate is none.
template <class Option>
void sample_async(gpu& place, device_span<Option const> book, int steps, std::uint64_t paths,
                  device_span<payoff_totals> totals);

/// A call in Heston's model, by steps of equal length.
struct heston_call {
  float spot, strike, expiry, rate, variance, reversion, mean, vol_of_vol, correlation;
};
/// One call as a plain program prices it: a path a thread, cuRAND's Philox normals, Andersen's
/// scheme QE-M with CUDA's functions, the sums by CUB and atomics.
void heston_sample_async(gpu& place, heston_call const& of, int steps, std::uint64_t paths,
                         device_span<payoff_totals> total);

/// Volatilities in a texture: rows are times from 0 on, columns logarithms of price over forward,
/// both equidistant. The GPU interpolates between them.
class volatility_texture {
public:
  /// `values` has `rows` rows. Blocks.
  volatility_texture(gpu const& place, std::vector<float> const& values, int rows, float last_time,
                     float lowest, float highest);
  ~volatility_texture();
  volatility_texture(volatility_texture const&) = delete;
  volatility_texture& operator=(volatility_texture const&) = delete;

  std::uint64_t handle = 0;              ///< a cudaTextureObject_t
  float per_time, per_logarithm, lowest; ///< columns and rows a unit; where they begin

private:
  void* array_ = nullptr;
};

/// A call as a plain program prices it on a local volatility: a path a thread, cuRAND's Philox
/// normals, steps of log-Euler with a look into the texture each, the sums by CUB and atomics.
struct local_call {
  float spot, strike, expiry, rate;
};
void local_sample_async(gpu& place, local_call const& of, volatility_texture const& volatility,
                        int steps, std::uint64_t paths, device_span<payoff_totals> total);

} // namespace warpfold::bench
