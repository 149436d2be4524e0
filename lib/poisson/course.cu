// The solver of NVIDIA's course of 2008 in its three versions: complex transforms of the whole
// array, and kernels in which a thread has one number of it. Tiles of 16 by 16 threads, as then.

#include "backend.hpp"
#include "fourier_plan.hpp"
#include "vendor.hpp"

#include <warpfold/detail/launch.cuh>

namespace warpfold::poisson::gpu_impl {
namespace {

constexpr int side = 16;

/// The tiles of all arrays of a batch.
struct tiling {
  std::int64_t rows, columns, batch;

  __host__ __device__ std::int64_t down() const { return (rows + side - 1) / side; }
  __host__ __device__ std::int64_t along() const { return (columns + side - 1) / side; }
  __host__ __device__ std::int64_t count() const { return down() * along() * batch; }
};

/// Where a tile begins.
struct tile {
  std::int64_t row, column, array;

  __device__ tile(tiling const& of, std::int64_t number) {
    std::int64_t const strip = number / of.along();
    column = (number - strip * of.along()) * side;
    array = strip / of.down();
    row = (strip - array * of.down()) * side;
  }
};

template <class T>
__global__ void real_to_complex_kernel(tiling of, T const* real, complex_number<T>* modes) {
  int const x = threadIdx.x % side, y = threadIdx.x / side;
  for (std::int64_t number = blockIdx.x; number < of.count(); number += gridDim.x) {
    tile const here(of, number);
    std::int64_t const row = here.row + y, column = here.column + x;
    if (row >= of.rows || column >= of.columns) continue;
    std::int64_t const at = (here.array * of.rows + row) * of.columns + column;
    modes[at] = {real[at], T{0}};
  }
}

/// `means` is not of the course.
template <class T>
__device__ void divide_by(T k, T l, bool first, complex_number<T>& mode, T* mean, T scale) {
  T divisor = -(k * k + l * l);
  if (first) {
    divisor = T{1};
    if (mean) *mean = mode.re * scale;
  }
  mode = mode * (T{1} / divisor);
}

template <class T>
__global__ void solve_kernel(tiling of, T const* row_wavenumbers, T const* column_wavenumbers,
                             complex_number<T>* modes, T* means, T scale) {
  int const x = threadIdx.x % side, y = threadIdx.x / side;
  for (std::int64_t number = blockIdx.x; number < of.count(); number += gridDim.x) {
    tile const here(of, number);
    std::int64_t const row = here.row + y, column = here.column + x;
    if (row >= of.rows || column >= of.columns) continue;
    std::int64_t const at = (here.array * of.rows + row) * of.columns + column;
    divide_by(row_wavenumbers[row], column_wavenumbers[column], row == 0 && column == 0, modes[at],
              means ? means + here.array : nullptr, scale);
  }
}

template <class T>
__global__ void solve_shared_kernel(tiling of, T const* row_wavenumbers,
                                    T const* column_wavenumbers, complex_number<T>* modes, T* means,
                                    T scale) {
  __shared__ T down[side], along[side];
  int const x = threadIdx.x % side, y = threadIdx.x / side;
  for (std::int64_t number = blockIdx.x; number < of.count(); number += gridDim.x) {
    tile const here(of, number);
    std::int64_t const row = here.row + y, column = here.column + x;
    __syncthreads(); // the tile before is done
    if (y == 0 && column < of.columns) along[x] = column_wavenumbers[column];
    if (y == 1 && here.row + x < of.rows) down[x] = row_wavenumbers[here.row + x];
    __syncthreads();
    if (row >= of.rows || column >= of.columns) continue;
    std::int64_t const at = (here.array * of.rows + row) * of.columns + column;
    divide_by(down[y], along[x], row == 0 && column == 0, modes[at],
              means ? means + here.array : nullptr, scale);
  }
}

/// Real parts, scaled, less that of the first point. Neighbours in a warp are neighbours in memory,
/// or a row apart.
template <bool Coalesced, class T>
__global__ void complex_to_real_kernel(tiling of, complex_number<T> const* numbers, T* real,
                                       T scale) {
  int const fast = threadIdx.x % side, slow = threadIdx.x / side;
  int const x = Coalesced ? fast : slow, y = Coalesced ? slow : fast;
  for (std::int64_t number = blockIdx.x; number < of.count(); number += gridDim.x) {
    tile const here(of, number);
    std::int64_t const row = here.row + y, column = here.column + x;
    if (row >= of.rows || column >= of.columns) continue;
    std::int64_t const first = here.array * of.rows * of.columns;
    std::int64_t const at = first + row * of.columns + column;
    real[at] = (numbers[at].re - numbers[first].re) * scale;
  }
}

template <class T>
class course final : public backend<T> {
public:
  course(gpu& place, plan const& of, method version)
      : place_{place}, version_{version}, tiling_{static_cast<std::int64_t>(of.axes[0].points),
                                                  static_cast<std::int64_t>(of.axes[1].points),
                                                  static_cast<std::int64_t>(of.of.batch)},
        scale_{static_cast<T>(of.scale())}, rows_{upload<T>(place, wavenumbers(of.axes[0]))},
        columns_{upload<T>(place, wavenumbers(of.axes[1]))}, plan_{place,
                                                                   fourier::complex,
                                                                   {tiling_.rows, tiling_.columns},
                                                                   tiling_.batch} {
    shape_.add(of.size() * of.of.batch * sizeof(complex_number<T>));
    work_at_ = shape_.add(plan_.work_size());
  }

  std::size_t workspace_size() const override { return shape_.size(); }

  void solve(arrays<T> const& of, std::byte* workspace) override {
    auto* const modes = reinterpret_cast<complex_number<T>*>(workspace);
    plan_.use(workspace + work_at_);
    run(real_to_complex_kernel<T>, of.rhs, modes);
    plan_.forward(modes);
    run(version_ == method::course ? solve_kernel<T> : solve_shared_kernel<T>, rows_.data(),
        columns_.data(), modes, of.removed_mean, scale_);
    plan_.inverse(modes);
    run(version_ == method::course_coalesced ? complex_to_real_kernel<true, T>
                                             : complex_to_real_kernel<false, T>,
        modes, of.solution, scale_);
  }

private:
  /// Those that the eigenvalues are squares of, which count what alternates from point to point,
  /// too.
  static std::vector<double> wavenumbers(axis_plan const& of) {
    std::vector<double> all;
    for (double const eigenvalue : of.eigenvalues) all.push_back(std::sqrt(-eigenvalue));
    return all;
  }

  template <class... Params, class... Args>
  void run(void (*kernel)(tiling, Params...), Args const&... args) {
    detail::launch(place_.stream(), {blocks_for(tiling_.count(), 1), side * side}, kernel, tiling_,
                   args...);
  }

  gpu& place_;
  method version_;
  tiling tiling_;
  T scale_;
  device_buffer<T> rows_, columns_;
  fourier_plan<T> plan_;
  workspace_shape shape_; ///< begins with the modes
  std::size_t work_at_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> make_course(gpu& place, plan const& of, method version) {
  return std::make_unique<course<T>>(place, of, version);
}

template std::unique_ptr<backend<float>> make_course(gpu&, plan const&, method);
template std::unique_ptr<backend<double>> make_course(gpu&, plan const&, method);

} // namespace warpfold::poisson::gpu_impl
