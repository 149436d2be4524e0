#pragma once
// What iterators point at. <iterator> has streams in it, which every kernel's source would read.

#include <type_traits>
#include <utility>

namespace warpfold::inline v0::detail {

template <class Iterator>
concept names_value_type = requires {
  typename Iterator::value_type;
};

/// As std::iter_value_t has it: no type for what is no iterator, so that a concept can ask.
template <class Iterator>
struct iterator_value {};
// First, since the references of zips and transforms are objects.
template <names_value_type Iterator>
struct iterator_value<Iterator> {
  using type = typename Iterator::value_type;
};
template <class Iterator>
requires(!names_value_type<Iterator>) && requires(Iterator it) { *it; }
struct iterator_value<Iterator> {
  using type = std::remove_cvref_t<decltype(*std::declval<Iterator&>())>;
};

template <class Iterator>
using iterator_element = typename iterator_value<Iterator>::type;

} // namespace warpfold::inline v0::detail
