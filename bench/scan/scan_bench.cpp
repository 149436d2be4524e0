// Inclusive sums, of all, by key and of segments: on a GPU beside CUB's, and on the host beside
// Thrust's on OpenMP.

#include "reduction/ways.hpp"

#include <warpfold/twins/scan.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace warpfold::bench {
namespace {

template <class T>
using wide_t = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;

/// The sum of prefix sums, and the sum of their products with the values: exact, as all are
/// integers of which at most 2^28 are added.
template <class T>
using digest = std::pair<wide_t<T>, wide_t<T>>;

template <class T>
digest<T> digest_of(gpu& place, array_t<T> values, array_t<T> sums) {
  return {sum<wide_t<T>>(place, sums), dot<wide_t<T>>(place, sums, values)};
}

/// The digest of the right prefix sums, which begin anew every `length` elements.
template <class T>
digest<T> right_digest(arrays<T> const& all, std::size_t length) {
  wide_t<T> prefix = 0;
  digest<T> right{0, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const x = static_cast<wide_t<T>>(all.element(i));
    prefix = i % length == 0 ? x : prefix + x;
    right.first += prefix;
    right.second += prefix * x;
  }
  return right;
}

/// The keys of call i: runs of `length`. Calls read them at different places.
template <class T>
auto keys_of_calls(std::size_t length, std::size_t size) {
  std::size_t const all_keys = std::max(size, power(27));
  auto const made = computed_once([=](arrays<T> const& all) {
    std::vector<std::int32_t> here(all_keys);
    for (std::size_t i = 0; i < all_keys; ++i) here[i] = static_cast<std::int32_t>(i / length);
    return std::make_shared<device_buffer<std::int32_t> const>(all.place(),
                                                               std::span(std::as_const(here)));
  });
  return [=](arrays<T> const& all, int i) {
    return made(all)->span().subspan(static_cast<std::size_t>(i) * size % all_keys, size);
  };
}

/// The right digest of sums that begin anew every `length` elements: computed once for all ways.
template <class T>
auto right_sums(std::size_t length) {
  return computed_once([=](arrays<T> const& all) { return right_digest(all, length); });
}

/// A way by enqueue(arrays, i, sums). It moves `others` bytes beside values and sums.
template <class T, class Right, class Enqueue>
way<T> sums_way(std::string const& name, std::size_t size, std::size_t others, Right right,
                Enqueue enqueue) {
  return results_way<T, T>(
      name, size, enqueue,
      [=](arrays<T> const& all, auto sums) {
        bool const is_right = digest_of<T>(all.place(), all.checked(), sums) == right(all);
        return is_right ? "" : "not the prefix sums of the host";
      },
      form::replayed, size * sizeof(T) + others);
}

template <class T>
void add(session& run, std::size_t size) {
  if (size * sizeof(T) > run.pool->size()) return;
  run.place->reserve_lookback(scan_lookback<T>(size));
  auto const right = right_sums<T>(size);
  std::vector<way<T>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(
        sums_way<T>(to_string(vendor), size, 0, right, [=](arrays<T> const& all, int i, auto sums) {
          inclusive_scan_async(all.place(), all[i], plus{}, sums, vendor);
        }));
  add_ways(run, "inclusive_sum/" + type_name<T>(), size, pattern::small_integers, ways);
}

/// Sums by key, of runs of 128.
template <class T>
void add_by_key(session& run, std::size_t size) {
  constexpr std::size_t length = 128;
  if (size * sizeof(T) > run.pool->size()) return;
  run.place->reserve_lookback(scan_lookback<T>(size));
  run.place->reserve(segmented_scan_workspace(size));
  auto const keys = keys_of_calls<T>(length, size);
  auto const right = right_sums<T>(length);
  std::vector<way<T>> ways;
  for (twins::vendor const vendor : {twins::fold, twins::cub})
    ways.push_back(sums_way<T>(to_string(vendor), size, size * sizeof(std::int32_t), right,
                               [=](arrays<T> const& all, int i, auto sums) {
                                 inclusive_scan_by_key_async(all.place(), keys(all, i), all[i],
                                                             plus{}, sums, vendor);
                               }));
  add_ways(run, "inclusive_sum_by_key/" + type_name<T>(), size, pattern::small_integers, ways);
}

/// Sums of the segments between offsets, of one length. CUB has no such scan: beside them its sums
/// by key of the same segments, and plain sums of as many elements.
template <class T>
void add_segments(session& run, std::size_t length, std::size_t size) {
  if (size * sizeof(T) > run.pool->size()) return;
  run.place->reserve_lookback(scan_lookback<T>(size));
  run.place->reserve(segmented_scan_workspace(size));
  auto const keys = keys_of_calls<T>(length, size);
  auto const right = right_sums<T>(length);
  auto const offsets = computed_once([=](arrays<T> const& all) {
    std::vector<std::int32_t> here(size / length + 1);
    for (std::size_t s = 0; s < here.size(); ++s) here[s] = static_cast<std::int32_t>(s * length);
    return std::make_shared<device_buffer<std::int32_t> const>(all.place(),
                                                               std::span(std::as_const(here)));
  });
  add_ways<T>(run, "segmented_inclusive_sum_" + std::to_string(length) + "/" + type_name<T>(), size,
              pattern::small_integers,
              {sums_way<T>("fold", size, (size / length + 1) * sizeof(std::int32_t), right,
                           [=](arrays<T> const& all, int i, auto sums) {
                             segmented_inclusive_scan_async(all.place(), all[i],
                                                            offsets(all)->span(), plus{}, sums);
                           }),
               sums_way<T>("cub_by_key", size, size * sizeof(std::int32_t), right,
                           [=](arrays<T> const& all, int i, auto sums) {
                             inclusive_scan_by_key_async(all.place(), keys(all, i), all[i], plus{},
                                                         sums, twins::cub);
                           }),
               sums_way<T>("plain", size, 0, right_sums<T>(size),
                           [](arrays<T> const& all, int i, auto sums) {
                             inclusive_scan_async(all.place(), all[i], plus{}, sums);
                           })});
}

constexpr twins::vendor host_vendors[] = {twins::fold, twins::thrust};

void measure_on(host const& place, std::size_t size, int samples,
                std::vector<rows_together::outcome>& outcomes) {
  std::vector<float> values(size), sums(size);
  fill_random(values, pattern::small_integers);
  auto const scan = [&](std::size_t w) {
    inclusive_scan(place, values, plus{}, sums, host_vendors[w]);
  };
  for (std::size_t w = 0; w < outcomes.size(); ++w) {
    std::ranges::fill(sums, std::numeric_limits<float>::quiet_NaN());
    scan(w);
    float prefix = 0; // of small integers: exact
    bool const is_right = std::ranges::equal(
        values, sums, [&](float value, float found) { return found == (prefix += value); });
    if (!is_right) outcomes[w].complaint = "wrong prefix sums";
  }
  auto const times = time_in_turns(outcomes.size(), samples,
                                   [&](std::size_t w) { return wall_seconds([&] { scan(w); }); });
  for (std::size_t w = 0; w < outcomes.size(); ++w) outcomes[w].times = times[w];
}

void add_on(session& run, host const& place, std::size_t size) {
  int const samples = run.quick ? 7 : 21;
  rows_together rows(run, [=](auto& outcomes) { measure_on(place, size, samples, outcomes); });
  auto const items = static_cast<double>(size);
  for (twins::vendor const vendor : host_vendors)
    rows.add("host/inclusive_sum/float/" + std::string(to_string(vendor)) +
                 "/threads:" + std::to_string(place.threads()) + "/n:" + std::to_string(size),
             2 * items * sizeof(float), items, true);
}

} // namespace

void add_scans(session& run) {
  if (run.place)
    for (int e = run.quick ? 16 : 12; e <= 28; e += run.quick ? 4 : 2) {
      add<float>(run, power(e));
      add<double>(run, power(e));
      add<std::int32_t>(run, power(e));
      add_by_key<float>(run, power(e));
      add_by_key<double>(run, power(e));
    }
  if (run.place)
    for (int const e : {24, 28}) {
      if (run.quick && e > 24) break;
      for (std::size_t const length : {4, 128}) {
        add_segments<float>(run, length, power(e));
        add_segments<double>(run, length, power(e));
      }
    }
  // On one thread, as Thrust scans on any number, and on as many as there are.
  constexpr std::size_t large = 100'000'000;
  add_on(run, host(1), large);
  if (run.processor.threads() > 1) add_on(run, run.processor, large);
}

} // namespace warpfold::bench
