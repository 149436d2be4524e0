// Reductions on the host: warpfold's fold beside Thrust on OpenMP, one call after the other on
// arrays that together are larger than the caches.

#include "bench.hpp"
#include "reduction_rows.hpp"
#include "rows_together.hpp"

#include <algorithm>

namespace warpfold::bench {
namespace {

struct host_way {
  host place;
  twins::vendor twin;
};

template <class T>
using host_sum = reduction_kind<T, typename detail::default_accumulator<T>::type, plus, identity>;

/// On two threads, and on as many as there are.
template <class T>
std::vector<host_way> host_ways(session const& run) {
  std::vector<host_way> all;
  for (host const& place : {host(2), run.processor})
    if (all.empty() || place.threads() != all.front().place.threads())
      for (twins::vendor const twin : {twins::fold, twins::thrust})
        if (host_sum<T>::has(twin)) all.push_back({place, twin});
  return all;
}

template <class T>
void measure(session& run, std::size_t size, std::vector<host_way> const& ways,
             std::vector<rows_together::outcome>& outcomes) {
  std::size_t const bytes = size * sizeof(T);
  std::size_t const arrays = std::max(512 * mebi / bytes, std::size_t{1});
  std::vector<T> values(arrays * size);
  fill_random(values, pattern::small_integers);
  std::span<T const> const all(values);
  std::size_t turn = 0;
  auto const call = [&](host_way const& one) {
    return sum(one.place, all.subspan(turn++ % arrays * size, size), one.twin);
  };
  double const exact = host_sum<T>::expected(all.first(size), 0, size);
  int const samples = run.quick ? 7 : 21;
  int const calls = static_cast<int>(std::clamp<std::size_t>(16 * mebi / bytes, 1, 64));
  // One number of threads after the other: OpenMP makes its threads anew when that changes.
  for (std::size_t first = 0, end = 0; first < ways.size(); first = end) {
    while (end < ways.size() && ways[end].place.threads() == ways[first].place.threads()) ++end;
    for (std::size_t w = first; w < end; ++w) {
      turn = 0;
      outcomes[w].complaint = host_sum<T>::complaint(call(ways[w]), exact);
    }
    auto const times = time_in_turns(end - first, samples, [&](std::size_t w) {
      return wall_seconds([&] {
               for (int i = 0; i < calls; ++i) benchmark::DoNotOptimize(call(ways[first + w]));
             }) /
             calls;
    });
    for (std::size_t w = first; w < end; ++w) outcomes[w].times = times[w - first];
  }
}

template <class T>
void add(session& run, std::size_t size) {
  std::vector<host_way> const ways = host_ways<T>(run);
  rows_together rows(run,
                     [&run, size, ways](auto& outcomes) { measure<T>(run, size, ways, outcomes); });
  auto const items = static_cast<double>(size);
  for (host_way const& one : ways)
    rows.add("host/sum/" + type_name<T>() + "/" + to_string(one.twin) +
                 "/threads:" + std::to_string(one.place.threads()) + "/n:" + std::to_string(size),
             items * sizeof(T), items, true);
}

} // namespace

void add_host_reductions(session& run) {
  constexpr std::size_t large = 100'000'000;
  for (std::size_t const size : {power(10), power(14), power(18), power(22), large})
    add<float>(run, size);
  for (std::size_t const size : {power(22), large}) {
    add<double>(run, size);
    add<std::int32_t>(run, size);
    if (!run.quick) {
      add<std::int64_t>(run, size);
      add<__half>(run, size);
      add<__nv_bfloat16>(run, size);
    }
  }
}

} // namespace warpfold::bench
