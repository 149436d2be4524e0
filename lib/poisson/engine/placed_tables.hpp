#pragma once
// An axis' tables in GPU memory.

#include "tables.hpp"

#include <warpfold/buffer.hpp>

#include <span>

namespace warpfold::inline v0::poisson::gpu_impl {
namespace {

template <class T>
class placed_tables {
public:
  placed_tables() = default;
  placed_tables(gpu& place, unit_tables<T> const& of)
      : factors_{place, std::span<complex<T> const>(of.factors)},
        turns_{place, std::span<complex<T> const>(of.turns)},
        tilts_{place, std::span<complex<T> const>(of.tilts)}, axis_{of.at(factors_.data(),
                                                                          turns_.data(),
                                                                          tilts_.data())} {}
  [[nodiscard]] unit_axis<T> const& axis() const { return axis_; }

private:
  device_buffer<complex<T>> factors_, turns_, tilts_;
  unit_axis<T> axis_{};
};

} // namespace
} // namespace warpfold::inline v0::poisson::gpu_impl
