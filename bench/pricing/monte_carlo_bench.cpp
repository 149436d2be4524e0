// European calls by simulation: warpfold's kernel beside the vendor's, that of the CUDA samples and
// the course's rule; and how the rates go with the numbers of options and paths.

#include "monte_carlo_kernels.hpp"
#include "problems.hpp"

#include <warpfold/twins/pricing.hpp>

#include <optional>
#include <string_view>

namespace warpfold::bench {
namespace {

using twins::simulation;

constexpr std::uint64_t seed = 2008;

struct way {
  std::string_view name;            ///< of its rows
  std::optional<simulation> twin{}; ///< none: a kernel of monte_carlo_kernels.hpp
  pricing::bits bits = pricing::bits::native;

  friend bool operator==(way const&, way const&) = default;
};
constexpr way fused{"fused", simulation::fused},
    portable{"portable", simulation::fused, pricing::bits::portable},
    stored{"stored", simulation::stored}, vendor{"vendor", simulation::vendor},
    samples_philox{"samples_philox", simulation::block_reduce},
    blocks_reduce{"blocks_reduce", simulation::blocks_reduce}, samples_xorwow{"samples_xorwow"},
    course{"course"};

/// Items are path evaluations.
void add(session& run, std::size_t options, std::uint64_t paths, std::vector<way> const& ways) {
  auto const items = static_cast<double>(options) * static_cast<double>(paths);
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    calls_book const calls(place, options);
    device_buffer<pricing::estimate> estimates(place, options);
    device_buffer<payoff_totals> totals(place, options);
    auto states = xorwow_states(place, options);
    device_buffer<payoff_totals> partials(place, options * course_blocks);
    bool const is_course = std::find(ways.begin(), ways.end(), course) != ways.end();
    device_buffer<float> normals(place, is_course ? paths : 0);
    if (is_course) { // any will do
      std::vector<float> some(paths);
      fill_random(some, pattern::normals);
      copy(place, std::span<float const>(some), normals.span());
    }

    auto const simulate = [&](way const& which, bool blocking) {
      simulation const twin = *which.twin;
      pricing::european_simulation_options const how{
          .paths = paths, .seed = seed, .bits = which.bits};
      if (blocking) pricing::simulate(place, calls.book(), {.value = estimates}, twin, how);
      else pricing::simulate_async(place, calls.book(), {.value = estimates}, twin, how);
    };
    auto const call = [&](way const& which) {
      if (which.twin) simulate(which, which == vendor);
      else if (which == samples_xorwow) xorwow_async(place, states, calls.calls, paths, totals);
      else course_async(place, calls.calls, normals, partials, totals);
    };
    for (way const& which : ways) // the blocking form makes room
      if (which.twin) simulate(which, true);
    simulate(fused, true);
    auto const known = to_vector(place, estimates.span());
    std::vector<contender> contenders;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      way const which = ways[w];
      call(which);
      bool const ours = which.twin.has_value();
      auto const found = to_vector(place, estimates.span());
      auto const sums = to_vector(place, totals.span());
      for (std::size_t i = 0; i < std::min<std::size_t>(options, 256); ++i) {
        double const value =
            ours ? found[i].value : calls.discounts[i] * sums[i].sum / static_cast<double>(paths);
        double const off = (value - calls.prices[i]) / known[i].standard_error;
        // The sums of the others are of float.
        if (!(std::abs(off) < 5.5) && !(std::abs(value / calls.prices[i] - 1) < (ours ? 0 : 1e-3)))
          outcomes[w].complaint =
              "option " + std::to_string(i) + " is " + std::to_string(off) + " standard errors off";
      }
      contenders.push_back({[&call, which](int) { call(which); }, which == vendor});
    }
    timing_plan const plan{static_cast<int>(std::clamp(0x1p31 / items, 2., 64.)),
                           run.quick ? 9 : 21};
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
  });
  for (way const& which : ways)
    rows.add("european_" + std::to_string(options) + "/float/" + std::string(which.name) +
                 "/n:" + std::to_string(paths),
             0, items, which == vendor);
}

} // namespace

void add_monte_carlo(session& run) {
  if (!run.place) return;
  std::vector<way> const all{fused,          portable,       stored,        vendor,
                             samples_xorwow, samples_philox, blocks_reduce, course};
  std::vector<way> const scaling{fused, samples_xorwow, course};
  auto const two_to = [](int e) { return std::uint64_t{1} << e; };
  add(run, 256, two_to(24), all);
  add(run, 64, two_to(18), all);
  add(run, 64, two_to(16), all);
  add(run, 1, two_to(28), {fused, stored, vendor});
  add(run, 1'000'000, 4096, {fused});
  if (run.quick) return;
  for (int const e : {12, 14, 20, 22, 24}) add(run, 64, two_to(e), scaling);
  for (int const e : {12, 14, 16, 18, 20, 22}) add(run, 256, two_to(e), scaling);
  for (int const e : {20, 24}) add(run, 4, two_to(e), scaling);
  for (int const e : {20, 24}) add(run, 16, two_to(e), scaling);
  for (std::size_t const options : {1000, 10'000, 100'000}) add(run, options, two_to(14), {fused});
}

} // namespace warpfold::bench
