// Sums of floats by index on a GPU, beside atomic additions of floats.

#include "rows_together.hpp"
#include "scatter_kernels.hpp"

#include <warpfold/twins/scatter.hpp>

namespace warpfold::bench {
namespace {

struct way {
  char const* name;
  /// Enqueues the sums; the bound is that of the values.
  std::function<void(gpu&, device_span<float const>, device_span<std::uint32_t const>,
                     scatter_bound, device_span<float>, device_span<scatter_status>)>
      enqueue;
};

std::vector<way> ways() {
  std::vector<way> all;
  for (auto const twin : {twins::scattering::fixed_point, twins::scattering::atomics})
    all.push_back({to_string(twin), [twin](gpu& place, auto values, auto indices, auto bound,
                                           auto results, auto status) {
                     scatter_sum_async(place, values, indices, bound, results, status, twin);
                   }});
  all.push_back(
      {"wide", [](gpu& place, auto values, auto indices, auto bound, auto results, auto status) {
         scatter_sum_async(place, values, indices, bound, results, status, {.wide = true});
       }});
  all.push_back(
      {"without_bound", [](gpu& place, auto values, auto indices, auto, auto results, auto status) {
         scatter_sum_async(place, values, indices, results, status);
       }});
  all.push_back(
      {"exact", [](gpu& place, auto values, auto indices, auto, auto results, auto status) {
         scatter_sum_async(place, values, indices, results, status, {.exact = true});
       }});
  return all;
}

/// Values are small integers, so that atomic additions of them are exact, too.
void measure(session& run, std::size_t size, std::uint32_t bins, bool is_clustered,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  place.reserve(scatter_workspace<float>(bins, size, {.exact = true}));
  timing_plan const plan = plan_for(8 * size, run.quick);
  std::vector<device_buffer<float>> values;
  std::vector<device_buffer<std::uint32_t>> indices;
  std::size_t const sets = std::min<std::size_t>(static_cast<std::size_t>(plan.calls), 8);
  for (std::size_t s = 0; s < sets; ++s) {
    fill_values(place, values.emplace_back(place, size), true);
    fill_indices(place, indices.emplace_back(place, size), bins, is_clustered);
  }
  auto const compared = ways();
  std::vector<device_buffer<float>> results;
  device_buffer<scatter_status> status(place, 1);
  std::vector<contender> contenders;
  for (std::size_t w = 0; w < compared.size(); ++w) {
    results.emplace_back(place, bins);
    contenders.push_back({[&, w](int i) {
      std::size_t const s = static_cast<std::size_t>(i) % sets;
      compared[w].enqueue(place, values[s], indices[s], {8, 8 * static_cast<double>(size)},
                          results[w], status);
    }});
    contenders.back().call(0);
    if (to_vector(place, status)[0].refused > 0) outcomes[w].complaint = "values were refused";
  }
  auto const times = time_paired(place, *run.flush, contenders, plan);
  auto const expected = to_vector(place, results[1]);
  for (std::size_t w = 0; w < compared.size(); ++w) {
    outcomes[w].times = times[w];
    if (to_vector(place, results[w]) != expected) outcomes[w].complaint = "not the other's sums";
  }
}

void add(session& run, std::size_t size, std::uint32_t bins, bool is_clustered) {
  rows_together rows(
      run, [=, &run](auto& outcomes) { measure(run, size, bins, is_clustered, outcomes); });
  auto const items = static_cast<double>(size);
  for (way const& one : ways())
    rows.add(std::string("scatter_sum_") + (is_clustered ? "clustered_" : "uniform_") +
                 std::to_string(bins) + "/float/" + one.name + "/n:" + std::to_string(size),
             8 * items, items);
}

} // namespace

void add_scatter(session& run) {
  if (!run.place) return;
  for (int const bins : {8, 16, 20, 24})
    for (bool const is_clustered : {false, true}) {
      if (!run.quick) add(run, std::size_t{1} << 22, 1u << bins, is_clustered);
      add(run, std::size_t{1} << 28, 1u << bins, is_clustered);
    }
}

} // namespace warpfold::bench
