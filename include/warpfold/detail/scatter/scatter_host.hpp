#pragma once
// Sums by index on the host.

#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/detail/scatter/scatter.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

/// Adds up. Threads have sums of their own where there are no more bins than values a thread;
/// else they share them.
template <class T, class Key, class BinOf, class Words, class Refuse>
void host_sums(int threads, scatter_input<T, Key, BinOf> const& input, fixed_point<T> const& unit,
               Words* sums, Refuse const& refuse) {
  constexpr int words = sizeof(Words) / sizeof(std::uint64_t);
  std::fill_n(sums, input.bins, Words{});
  auto const each = [&](std::int64_t first, std::int64_t end, auto add) {
    std::int64_t const components = input.components;
    for (std::int64_t i = first; i < end; ++i) {
      int bin = input.bin_of(input.keys[components == 1 ? i : i / components]);
      if (bin >= 0 && components > 1) bin = static_cast<int>(bin * components + i % components);
      T const x = input.values[i];
      if (bin >= 0 && unit.accepts(x))
        add(static_cast<std::size_t>(bin), unit.template words_of<words>(x));
      else if (bin >= 0 || !is_histogram<BinOf>) refuse(static_cast<std::uint64_t>(i));
    }
  };
  std::size_t const share =
      (input.size + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  std::int64_t const part = larger(static_cast<std::int64_t>(share), counted_part);
  std::mutex adding;
  for_each_part(threads, input.size, part, [&](std::int64_t, std::int64_t first, std::int64_t end) {
    if (end - first == static_cast<std::int64_t>(input.size)) {
      each(first, end, [&](std::size_t bin, Words const& q) { sums[bin] += q; });
    } else if (input.bins <= share) {
      std::vector<Words> own(input.bins, Words{});
      each(first, end, [&](std::size_t bin, Words const& q) { own[bin] += q; });
      std::lock_guard const lock{adding};
      for (std::size_t b = 0; b < input.bins; ++b) sums[b] += own[b];
    } else {
      each(first, end, [&](std::size_t bin, Words const& q) {
        for (int w = 0; w < words; ++w)
          std::atomic_ref(sums[bin].word[w]).fetch_add(q.word[w], std::memory_order_relaxed);
      });
    }
  });
}

/// Counts what is noted, and finds the first of it, in several threads.
inline auto noting(std::uint64_t& count, std::uint64_t& first) {
  return [&, lock = std::make_shared<std::mutex>()](std::uint64_t position) {
    std::lock_guard const held{*lock};
    ++count;
    first = smaller(first, position);
  };
}

template <class T, class Key, class BinOf>
void add_words(host const& place, scatter_input<T, Key, BinOf> const& input,
               scatter_unit<T> const& unit, bool wide, std::uint64_t* words,
               scatter_status* status) {
  *status = {0, no_position, 0, no_position};
  auto counted = input;
  counted.size = counted_size(input.size, input.count).get();
  auto const add = [&](auto* sums) {
    host_sums(place.threads(), counted, unit.get(), sums,
              noting(status->refused, status->first_refused));
  };
  if constexpr (!is_histogram<BinOf>)
    if (wide) return add(reinterpret_cast<fixed_words<2>*>(words));
  add(reinterpret_cast<fixed_words<1>*>(words));
}

template <class T>
void round_words(host const& place, scatter_rounding<T> const& job, bool wide, scatter_end end) {
  if (end == scatter_end::keep && !job.status->is_complete()) return;
  auto const note = noting(job.status->overflows, job.status->first_overflow);
  for_each_part(place.threads(), static_cast<std::size_t>(job.bins), counted_part,
                [=](std::int64_t, std::int64_t first, std::int64_t last) {
                  fixed_point<T> const unit = job.unit.get();
                  for (std::int64_t b = first; b < last; ++b) {
                    T result;
                    if (!(wide ? job.template round<2>(unit, b, result)
                               : job.template round<1>(unit, b, result)))
                      note(static_cast<std::uint64_t>(b));
                    if (end != scatter_end::look) job.results[b] = result;
                  }
                });
}

} // namespace warpfold::inline v0::detail
