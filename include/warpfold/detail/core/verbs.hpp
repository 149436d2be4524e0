#pragma once
// How a verb's result comes back: with the wait, or without.

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/execution.hpp>

#include <concepts>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// A blocking call's result: the Result that enqueue(Result*) writes to memory of the place's own.
template <class Result, class Place, class Enqueue>
Result compute_now(Place& place, Enqueue enqueue) {
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    Result* const slot = static_cast<Result*>(gpu_scratch(place).result_slot(sizeof(Result)));
    enqueue(slot);
    place.synchronize();
    return *slot;
  } else {
    Result result{};
    enqueue(&result);
    return result;
  }
}

/// An _async call's result: enqueue(pointer) writes it to the caller's memory. Does not wait.
template <class Span, class Enqueue>
void compute_later(Span result, Enqueue enqueue, char const* argument = "result") {
  check_result(result.data(), result.size(), argument);
  enqueue(result.data());
}

} // namespace warpfold::inline v0::detail
