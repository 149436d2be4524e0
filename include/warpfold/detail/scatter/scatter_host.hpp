#pragma once
// Sums by index on the host.

#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/scatter/scatter.hpp>

#include <atomic>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

/// Adds up. Threads have sums of their own where there are no more bins than values a thread;
/// else they share them.
template <int Words, class T, class Index, class Refuse>
std::vector<fixed_words<Words>> host_sums(int threads, scatter_input<T, Index> const& input,
                                          fixed_point<T> const& unit, Refuse const& refuse) {
  using words = fixed_words<Words>;
  std::vector<words> sums(input.bins, words{});
  auto const each = [&](std::int64_t first, std::int64_t end, auto add) {
    for (std::int64_t i = first; i < end; ++i) {
      Index const bin = input.indices[i];
      T const x = input.values[i];
      if (bin < input.bins && unit.accepts(x)) add(bin, unit.template words_of<Words>(x));
      else refuse(static_cast<std::uint64_t>(i));
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
  scatter_status found{0, no_position, 0, no_position};
  std::mutex noting;
  auto const note = [&](std::uint64_t& count, std::uint64_t& first, std::uint64_t position) {
    std::lock_guard const lock{noting};
    ++count;
    first = smaller(first, position);
  };
  auto const sums = host_sums<Words>(
      threads, input, unit, [&](std::uint64_t i) { note(found.refused, found.first_refused, i); });
  auto const finish = [&](bool notes, bool stores) {
    for_each_part(threads, input.bins, counted_part,
                  [&](std::int64_t, std::int64_t first, std::int64_t end) {
                    for (std::int64_t b = first; b < end; ++b) {
                      T result;
                      bool const fits = finish_bin(unit, sums[static_cast<std::size_t>(b)],
                                                   is_cumulative ? results + b : nullptr, result);
                      if (notes && !fits)
                        note(found.overflows, found.first_overflow, static_cast<std::uint64_t>(b));
                      if (stores) results[b] = result;
                    }
                  });
  };
  finish(true, !blocking);
  if (blocking && found.is_complete()) finish(false, true);
  return found;
}

template <class T, class Index>
scatter_status scatter_array(host const& place, scatter_input<T, Index> input,
                             scatter_bound const* bound, T* results, scatter_status* status,
                             scatter_options const& options) {
  input.size = counted_size(input.size, input.count).get();
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
