#pragma once
// Selections by rank on a host: the keys whose first digits the ranks have are copied, and put in
// order as far as needed.

#include "instances.hpp"

#include <warpfold/detail/counting/counting_host.hpp>
#include <warpfold/quantiles.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

/// Calls use(own, key, i) for all keys, and add(own) for every part of them, one at a time; `own`
/// starts as a copy of `empty`.
template <class Key, class Own, class Use, class Add>
void for_each_key(int threads, void const* first, std::size_t size, key_map<Key> map, Own empty,
                  Use use, Add add) {
  auto const* const elements = static_cast<unsigned char const*>(first);
  auto const share = static_cast<std::int64_t>(size / static_cast<unsigned>(threads) + 1);
  std::mutex adding;
  for_each_part(threads, size, std::max(counted_part, share),
                [&](std::int64_t, std::int64_t begin, std::int64_t end) {
                  Own own = empty;
                  for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end);
                       ++i) {
                    Key bits;
                    std::memcpy(&bits, elements + i * sizeof(Key), sizeof(Key));
                    use(own, map.key(bits), i);
                  }
                  std::lock_guard const lock{adding};
                  add(own);
                });
}

/// The keys that may have one of the ranks.
template <class Key>
class host_candidates {
public:
  std::vector<Key> keys;
  std::vector<std::uint64_t> ranks; ///< among those keys
  Key greatest = 0;                 ///< of all

  /// `ranks` among the `size` elements from `first` on.
  host_candidates(int threads, void const* first, std::size_t size, key_map<Key> map,
                  std::span<std::uint64_t const> all_ranks)
      : ranks(all_ranks.begin(), all_ranks.end()), threads_{threads}, size_{size}, first_{first},
        map_{map} {
    bool const are_few = size <= digits;
    std::vector<bool> is_wanted(digits, are_few);
    auto const counts = are_few ? std::vector<std::uint64_t>() : count_digits();
    std::uint64_t before = 0, unwanted = 0; // keys with lower digits
    for (std::size_t d = 0; d < counts.size(); ++d) {
      for (std::size_t t = 0; t < ranks.size(); ++t)
        if (all_ranks[t] >= before && all_ranks[t] - before < counts[d]) {
          is_wanted[d] = true;
          ranks[t] -= unwanted;
        }
      before += counts[d];
      if (!is_wanted[d]) unwanted += counts[d];
    }
    keys.reserve(size - unwanted);
    for_each_key(
        threads_, first_, size_, map_, std::vector<Key>(),
        [&](auto& own, Key key, std::size_t) {
          if (is_wanted[key >> shift]) own.push_back(key);
        },
        [&](auto const& own) { keys.insert(keys.end(), own.begin(), own.end()); });
    if (are_few) greatest = *std::ranges::max_element(keys);
  }

  /// The key of ranks[t]; those of lower ranks have been asked for before.
  Key take(std::uint64_t rank) {
    if (rank >= placed_) {
      auto const at = [&](std::uint64_t i) {
        return keys.begin() + static_cast<std::ptrdiff_t>(i);
      };
      std::nth_element(at(placed_), at(rank), keys.end());
      placed_ = rank + 1;
    }
    return keys[static_cast<std::size_t>(rank)];
  }

private:
  static constexpr std::size_t digits = std::size_t{1} << 16;
  static constexpr int shift = 8 * static_cast<int>(sizeof(Key)) - 16;

  std::vector<std::uint64_t> count_digits() {
    struct tally {
      std::vector<std::uint64_t> counts;
      Key greatest;
    } all{std::vector<std::uint64_t>(digits), 0};
    for_each_key(
        threads_, first_, size_, map_, tally{all},
        [](tally& own, Key key, std::size_t) {
          ++own.counts[key >> shift];
          own.greatest = std::max(own.greatest, key);
        },
        [&](tally const& own) {
          for (std::size_t d = 0; d < digits; ++d) all.counts[d] += own.counts[d];
          greatest = std::max(greatest, own.greatest);
        });
    return all.counts;
  }

  int threads_;
  std::size_t size_;
  void const* first_;
  key_map<Key> map_;
  std::uint64_t placed_ = 0; ///< keys in their places
};

template <class Key>
void select_to(host const& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool) {
  auto const map = key_map<Key>::of(asked.kind);
  auto const count = static_cast<std::size_t>(2 * asked.count);
  host_candidates<Key> candidates(place.threads(), values, size, map,
                                  std::span(asked.rank).first(count));
  auto in_order = candidates.ranks;
  std::ranges::sort(in_order);
  for (std::uint64_t const rank : in_order) candidates.take(rank);
  for (int p = 0; p < asked.count; ++p) {
    auto const* const pair = candidates.ranks.data() + 2 * p;
    write_result<Key>(asked, p, candidates.take(pair[0]), candidates.take(pair[1]),
                      candidates.greatest > map.last_number, results);
  }
}

template <class Key>
void top_to(host const& place, void const* values, std::size_t size, selection const& last,
            top_k_options const& options, std::size_t count, void* results,
            std::uint64_t* positions, bool) {
  auto const map = key_map<Key>::of(last.kind);
  host_candidates<Key> candidates(place.threads(), values, size, map,
                                  std::span(last.rank).first(1));
  Key const end = map.place(candidates.take(candidates.ranks[0]), options.smallest);
  using pair = std::pair<Key, std::uint64_t>; // of key and position
  struct tally {
    std::vector<pair> pairs;
    std::uint64_t equal = 0; ///< to the last one
  };
  std::vector<pair> top;
  for_each_key(
      place.threads(), values, size, map, tally{},
      [&](tally& own, Key key, std::size_t i) {
        Key const at = map.place(key, options.smallest);
        if (at < end || (at == end && own.equal++ < count)) own.pairs.emplace_back(at, i);
      },
      [&](tally const& own) { top.insert(top.end(), own.pairs.begin(), own.pairs.end()); });
  std::ranges::sort(top);
  for (std::size_t p = 0; p < count; ++p) {
    positions[p] = top[p].second;
    std::memcpy(static_cast<unsigned char*>(results) + p * sizeof(Key),
                static_cast<unsigned char const*>(values) + top[p].second * sizeof(Key),
                sizeof(Key));
  }
}

template <class Key>
void count_in_bins(host const& place, void const* values, std::size_t size, element_kind kind,
                   std::span<key_range<Key> const> ranges, pass_shape shape,
                   std::uint64_t* counts) {
  auto const map = key_map<Key>::of(kind);
  std::size_t const used = (ranges.size() << shape.bits) + 1;
  for_each_key(
      place.threads(), values, size, map, std::vector<std::uint64_t>(used),
      [&](auto& own, Key key, std::size_t) {
        for (std::size_t r = 0; r < ranges.size(); ++r) {
          Key const distance = key - ranges[r].low;
          if (distance <= ranges[r].width)
            ++own[(r << shape.bits) + (distance >> ranges[r].shift(shape.bits))];
        }
        own.back() |= key > map.last_number ? 1 : 0;
      },
      [&](auto const& own) {
        for (std::size_t b = 0; b < used; ++b) counts[b] += own[b];
      });
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(Key)                                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void select_to<Key>(host const&, void const*, std::size_t, selection const&, void*,     \
                               bool);                                                              \
  template void top_to<Key>(host const&, void const*, std::size_t, selection const&,               \
                            top_k_options const&, std::size_t, void*, std::uint64_t*, bool);       \
  template void count_in_bins<Key>(host const&, void const*, std::size_t, element_kind,            \
                                   std::span<key_range<Key> const>, pass_shape, std::uint64_t*);   \
  }
