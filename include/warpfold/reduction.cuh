#pragma once
// Reductions for those who compile with nvcc: any random-access iterator, any trivially copyable
// element and accumulator, any operator and transform.
//
// place, blocking and _async forms, determinism and errors are those of <warpfold/reduction.hpp>.
// Elements are folded in order unless is_commutative<Op> says that they need not be. The operator
// must be associative, up to rounding. Elements and accumulators are default constructible,
// accumulators at most 256 bytes, and results of transforms convert to them (warpfold's own
// identity and square are applied after the conversion). That host and GPU agree bit for bit holds
// as far as both compilers compute a user's operator and transform alike: compile floating-point
// ones with -fmad=false -Xcompiler=-ffp-contract=off, or write fma where it is meant.

#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/reduction/fold.cuh>
#include <warpfold/detail/reduction/fold_host.hpp>
#include <warpfold/reduction.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace warpfold::inline v0 {

namespace detail {

/// What a fold does with an iterator. Less than std::random_access_iterator, which zips of pointers
/// to const are not.
template <class Iterator>
concept indexable = requires(Iterator it, std::ptrdiff_t i) {
  typename std::iterator_traits<Iterator>::value_type;
  it[i];
  it += i;
};

template <class Iterator>
using iterator_element = typename std::iterator_traits<Iterator>::value_type;

/// The result of a transform, as the accumulator.
template <class A, class Transform>
struct converting {
  Transform transform;
  template <class T>
  WARPFOLD_HOST_DEVICE A operator()(T const& x) const {
    if constexpr (one_of<Transform, identity, square>) return transform(widen<A>(x));
    else return static_cast<A>(transform(x));
  }
};

template <class Iterator>
void check_first(Iterator first, std::size_t size) {
  if constexpr (std::is_pointer_v<Iterator>) check_elements("first", first, size);
}

template <class Iterator, class A, class Op, class Transform>
void fold_to(gpu& place, Iterator first, std::size_t size, A init, Op op, Transform transform,
             A* result) {
  using T = iterator_element<Iterator>;
  static_assert(std::is_trivially_copyable_v<A> && std::is_trivially_copyable_v<T>,
                "elements and accumulators move between threads as bytes");
  static_assert(std::is_default_constructible_v<A> && std::is_default_constructible_v<T>,
                "elements and accumulators must be default constructible");
  static_assert(sizeof(A) <= 256, "an accumulator has at most 256 bytes");
  static_assert(std::is_pointer_v<Iterator> || !std::contiguous_iterator<Iterator>,
                "an iterator into a container of the host cannot be read on a gpu");
  check_first(first, size);
  converting<A, Transform> const converted{transform};
  if constexpr (std::is_pointer_v<Iterator>) {
    fold_array(place, first, size, init, op, converted, result);
  } else {
    launch_fold(place, element_reader<Iterator, converting<A, Transform>>{first, converted},
                fold_shape_of<T>(size, sizeof(A)), init, op, result);
  }
}

template <class Place, class Iterator, class A, class Op, class Transform>
A fold_now(Place& place, Iterator first, std::size_t size, A init, Op op, Transform transform) {
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    A* const slot = static_cast<A*>(detail::scratch(place).result_slot(sizeof(A)));
    fold_to(place, first, size, init, op, transform, slot);
    place.synchronize();
    return *slot;
  } else {
    check_first(first, size);
    return fold_host(place.threads(), first, size, init, op, converting<A, Transform>{transform});
  }
}

template <class Place, class Iterator, class A, class Op, class Transform>
void fold_later(Place& place, Iterator first, std::size_t size, A init, Op op, Transform transform,
                result_t<Place, A> result) {
  check_result(result.data(), result.size());
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>)
    fold_to(place, first, size, init, op, transform, result.data());
  else result[0] = fold_now(place, first, size, init, op, transform);
}

template <class Place, class Range>
span_t<Place, Range> checked(Range const& values) {
  span_t<Place, Range> const input(values);
  check_elements("values", input.data(), input.size());
  return input;
}

template <class Place, class Range, class A, class Op, class Transform>
concept custom_reduction = !built_in_reduction<element_t<Place, Range>, A, Op, Transform>;

} // namespace detail

/// op(init, the `size` elements from `first` on, transformed and folded with op).
///
/// @param first a pointer or random-access iterator into memory of the place. On a gpu it is
///              dereferenced there: thrust::counting_iterator, thrust::transform_iterator, ...
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
A transform_reduce(Place&& place, Iterator first, std::size_t size, A init, Op op,
                   Transform transform) {
  return detail::fold_now(place, first, size, init, op, transform);
}
template <class Place, detail::indexable Iterator, class A, class Op, class Transform>
void transform_reduce_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                            Transform transform, detail::result_t<Place, A> result) {
  detail::fold_later(place, first, size, init, op, transform, result);
}

/// op(init, the `size` elements from `first` on, folded with op).
template <class Place, detail::indexable Iterator, class A, class Op>
A reduce(Place&& place, Iterator first, std::size_t size, A init, Op op) {
  return detail::fold_now(place, first, size, init, op, identity{});
}
template <class Place, detail::indexable Iterator, class A, class Op>
void reduce_async(Place&& place, Iterator first, std::size_t size, A init, Op op,
                  detail::result_t<Place, A> result) {
  detail::fold_later(place, first, size, init, op, identity{}, result);
}

/// The same for ranges, with elements, operators or transforms that are not built in.
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::custom_reduction<Place, Range, A, Op, Transform>
    A transform_reduce(Place&& place, Range const& values, A init, Op op, Transform transform) {
  auto const input = detail::checked<Place>(values);
  return detail::fold_now(place, input.data(), input.size(), init, op, transform);
}
template <class Place, elements_for<Place> Range, class A, class Op, class Transform>
requires detail::custom_reduction<Place, Range, A, Op, Transform>
void transform_reduce_async(Place&& place, Range const& values, A init, Op op, Transform transform,
                            detail::result_t<Place, A> result) {
  auto const input = detail::checked<Place>(values);
  detail::fold_later(place, input.data(), input.size(), init, op, transform, result);
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::custom_reduction<Place, Range, A, Op, identity>
    A reduce(Place&& place, Range const& values, A init, Op op) {
  auto const input = detail::checked<Place>(values);
  return detail::fold_now(place, input.data(), input.size(), init, op, identity{});
}
template <class Place, elements_for<Place> Range, class A, class Op>
requires detail::custom_reduction<Place, Range, A, Op, identity>
void reduce_async(Place&& place, Range const& values, A init, Op op,
                  detail::result_t<Place, A> result) {
  auto const input = detail::checked<Place>(values);
  detail::fold_later(place, input.data(), input.size(), init, op, identity{}, result);
}

} // namespace warpfold::inline v0
