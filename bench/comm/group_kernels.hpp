#pragma once
// Poisson's equation on several GPUs by the vendor's transforms.

#include <warpfold/warpfold.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace warpfold::bench {

/// A periodic square with sides of 2 pi on all of some devices, by cuFFT's real transforms over
/// several GPUs and one kernel between them. Works for one host thread, in place; transforms wait
/// for each other, which is how cuFFT calls them unless it gets a stream.
class cufft_xt_square {
public:
  /// @param points a side; a multiple of the number of devices
  cufft_xt_square(std::vector<int> devices, std::size_t points);
  ~cufft_xt_square();

  /// Rows of device number d are d * points / devices and so on.
  void load(gpu& place, std::size_t d, device_span<float const> rows);
  void store(gpu& place, std::size_t d, device_span<float> rows) const;
  /// The right-hand side becomes the solution.
  void solve();

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace warpfold::bench
