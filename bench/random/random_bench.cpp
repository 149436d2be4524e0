// Arrays of random numbers in GPU memory: warpfold's beside all of cuRAND's generators, which are
// made and seeded before.

#include "pricing/pricing_rows.hpp"

#include <warpfold/random.hpp>
#include <warpfold/random/sobol.hpp>
#include <warpfold/twins/random.hpp>

namespace warpfold::bench {
namespace {

using random::transform;
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

/// Whether a graph can be made of it.
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

template <class T>
void fill(random::vendor_generator<gpu>& vendor, kind what, device_span<T> out) {
  if constexpr (std::is_floating_point_v<T>) {
    if (what == kind::uniform) vendor.uniform_async(out);
    else vendor.normal_async(out);
  } else vendor.bits_async(out);
}

/// One of cuRAND's, made at its first use.
template <class T>
way<T> vendor_way(generator twin, kind what) {
  auto const made = std::make_shared<std::unique_ptr<random::vendor_generator<gpu>>>();
  return {to_string(twin), [twin, what, made](gpu& place, device_span<T> out) {
            if (!*made) *made = std::make_unique<random::vendor_generator<gpu>>(place, twin);
            fill(**made, what, out);
          }};
}

template <class T>
void add_vendors(std::vector<way<T>>& ways, kind what) {
  for (generator const twin :
       {generator::curand_philox, generator::curand_xorwow, generator::curand_mrg32k3a,
        generator::curand_mtgp32, generator::curand_mt19937})
    ways.push_back(vendor_way<T>(twin, what));
}

template <class T>
void add_fills(session& run, std::size_t size) {
  if constexpr (std::is_floating_point_v<T>) {
    std::vector<way<T>> normals, uniforms;
    for (auto const& [name, by] :
         {std::pair{"warpfold", transform::box_muller}, {"inverse", transform::inverse}})
      normals.push_back({name, [by = by](gpu& place, device_span<T> out) {
                           random::normal_async(place, out, {.seed = 1, .by = by});
                         }});
    add_vendors(normals, kind::normal);
    add_ways(run, "normal", kind::normal, size, normals);
    uniforms.push_back({"warpfold", [](gpu& place, device_span<T> out) {
                          random::uniform_async(place, out, {.seed = 1});
                        }});
    add_vendors(uniforms, kind::uniform);
    add_ways(run, "uniform", kind::uniform, size, uniforms);
  } else {
    std::vector<way<T>> words{{"warpfold", [](gpu& place, device_span<T> out) {
                                 random::bits_async(place, out, {.seed = 1});
                               }}};
    add_vendors(words, kind::bits);
    add_ways(run, "bits", kind::bits, size, words);
  }
}

/// One dimension, as the generator makes without being asked for more.
template <class T>
void add_sobol(session& run, std::size_t size) {
  using random::scrambling;
  for (kind const what : {kind::uniform, kind::normal}) {
    std::vector<way<T>> ways;
    for (auto const& [name, how] : {std::pair{"warpfold", scrambling::none},
                                    {"digital_shift", scrambling::digital_shift},
                                    {"owen", scrambling::owen}}) {
      auto const sequence = std::make_shared<std::unique_ptr<random::sobol_sequence<gpu>>>();
      ways.push_back({name, [how = how, what, sequence](gpu& place, device_span<T> out) {
                        if (!*sequence)
                          *sequence = std::make_unique<random::sobol_sequence<gpu>>(place, 1);
                        random::sobol_options const options{.how = how, .seed = 1};
                        if (what == kind::uniform)
                          random::uniform_async(place, **sequence, out, options);
                        else random::normal_async(place, **sequence, out, options);
                      }});
    }
    ways.push_back(vendor_way<T>(generator::curand_sobol, what));
    add_ways(run, what == kind::uniform ? "sobol_uniform" : "sobol_normal", what, size, ways);
  }
}

} // namespace

void add_random(session& run) {
  if (!run.place) return;
  // So many normals the course's Monte Carlo prices from.
  std::vector<std::size_t> sizes{200'000'000};
  if (!run.quick) sizes = {std::size_t{1} << 16, std::size_t{1} << 20, 200'000'000};
  for (std::size_t const size : sizes) add_fills<float>(run, size);
  add_fills<double>(run, 200'000'000);
  add_fills<std::uint32_t>(run, 200'000'000);
  add_sobol<float>(run, 200'000'000);
}

} // namespace warpfold::bench
