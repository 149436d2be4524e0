// The backend on cuFFT: what its two forms share.

#include "backend.hpp"
#include "vendor.hpp"

#include <warpfold/detail/launch.cuh>

#include <algorithm>

namespace warpfold::poisson::gpu_impl {
namespace {

constexpr int threads = 256;

template <class T>
__device__ T first_part(T mode) {
  return mode;
}
template <class T>
__device__ T first_part(complex_number<T> mode) {
  return mode.re;
}

/// A thread for each mode, in pieces of rows. Dividing indices of 64 bits would cost more time than
/// the memory takes.
template <class Index, class T, class Mode>
__global__ void divide_kernel(divisors<T> by, Mode* modes, T* mean, Index pieces, Index blocks) {
  for (Index block = blockIdx.x; block < blocks; block += gridDim.x) {
    Index const row = block / pieces;
    std::int64_t const x = std::int64_t{block - row * pieces} * blockDim.x + threadIdx.x;
    if (x >= by.extents[2]) continue;
    Index y = row, z = 0, batch = 0;
    if (row >= by.extents[1]) {
      auto const rows = static_cast<Index>(by.extents[1]);
      auto const planes = static_cast<Index>(by.extents[0]);
      Index const plane = row / rows;
      y = row - plane * rows;
      batch = plane / planes;
      z = plane - batch * planes;
    }
    T const divisor =
        by.eigenvalues[0][z] + by.eigenvalues[1][y] + by.eigenvalues[2][x] - by.lambda;
    bool const first = x == 0 && y == 0 && z == 0;
    Mode& mode = modes[row * by.extents[2] + x];
    if (first && mean) mean[batch] = by.singular ? first_part(mode) * by.scale : T{0};
    mode = mode * (first && by.singular ? T{0} : by.scale / divisor);
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
divisor_tables<T>::divisor_tables(gpu const& place, plan const& of) {
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
  divisors_.batch = static_cast<std::int64_t>(of.of.batch);
  divisors_.lambda = static_cast<T>(of.of.lambda);
  divisors_.scale = static_cast<T>(of.scale());
  divisors_.singular = of.singular;
}

template <class T, class Mode>
void divide(gpu const& place, divisors<T> const& by, Mode* modes, T* mean) {
  std::int64_t const width = by.extents[2];
  int const size = static_cast<int>(std::min<std::int64_t>(threads, (width + 31) / 32 * 32));
  std::int64_t const pieces = (width + size - 1) / size;
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
  detail::launch(place.stream(), {blocks_for(batch, threads), threads}, gather_firsts_kernel<T>,
                 solutions, size, batch, firsts);
  detail::launch(place.stream(), {blocks_for(size * batch, threads), threads},
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

#define INSTANTIATE(T)                                                                             \
  template class divisor_tables<T>;                                                                \
  template void divide<T, T>(gpu const&, divisors<T> const&, T*, T*);                              \
  template void divide<T, complex_number<T>>(gpu const&, divisors<T> const&, complex_number<T>*,   \
                                             T*);                                                  \
  template void fix_first_points<T>(gpu const&, T*, std::int64_t, std::int64_t, T*);               \
  template std::unique_ptr<backend<T>> make_vendor<T>(gpu&, plan const&);
INSTANTIATE(float)
INSTANTIATE(double)
#undef INSTANTIATE

} // namespace warpfold::poisson::gpu_impl
