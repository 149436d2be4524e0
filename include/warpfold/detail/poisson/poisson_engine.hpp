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

/// A type for which maker_of, in the type's namespace, returns such a function.
template <class Engine, class T, class Place>
concept engine_of = requires(Engine engine, Place& place) {
  { maker_of(engine, place, std::type_identity<T>{}) } -> std::same_as<engine_maker<T, Place>>;
};

} // namespace warpfold::inline v0::detail
