#pragma once
// How Poisson's solver gets the engine of another component. Engines are made and used in lib
// alone.

#include <concepts>
#include <type_traits>

namespace warpfold::inline v0::poisson {
struct plan;
template <class T>
struct engine;
} // namespace warpfold::inline v0::poisson

namespace warpfold::inline v0::detail {

/// Makes the engine for a checked problem; throws argument_error if the engine does not take it.
template <class T, class Place>
using engine_maker = poisson::engine<T> (*)(Place& place, poisson::plan const& plan);

/// One engine for a solver's elements, and for the floats of precision::single.
template <class T, class Place>
struct engine_makers {
  engine_maker<T, Place> full;
  engine_maker<float, Place> single;
};

/// A type for which maker_of, in the type's namespace, returns such functions.
template <class Engine, class T, class Place>
concept engine_of = requires(Engine engine, Place& place) {
  { maker_of(engine, place, std::type_identity<T>{}) } -> std::same_as<engine_maker<T, Place>>;
  {
    maker_of(engine, place, std::type_identity<float>{})
    } -> std::same_as<engine_maker<float, Place>>;
};

template <class T, class Engine, class Place>
engine_makers<T, Place> makers_of(Engine engine, Place& place) {
  return {maker_of(engine, place, std::type_identity<T>{}),
          maker_of(engine, place, std::type_identity<float>{})};
}

} // namespace warpfold::inline v0::detail
