#pragma once
// Plans of cuFFT.

#include "poisson/complex.hpp"

#include <warpfold/execution.hpp>

#include <cufft.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpfold::inline v0::poisson {

enum class fourier : std::uint8_t { complex, from_real, to_real };

/// Many transforms of one kind in the order of a gpu's stream, with a work area from outside. All
/// calls are made with that gpu's device as the current one. Move-only.
template <class T>
class fourier_plan {
public:
  fourier_plan() noexcept = default;
  /// Transforms of row-major arrays, half of the modes of real ones. With a stride their points are
  /// so far apart, and the arrays begin at this distance; else they lie one after the other.
  /// @throws vendor_error
  fourier_plan(gpu const& place, fourier what, std::vector<long long> extents, long long batch,
               long long stride = 0, long long distance = 0);

  [[nodiscard]] std::size_t work_size() const noexcept { return work_size_; }
  /// Transforms enqueue on `stream` and compute in `work`, work_size() bytes aligned to 256, which
  /// others may use between transforms. Nothing for a plan that was not made.
  /// @throws vendor_error
  void use(std::byte* work, cudaStream_t stream);

  // All enqueue. @throws vendor_error
  void forward(complex<T>* modes);
  void inverse(complex<T>* modes);
  /// Aligned as complex numbers, or in place: rows are then padded to whole complex numbers.
  void forward(T const* real, complex<T>* modes);
  /// As above. Destroys the modes.
  void inverse(complex<T>* modes, T* real);

private:
  struct destroy {
    void operator()(cufftHandle* handle) const noexcept;
  };

  std::unique_ptr<cufftHandle, destroy> handle_;
  std::size_t work_size_ = 0;
  std::byte* work_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

extern template class fourier_plan<float>;
extern template class fourier_plan<double>;

} // namespace warpfold::inline v0::poisson
