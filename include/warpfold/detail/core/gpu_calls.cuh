#pragma once
// Errors of compilation for functions that a gpu is to call and only hosts can. In a function for
// both places nvcc only warns of such a call, and leaves it out of the kernel.

#include <warpfold/detail/core/elements.hpp>

#include <cstddef>

namespace warpfold::inline v0::detail {

/// Compiles Use's member on_gpu, a __device__ function that uses what a user wrote. Nothing runs
/// it.
template <class Use>
void compile_for_gpu() { // a constexpr function would not compile it
  static_cast<void>(&Use::on_gpu);
}

/// How kernels come to an element of a user's iterator.
template <class Iterator>
struct gpu_iterator {
  __device__ void on_gpu(Iterator it, std::ptrdiff_t i, iterator_element<Iterator>& x) const {
    it += i;
    x = it[i];
  }
};

} // namespace warpfold::inline v0::detail
