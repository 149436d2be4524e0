#pragma once
// Sums by index by atomic additions of floating-point numbers, to be compared with: the verbs of
// <warpfold/scatter.hpp> with a bound and a tag. twins::scattering::fixed_point is the call without
// one. Link warpfold::twins.
//
// Compiled are float and double with std::int32_t and std::uint32_t indices.

#include <warpfold/scatter.hpp>
#include <warpfold/twins/tags.hpp>

namespace warpfold::inline v0 {

namespace detail {

template <class Range, class Place>
concept compared_indices = one_of<element_t<Place, Range>, std::int32_t, std::uint32_t>;

/// As the one without a tag. It waits where `status` is null.
template <class T>
scatter_status scatter_by_atomics(gpu& place, scatter_input<T, std::uint32_t> const& input,
                                  T* results, scatter_status* status);
template <class T>
scatter_status scatter_by_atomics(host const& place, scatter_input<T, std::uint32_t> const& input,
                                  T* results, scatter_status* status);

/// Refuses what is no such tag.
void check_scattering(twins::scattering twin);

template <class Place, class Range, class Indices, class... Status>
void scatter_twin(char const* name, Place& place, Range const& values, Indices const& indices,
                  scatter_bound const& bound, scatter_results<Place, Range> results,
                  twins::scattering twin, Status... status) {
  verb const scope(name);
  check_scattering(twin);
  if (twin == twins::scattering::fixed_point)
    return scatter_ranges(name, place, values, indices, &bound, results, {}, status...);
  (check_result(status.data(), status.size(), "status"), ...);
  scatter_status* noted = nullptr;
  ((noted = status.data()), ...);
  scatter_by_atomics(place, indexed_values(place, values, indices, results.size(), {}),
                     results.data(), noted);
}

} // namespace detail

// Contract of both verbs.
//
// atomics     On a gpu one atomic addition a value, in the order in which they happen to come: sums
//             may differ from run to run. Subnormal floats are taken for 0. On a host one value
//             after the other, on one thread. The bound is not used; values whose index is none are
//             not added, which only status says.
// Throws      what the call without a tag throws; argument_error for `twin` if it is none.

/// scatter_sum() in that way.
template <class Place, detail::scatter_values<Place> Range, detail::compared_indices<Place> Indices>
void scatter_sum(Place&& place, Range const& values, Indices const& indices,
                 scatter_bound const& bound, detail::scatter_results<Place, Range> results,
                 twins::scattering twin) {
  detail::scatter_twin("scatter_sum", place, values, indices, bound, results, twin);
}
template <class Place, detail::scatter_values<Place> Range, detail::compared_indices<Place> Indices>
void scatter_sum_async(Place&& place, Range const& values, Indices const& indices,
                       scatter_bound const& bound, detail::scatter_results<Place, Range> results,
                       detail::result_t<Place, scatter_status> status, twins::scattering twin) {
  detail::scatter_twin("scatter_sum_async", place, values, indices, bound, results, twin, status);
}

} // namespace warpfold::inline v0
