#pragma once
// Errors of compilation for predicates and bins that only hosts can ask for.

#include <warpfold/detail/core/gpu_calls.cuh>
#include <warpfold/detail/counting/predicates.hpp>
#include <warpfold/detail/reduction/arguments.hpp>

#include <type_traits>

namespace warpfold::inline v0::detail {

/// How kernels call a function of an element, and warpfold's predicates a comparison.
template <class F, class T>
struct gpu_function {
  __device__ void on_gpu(F const& f, T const& x) const {
    constexpr bool is_own = has_own_operators<T>;
    if constexpr (is_own && std::is_same_v<F, less_than<T>>) static_cast<void>(x < f.bound);
    else if constexpr (is_own && std::is_same_v<F, greater_than<T>>) static_cast<void>(x > f.bound);
    else if constexpr (is_own && std::is_same_v<F, equal_to<T>>) static_cast<void>(x == f.value);
    else static_cast<void>(f(x));
  }
};

/// What a gpu cannot call with an element of type T does not compile.
template <class Place, class T, class F>
void check_function(F const&) {
  if constexpr (is_gpu<Place>) compile_for_gpu<gpu_function<F, T>>();
}

} // namespace warpfold::inline v0::detail
