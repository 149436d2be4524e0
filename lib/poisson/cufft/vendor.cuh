#pragma once
// The backend on cuFFT: its two forms, and what they share.

#include "poisson/backend.hpp"
#include "poisson/instances.hpp"
#include "vendor_lines.cuh"
#include "vendor_periodic.cuh"

#include <warpfold/detail/core/launch.cuh>
#include <warpfold/detail/core/macros.hpp>

#include <algorithm>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T>
__device__ T first_part(T mode) {
  return mode;
}
template <class T>
__device__ T first_part(complex<T> mode) {
  return mode.re;
}

/// Rows in pieces, of which a thread has some modes, all of them on their way at once; indices of
/// 32 bits where those suffice. H200, 2026-11-21, 8192^2 in float: with both the whole solve takes
/// 981 us, with a mode a thread 1043 us, with indices of 64 bits too 1105 us; cuFFT and a kernel
/// written for this problem alone 997 us.
constexpr int modes_each = 4;

template <class Index, class T, class Mode>
__global__ void divide_kernel(divisors<T> by, Mode* modes, T* mean, Index pieces, Index blocks) {
  for (Index block = blockIdx.x; block < blocks; block += gridDim.x) {
    Index const row = block / pieces;
    Index y = row, z = 0, batch = 0;
    if (row >= by.extents[1]) {
      auto const rows = static_cast<Index>(by.extents[1]);
      auto const planes = static_cast<Index>(by.extents[0]);
      Index const plane = row / rows;
      y = row - plane * rows;
      batch = plane / planes;
      z = plane - batch * planes;
    }
    std::int64_t const first =
        std::int64_t{block - row * pieces} * blockDim.x * modes_each + threadIdx.x;
    Mode* const row_modes = modes + row * by.extents[2];
    Mode mode[modes_each];
    T along[modes_each];
    WARPFOLD_UNROLL
    for (int i = 0; i < modes_each; ++i) {
      std::int64_t const x = first + i * static_cast<int>(blockDim.x);
      if (x >= by.extents[2]) continue;
      mode[i] = row_modes[x];
      along[i] = by.eigenvalues[2][x];
    }
    T const lambda = by.lambda.of(batch);
    T const across = by.eigenvalues[0][z] + by.eigenvalues[1][y] - lambda;
    bool const is_singular = by.has_constant && lambda == 0;
    WARPFOLD_UNROLL
    for (int i = 0; i < modes_each; ++i) {
      std::int64_t const x = first + i * static_cast<int>(blockDim.x);
      if (x >= by.extents[2]) continue;
      bool const zero = x == 0 && y == 0 && z == 0;
      if (zero && mean) mean[batch] = is_singular ? first_part(mode[i]) * by.scale : T{0};
      row_modes[x] = (zero && is_singular ? T{0} : by.scale / (across + along[i])) * mode[i];
    }
  }
}

template <class T>
__global__ void gather_firsts_kernel(T const* solutions, std::int64_t size, std::int64_t batch,
                                     T* firsts) {
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < batch; i += all)
    firsts[i] = solutions[i * size];
}

template <class T>
__global__ void subtract_firsts_kernel(T* solutions, std::int64_t size, std::int64_t count,
                                       T const* firsts) {
  std::int64_t const all = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += all)
    solutions[i] -= firsts[i / size];
}

} // namespace

template <class T>
divisor_tables<T>::divisor_tables(gpu const& place, plan const& of) : lambda_{of.problem.lambda} {
  std::size_t const missing = 3 - of.axes.size();
  std::vector<double> all(missing, 0.);
  std::size_t begins[3] = {0, 1, 2};
  for (std::size_t d = 0; d < 3; ++d) {
    if (d >= missing) {
      auto const& eigenvalues = of.axes[d - missing].eigenvalues;
      begins[d] = all.size();
      all.insert(all.end(), eigenvalues.begin(), eigenvalues.end());
      divisors_.extents[d] = static_cast<std::int64_t>(eigenvalues.size());
    } else divisors_.extents[d] = 1;
  }
  eigenvalues_ = upload<T>(place, all);
  for (std::size_t d = 0; d < 3; ++d) divisors_.eigenvalues[d] = eigenvalues_.data() + begins[d];
  divisors_.batch = static_cast<std::int64_t>(of.problem.batch);
  divisors_.scale = static_cast<T>(of.scale());
  divisors_.has_constant = of.has_constant();
}

template <class T, class Mode>
void divide(gpu const& place, divisors<T> const& by, Mode* modes, T* mean) {
  std::int64_t const width = by.extents[2];
  std::int64_t const wanted = (width + modes_each - 1) / modes_each;
  int const size =
      static_cast<int>(std::min<std::int64_t>(vendor_threads, (wanted + 31) / 32 * 32));
  std::int64_t const piece = std::int64_t{size} * modes_each;
  std::int64_t const pieces = (width + piece - 1) / piece;
  std::int64_t const blocks = pieces * by.extents[1] * by.extents[0] * by.batch;
  auto const start = [&]<class Index>(Index) {
    detail::launch(place.stream(), {blocks_for(blocks, 1), size}, divide_kernel<Index, T, Mode>, by,
                   modes, mean, static_cast<Index>(pieces), static_cast<Index>(blocks));
  };
  constexpr std::int64_t most = std::int64_t{1} << 31; // a grid adds at most half of that
  if (blocks < most) start(std::uint32_t{});
  else start(std::int64_t{});
}

template <class T>
void fix_first_points(gpu const& place, T* solutions, std::int64_t size, std::int64_t batch,
                      T* firsts) {
  detail::launch(place.stream(), {blocks_for(batch, vendor_threads), vendor_threads},
                 gather_firsts_kernel<T>, solutions, size, batch, firsts);
  detail::launch(place.stream(), {blocks_for(size * batch, vendor_threads), vendor_threads},
                 subtract_firsts_kernel<T>, solutions, size, size * batch, firsts);
}

template <class T>
std::unique_ptr<backend<T>> make_vendor(gpu& place, plan const& of) {
  bool const periodic = std::all_of(of.axes.begin(), of.axes.end(), [](axis_plan const& along) {
    return along.forward == transform::fourier;
  });
  if (periodic && of.size() > 1) return make_vendor_periodic<T>(place, of);
  return make_vendor_lines<T>(place, of);
}

} // namespace warpfold::inline v0::poisson::gpu_impl

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson::gpu_impl {                                               \
  template std::unique_ptr<backend<T>> make_vendor<T>(gpu&, plan const&);                          \
  }
