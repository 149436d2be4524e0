#pragma once
// Errors of compilation for functions that a gpu is to call and only hosts can. In a function for
// both places nvcc only warns of such a call, and leaves it out of the kernel.

#include <warpfold/detail/core/elements.hpp>
#include <warpfold/detail/reduction/arithmetic.hpp>

#include <cstddef>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Compiles the member Use::on_gpu, a __device__ function that calls what a user wrote; never runs.
template <class Use>
void compile_for_gpu() { // a constexpr function would not compile it
  static_cast<void>(&Use::on_gpu);
}

/// True for types with operators of their own, which warpfold's functors call.
template <class T>
inline constexpr bool has_own_operators = !std::is_arithmetic_v<T> && !is_half<T>;

/// How kernels come to an element of a user's iterator.
template <class Iterator>
struct gpu_iterator {
  __device__ void on_gpu(Iterator it, std::ptrdiff_t i, iterator_element<Iterator>& x) const {
    it += i;
    x = it[i];
  }
};

} // namespace warpfold::inline v0::detail
