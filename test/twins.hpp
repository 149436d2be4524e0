#pragma once
// The tags that tests loop over, and for which elements they are compiled. A test's body takes a
// pack of one tag or none, `sum(place, values, twin...)`: warpfold's own code is the call without.

#include "support.hpp"

#include <warpfold/twins/reductions.hpp>

namespace test {

namespace twins = warpfold::twins;

/// The vendors that a place has, warpfold's own code first.
inline std::vector<twins::vendor> twins_of(warpfold::host const&) {
  return {twins::fold, twins::thrust};
}
inline std::vector<twins::vendor> twins_of(warpfold::gpu const&) {
  return {twins::fold, twins::cub, twins::thrust};
}
/// The one of them that has _async forms.
inline twins::vendor vendor_of(warpfold::host const&) { return twins::thrust; }
inline twins::vendor vendor_of(warpfold::gpu const&) { return twins::cub; }

inline constexpr twins::classic ladder[] = {twins::ladder_divergent,  twins::ladder_strided,
                                            twins::ladder_sequential, twins::ladder_first_add,
                                            twins::ladder_last_warp,  twins::ladder_unrolled,
                                            twins::ladder_cascaded,   twins::halving};

/// The tags to test with: the place's, or twins::fold alone where nothing is compared.
template <bool IsCompared, class Place>
std::vector<twins::vendor> twins_for(Place const& place) {
  if constexpr (IsCompared) return twins_of(place);
  else return {twins::fold};
}
/// The twins with _async forms.
template <bool IsCompared, class Place>
std::vector<twins::vendor> async_twins_for(Place const& place) {
  if constexpr (IsCompared) return {twins::fold, vendor_of(place)};
  else return {twins::fold};
}

/// True if CUB and Thrust are compiled for all reductions of such elements, not for sums alone.
template <class T, class A = accumulator_t<T>>
inline constexpr bool has_twins = warpfold::detail::compared_element<T, A>;

/// The tags for sums.
template <class T, class A = accumulator_t<T>, class Place>
std::vector<twins::vendor> sum_twins_of(Place const& place) {
  if constexpr (std::same_as<Place, warpfold::gpu> && !has_twins<T, A>)
    return {twins::fold, twins::cub};
  else return twins_for<has_twins<T, A>>(place);
}

/// Returns true if calls with this tag, or with none, have an _async form.
template <class Place, class... Twin>
constexpr bool has_async(Place const&, Twin... twin) {
  return std::same_as<Place, warpfold::host> ||
         (... && (twins::reducer(twin) != twins::reducer(twins::thrust)));
}

/// call(twin); call(), which need not compile with a tag, for twins::fold or without comparison.
template <bool IsCompared, class Call>
decltype(auto) with_twin([[maybe_unused]] twins::vendor twin, Call call) {
  if constexpr (IsCompared)
    if (twin != twins::fold) return call(twin);
  return call();
}

/// with_twin for each of the tags.
template <bool IsCompared, class Call>
void with_each(std::vector<twins::vendor> const& tags, Call call) {
  for (twins::vendor const twin : tags) {
    CAPTURE(to_string(twin));
    with_twin<IsCompared>(twin, call);
  }
}
template <bool IsCompared, class Place, class Call>
void for_each_twin(Place const& place, Call call) {
  with_each<IsCompared>(twins_for<IsCompared>(place), call);
}
template <bool IsCompared, class Place, class Call>
void for_each_async_twin(Place const& place, Call call) {
  with_each<IsCompared>(async_twins_for<IsCompared>(place), call);
}
template <class T, class A, class Place, class Call>
void for_each_sum_twin(Place const& place, Call call) {
  constexpr bool is_compared = has_twins<T, A> || std::same_as<Place, warpfold::gpu>;
  with_each<is_compared>(sum_twins_of<T, A>(place), call);
}

} // namespace test
