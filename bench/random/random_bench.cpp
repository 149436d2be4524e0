// Arrays of random numbers in GPU memory: warpfold's beside all of cuRAND's generators, which are
// made and seeded before.

#include "pricing/pricing_rows.hpp"

#include <warpfold/random.hpp>
#include <warpfold/random/sobol.hpp>
#include <warpfold/twins/random.hpp>

#include <memory>
#include <optional>

namespace warpfold::bench {
namespace {

using random::normal_method;
using twins::generator;

enum class kind { bits, uniform, normal };

template <class T>
struct way {
  std::string name;
  std::function<void(gpu&, device_span<T>)> fill;
};

/// "", or what is wrong with mean and variance.
template <class T>
std::string complaint_of(gpu& place, kind what, device_span<T> values) {
  auto const d = describe(place, values);
  auto const n = static_cast<double>(d.count);
  double const scale = what == kind::bits ? 0x1p32 : 1;
  double const mean = what == kind::normal ? 0 : scale / 2;
  double const variance = what == kind::normal ? 1 : scale * scale / 12;
  double const off = (d.mean - mean) / std::sqrt(variance / n);
  double const wide = (d.variance() / variance - 1) / std::sqrt(2 / n);
  if (std::abs(off) < 6 && std::abs(wide) < 6) return "";
  return "mean " + std::to_string(d.mean) + ", variance " + std::to_string(d.variance());
}

/// Returns true if a graph can be made of the work that `enqueue` enqueues.
bool can_be_captured(gpu& place, std::function<void()> const& enqueue) {
  try {
    graph const once(place, enqueue);
    return true;
  } catch (error const&) {
    cudaGetLastError(); // clears it
    return false;
  }
}

template <class T>
void add_ways(session& run, std::string const& name, kind what, std::size_t size,
              std::vector<way<T>> const& ways) {
  rows_together rows(run, [&run, what, size, ways](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan = plan_for(size * sizeof(T), run.quick);
    device_buffer<T> array(place, size);
    std::vector<contender> contenders;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      check(cudaMemsetAsync(array.data(), 0xff, size * sizeof(T), place.stream()));
      ways[w].fill(place, array);
      outcomes[w].complaint = complaint_of<T>(place, what, array);
      auto const fill = [&, w] { ways[w].fill(place, array); };
      if (can_be_captured(place, fill)) contenders.push_back({[fill](int) { fill(); }});
      else
        contenders.push_back({[fill, &place](int) {
                                fill();
                                place.synchronize();
                              },
                              true});
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
  });
  auto const items = static_cast<double>(size);
  for (auto const& one : ways)
    rows.add("random_" + name + "/" + type_name<T>() + "/" + one.name +
                 "/n:" + std::to_string(size),
             items * sizeof(T), items);
}

/// fill(place, made, output), of what make(place) gives at the first use.
template <class T, class Make, class Fill>
way<T> made_once(std::string const& name, Make make, Fill fill) {
  auto const made = std::make_shared<std::optional<decltype(make(std::declval<gpu&>()))>>();
  return {name, [=](gpu& place, device_span<T> output) {
            if (!*made) made->emplace(make(place));
            fill(place, **made, output);
          }};
}

template <class T>
way<T> vendor_way(generator twin, kind what) {
  return made_once<T>(
      to_string(twin), [twin](gpu& place) { return random::vendor_generator<gpu>(place, twin); },
      [what](gpu&, random::vendor_generator<gpu>& vendor, device_span<T> output) {
        if constexpr (!std::is_floating_point_v<T>) vendor.bits_async(output);
        else if (what == kind::uniform) vendor.uniform_async(output);
        else vendor.normal_async(output);
      });
}

/// Ours, and then all of cuRAND's.
template <class T>
void add_fills(session& run, std::string const& name, kind what, std::size_t size,
               std::vector<way<T>> ways) {
  for (generator const twin :
       {generator::curand_philox, generator::curand_xorwow, generator::curand_mrg32k3a,
        generator::curand_mtgp32, generator::curand_mt19937})
    ways.push_back(vendor_way<T>(twin, what));
  add_ways(run, name, what, size, ways);
}

template <class T>
void add_fills(session& run, std::size_t size) {
  auto const normal = [](normal_method method) {
    return [method](gpu& place, device_span<T> output) {
      random::normal_async(place, output, {.seed = 1, .method = method});
    };
  };
  add_fills<T>(run, "normal", kind::normal, size,
               {{"warpfold", normal(normal_method::box_muller)},
                {"inverse", normal(normal_method::inverse)}});
  add_fills<T>(run, "uniform", kind::uniform, size,
               {{"warpfold", [](gpu& place, device_span<T> output) {
                   random::uniform_async(place, output, {.seed = 1});
                 }}});
}

/// One dimension, as the generator makes without being asked for more.
template <class T>
void add_sobol(session& run, std::size_t size) {
  using random::scrambling;
  for (kind const what : {kind::uniform, kind::normal}) {
    std::vector<way<T>> ways;
    for (auto const& [name, method] : {std::pair{"warpfold", scrambling::none},
                                       {"digital_shift", scrambling::digital_shift},
                                       {"owen", scrambling::owen}})
      ways.push_back(made_once<T>(
          name, [](gpu& place) { return random::sobol_sequence<gpu>(place, 1); },
          [what, options = random::sobol_options{.scrambling = method, .seed = 1}](
              gpu& place, random::sobol_sequence<gpu> const& sequence, device_span<T> output) {
            if (what == kind::uniform) random::uniform_async(place, sequence, output, options);
            else random::normal_async(place, sequence, output, options);
          }));
    ways.push_back(vendor_way<T>(generator::curand_sobol, what));
    add_ways(run, what == kind::uniform ? "sobol_uniform" : "sobol_normal", what, size, ways);
  }
}

} // namespace

void add_random(session& run) {
  if (!run.place) return;
  // The course's Monte Carlo prices from 200,000,000 normals.
  std::vector<std::size_t> sizes{200'000'000};
  if (!run.quick) sizes = {std::size_t{1} << 16, std::size_t{1} << 20, 200'000'000};
  for (std::size_t const size : sizes) add_fills<float>(run, size);
  add_fills<double>(run, 200'000'000);
  using word = std::uint32_t;
  add_fills<word>(run, "bits", kind::bits, 200'000'000,
                  {{"warpfold", [](gpu& place, device_span<word> output) {
                      random::bits_async(place, output, {.seed = 1});
                    }}});
  add_sobol<float>(run, 200'000'000);
}

} // namespace warpfold::bench
