#pragma once
// Implementation of the public header: order statistics and quantiles.

#include <warpfold/detail/quantiles/selection.hpp>
#include <warpfold/detail/reduction/jobs.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace warpfold::inline v0 {

/// What a quantile is if its position is between two elements.
enum class interpolation {
  lower,    ///< the lower one
  higher,   ///< the higher one
  nearest,  ///< the nearer one; of two equally near ones the one of even rank
  midpoint, ///< halfway between both
  linear    ///< on a straight line from one to the other
};

/// Options of top_k.
struct top_k_options {
  bool smallest =
      false; ///< the smallest elements in rising order, not the largest in falling order
};

namespace detail {

template <class Range, class Place>
concept selectable = (one_of<element_t<Place, Range>, std::int32_t, std::uint32_t, std::int64_t,
                             std::uint64_t, float, double>);
template <class T>
using quantile_value = std::conditional_t<std::same_as<T, float>, float, double>;
template <class Place, class Range>
using quantile_result_t = result_t<Place, quantile_value<element_t<Place, Range>>>;

template <class T>
inline constexpr element_kind kind_of = std::is_floating_point_v<T> ? element_kind::floating
                                        : std::is_signed_v<T>       ? element_kind::integer
                                                                    : element_kind::natural;

/// Refuses no elements, too many ranks or probabilities, and those that are none; `argument` is
/// what the verb calls them.
selection select_ranks(char const* argument, std::size_t size, std::span<std::uint64_t const> ranks,
                       element_kind kind);
selection select_quantiles(char const* argument, std::size_t size, std::span<double const> qs,
                           interpolation method, element_kind kind);
/// Refuses arrays that are none, results that are not `count`, and those that lie among the values;
/// `argument` is what the verb calls its results.
template <class T, class Result>
void check_selection(char const* argument, T const* values, std::size_t size, Result const* results,
                     std::size_t results_size, std::size_t count) {
  check_elements("values", values, size);
  check_elements(argument, results, results_size);
  check_results(argument, results_size, count,
                share_memory(values, size * sizeof(T), results, results_size * sizeof(Result)));
}

/// The door: results[i] = what `asked` says of its position i. Key: as wide as an element.
/// `blocking` says that the caller will wait, so that scratch memory may be grown.
template <class Key>
void select_to(gpu& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool blocking);
template <class Key>
void select_to(host const& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool blocking);

/// The `count` first elements of an order, up to the one that `last` asks for, and their positions.
template <class Key>
void top_to(gpu& place, void const* values, std::size_t size, selection const& last,
            top_k_options const& options, std::size_t count, void* results,
            std::uint64_t* positions, bool blocking);
template <class Key>
void top_to(host const& place, void const* values, std::size_t size, selection const& last,
            top_k_options const& options, std::size_t count, void* results,
            std::uint64_t* positions, bool blocking);

/// counts[(r << bits) + b] = how many keys are in bin b of range r; then not 0 if one is NaN.
/// Blocks.
template <class Key>
void count_in_bins(gpu& place, void const* values, std::size_t size, element_kind kind,
                   std::span<key_range<Key> const> ranges, pass_shape shape, std::uint64_t* counts);
template <class Key>
void count_in_bins(host const& place, void const* values, std::size_t size, element_kind kind,
                   std::span<key_range<Key> const> ranges, pass_shape shape, std::uint64_t* counts);

/// A verb's only result.
template <class Result, class Place, class View, class Make>
auto selection_job(Place& place, View view, Make make) {
  return job_of<Result>(place, [&place, view, make](Result* result, bool blocking) {
    using T = typename View::value_type;
    check_selection("result", view.data(), view.size(), result, 1, 1);
    select_to<selection_key<T>>(place, view.data(), view.size(), make(view.size()), result,
                                blocking);
  });
}
template <class Place, class Range>
auto rank_job(Place& place, Range const& values, std::uint64_t rank) {
  using T = element_t<Place, Range>;
  return selection_job<T>(place, span_t<Place, Range>(values), [rank](std::size_t size) {
    return select_ranks("rank", size, std::span(&rank, 1), kind_of<T>);
  });
}
template <class Place, class Range>
auto quantile_job(Place& place, Range const& values, double q, interpolation method) {
  using T = element_t<Place, Range>;
  return selection_job<quantile_value<T>>(
      place, span_t<Place, Range>(values), [q, method](std::size_t size) {
        return select_quantiles("q", size, std::span(&q, 1), method, kind_of<T>);
      });
}

/// Does what `make(size)` asks for; waits where the verb blocks. `twin`: a vendor's tag, or none.
template <class Place, class View, class Results, class Make, class... Twin>
void select_all(char const* name, Place& place, View values, Results results, std::size_t count,
                bool blocking, Make make, Twin... twin) {
  verb const scope(name);
  using T = typename View::value_type;
  check_selection("results", values.data(), values.size(), results.data(), results.size(), count);
  selection const asked = make(values.size());
  if constexpr (sizeof...(Twin) > 0)
    select_by_sorting(place, values, asked, results.data(), twin..., blocking);
  else if (count > 0)
    select_to<selection_key<T>>(place, values.data(), values.size(), asked, results.data(),
                                blocking);
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}
template <class Place, class Range, class... Twin>
void order_statistics_of(char const* name, Place& place, Range const& values,
                         std::span<std::uint64_t const> ranks,
                         result_t<Place, element_t<Place, Range>> results, bool blocking,
                         Twin... twin) {
  auto const make = [&](std::size_t size) {
    return select_ranks("ranks", size, ranks, kind_of<element_t<Place, Range>>);
  };
  select_all(name, place, span_t<Place, Range>(values), results, ranks.size(), blocking, make,
             twin...);
}
template <class Place, class Range>
void quantiles_of(char const* name, Place& place, Range const& values, std::span<double const> qs,
                  quantile_result_t<Place, Range> results, interpolation method, bool blocking) {
  auto const make = [&](std::size_t size) {
    return select_quantiles("qs", size, qs, method, kind_of<element_t<Place, Range>>);
  };
  select_all(name, place, span_t<Place, Range>(values), results, qs.size(), blocking, make);
}

/// Refuses more elements than there are.
void check_top(char const* argument, std::size_t count, std::size_t elements);

template <class Place, class Range, class... Twin>
void top_k_of(char const* name, Place& place, Range const& values,
              result_t<Place, element_t<Place, Range>> results,
              result_t<Place, std::uint64_t> positions, top_k_options const& options, bool blocking,
              Twin... twin) {
  verb const scope(name);
  using T = element_t<Place, Range>;
  span_t<Place, Range> const all(values);
  std::size_t const size = all.size(), count = results.size();
  check_selection("results", all.data(), size, results.data(), count, count);
  check_top("results", count, size);
  check_selection("positions", all.data(), size, positions.data(), positions.size(), count);
  check_results("positions", count, count,
                share_memory(results.data(), count * sizeof(T), positions.data(), count * 8));
  if (count > 0) {
    std::uint64_t const rank = options.smallest ? count - 1 : size - count;
    selection const last = select_ranks("results", size, std::span(&rank, 1), kind_of<T>);
    if constexpr (sizeof...(Twin) > 0)
      top_by_sorting(place, all, last, options, results, positions, twin..., blocking);
    else
      top_to<selection_key<T>>(place, all.data(), size, last, options, count, results.data(),
                               positions.data(), blocking);
  }
  if constexpr (is_gpu<Place>)
    if (blocking) place.synchronize();
}

} // namespace detail
} // namespace warpfold::inline v0
