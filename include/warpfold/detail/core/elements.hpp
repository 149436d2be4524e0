#pragma once
// What iterators point at. <iterator> has streams in it, which every kernel's source would read.

#include <type_traits>
#include <utility>

namespace warpfold::inline v0::detail {

template <class Iterator>
concept dereferenceable = requires(Iterator it) {
  *it;
};

/// Without a type for what is no iterator, so that a concept can ask.
template <class Iterator>
struct iterator_value {};
template <dereferenceable Iterator>
struct iterator_value<Iterator> {
  using type = std::remove_cvref_t<decltype(*std::declval<Iterator&>())>;
};
// The value type of iterators whose references are objects: zips, transforms.
template <dereferenceable Iterator>
requires requires { typename Iterator::value_type; }
struct iterator_value<Iterator> {
  using type = typename Iterator::value_type;
};

template <class Iterator>
using iterator_element = typename iterator_value<Iterator>::type;

} // namespace warpfold::inline v0::detail
