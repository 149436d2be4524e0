#pragma once
// Ways to compute the same from the same arrays, measured beside each other, and held against
// results of the host.

#include "reduction/reduction_rows.hpp"
#include "rows_together.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <type_traits>

namespace warpfold::bench::rival {

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
  [[nodiscard]] device_span<T const> operator[](int i) const {
    return run_->pool->array<T>(i % count_, size_);
  }
  /// The call whose results are verified.
  [[nodiscard]] int last() const { return plan_.calls - 1; }
  /// Element i of the array that call last() reads.
  [[nodiscard]] T element(std::size_t i) const {
    std::span<T const> const block = this->block();
    return block[(first_ + i) & (block.size() - 1)]; // a power of two
  }
  /// The elements of that array: the block, repeated, from number first() on.
  [[nodiscard]] std::span<T const> block() const { return run_->pool->block<T>(); }
  [[nodiscard]] std::size_t first() const { return first_; }

private:
  session* run_;
  std::size_t size_;
  timing_plan plan_;
  int count_;
  std::size_t first_ = 0;
};

/// One of the ways to write some Results.
template <class T, class Result>
struct way {
  /// Enqueues call number i.
  using enqueue = std::function<void(arrays<T> const&, int i, device_span<Result>)>;

  way(std::string named, enqueue how, double error = 0, bool has_idle_stream = false)
      : name{std::move(named)}, call{std::move(how)}, tolerance{error}, alone{has_idle_stream} {}

  std::string name;
  enqueue call;
  double tolerance; ///< largest difference from the right result; for numbers
  bool alone;       ///< one call a replay: the stream is idle before it
  /// "", or what else is wrong after the last call.
  std::function<std::string(arrays<T> const&)> complaint;
};

/// A computation that several ways do, with rows rival/name/way/n:size.
template <class T, class Result>
struct task {
  std::string name;    ///< operation and type
  std::size_t size;    ///< elements read
  pattern elements;    ///< what they are
  std::size_t results; ///< how many are written
  std::size_t bytes;   ///< read and written
  /// The right results of the last call, on the host.
  std::function<std::vector<Result>(arrays<T> const&)> expected;
};

template <class T>
requires std::is_arithmetic_v<T>
bool agrees(T found, T right, double tolerance) {
  return std::abs(static_cast<double>(found) - static_cast<double>(right)) <= tolerance;
}
template <class T>
bool agrees(extremum<T> const& found, extremum<T> const& right, double) {
  return found.value == right.value && found.index == right.index;
}

template <class T>
requires std::is_arithmetic_v<T> std::string text(T result) { return std::to_string(result); }
template <class T>
std::string text(extremum<T> const& result) {
  return std::to_string(result.value) + " at " + std::to_string(result.index);
}

/// Measures all ways of a task and holds what they wrote against what is right: before the timing,
/// and what the timed calls left behind.
template <class T, class Result>
class comparison {
public:
  comparison(session& run, task<T, Result> const& what, std::vector<way<T, Result>> const& ways)
      : run_{&run}, ways_{&ways}, all_{run, what.size, what.elements}, right_{what.expected(all_)} {
    for (std::size_t w = 0; w < ways.size(); ++w) written_.emplace_back(all_.place(), what.results);
  }

  void measure(std::vector<rows_together::outcome>& outcomes) {
    all_.place().reserve(256 * mebi);
    forget();
    std::vector<contender> contenders;
    for (std::size_t w = 0; w < ways_->size(); ++w) {
      auto const call = [this, w](int i) { (*ways_)[w].call(all_, i, written_[w].span()); };
      call(all_.last());
      contenders.push_back({call, false, (*ways_)[w].alone});
    }
    look(outcomes);
    forget();
    auto const times = time_paired(all_.place(), *run_->flush, contenders, all_.plan());
    for (std::size_t w = 0; w < ways_->size(); ++w) outcomes[w].times = times[w];
    look(outcomes);
  }

private:
  void forget() {
    for (auto& results : written_)
      check(cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(Result),
                            all_.place().stream()));
  }

  void look(std::vector<rows_together::outcome>& outcomes) {
    for (std::size_t w = 0; w < ways_->size(); ++w)
      if (outcomes[w].complaint.empty()) outcomes[w].complaint = complaint_of(w);
  }
  std::string complaint_of(std::size_t w) {
    way<T, Result> const& one = (*ways_)[w];
    auto const found = to_vector(all_.place(), written_[w].span());
    auto const [wrong, right] =
        std::mismatch(found.begin(), found.end(), right_.begin(),
                      [&](auto const& a, auto const& b) { return agrees(a, b, one.tolerance); });
    if (wrong != found.end())
      return "result " + std::to_string(wrong - found.begin()) + " is " + text(*wrong) +
             ", should be " + text(*right);
    return one.complaint ? one.complaint(all_) : std::string();
  }

  session* run_;
  std::vector<way<T, Result>> const* ways_;
  arrays<T> all_;
  std::vector<Result> right_;
  std::vector<device_buffer<Result>> written_;
};

/// Adds the rows of a task whose arrays fit.
template <class T, class Result>
void add_rows(session& run, task<T, Result> const& what, std::vector<way<T, Result>> const& ways) {
  if (what.size * sizeof(T) > run.pool->size()) return;
  rows_together rows(run, [&run, what, ways](std::vector<rows_together::outcome>& outcomes) {
    comparison<T, Result>(run, what, ways).measure(outcomes);
  });
  for (way<T, Result> const& one : ways)
    rows.add("rival/" + what.name + "/" + one.name + "/n:" + std::to_string(what.size),
             static_cast<double>(what.bytes), static_cast<double>(what.size));
}

constexpr std::size_t power(int exponent) { return std::size_t{1} << exponent; }

void add_sums(session& run);
void add_exact_sums(session& run);
void add_argmins(session& run);
void add_segments(session& run);
void add_prefix_sums(session& run);
void add_sums_by_key(session& run);

} // namespace warpfold::bench::rival
