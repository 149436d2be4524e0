// The solver of NVIDIA's course of 2008 in its three versions: complex transforms of the whole
// array, and kernels of its own for all that is between them.

#include "course.hpp"
#include "course_body.hpp"
#include "poisson/cufft/fourier_plan.hpp"
#include "poisson/launches.hpp"

#include <warpfold/detail/core/cuda_block.cuh>
#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/refusal.hpp>

#include <cmath>
#include <limits>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T>
__global__ void to_complex_kernel(course_tiles of, T const* real, complex<T>* modes) {
  course_to_complex(detail::cuda_block{}, of, real, modes);
}

template <class T>
__global__ void solve_kernel(course_tiles of, course_modes<T> by) {
  course_solve(detail::cuda_block{}, of, by);
}

template <class T>
__global__ void solve_shared_kernel(course_tiles of, course_modes<T> by) {
  __shared__ course_shared_wavenumbers<T> shared;
  course_solve_shared(detail::cuda_block{}, of, by, shared);
}

template <bool Coalesced, class T>
__global__ void to_real_kernel(course_tiles of, complex<T> const* numbers, T* real, T scale) {
  course_to_real<Coalesced>(detail::cuda_block{}, of, numbers, real, scale);
}

template <class T>
class course final : public backend<T> {
public:
  course(gpu& place, plan const& of, twins::engine version)
      : place_{place}, version_{version}, tiles_{static_cast<std::int64_t>(of.axes[0].points),
                                                 static_cast<std::int64_t>(of.axes[1].points),
                                                 static_cast<std::int64_t>(of.problem.batch)},
        scale_{static_cast<T>(of.scale())}, rows_{upload<T>(place, wavenumbers(of.axes[0]))},
        columns_{upload<T>(place, wavenumbers(of.axes[1]))}, plan_{place,
                                                                   fourier::complex,
                                                                   {tiles_.rows, tiles_.columns},
                                                                   tiles_.batch} {
    if (tiles_.count() > std::numeric_limits<int>::max())
      detail::refuse("twin", detail::text("the course for ", tiles_.count(), " tiles"),
                     "the course for fewer than 2^31 tiles of 16 by 16 points");
    shape_.add(of.size() * of.problem.batch * sizeof(complex<T>));
    work_at_ = shape_.add(plan_.work_size());
  }

  std::size_t workspace_size() const override { return shape_.size(); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    if (of.lambdas) detail::refuse("fields.lambda", "an array", "none: the course knows no lambda");
    auto* const modes = reinterpret_cast<complex<T>*>(workspace);
    course_modes<T> const by{modes, rows_.data(), columns_.data(), of.removed_mean, scale_};
    plan_.use(workspace + work_at_, place_.stream());
    run(to_complex_kernel<T>, of.rhs, modes);
    plan_.forward(modes);
    run(version_ == twins::engine::course ? solve_kernel<T> : solve_shared_kernel<T>, by);
    plan_.inverse(modes);
    run(version_ == twins::engine::course_coalesced ? to_real_kernel<true, T>
                                                    : to_real_kernel<false, T>,
        modes, of.solution, scale_);
  }

private:
  /// Wavenumbers of an axis: the eigenvalues are their negative squares.
  static std::vector<double> wavenumbers(axis_plan const& of) {
    std::vector<double> all;
    for (double const eigenvalue : of.eigenvalues) all.push_back(std::sqrt(-eigenvalue));
    return all;
  }

  template <class... Params, class... Args>
  void run(void (*kernel)(course_tiles, Params...), Args const&... args) {
    constexpr int threads = course_tiles::side * course_tiles::side;
    detail::launch(place_.stream(), {static_cast<int>(tiles_.count()), threads}, kernel, tiles_,
                   args...);
  }

  gpu& place_;
  twins::engine version_;
  course_tiles tiles_;
  T scale_;
  device_buffer<T> rows_, columns_;
  fourier_plan<T> plan_;
  workspace_shape shape_; ///< begins with the modes
  std::size_t work_at_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_course(gpu& place, plan const& of, twins::engine version) {
  return std::make_unique<course<T>>(place, of, version);
}

template std::unique_ptr<backend<float>> make_course(gpu&, plan const&, twins::engine);
template std::unique_ptr<backend<double>> make_course(gpu&, plan const&, twins::engine);

} // namespace warpfold::inline v0::poisson::gpu_impl
