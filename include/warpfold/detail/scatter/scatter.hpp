#pragma once
// Implementation of the public header: sums by index.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/detail/scatter/fixed_point.hpp>
#include <warpfold/detail/scatter/status.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace warpfold::inline v0 {

/// Options of scatter_sum. To be used with designated initialisers.
struct scatter_options {
  /// Units 2^-32 times as fine, for values of very different magnitudes. Twice the scratch memory;
  /// at most 2^32 - 2 values.
  bool wide = false;
  /// What results hold counts as one more value of its bin, of up to bound.sum. Needs a bound.
  bool cumulative = false;
};

namespace detail {

template <class T>
concept scatter_value = std::same_as<T, float> || std::same_as<T, double>;
template <class Range, class Place>
concept scatter_values = scatter_value<element_t<Place, Range>>;
template <class Range, class Place>
concept scatter_terms = scatter_values<room_t<Range>, Place>;
template <class Range, class Place>
concept scatter_indices =
    one_of<element_t<Place, Range>, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
template <class Place, class Range>
using scatter_results = result_t<Place, element_t<Place, room_t<Range>>>;

/// Signed indices are read as unsigned ones: those below 0 are too large then.
template <class T, class Index>
struct scatter_input {
  T const* values;
  Index const* indices;
  std::size_t size, indices_size, bins;
  std::uint64_t const* count = nullptr; ///< unless null: where the number of values lies

  /// True if both arrays can be read 16 bytes at a time.
  [[nodiscard]] bool is_aligned() const {
    return (reinterpret_cast<std::uintptr_t>(values) | reinterpret_cast<std::uintptr_t>(indices)) %
               16 ==
           0;
  }
};

/// Passes over the values, each of which adds to a part of the bins: as many as make a part fit
/// into L2, where most atomic additions are done then. NVIDIA H100, 2026-11-26, 2^28 floats and
/// 2^24 bins, uniform: 29 G/s, where atomic additions of floats reach 22.
constexpr int scatter_passes(std::size_t bins, std::size_t size, int words) {
  constexpr std::size_t part = std::size_t{32} << 20, most = 8, few = std::size_t{1} << 22;
  std::size_t const bytes = bins * static_cast<std::size_t>(words) * sizeof(std::uint64_t);
  return size < few ? 1 : static_cast<int>(smaller(larger((bytes + part - 1) / part, 1), most));
}

/// Where things lie in a gpu's workspace: the sums come first.
struct scatter_memory {
  std::size_t scattered, status, any, largest, bytes;

  constexpr scatter_memory(std::size_t bins, std::size_t size, bool is_wide) {
    constexpr std::size_t measuring = 64 << 10; // that the largest magnitude is found in
    int const words = is_wide ? 2 : 1;
    std::size_t const sums = bins * static_cast<std::size_t>(words) * sizeof(std::uint64_t);
    status = larger((sums + 63) / 64 * 64, measuring);
    any = status + sizeof(scatter_status);
    largest = any + sizeof(std::uint64_t);
    scattered = largest + sizeof(double);
    constexpr std::size_t least_tile = 2048;
    bytes = scattered + (scatter_passes(bins, size, words) > 1 ? size / least_tile + 1 : 0);
  }
};

/// The door: the status is written to `status`, or returned where that is null, after waiting.
template <class T, class Index>
scatter_status scatter_to(gpu& place, scatter_input<T, Index> const& input,
                          scatter_bound const* bound, device_span<T> results,
                          scatter_status* status, scatter_options const& options);
template <class T, class Index>
scatter_status scatter_to(host const& place, scatter_input<T, Index> const& input,
                          scatter_bound const* bound, std::span<T> results, scatter_status* status,
                          scatter_options const& options);

/// Refuses a bound that is none, and options that do not go with it or with so many values.
void check_scatter_options(scatter_bound const* bound, std::size_t size,
                           scatter_options const& options);

/// Refuse what a blocking call could not add.
[[noreturn]] void refuse_index(std::uint64_t position, text const& index, std::size_t bins);
[[noreturn]] void refuse_value(std::uint64_t position, double value, double bound);
[[noreturn]] void refuse_result(std::uint64_t bin, double before, scatter_bound const* bound,
                                bool is_cumulative);

template <class Place, class Span>
auto element_at(Place& place, Span span, std::uint64_t i) {
  auto const one = span.subspan(static_cast<std::size_t>(i), 1);
  if constexpr (is_gpu<Place>) return to_vector(place, one)[0];
  else return one[0];
}

/// `status` is one span, or none if the caller waits: what could not be added is refused then.
template <class Place, class Range, class Indices, class... Status>
void scatter_ranges(char const* name, Place& place, Range const& values, Indices const& indices,
                    scatter_bound const* bound, scatter_results<Place, Range> results,
                    scatter_options const& options, Status... status) {
  verb const scope(name);
  (check_result(status.data(), status.size(), "status"), ...);
  scatter_status* noted = nullptr;
  ((noted = status.data()), ...);
  using T = element_t<Place, room_t<Range>>;
  using I = std::make_unsigned_t<element_t<Place, Indices>>;
  span_t<Place, room_t<Range>> const from(room_of(values));
  span_t<Place, Indices> const at(indices);
  scatter_status const found =
      scatter_to<T, I>(place,
                       {from.data(), reinterpret_cast<I const*>(at.data()), from.size(), at.size(),
                        results.size(), count_of<Place>(values)},
                       bound, results, noted, options);
  if (noted != nullptr) return;
  if (std::uint64_t const i = found.first_refused; i != no_position) {
    auto const index = element_at(place, at, i);
    if (static_cast<I>(index) >= results.size()) refuse_index(i, text(index), results.size());
    constexpr double all = std::numeric_limits<T>::max();
    refuse_value(i, static_cast<double>(element_at(place, from, i)), bound ? bound->value : all);
  }
  if (std::uint64_t const b = found.first_overflow; b != no_position)
    refuse_result(b, static_cast<double>(element_at(place, results, b)), bound, options.cumulative);
}

} // namespace detail
} // namespace warpfold::inline v0
