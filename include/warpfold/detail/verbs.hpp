#pragma once
// How a verb whose result is a structure goes to the library: with the wait, or without.

#include <warpfold/reduction.hpp>

namespace warpfold::detail {

/// The Result that enqueue(result) writes to memory of the place's own, after the wait.
template <class Result, class Place, class Enqueue>
Result compute_now(Place& place, Enqueue enqueue) {
  if constexpr (std::same_as<std::remove_cv_t<Place>, gpu>) {
    Result* const slot = static_cast<Result*>(place.result_slot(sizeof(Result)));
    enqueue(slot);
    place.synchronize();
    return *slot;
  } else {
    Result result{};
    enqueue(&result);
    return result;
  }
}

/// The same, into the caller's memory and without a wait.
template <class Span, class Enqueue>
void compute_later(Span result, Enqueue enqueue, char const* argument = "result") {
  check_result(result.data(), result.size(), argument);
  enqueue(result.data());
}

/// Elements that have built-in verbs.
template <class Range, class Place>
concept built_in_elements = built_in_element<element_t<Place, Range>>;

} // namespace warpfold::detail
