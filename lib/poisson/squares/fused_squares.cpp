#include "fused_squares.hpp"
#include "fused_tables.hpp"
#include "fused_tuning.hpp"

#include <algorithm>
#include <bit>

namespace warpfold::inline v0::poisson::gpu_impl {

std::size_t most_shared(gpu const& place) {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, place.device()));
  return static_cast<std::size_t>(bytes);
}

namespace {

/// Bytes of shared memory that a block has.
template <class T>
std::size_t shared_of(plan const& of) {
  std::size_t const rows =
      with_points<T>(of.axes[1].points, [](auto points) { return tuned_rows<T, points>::shared; });
  std::size_t const columns = with_points<T>(
      of.axes[0].points, [](auto points) { return tuned_columns<T, points>::shared; });
  return std::max(rows, columns);
}

} // namespace

bool has_squares(gpu const& place, plan const& of, std::size_t element) {
  if (of.axes.size() != 2) return false;
  if (of.problem.gradient && of.problem.symbol == symbol::spectral) return false;
  for (auto const& axis : of.axes)
    if (axis.forward != transform::fourier || !std::has_single_bit(axis.points) ||
        axis.points < least_square_points || axis.points > most_square_points(element))
      return false;
  if (!are_moderate(of)) return false;
  // Blocks are counted in an int, and the longest lines do not fit into a block of every GPU.
  std::size_t const longest = std::max(of.axes[0].points, of.axes[1].points);
  std::size_t const shared =
      element == sizeof(float) ? shared_of<float>(of) : shared_of<double>(of);
  return of.problem.batch <= (std::size_t{1} << 30) / longest && shared <= most_shared(place);
}

} // namespace warpfold::inline v0::poisson::gpu_impl
