#pragma once
// The parts of the backend on cuFFT.

#include "fourier_plan.hpp"
#include "poisson/launches.hpp"
#include "poisson/plan.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/execution.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpfold::inline v0::poisson::gpu_impl {

constexpr int vendor_threads = 256; ///< of a block

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
  entry_lambda<T> lambda;
  T scale;
  bool has_constant; ///< a first mode that lambda = 0 makes singular
};

/// Those of a plan, with the tables in GPU memory.
template <class T>
class divisor_tables {
public:
  divisor_tables(gpu const& place, plan const& of);
  divisors<T> const& get() const { return divisors_; }
  /// For one solve.
  divisors<T> of(arrays<T> const& solve) const {
    divisors<T> made = divisors_;
    made.lambda = solve.lambda_or(lambda_);
    return made;
  }

private:
  device_buffer<T> eigenvalues_;
  divisors<T> divisors_{};
  double lambda_; ///< as planned
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
  return of.problem.gradient && of.problem.symbol == symbol::spectral;
}

} // namespace warpfold::inline v0::poisson::gpu_impl
