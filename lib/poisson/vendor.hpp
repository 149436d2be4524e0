#pragma once
// The parts of the backend on cuFFT.

#include "fourier_plan.hpp"
#include "plan.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfold::poisson::gpu_impl {

/// All axes periodic, more than one point: transforms of as many dimensions.
template <class T>
std::unique_ptr<backend<T>> make_vendor_periodic(gpu& place, plan const& of);
/// Axis by axis.
template <class T>
std::unique_ptr<backend<T>> make_vendor_lines(gpu& place, plan const& of);

/// What modes are multiplied by, for kernels: always three axes, the first ones perhaps of one
/// point.
template <class T>
struct divisors {
  T const* eigenvalues[3];
  std::int64_t extents[3]; ///< the last one as stored
  std::int64_t batch;
  T lambda, scale;
  bool singular;
};

/// Those of a plan, with the tables in GPU memory.
template <class T>
class divisor_tables {
public:
  divisor_tables(gpu const& place, plan const& of);
  divisors<T> const& get() const { return divisors_; }

private:
  device_buffer<T> eigenvalues_;
  divisors<T> divisors_{};
};

/// Multiplies modes, real or complex, in place; writes the means of right-hand sides if `mean` is
/// not null.
template <class T, class Mode>
void divide(gpu const& place, divisors<T> const& by, Mode* modes, T* mean);

/// Subtracts the first value of each solution from the whole. Needs `batch` numbers of memory.
template <class T>
void fix_first_points(gpu const& place, T* solutions, std::int64_t size, std::int64_t batch,
                      T* firsts);

/// Other symbols' derivatives are not the backend's.
inline bool makes_derivatives(plan const& of) {
  return of.of.gradient && of.of.stands == symbol::spectral;
}

/// A host table in GPU memory, rounded.
template <class T>
device_buffer<T> upload(gpu const& place, std::vector<double> const& table) {
  std::vector<T> const rounded(table.begin(), table.end());
  return {place, std::span<T const>(rounded)};
}

/// Parts of a workspace one after the other, each aligned to 256 bytes.
class workspace_shape {
public:
  /// Where the part begins.
  std::size_t add(std::size_t bytes) {
    std::size_t const begin = size_;
    size_ += (bytes + 255) / 256 * 256;
    return begin;
  }
  std::size_t size() const { return size_; }

private:
  std::size_t size_ = 0;
};

/// Blocks of `threads` for so many threads, but no more than a grid may have: kernels go on from
/// there.
inline int blocks_for(std::int64_t count, int threads) {
  std::int64_t const blocks = (count + threads - 1) / threads;
  return static_cast<int>(blocks < (1 << 30) ? blocks : 1 << 30);
}

} // namespace warpfold::poisson::gpu_impl
