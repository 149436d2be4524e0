#pragma once
// Ways to compute the same from the same arrays, measured beside each other, and checked before and
// after.

#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"

#include <any>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <type_traits>
#include <vector>

namespace warpfold::bench {

template <class T>
using array_t = device_span<T const>;

/// Arrays in the run's pool, one for each call of a replay as long as they have room.
template <class T>
class arrays {
public:
  arrays(session& run, std::size_t size, pattern elements)
      : run_{&run}, size_{size}, plan_{plan_for(size * sizeof(T), run.quick)},
        count_{run.pool->prepare<T>(size, plan_.calls, elements)} {
    if (count_ == 0) throw error("the arrays do not fit into this GPU's memory");
    first_ = run.pool->offset<T>(last() % count_);
  }

  [[nodiscard]] gpu& place() const { return *run_->place; }
  [[nodiscard]] timing_plan plan() const { return plan_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The array that call number i reads.
  [[nodiscard]] array_t<T> operator[](int i) const {
    return run_->pool->array<T>(i % count_, size_);
  }
  /// The call whose results are checked, and its array.
  [[nodiscard]] int last() const { return plan_.calls - 1; }
  [[nodiscard]] array_t<T> checked() const { return (*this)[last()]; }
  /// Element i of that array.
  [[nodiscard]] T element(std::size_t i) const {
    std::span<T const> const block = this->block();
    return block[(first_ + i) & (block.size() - 1)]; // a power of two
  }
  /// Its elements: the block, repeated, from number first() on.
  [[nodiscard]] std::span<T const> block() const { return run_->pool->block<T>(); }
  [[nodiscard]] std::size_t first() const { return first_; }

  /// compute(arrays), kept by this key as long as the arrays.
  template <class Compute>
  auto const& known(void const* key, Compute const& compute) const {
    std::any& kept = known_[key];
    if (!kept.has_value()) kept = compute(*this);
    return std::any_cast<decltype(compute(*this)) const&>(kept);
  }

private:
  session* run_;
  std::size_t size_;
  timing_plan plan_;
  int count_;
  std::size_t first_ = 0;
  mutable std::map<void const*, std::any> known_;
};

/// compute(arrays) of the first call, and again of every other with the same arrays.
template <class Compute>
auto computed_once(Compute compute) {
  return [ compute, key = std::make_shared<char>() ](auto const& all) -> auto const& {
    return all.known(key.get(), compute);
  };
}

enum class form {
  replayed, ///< many calls of the non-blocking form, one after the other
  alone,    ///< one call of it at a time
  blocking
};

template <class T>
struct way {
  std::string name; ///< as rows name it
  form called;
  std::size_t results; ///< bytes
  std::size_t others;  ///< bytes that it moves and rows count beside those of the array
  /// Call number i: waits, and writes to the host; or only writes to the GPU. Only what is measured
  /// as blocking must have the first; else it makes the scratch memory large enough.
  std::function<void(arrays<T> const&, int i, void*)> now, enqueue;
  /// "", or what is wrong with the last call's results, on the GPU.
  std::function<std::string(arrays<T> const&, void const*)> complaint;
};

/// By enqueue(arrays, i, results) and complaint(arrays, results), with `count` results.
template <class T, class Result, class Enqueue, class Complaint>
way<T> results_way(std::string name, std::size_t count, Enqueue enqueue, Complaint complaint,
                   form called = form::replayed, std::size_t others = 0) {
  return {std::move(name),
          called,
          count * sizeof(Result),
          others,
          {},
          [=](arrays<T> const& all, int i, void* to) {
            enqueue(all, i, device_span<Result>(static_cast<Result*>(to), count));
          },
          [=](arrays<T> const& all, void const* found) {
            device_span<Result const> const results(static_cast<Result const*>(found), count);
            return std::string(complaint(all, results));
          }};
}

/// By now(place, values) and later(place, values, result); complaint(arrays, result).
template <class T, class Now, class Later, class Complaint>
way<T> way_of(std::string name, Now now, Later later, Complaint complaint,
              form called = form::replayed) {
  using result = std::remove_cvref_t<std::invoke_result_t<Now, gpu&, array_t<T>>>;
  auto one = results_way<T, result>(
      std::move(name), 1,
      [later](arrays<T> const& all, int i, auto to) { later(all.place(), all[i], to); },
      [complaint](arrays<T> const& all, auto found) {
        return complaint(all, to_vector(all.place(), found)[0]);
      },
      called);
  one.now = [now](arrays<T> const& all, int i, void* to) {
    result const got = now(all.place(), all[i]);
    std::memcpy(to, static_cast<void const*>(&got), sizeof(result));
  };
  return one;
}
/// Nothing is known of the result.
inline constexpr auto any_result = [](auto const&, auto const&) { return ""; };

inline std::string wrong(double found, double expected) {
  return "result " + std::to_string(found) + ", should be " + std::to_string(expected);
}

/// Results for which agree(result, what Thrust or the host finds by the verb).
template <class Verb, class Agree>
auto found_by_others(Verb verb, Agree agree) {
  auto const expected = computed_once(
      [verb](auto const& all) { return found_elsewhere(all.place(), all.checked(), verb); });
  return [=](auto const& all, auto const& found) {
    return agree(found, expected(all)) ? "" : "not what others find";
  };
}

/// Warpfold's way and the vendors' by now(place, values, twin) and later(place, values, result,
/// twin): of those that search_kind has, or of all. Thrust's blocks.
template <class T, class Now, class Later, class Complaint>
std::vector<way<T>> twin_ways(Now now, Later later, Complaint complaint, bool with_thrust = false) {
  std::vector<way<T>> ways;
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
way<T> sum_way(std::string name = "sum", twins::vendor twin = twins::fold) {
  return way_of<T>(
      std::move(name), [=](gpu& place, array_t<T> values) { return sum(place, values, twin); },
      [=](gpu& place, array_t<T> values, auto result) { sum_async(place, values, result, twin); },
      any_result);
}

/// Measures the ways that are right.
template <class T>
void measure(session& run, arrays<T> const& all, std::vector<way<T>> const& ways,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = all.place();
  place.reserve(256 * mebi); // enough for what only enqueues
  std::vector<device_buffer<std::byte>> results;
  std::vector<std::vector<std::byte>> returned; // by what blocks
  for (way<T> const& one : ways) {
    results.emplace_back(place, one.results);
    returned.emplace_back(one.now ? one.results : 0);
  }
  auto const forget = [&] {
    for (auto& one : results) check(cudaMemsetAsync(one.data(), 0xff, one.size(), place.stream()));
  };
  auto const complaint_of = [&](std::size_t w, bool has_returned) {
    if (has_returned) copy(place, std::span<std::byte const>(returned[w]), results[w].span());
    return ways[w].complaint(all, results[w].data());
  };

  // The last array, to which every way comes last, is checked: once before the timing, which also
  // grows the place's scratch memory (graphs must find it as it was), and once after it.
  forget();
  std::vector<contender> contenders;
  std::vector<std::size_t> measured;
  for (std::size_t w = 0; w < ways.size(); ++w) {
    way<T> const& one = ways[w];
    auto const now = [&, w](int i) { one.now(all, i, returned[w].data()); };
    auto const enqueue = [&, w](int i) { one.enqueue(all, i, results[w].data()); };
    try {
      one.now ? now(all.last()) : enqueue(all.last());
      outcomes[w].complaint = complaint_of(w, bool(one.now));
    } catch (std::exception const& failure) {
      outcomes[w].complaint = failure.what();
    }
    if (!outcomes[w].complaint.empty()) continue;
    if (one.called == form::blocking) contenders.push_back({now, true});
    else contenders.push_back({enqueue, false, one.called == form::alone});
    measured.push_back(w);
  }
  forget();
  auto const times = time_paired(place, *run.flush, contenders, all.plan());
  for (std::size_t m = 0; m < measured.size(); ++m) {
    std::size_t const w = measured[m];
    outcomes[w] = {times[m], complaint_of(w, ways[w].called == form::blocking)};
  }
}

/// Rows name/way/n:size of ways that read `count` arrays of `size` elements, one behind the other.
template <class T>
void add_ways(session& run, std::string const& name, std::size_t size, pattern elements,
              std::vector<way<T>> const& ways, std::size_t count = 1) {
  std::size_t const read = count * size;
  if (read * sizeof(T) > run.pool->size()) return;
  rows_together rows(run, [&run, read, elements, ways](auto& outcomes) {
    measure(run, arrays<T>(run, read, elements), ways, outcomes);
  });
  for (way<T> const& one : ways)
    rows.add(name + "/" + one.name + "/n:" + std::to_string(size),
             static_cast<double>(read * sizeof(T) + one.others), static_cast<double>(size),
             one.called == form::blocking);
}

} // namespace warpfold::bench
