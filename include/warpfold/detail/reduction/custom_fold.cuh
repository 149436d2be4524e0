#pragma once
// Folds of iterators and ranges with elements, operators and transforms of a user's own.

#include <warpfold/detail/core/gpu_calls.cuh>
#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// Weaker than std::random_access_iterator, which zips of pointers to const do not model.
template <class Iterator>
concept indexable = requires(Iterator it, std::ptrdiff_t i) {
  typename iterator_element<Iterator>;
  it[i];
  it += i;
};

/// True if numbers of type T lose digits in an A, or high bits, or in as many bits their sign. A
/// user's transform may give an int that is not one: of chars, or of what is not negative.
template <class A, class T, bool IsElement>
inline constexpr bool cuts_off = [] {
  constexpr bool is_floating = std::floating_point<T> || is_half<T>;
  if constexpr (std::floating_point<A>) return std::floating_point<T> && sizeof(A) < sizeof(T);
  else if constexpr (is_half<A>) return is_floating && !std::is_same_v<A, T>;
  else if constexpr (!std::integral<A> || one_of<bool, A, T>) return false;
  else if constexpr (!std::integral<T>) return is_floating;
  else if constexpr (!IsElement) return sizeof(A) < sizeof(T) && sizeof(int) < sizeof(T);
  else
    return sizeof(A) < sizeof(T) ||
           (sizeof(A) == sizeof(T) && std::is_signed_v<A> != std::is_signed_v<T>);
}();

/// The result of a transform, as the accumulator.
template <class A, class Transform>
struct converting {
  Transform transform;
  WARPFOLD_CALLS_USER
  template <class T>
  WARPFOLD_HOST_DEVICE A operator()(T const& x) const {
    using from = std::remove_cvref_t<decltype(transform(x))>;
    static_assert(!cuts_off<A, from, one_of<Transform, identity, square>>,
                  "the type of the initial value or of the results cuts off digits, high bits or "
                  "signs of elements: give it their type, or convert in a transform");
    if constexpr (one_of<Transform, identity, square>) return transform(widen<A>(x));
    else return static_cast<A>(transform(x));
  }
};

/// How kernels fold elements of type T, and warpfold's operators call those of a user's type.
template <class T, class A, class Op, class Transform>
struct gpu_fold {
  static constexpr bool is_own = has_own_operators<A>;

  __device__ static A combined(Op op, A a, A b) {
    if constexpr (is_own && std::is_same_v<Op, plus>) return a + b;
    else if constexpr (is_own && std::is_same_v<Op, multiplies>) return a * b;
    else if constexpr (is_own && one_of<Op, minimum<>, minimum<nan_policy::ignore>>)
      return b < a ? b : a;
    else if constexpr (is_own && one_of<Op, maximum<>, maximum<nan_policy::ignore>>)
      return a < b ? b : a;
    else return static_cast<A>(op(a, b));
  }
  __device__ static A converted(T const& x, Transform transform) {
    if constexpr (!one_of<Transform, identity, square>) return static_cast<A>(transform(x));
    else if constexpr (is_half<T>) return widen<A>(x);
    else if constexpr (is_own && std::is_same_v<Transform, square>)
      return static_cast<A>(x) * static_cast<A>(x);
    else return static_cast<A>(x);
  }
  __device__ void on_gpu(T const& x, A a, Op op, Transform transform) const {
    a = combined(op, a, converted(x, transform));
  }
};

/// What a gpu cannot fold does not compile.
template <class Place, class T, class A, class Op, class Transform = identity>
void check_operands() {
  if constexpr (is_gpu<Place>) {
    static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<T>,
                  "elements and accumulators move between threads as bytes");
    static_assert(std::is_default_constructible_v<A> && std::is_default_constructible_v<T>,
                  "elements and accumulators must be default constructible");
    compile_for_gpu<gpu_fold<T, A, Op, Transform>>();
  }
}

/// Refuses null with a size; what the place cannot read does not compile.
template <class Place, class Iterator>
void check_first(Iterator first, std::size_t size) {
  static_assert(!is_gpu<Place> || std::is_pointer_v<Iterator> ||
                    !std::contiguous_iterator<Iterator>,
                "an iterator into a container of the host cannot be read on a gpu");
  if constexpr (std::is_pointer_v<Iterator>) check_elements("first", first, size);
  else if constexpr (is_gpu<Place>) compile_for_gpu<gpu_iterator<Iterator>>();
}

/// The address of the first element; null if the elements are nowhere in memory.
template <class Iterator>
iterator_element<Iterator> const* address_of(Iterator first) {
  if constexpr (std::contiguous_iterator<Iterator>) return std::to_address(first);
  else return nullptr;
}

template <class Place, class Iterator, class A, class Op, class Transform>
void fold_to(Place& place, Iterator first, std::size_t size, A init, Op op, Transform transform,
             A* result) {
  detail::check_first<Place>(first, size);
  check_operands<Place, iterator_element<Iterator>, A, Op, Transform>();
  static_assert(!is_gpu<Place> || sizeof(A) <= 256, "an accumulator has at most 256 bytes");
  fold_array(place, first, size, init, op, converting<A, Transform>{transform}, result);
}

template <class Place, class Iterator, class A, class Op, class Transform = identity>
auto fold_iterator_job(Place& place, Iterator first, std::size_t size, A init, Op op,
                       Transform transform = {}) {
  return job_of<A>(place, [=, &place](A* result) {
    detail::fold_to(place, first, size, init, op, transform, result);
  });
}

template <class Place, class Range>
span_t<Place, Range> checked(Range const& values) {
  span_t<Place, Range> const input(values);
  check_elements("values", input.data(), input.size());
  return input;
}

template <class Place, class Range, class A, class Op, class Transform = identity>
auto fold_range_job(Place& place, Range const& values, A init, Op op, Transform transform = {}) {
  return job_of<A>(place, [=, &place, view = span_t<Place, Range>(values)](A* result) {
    auto const input = checked<Place>(view);
    detail::fold_to(place, input.data(), input.size(), init, op, transform, result);
  });
}

/// Ranges that have no built-in fold with such an initial value, operator and transform.
template <class Range, class Place, class A, class Op, class Transform = identity>
concept custom_operands =
    !std::is_void_v<element_t<Place, Range>> && !built_in_operands<Range, Place, A, Op, Transform>;

} // namespace warpfold::inline v0::detail
