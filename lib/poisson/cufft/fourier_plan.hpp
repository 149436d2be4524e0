#pragma once
// Plans of cuFFT.

#include "poisson/complex.hpp"

#include <warpfold/execution.hpp>

#include <cufft.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::poisson {

enum class fourier : std::uint8_t { complex, from_real, to_real };

/// Many transforms of one kind in the order of a gpu's stream, with a work area from outside. All
/// calls are made with that gpu's device as the current one. Move-only.
template <class T>
class fourier_plan {
public:
  fourier_plan() noexcept = default;
  /// Transforms of row-major arrays that lie one after the other; half of the modes of real ones.
  /// @throws vendor_error
  fourier_plan(gpu const& place, fourier what, std::vector<long long> extents, long long batch);
  /// Complex transforms of lines whose points are as far apart as there are lines.
  /// @throws vendor_error
  static fourier_plan across(gpu const& place, long long points, long long lines);
  fourier_plan(fourier_plan&& other) noexcept { swap(other); }
  fourier_plan& operator=(fourier_plan&& other) noexcept;
  ~fourier_plan();

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
  fourier_plan(gpu const& place, fourier what, std::vector<long long> extents, long long stride,
               long long distance, long long batch);
  void swap(fourier_plan& other) noexcept;

  cufftHandle handle_{};
  bool made_ = false;
  std::size_t work_size_ = 0;
  std::byte* work_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

extern template class fourier_plan<float>;
extern template class fourier_plan<double>;

} // namespace warpfold::inline v0::poisson
