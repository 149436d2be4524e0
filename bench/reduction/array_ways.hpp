#pragma once
// Ways to make a result of an array, measured beside each other, and checked before and after.

#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace warpfold::bench {

template <class T>
using array_t = device_span<T const>;

enum class form {
  replayed, ///< many calls of the non-blocking form, one after the other
  alone,    ///< one call of it at a time
  blocking
};

/// The last call's array, on a GPU and as it begins at element `first` of the pool's block.
template <class T>
struct last_array {
  session& run;
  array_t<T> values;
  std::size_t first;
};

template <class T>
struct array_way {
  static constexpr std::size_t most_bytes = 256; ///< of a result

  std::string name; ///< as rows name it
  form called;
  std::function<void(gpu&, array_t<T>, void*)> now;     ///< blocks; writes to the host
  std::function<void(gpu&, array_t<T>, void*)> enqueue; ///< writes to the GPU
  /// "", or what is wrong with the last array's result.
  std::function<std::string(last_array<T> const&, void const*)> complaint;
};

/// By now(place, values) and later(place, values, result); complaint(last, result) of any result
/// where there is none.
template <class T, class Now, class Later, class Complaint>
array_way<T> way_of(std::string name, Now now, Later later, Complaint complaint,
                    form called = form::replayed) {
  using result = std::remove_cvref_t<std::invoke_result_t<Now, gpu&, array_t<T>>>;
  static_assert(sizeof(result) <= array_way<T>::most_bytes);
  return {std::move(name), called,
          [now](gpu& place, array_t<T> values, void* to) {
            result const got = now(place, values);
            std::memcpy(to, static_cast<void const*>(&got), sizeof(result));
          },
          [later](gpu& place, array_t<T> values, void* to) {
            later(place, values, device_span<result>(static_cast<result*>(to), 1));
          },
          [complaint](last_array<T> const& last, void const* from) {
            result got{};
            std::memcpy(static_cast<void*>(&got), from, sizeof(result));
            return std::string(complaint(last, got));
          }};
}
/// Nothing is known of the result.
inline constexpr auto any_result = [](auto const&, auto const&) { return std::string(); };

/// Warpfold's way and the vendors' by now(place, values, twin) and later(place, values, result,
/// twin): of those that search_kind has, or of all. Thrust's blocks.
template <class T, class Now, class Later, class Complaint>
std::vector<array_way<T>> twin_ways(Now now, Later later, Complaint complaint,
                                    bool with_thrust = false) {
  std::vector<array_way<T>> ways;
  for (twins::vendor const twin : {twins::fold, twins::cub, twins::thrust})
    if (with_thrust || (twin != twins::thrust && search_kind<T>::has(twin)))
      ways.push_back(way_of<T>(
          to_string(twin), [=](gpu& place, array_t<T> values) { return now(place, values, twin); },
          [=](gpu& place, array_t<T> values, auto result) { later(place, values, result, twin); },
          complaint, twin == twins::thrust ? form::blocking : form::replayed));
  return ways;
}

/// The plain sum of the same bytes, as a yardstick.
template <class T>
array_way<T> sum_way(std::string name = "sum", twins::vendor twin = twins::fold) {
  return way_of<T>(
      std::move(name), [=](gpu& place, array_t<T> values) { return sum(place, values, twin); },
      [=](gpu& place, array_t<T> values, auto result) { sum_async(place, values, result, twin); },
      any_result);
}

/// compute(last) of the first call, and again of every other: all ways have one last array.
template <class Compute>
auto computed_once(Compute compute) {
  return [compute, known = std::make_shared<std::optional<double>>()](auto const& last) {
    if (!*known) *known = compute(last);
    return **known;
  };
}

/// Rows name/way/n:size of ways that read `count` arrays of `size` elements, one behind the other.
template <class T>
void add_ways(session& run, std::string const& name, std::size_t size, pattern elements,
              std::vector<array_way<T>> const& ways, std::size_t count = 1) {
  std::size_t const all = count * size;
  if (all * sizeof(T) > run.pool->size()) return;
  rows_together rows(run, [&run, all, elements, ways](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan = plan_for(all * sizeof(T), run.quick);
    int const arrays = run.pool->template prepare<T>(all, plan.calls, elements);
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run.pool->template array<T>(i % arrays, all); };

    // The last array, to which every way comes last, is checked: once before the timing, which also
    // grows the place's scratch memory (graphs must find it as it was), and once after it.
    int const last = plan.calls - 1;
    last_array<T> const checked{run, array(last), run.pool->template offset<T>(last % arrays)};
    constexpr std::size_t room = array_way<T>::most_bytes;
    device_buffer<std::byte> results(place, ways.size() * room);
    check(cudaMemsetAsync(results.data(), 0xff, results.size(), place.stream()));
    std::vector<std::byte> returned(ways.size() * room);
    std::vector<contender> contenders;
    std::vector<std::size_t> measured;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      array_way<T> const& one = ways[w];
      std::byte* const here = returned.data() + w * room;
      std::byte* const there = results.data() + w * room;
      try {
        one.now(place, array(last), here);
        outcomes[w].complaint = one.complaint(checked, here);
      } catch (std::exception const& failure) {
        outcomes[w].complaint = failure.what();
      }
      if (!outcomes[w].complaint.empty()) continue;
      if (one.called == form::blocking)
        contenders.push_back({[&, array, here](int i) { one.now(place, array(i), here); }, true});
      else
        contenders.push_back({[&, array, there](int i) { one.enqueue(place, array(i), there); },
                              false, one.called == form::alone});
      measured.push_back(w);
    }

    auto const times = time_paired(place, *run.flush, contenders, plan);
    auto const written = to_vector(place, results.span());
    for (std::size_t m = 0; m < measured.size(); ++m) {
      std::size_t const w = measured[m];
      auto const& found = ways[w].called == form::blocking ? returned : written;
      outcomes[w] = {times[m], ways[w].complaint(checked, found.data() + w * room)};
    }
  });
  auto const items = static_cast<double>(size);
  for (auto const& one : ways)
    rows.add(name + "/" + one.name + "/n:" + std::to_string(size),
             static_cast<double>(all * sizeof(T)), items, one.called == form::blocking);
}

inline std::string wrong(double found, double expected) {
  return "result " + std::to_string(found) + ", should be " + std::to_string(expected);
}

} // namespace warpfold::bench
