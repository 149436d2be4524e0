#pragma once
// Behind the verbs of random numbers: which arrays they fill, and what the library compiles.

#include <warpfold/detail/core/verb.hpp>
#include <warpfold/execution.hpp>
#include <warpfold/span.hpp>

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace warpfold::inline v0::random {

enum class normal_method;
struct options;
struct sobol_options;
template <class Place>
class sobol_sequence;

} // namespace warpfold::inline v0::random

namespace warpfold::inline v0::detail {

/// The element and the view of an array that a verb on `Place` can write to. `Array` is as a
/// forwarding reference deduces it.
template <class Place, class Array>
struct output_array;
template <device_range Array>
struct output_array<gpu, Array> {
  using element = device_element_t<forwarded_t<Array>>;
  using view = device_span<element>;
};
template <class Array>
requires(!device_range<Array>) && requires(Array&& array) { std::span(std::forward<Array>(array)); }
struct output_array<host, Array> {
  using element = typename decltype(std::span(std::declval<Array>()))::element_type;
  using view = std::span<element>;
};

/// An array of one of `Types` that lives where `Place` works and can be written to: on a gpu a
/// device_range, on a host any other contiguous range. Temporaries have to be views.
template <class Array, class Place, class... Types>
concept output_of =
    (std::same_as<typename output_array<std::remove_cvref_t<Place>, Array>::element, Types> || ...);

/// A number made of random words.
enum class variate { bits, uniform, box_muller, inverse };

/// The method's variate. @throws argument_error for a method that is none
variate normal_variate(random::normal_method method);

/// Fill an array of std::uint32_t (bits), float or double (the others): enqueue on a gpu, are done
/// on return on a host. @throws argument_error
template <class T>
void fill_random(gpu& place, variate what, device_span<T> output, random::options const& options);
template <class T>
void fill_random(host const& place, variate what, std::span<T> output,
                 random::options const& options);
template <class T>
void fill_points(gpu& place, random::sobol_sequence<gpu> const& sequence, variate what,
                 device_span<T> output, random::sobol_options const& options);
template <class T>
void fill_points(host const& place, random::sobol_sequence<host> const& sequence, variate what,
                 std::span<T> output, random::sobol_options const& options);

template <class Place, class Array>
auto output_view(Array&& array) {
  return typename output_array<std::remove_cvref_t<Place>, Array>::view(std::forward<Array>(array));
}

/// Ends a blocking verb.
inline void finish(gpu const& place) { place.synchronize(); }
inline void finish(host const&) {}

} // namespace warpfold::inline v0::detail
