#pragma once
// What backends of lines share: tables in GPU memory, and launches.

#include "lines_passes.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/launch.cuh>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T>
line_kernel<T> kernel_for(line_launch<T> const& launch) {
  return line_kernel_of<T>(launch.pass.axis.kind, launch.is_strided);
}

/// An axis' tables in GPU memory.
template <class T>
class device_line {
public:
  device_line(gpu& place, axis_plan const& of, int shift)
      : device_line{place, make_line<T>(of, shift)} {}

  placed_line<T> const& placed() const { return placed_; }

private:
  device_line(gpu& place, line_tables<T> const& tables)
      : complexes_{place, tables.complexes}, eigenvalues_{place, tables.eigenvalues},
        first_point_{place, tables.first_point}, places_{place, tables.places},
        placed_{tables.at(complexes_.data(), eigenvalues_.data(), places_.data()),
                first_point_.data(), tables.period} {}

  device_buffer<complex<T>> complexes_;
  device_buffer<T> eigenvalues_, first_point_;
  device_buffer<slot_places> places_;
  placed_line<T> placed_;
};

} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl
