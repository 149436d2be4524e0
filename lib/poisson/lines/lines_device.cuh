#pragma once
// What backends of lines share: tables in GPU memory, and launches.

#include "lines_kernels.hpp"
#include "lines_passes.hpp"

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/launch.cuh>

#include <span>
#include <utility>

namespace warpfold::inline v0::poisson::gpu_impl {

namespace {

template <class T>
line_kernel_of<T> kernel_for(line_launch<T> const& launch) {
  line_kind const kind = launch.pass.axis.kind;
  return launch.is_strided ? strided_kernel<T>(kind) : contiguous_kernel<T>(kind);
}

/// An axis' tables in GPU memory.
template <class T>
class device_line {
public:
  device_line(gpu& place, axis_plan const& of, int shift)
      : device_line{place, make_line<T>(of, shift)} {}

  placed_line<T> placed() const {
    return {tables_.at(complexes_.data(), eigenvalues_.data(), places_.data()), first_point_.data(),
            tables_.period};
  }

private:
  device_line(gpu& place, line_tables<T> tables)
      : tables_{std::move(tables)}, complexes_{place,
                                               std::span<complex<T> const>{tables_.complexes}},
        eigenvalues_{place, std::span<T const>{tables_.eigenvalues}},
        first_point_{place, std::span<T const>{tables_.first_point}},
        places_{place, std::span<slot_places const>{tables_.places}} {}

  line_tables<T> tables_;
  device_buffer<complex<T>> complexes_;
  device_buffer<T> eigenvalues_, first_point_;
  device_buffer<slot_places> places_;
};

} // namespace

} // namespace warpfold::inline v0::poisson::gpu_impl
