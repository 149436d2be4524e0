#pragma once
// What runs a planned transform, of the same names on both places.

#include "tables.hpp"

#include <memory>

namespace warpfold::inline v0::transforms {

template <class T>
class backend {
public:
  virtual ~backend() = default;
  /// On a gpu enqueues on the place's stream; on a host blocks. `output` may be `input`.
  virtual void run(T const* input, T* output) = 0;
};

namespace gpu_impl {
bool can_transform(gpu const& place, checked_problem const& of, std::size_t element);
/// For a problem that can_transform knows.
template <class T>
std::unique_ptr<backend<T>> make_backend(gpu& place, checked_problem const& of);

/// By kernels for powers of two, if has_units.
template <class T>
std::unique_ptr<backend<T>> make_units(gpu& place, checked_problem const& of);
bool has_units(gpu const& place, checked_problem const& of, std::size_t element);
} // namespace gpu_impl

namespace host_impl {
template <class T>
std::unique_ptr<backend<T>> make_backend(host const& place, checked_problem const& of);
} // namespace host_impl

} // namespace warpfold::inline v0::transforms
