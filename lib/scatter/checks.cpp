#include <warpfold/scatter.hpp>

#include <cmath>

namespace warpfold::inline v0::detail {

void check_scatter_arrays(named_array const& first, named_array const& second,
                          named_array const& results, scatter_status const* status,
                          int components) {
  if (components < 1) refuse("options.components", text(components), "at least 1");
  auto const each = static_cast<std::size_t>(components);
  for (auto const* array : {&first, &results})
    if (array->size % each != 0)
      refuse(array->name, text(array->size, " elements"), text("a multiple of ", components));
  if (second.size != first.size / each)
    refuse(second.name, text(second.size, " elements"),
           text(first.size / each, ", one for each value"));
  constexpr std::size_t most = (std::size_t{1} << 31) - 1;
  if (results.size > most) refuse("results", text(results.size, " elements"), text("up to ", most));
  auto const refuse_overlap = [](named_array const& output, named_array const& other) {
    if (share_memory(output.memory, output.size * output.element, other.memory,
                     other.size * other.element))
      refuse(output.name, text("memory of ", other.name), "memory of its own");
  };
  named_array const noted{"status", status, status ? std::size_t{1} : 0, sizeof *status};
  for (named_array const* input : {&first, &second}) {
    refuse_overlap(results, *input);
    refuse_overlap(noted, *input);
  }
  refuse_overlap(noted, results);
}

void check_scatter_options(scatter_bound const* bound, std::size_t values,
                           scatter_options const& options) {
  if (bound != nullptr) {
    if (!(bound->value >= 0) || !std::isfinite(bound->value))
      refuse("bound.value", text(bound->value), "a finite number, at least 0");
    if (!(bound->sum >= bound->value) || !std::isfinite(bound->sum))
      refuse("bound.sum", text(bound->sum),
             text("a finite number, at least ", bound->value, ", the bound of values"));
    if (options.exact)
      refuse("options.exact", "true with a bound", "true without one, as all values can be added");
  } else if (options.cumulative && !options.exact) {
    refuse("options.cumulative", "true without a bound",
           "true with a bound of all results, or with options.exact");
  }
  if (options.exact && options.wide)
    refuse("options.wide", "true with options.exact", "false, as sums are exact");
  auto const refuse_more = [&](std::uint64_t most, char const* option) {
    if (values > most) refuse("values", text(values, " values"), text("up to ", most, option));
  };
  // One more may be in the results.
  if (options.wide) refuse_more((std::uint64_t{1} << 32) - 2, " with options.wide");
  constexpr std::uint64_t room = std::uint64_t{1} << digit_terms<double>::most_log_values;
  if (options.exact) refuse_more(room - 1, " with options.exact");
}

void refuse_index(std::uint64_t position, text const& index, std::size_t bins) {
  std::string const found = index;
  if (bins == 0) refuse("indices", text("element ", position, " is ", found), "none: no results");
  refuse("indices", text("element ", position, " is ", found), text("0 to ", bins - 1));
}
void refuse_value(char const* argument, std::uint64_t position, double value,
                  scatter_bound const* bound, double largest) {
  refuse(argument, text("element ", position, " is ", value),
         text("magnitudes up to ", bound ? bound->value : largest));
}
void refuse_result(std::uint64_t bin, double before, scatter_bound const* bound,
                   bool is_cumulative) {
  if (bound == nullptr && is_cumulative) // exact sums
    refuse("results", text("element ", bin, " is ", before), "finite numbers");
  if (bound == nullptr) // a bound that is found is large enough
    refuse("weights", "NaN or an infinity that is in no bin", "finite numbers without a bound");
  if (is_cumulative && !(std::fabs(before) <= bound->sum))
    refuse("results", text("element ", bin, " is ", before), text("magnitudes up to ", bound->sum));
  refuse("bound.sum", text(bound->sum, ", which the sum of bin ", bin, " exceeds"),
         "a bound of all results");
}

} // namespace warpfold::inline v0::detail
