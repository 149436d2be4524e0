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

/// Adds up. Threads have sums of their own where these have no more words than a thread has values;
/// else they share them.
template <class Terms, class T, class Key, class BinOf, class Refuse>
void host_sums(int threads, scatter_input<T, Key, BinOf> const& input, Terms const& terms,
               std::uint64_t* sums, Refuse const& refuse) {
  std::size_t const size = input.bins * Terms::words;
  std::fill_n(sums, size, 0);
  auto const each = [&](std::int64_t first, std::int64_t end, auto add) {
    std::int64_t const components = input.components;
    for (std::int64_t i = first; i < end; ++i) {
      int bin = input.bin_of(input.keys[components == 1 ? i : i / components]);
      if (bin >= 0 && components > 1) bin = static_cast<int>(bin * components + i % components);
      T const x = input.values[i];
      if (bin >= 0 && terms.accepts(x)) {
        std::size_t const at = static_cast<std::size_t>(bin) * Terms::words;
        terms.each_word(x,
                        [&](int w, std::uint64_t q) { add(at + static_cast<std::size_t>(w), q); });
      } else if (bin >= 0 || !is_histogram<BinOf>) {
        refuse(static_cast<std::uint64_t>(i));
      }
    }
  };
  std::size_t const share =
      (input.size + static_cast<std::size_t>(threads) - 1) / static_cast<std::size_t>(threads);
  std::int64_t const part = larger(static_cast<std::int64_t>(share), counted_part);
  std::mutex adding;
  for_each_part(threads, input.size, part, [&](std::int64_t, std::int64_t first, std::int64_t end) {
    if (end - first == static_cast<std::int64_t>(input.size)) {
      each(first, end, [&](std::size_t k, std::uint64_t q) { sums[k] += q; });
    } else if (size <= share) {
      std::vector<std::uint64_t> own(size);
      each(first, end, [&](std::size_t k, std::uint64_t q) { own[k] += q; });
      std::lock_guard const lock{adding};
      for (std::size_t k = 0; k < size; ++k) sums[k] += own[k];
    } else {
      each(first, end, [&](std::size_t k, std::uint64_t q) {
        std::atomic_ref(sums[k]).fetch_add(q, std::memory_order_relaxed);
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
               scatter_unit<T> const& unit, scatter_form form, std::uint64_t* words,
               scatter_status* status) {
  *status = {0, no_position, 0, no_position};
  auto counted = input;
  counted.size = counted_size(input.size, input.count).get();
  auto const note = noting(status->refused, status->first_refused);
  with_terms<T, !is_histogram<BinOf>>(form, [&]<class Terms>(std::type_identity<Terms>) {
    host_sums(place.threads(), counted, Terms(unit), words, note);
  });
}

template <class T>
void round_words(host const& place, scatter_rounding<T> const& job, scatter_form form,
                 scatter_end end) {
  if (end == scatter_end::keep && !job.status->is_complete()) return;
  auto const note = noting(job.status->overflows, job.status->first_overflow);
  with_terms<T>(form, [&]<class Terms>(std::type_identity<Terms>) {
    for_each_part(place.threads(), static_cast<std::size_t>(job.bins), counted_part,
                  [=](std::int64_t, std::int64_t first, std::int64_t last) {
                    Terms const terms(job.unit);
                    for (std::int64_t b = first; b < last; ++b) {
                      T result;
                      if (!terms.round(job, b, end, result)) note(static_cast<std::uint64_t>(b));
                      if (end != scatter_end::look) job.results[b] = result;
                    }
                  });
  });
}

} // namespace warpfold::inline v0::detail
