#pragma once
// Elements by rank of the arrays of all ranks of a communicator.

#include <warpfold/detail/comm/collective.hpp>
#include <warpfold/quantiles.hpp>
#include <warpfold/reduction/extrema.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace warpfold::inline v0::detail {

/// Numbers of elements of all ranks, which agree on their type and on `parameters`. `argument` is
/// what the verb calls its elements.
template <class Place, class View>
std::vector<std::size_t> sizes_of_ranks(communicator<Place>& comm, View values,
                                        std::array<std::uint64_t, 2> parameters,
                                        char const* argument = "values") {
  using T = typename View::value_type;
  check_elements(argument, values.data(), values.size());
  collective const group(comm);
  static_cast<void>(group.open_record(
      {sizeof(T), values.size(), {std::uint64_t(kind_of<T>), parameters[0], parameters[1]}}));
  std::vector<std::size_t> sizes;
  for (record const& one : group.gather_records()) sizes.push_back(one.head.elements);
  return sizes;
}

/// Results of a selection from all ranks' elements. Ranks count, as passes over one array do, add
/// up what all have counted, and so go on with the same bins.
template <class Result, class Key, class Place, class View>
std::vector<Result> selected_together(communicator<Place>& comm, View own, selection const& which) {
  pass_shape const shape(which.count);
  auto const targets = static_cast<std::size_t>(shape.targets);
  std::vector<key_range<Key>> found(targets, {0, static_cast<Key>(-1)}), ranges;
  std::vector<std::uint64_t> left(which.rank, which.rank + targets);
  bool has_nan = false;
  for (;; ranges.clear()) {
    for (auto const& range : found)
      if (range.width != 0 && std::ranges::find(ranges, range) == ranges.end())
        ranges.push_back(range);
    if (ranges.empty()) break;
    std::vector<std::uint64_t> counts((ranges.size() << shape.bits) + 1);
    count_in_bins<Key>(comm.place(), own.data(), own.size(), which.kind, ranges, shape,
                       counts.data());
    auto const all = comm.all_gather(std::span(counts));
    std::ranges::fill(counts, 0);
    for (std::size_t i = 0; i < all.size(); ++i) counts[i % counts.size()] += all[i];
    has_nan |= counts.back() != 0;
    for (std::size_t t = 0; t < targets; ++t) {
      if (found[t].width == 0) continue;
      auto const at = std::ranges::find(ranges, found[t]) - ranges.begin();
      auto const* const bins = counts.data() + (at << shape.bits);
      Key bin = 0;
      while (left[t] >= bins[bin] && (bin + 1) >> shape.bits == 0) left[t] -= bins[bin++];
      found[t] = found[t].bin(bin, found[t].shift(shape.bits));
    }
  }
  std::vector<Result> results(static_cast<std::size_t>(which.count));
  for (std::size_t p = 0; p < results.size(); ++p)
    write_result<Key>(which, static_cast<int>(p), found[2 * p].low, found[2 * p + 1].low, has_nan,
                      results.data());
  return results;
}
/// A result for each of `asked`, ranks or probabilities: select(size, asked) says which of so many
/// elements they are.
template <class Result, class Place, class Range, class Asked, class Select>
std::vector<Result> select_of_ranks(communicator<Place>& comm, Range const& values,
                                    char const* argument, std::span<Asked const> asked,
                                    interpolation method, Select select) {
  return collective(comm).guarded([&] {
    span_t<Place, Range> const own(values);
    check_elements(argument, asked.data(), asked.size());
    std::string_view const bytes(reinterpret_cast<char const*>(asked.data()), asked.size_bytes());
    auto const sizes = sizes_of_ranks(
        comm, own, {std::hash<std::string_view>{}(bytes), static_cast<std::uint64_t>(method)});
    return selected_together<Result, selection_key<element_t<Place, Range>>>(
        comm, own, select(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0})));
  });
}
template <class Place, class Range>
auto order_statistics_of_ranks(communicator<Place>& comm, Range const& values, char const* argument,
                               std::span<std::uint64_t const> ranks) {
  using T = element_t<Place, Range>;
  return select_of_ranks<T>(comm, values, argument, ranks, {}, [&](std::size_t size) {
    return select_ranks(argument, size, ranks, kind_of<T>);
  });
}
template <class Place, class Range>
auto quantiles_of_ranks(communicator<Place>& comm, Range const& values, char const* argument,
                        std::span<double const> qs, interpolation method) {
  using T = element_t<Place, Range>;
  return select_of_ranks<quantile_value<T>>(
      comm, values, argument, qs, method,
      [&](std::size_t size) { return select_quantiles(argument, size, qs, method, kind_of<T>); });
}

/// Every rank's first `count` elements are gathered, and put in order.
template <class Place, class Range>
auto top_k_of_ranks(communicator<Place>& comm, Range const& values, std::size_t count,
                    top_k_options const& options) {
  using T = element_t<Place, Range>;
  return collective(comm).guarded([&] {
    span_t<Place, Range> const own(values);
    auto sizes = sizes_of_ranks(comm, own, {count, options.smallest ? 1u : 0u});
    check_top("k", count, std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    std::size_t const most = std::min(count, std::ranges::max(sizes)),
                      here = std::min(count, own.size());
    std::vector<T> elements(most);
    std::vector<std::uint64_t> positions(most);
    if constexpr (is_gpu<Place>) {
      device_buffer<T> top(comm.place(), here);
      device_buffer<std::uint64_t> at(comm.place(), here);
      top_k(comm.place(), own, top, at, options);
      copy(comm.place(), top, std::span(elements).first(here));
      copy(comm.place(), at, std::span(positions).first(here));
    } else {
      top_k(comm.place(), own, std::span(elements).first(here), std::span(positions).first(here),
            options);
    }
    elements = comm.all_gather(std::span(elements));
    positions = comm.all_gather(std::span(positions));
    std::vector<extremum<T>> top;
    std::size_t first = 0; // number of a rank's first element
    for (std::size_t r = 0; r < sizes.size(); first += sizes[r++])
      for (std::size_t i = r * most; i < r * most + std::min(count, sizes[r]); ++i)
        top.push_back({elements[i], first + positions[i]});
    auto const map = key_map<selection_key<T>>::of(kind_of<T>);
    std::ranges::sort(top, {}, [&](extremum<T> const& one) {
      auto const key = map.key(cast_bits<selection_key<T>>(one.value));
      return std::pair(map.place(key, options.smallest), one.index);
    });
    top.resize(count);
    return top;
  });
}

} // namespace warpfold::inline v0::detail
