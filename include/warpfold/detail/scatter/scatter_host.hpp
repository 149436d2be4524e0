#pragma once
// Sums by index on the host.

#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/scatter/scatter.hpp>

#include <atomic>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

/// What the threads refused.
class shared_refusals {
public:
  void note(std::uint64_t position) {
    std::lock_guard const lock{noting_};
    ++count_;
    first_ = smaller(first_, position);
  }
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t first() const { return first_; }

private:
  std::mutex noting_;
  std::uint64_t count_ = 0, first_ = no_position;
};

/// Adds up. Threads have sums of their own where there are no more bins than values a thread;
/// else they share them.
template <int Words, class T, class Index>
std::vector<fixed_words<Words>> host_sums(int threads, scatter_input<T, Index> const& input,
                                          fixed_point<T> const& unit, shared_refusals& refusals) {
  using words = fixed_words<Words>;
  std::vector<words> sums(input.bins, words{});
  auto const each = [&](std::int64_t first, std::int64_t end, auto add) {
    for (std::int64_t i = first; i < end; ++i) {
      Index const bin = input.indices[i];
      T const x = input.values[i];
      if (bin < input.bins && unit.accepts(x)) add(bin, unit.template words_of<Words>(x));
      else refusals.note(static_cast<std::uint64_t>(i));
    }
  };
  std::size_t const share =
      (input.size + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  std::int64_t const part = larger(static_cast<std::int64_t>(share), counted_part);
  std::mutex adding;
  for_each_part(threads, input.size, part, [&](std::int64_t, std::int64_t first, std::int64_t end) {
    if (end - first == static_cast<std::int64_t>(input.size)) {
      each(first, end, [&](Index bin, words const& q) { sums[bin] += q; });
    } else if (input.bins <= share) {
      std::vector<words> own(input.bins, words{});
      each(first, end, [&](Index bin, words const& q) { own[bin] += q; });
      std::lock_guard const lock{adding};
      for (std::size_t b = 0; b < input.bins; ++b) sums[b] += own[b];
    } else {
      each(first, end, [&](Index bin, words const& q) {
        for (int w = 0; w < Words; ++w)
          std::atomic_ref(sums[bin].word[w]).fetch_add(q.word[w], std::memory_order_relaxed);
      });
    }
  });
  return sums;
}

template <int Words, class T, class Index>
scatter_status scatter_on_host(int threads, scatter_input<T, Index> const& input,
                               fixed_point<T> const& unit, T* results, bool blocking,
                               bool is_cumulative) {
  shared_refusals refusals, overflows;
  auto const sums = host_sums<Words>(threads, input, unit, refusals);
  auto const finish = [&](bool notes, bool stores) {
    for_each_part(threads, input.bins, counted_part,
                  [&](std::int64_t, std::int64_t first, std::int64_t end) {
                    for (std::int64_t b = first; b < end; ++b) {
                      T result;
                      bool const fits = finish_bin(unit, sums[static_cast<std::size_t>(b)],
                                                   is_cumulative ? results + b : nullptr, result);
                      if (notes && !fits) overflows.note(static_cast<std::uint64_t>(b));
                      if (stores) results[b] = result;
                    }
                  });
  };
  finish(true, !blocking);
  if (blocking && refusals.count() == 0 && overflows.count() == 0) finish(false, true);
  return {refusals.count(), refusals.first(), overflows.count(), overflows.first()};
}

template <class T, class Index>
scatter_status scatter_array(host const& place, scatter_input<T, Index> const& input,
                             scatter_bound const* bound, T* results, scatter_status* status,
                             scatter_options const& options) {
  T largest{};
  if (bound == nullptr)
    measure_to<T, largest_magnitude<T>>(place, {input.values, input.size}, &largest);
  fixed_point<T> const unit = bound ? fixed_point<T>(*bound) : fixed_point<T>(largest, input.size);
  auto const run = [&]<int Words>() {
    return scatter_on_host<Words>(place.threads(), input, unit, results, status == nullptr,
                                  options.cumulative);
  };
  scatter_status const found =
      options.wide ? run.template operator()<2>() : run.template operator()<1>();
  if (status != nullptr) *status = found;
  return found;
}

} // namespace warpfold::inline v0::detail
