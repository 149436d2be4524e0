// [example]
#include <warpfold/reduction.hpp>
#include <warpfold/segments.hpp>

#include <cstdio>
#include <thrust/device_vector.h>
#include <vector>

/// A field of a simulation, in GPU memory. It knows nothing of warpfold.
class field {
public:
  field(int rows, int columns) : rows_(rows), columns_(columns), cells_(rows * columns, 0.1) {}
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  double const* cells() const { return thrust::raw_pointer_cast(cells_.data()); }

private:
  int rows_, columns_;
  thrust::device_vector<double> cells_;
};

/// Makes it an argument of verbs. For other types, change the names.
template <>
struct warpfold::device_range_traits<field> {
  static auto span(auto& of) { return device_span(of.cells(), of.rows() * of.columns()); }
};

int main() {
  double const on_host = warpfold::sum(warpfold::host(), std::vector<double>(1024 * 1024, 0.1));
  std::printf("host: %.17g\n", on_host);
  if (warpfold::gpu_count() == 0) return 0;
  warpfold::gpu gpu;

  field const heat(1024, 1024);
  double const on_gpu = warpfold::sum(gpu, heat);
  std::printf("gpu:  %.17g\n", on_gpu);

  thrust::device_vector<double> row_sums(1024);
  warpfold::reduce_rows(gpu, heat, {1024, 1024}, 0.0, warpfold::plus{}, row_sums);
  std::printf("rows: %.17g each\n", warpfold::max(gpu, row_sums));
  return on_gpu == on_host ? 0 : 1;
}
// [example]
