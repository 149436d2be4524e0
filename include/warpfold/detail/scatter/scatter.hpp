#pragma once
// Implementation of the public header: sums by index.

#include <warpfold/buffer.hpp>
#include <warpfold/detail/core/bounds.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/scratch.hpp>
#include <warpfold/detail/core/verb.hpp>
#include <warpfold/detail/counting/histogram.hpp>
#include <warpfold/detail/norms/measure.hpp>
#include <warpfold/detail/scatter/scatter_terms.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

namespace warpfold::inline v0 {

/// Options of scatter_sum. To be used with designated initialisers.
struct scatter_options {
  /// Units 2^-32 times as fine, for values of very different magnitudes. Twice the scratch memory;
  /// at most 2^32 - 2 values.
  bool wide = false;
  /// What results hold counts as one more value of its bin, of up to bound.sum. Needs a bound,
  /// or `exact`.
  bool cumulative = false;
  /// Numbers that a value has, one behind the other, and so has a result: values are an array of
  /// n x components, results of bins x components, and indices as many as n.
  int components = 1;
  /// Each result is the exact sum of its values, rounded once, whatever their magnitudes; without a
  /// bound. A result takes 80 bytes of scratch memory, in double 600; at most 2^35 - 1 values.
  bool exact = false;
};
/// Options of histogram with weights. To be used with designated initialisers.
struct weighted_histogram_options {
  bool exact = false; ///< as scatter_options'
};

namespace detail {

constexpr scatter_form form_of(scatter_options const& options) {
  if (options.exact) return scatter_form::exact;
  return options.wide ? scatter_form::wide : scatter_form::narrow;
}

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

/// Values, and keys that name their bins. Signed indices are read as unsigned ones: those below 0
/// are too large then.
template <class T, class Key, class BinOf = bin_of_index<Key>>
struct scatter_input {
  T const* values;
  Key const* keys;
  std::size_t size, keys_size, bins; ///< of values, keys and results
  BinOf bin_of;
  int components = 1;                   ///< values that have one key
  std::uint64_t const* count = nullptr; ///< unless null: where the number of values lies

  /// True if both arrays can be read 16 bytes at a time.
  [[nodiscard]] WARPFOLD_HOST_DEVICE bool is_aligned() const {
    return (reinterpret_cast<std::uintptr_t>(values) | reinterpret_cast<std::uintptr_t>(keys)) %
               16 ==
           0;
  }
};

/// Passes over the values, each of which adds to a part of the bins: as many as make a part fit
/// into L2, where most atomic additions are done then. NVIDIA H100, 2026-11-26, 2^28 floats and
/// 2^24 bins, uniform: 29 G/s, where atomic additions of floats reach 22. Exact sums have one pass.
constexpr int scatter_passes(std::size_t bins, std::size_t size, int words) {
  constexpr std::size_t part = std::size_t{32} << 20, most = 8, few = std::size_t{1} << 22;
  std::size_t const bytes = bins * static_cast<std::size_t>(words) * sizeof(std::uint64_t);
  return size < few || words > 2
             ? 1
             : static_cast<int>(smaller(larger((bytes + part - 1) / part, 1), most));
}

/// Where things lie in a gpu's workspace: the sums come first.
struct scatter_memory {
  std::size_t scattered, status, any, largest, bytes;

  constexpr scatter_memory(std::size_t bins, std::size_t size, int words) {
    constexpr std::size_t measuring = 64 << 10; // that the largest magnitude is found in
    std::size_t const sums = bins * static_cast<std::size_t>(words) * sizeof(std::uint64_t);
    status = larger((sums + 63) / 64 * 64, measuring);
    any = status + sizeof(scatter_status);
    largest = any + sizeof(std::uint64_t);
    scattered = largest + sizeof(double);
    constexpr std::size_t least_tile = 2048;
    bytes = scattered + (scatter_passes(bins, size, words) > 1 ? size / least_tile + 1 : 0);
  }
};

// Doors, of which each place has its own.

/// Adds up: the words of a bin side by side, and what could not be added. A gpu's workspace must be
/// as large as scatter_memory says.
template <class T, class Key, class BinOf>
void add_words(gpu& place, scatter_input<T, Key, BinOf> const& input, scatter_unit<T> const& unit,
               scatter_form form, std::uint64_t* words, scatter_status* status);
template <class T, class Key, class BinOf>
void add_words(host const& place, scatter_input<T, Key, BinOf> const& input,
               scatter_unit<T> const& unit, scatter_form form, std::uint64_t* words,
               scatter_status* status);
/// Rounds the sums.
template <class T>
void round_words(gpu& place, scatter_rounding<T> const& job, scatter_form form, scatter_end end);
template <class T>
void round_words(host const& place, scatter_rounding<T> const& job, scatter_form form,
                 scatter_end end);

/// An array that is an argument.
struct named_array {
  char const* name;
  void const* memory;
  std::size_t size, element; ///< number and bytes of elements
};
/// Refuses a second input that is not as long as the first one says; more results or values than
/// there may be; outputs that share memory with an input or each other.
void check_scatter_arrays(named_array const& first, named_array const& second,
                          named_array const& results, scatter_status const* status, int components);
/// Refuses a bound that is none, and options that do not go with it or with so many values; a
/// vector is one.
void check_scatter_options(scatter_bound const* bound, std::size_t values,
                           scatter_options const& options);

template <class T, class Key, class BinOf>
void check_scatter(scatter_input<T, Key, BinOf> const& input, scatter_bound const* bound,
                   T const* results, scatter_status const* status, scatter_options const& options) {
  constexpr bool weighs = is_histogram<BinOf>;
  named_array const values{weighs ? "weights" : "values", input.values, input.size, sizeof(T)};
  named_array const keys{weighs ? "values" : "indices", input.keys, input.keys_size, sizeof(Key)};
  check_elements(values.name, input.values, input.size);
  check_elements(keys.name, input.keys, input.keys_size);
  check_elements("results", results, input.bins);
  check_scatter_arrays(weighs ? keys : values, weighs ? values : keys, // as in the call
                       {"results", results, input.bins, sizeof(T)}, status, options.components);
  check_count_apart(input.count, results, input.bins * sizeof(T), "results");
  check_count_apart(input.count, status, status ? sizeof *status : 0, "status");
  check_scatter_options(bound, input.size / static_cast<unsigned>(input.components), options);
}

/// Refuse what a blocking call could not add.
[[noreturn]] void refuse_index(std::uint64_t position, text const& index, std::size_t bins);
[[noreturn]] void refuse_value(char const* argument, std::uint64_t position, double value,
                               scatter_bound const* bound, double largest);
[[noreturn]] void refuse_result(std::uint64_t bin, double before, scatter_bound const* bound,
                                bool is_cumulative);

template <class Place, class T>
T element_at(Place& place, T const* from, std::uint64_t i) {
  if constexpr (is_gpu<Place>) return to_vector(place, device_span<T const>(from + i, 1))[0];
  else return from[i];
}
template <class Place, class T, class Key, class BinOf>
[[noreturn]] void refuse_input(Place& place, scatter_input<T, Key, BinOf> const& input,
                               scatter_bound const* bound, std::uint64_t position) {
  if constexpr (!is_histogram<BinOf>) {
    auto const components = static_cast<unsigned>(input.components);
    Key const index = element_at(place, input.keys, position / components);
    if (input.bin_of(index) < 0)
      refuse_index(position / components,
                   input.bin_of.is_signed ? text(static_cast<std::make_signed_t<Key>>(index))
                                          : text(index),
                   input.bins / components);
  }
  refuse_value(is_histogram<BinOf> ? "weights" : "values", position,
               static_cast<double>(element_at(place, input.values, position)), bound,
               std::numeric_limits<T>::max());
}

template <class Place, class Range, class Indices>
auto indexed_values(Place const&, Range const& values, Indices const& indices, std::size_t results,
                    scatter_options const& options) {
  using I = element_t<Place, Indices>;
  using Key = std::make_unsigned_t<I>;
  span_t<Place, room_t<Range>> const from(room_of(values));
  span_t<Place, Indices> const at(indices);
  int const components = larger(options.components, 1); // smaller ones are refused
  auto const bins = static_cast<Key>(results / static_cast<unsigned>(components));
  return scatter_input<element_t<Place, room_t<Range>>, Key>{
      from.data(), reinterpret_cast<Key const*>(at.data()),
      from.size(), at.size(),
      results,     {bins, std::is_signed_v<I>},
      components,  count_of<Place>(values)};
}
/// Refuses bins that are none, and results that are not one a bin.
template <class Place, class Range, class Weights>
auto weighted_values(Place const&, Range const& values, Weights const& weights,
                     bins_for<Place, Range> const& bins, std::size_t results) {
  using Key = element_t<Place, Range>;
  check_bins<Key>(bins);
  if (results != static_cast<std::size_t>(bins.count))
    refuse("results", text("room for ", results), text(bins.count, ", one a bin"));
  span_t<Place, Range> const keys(values);
  span_t<Place, Weights> const from(weights);
  return scatter_input<element_t<Place, Weights>, Key, bin_function<Key>>{
      from.data(), keys.data(), from.size(), keys.size(), results, bin_function<Key>(bins)};
}

/// `status` is one span, or none if the caller waits: what could not be added is refused then, and
/// results are left as they were.
template <class Place, class T, class Key, class BinOf, class Results, class... Status>
void scatter_all(Place& place, scatter_input<T, Key, BinOf> const& input,
                 scatter_bound const* bound, Results results, scatter_options const& options,
                 Status... given) {
  (check_result(given.data(), given.size(), "status"), ...);
  scatter_status* status = nullptr;
  ((status = given.data()), ...);
  bool const blocking = status == nullptr;
  check_scatter(input, bound, results.data(), status, options);

  scatter_form const form = form_of(options);
  scatter_memory const memory(input.bins, input.size, words_of_bin<T>(form));
  std::unique_ptr<std::byte[]> of_host;
  std::byte* scratch = nullptr;
  if constexpr (is_gpu<Place>) {
    scratch = static_cast<std::byte*>(scratch_for(place, memory.bytes, blocking));
  } else {
    of_host = std::make_unique_for_overwrite<std::byte[]>(memory.bytes);
    scratch = of_host.get();
  }
  auto* const largest = reinterpret_cast<T*>(scratch + memory.largest);
  auto* const words = reinterpret_cast<std::uint64_t*>(scratch);
  if (blocking) status = reinterpret_cast<scatter_status*>(scratch + memory.status);
  bool const finds_bound = bound == nullptr && !options.exact;
  if (finds_bound) measure_to<T, largest_magnitude<T>>(place, {input.values, input.size}, largest);
  scatter_unit<T> const unit{fixed_point<T>(bound ? *bound : scatter_bound{}),
                             finds_bound ? largest : nullptr,
                             input.size / static_cast<unsigned>(input.components)};
  add_words(place, input, unit, form, words, status);
  T* const to = results.data();
  scatter_rounding<T> const job{
      unit, words,  static_cast<int>(input.bins), 1, options.cumulative ? to : nullptr,
      to,   status, is_histogram<BinOf>};
  if (!blocking) return round_words(place, job, form, scatter_end::store);
  if (!options.exact || options.cumulative) round_words(place, job, form, scatter_end::look);
  round_words(place, job, form, scatter_end::keep);
  scatter_status const found = element_at(place, status, 0);
  if (found.refused != 0) refuse_input(place, input, bound, found.first_refused);
  if (std::uint64_t const b = found.first_overflow; b != no_position)
    refuse_result(b, static_cast<double>(element_at(place, to, b)), bound, options.cumulative);
}
template <class Place, class Range, class Indices, class... Status>
void scatter_ranges(char const* name, Place& place, Range const& values, Indices const& indices,
                    scatter_bound const* bound, scatter_results<Place, Range> results,
                    scatter_options const& options, Status... status) {
  verb const scope(name);
  scatter_all(place, indexed_values(place, values, indices, results.size(), options), bound,
              results, options, status...);
}
template <class Place, class Range, class Weights, class... Status>
void weigh_ranges(char const* name, Place& place, Range const& values, Weights const& weights,
                  bins_for<Place, Range> const& bins, scatter_bound const* bound,
                  scatter_results<Place, Weights> results,
                  weighted_histogram_options const& options, Status... status) {
  verb const scope(name);
  scatter_all(place, weighted_values(place, values, weights, bins, results.size()), bound, results,
              {.exact = options.exact}, status...);
}

} // namespace detail
} // namespace warpfold::inline v0
