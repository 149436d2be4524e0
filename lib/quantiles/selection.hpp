#pragma once
// Selections by rank on a host: passes that count keys in bins, as on a gpu.

#include "instances.hpp"

#include <warpfold/detail/core/parallel.hpp>
#include <warpfold/quantiles.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <vector>

namespace warpfold::inline v0::detail {

template <class Key>
class host_selection {
public:
  host_selection(int threads, void const* values, std::size_t size, selection const& asked)
      : threads_{threads}, values_{static_cast<unsigned char const*>(values)}, size_{size},
        map_{key_map<Key>::of(asked.kind)} {
    for (int t = 0; t < 2 * asked.count; ++t)
      targets_.push_back({{0, static_cast<Key>(-1)}, asked.rank[t]});
  }

  void run(selection const& asked, void* results) {
    for (find_ranges(); !ranges_.empty(); find_ranges()) {
      count_keys();
      for (target& one : targets_) narrow(one);
      if (kept_.empty()) keep();
    }
    for (int p = 0; p < asked.count; ++p) {
      auto const* const pair = targets_.data() + 2 * p;
      write_result<Key>(asked, p, pair[0].range.low, pair[1].range.low, has_nan_, results);
    }
  }

private:
  static constexpr int bits = 11;
  static constexpr std::size_t bins = std::size_t{1} << bits;
  static constexpr std::size_t least_part = std::size_t{1} << 16;
  struct target {
    key_range<Key> range;
    std::uint64_t left; ///< rank among the keys in the range
  };

  /// The different ranges of more than one key.
  void find_ranges() {
    ranges_.clear();
    for (target const& one : targets_)
      if (one.range.width != 0 && std::ranges::find(ranges_, one.range) == ranges_.end())
        ranges_.push_back(one.range);
  }

  Key key(std::size_t i) const {
    if (!kept_.empty()) return kept_[i];
    Key bits_of_element;
    std::memcpy(&bits_of_element, values_ + i * sizeof(Key), sizeof(Key));
    return map_.key(bits_of_element);
  }
  /// Calls use(first, end) for parts of the keys, from several threads.
  template <class Use>
  void for_each_part(Use use) const {
    std::size_t const size = kept_.empty() ? size_ : kept_.size();
    auto const threads = static_cast<std::size_t>(threads_);
    std::size_t const part = std::max(least_part, (size + threads - 1) / threads);
    parallel_for(threads_, static_cast<std::int64_t>((size + part - 1) / part),
                 [&](std::int64_t number) {
                   std::size_t const first = static_cast<std::size_t>(number) * part;
                   use(first, std::min(first + part, size));
                 });
  }

  void count_keys() {
    counts_.assign(ranges_.size() * bins, 0);
    std::vector<int> shifts;
    for (auto const& range : ranges_) shifts.push_back(range.shift(bits));
    for_each_part([&](std::size_t first, std::size_t end) {
      std::vector<std::uint64_t> own(counts_.size(), 0);
      Key greatest = 0;
      for (std::size_t i = first; i < end; ++i) {
        Key const x = key(i);
        greatest = std::max(greatest, x);
        for (std::size_t r = 0; r < ranges_.size(); ++r) {
          Key const distance = x - ranges_[r].low;
          if (distance <= ranges_[r].width) ++own[r * bins + (distance >> shifts[r])];
        }
      }
      std::lock_guard const lock{adding_};
      for (std::size_t b = 0; b < own.size(); ++b) counts_[b] += own[b];
      has_nan_ = has_nan_ || (kept_.empty() && greatest > map_.last_number);
    });
  }

  void narrow(target& one) const {
    if (one.range.width == 0) return;
    auto const r =
        static_cast<std::size_t>(std::ranges::find(ranges_, one.range) - ranges_.begin());
    Key bin = 0;
    for (auto const* count = counts_.data() + r * bins; one.left >= *count; ++count, ++bin)
      one.left -= *count;
    one.range = one.range.bin(bin, one.range.shift(bits));
  }

  /// Copies the keys that later passes look at, if they are few.
  void keep() {
    find_ranges();
    if (ranges_.empty() || size_ < least_part) return;
    std::vector<Key> kept;
    for_each_part([&](std::size_t first, std::size_t end) {
      std::vector<Key> own;
      for (std::size_t i = first; i < end && own.size() <= (end - first) / 4; ++i) {
        Key const x = key(i);
        if (std::ranges::any_of(ranges_, [&](auto const& range) {
              return static_cast<Key>(x - range.low) <= range.width;
            }))
          own.push_back(x);
      }
      std::lock_guard const lock{adding_};
      is_crowded_ = is_crowded_ || own.size() > (end - first) / 4;
      kept.insert(kept.end(), own.begin(), own.end());
    });
    if (!is_crowded_) kept_ = std::move(kept);
    is_crowded_ = false;
  }

  int threads_;
  unsigned char const* values_;
  std::size_t size_;
  key_map<Key> map_;
  std::vector<target> targets_;
  std::vector<key_range<Key>> ranges_;
  std::vector<std::uint64_t> counts_; ///< of the ranges' bins
  std::vector<Key> kept_;             ///< the keys in the ranges, once they are few
  std::mutex adding_;
  bool has_nan_ = false, is_crowded_ = false;
};

template <class Key>
void select_to(host const& place, void const* values, std::size_t size, selection const& asked,
               void* results, bool) {
  host_selection<Key>(place.threads(), values, size, asked).run(asked, results);
}

} // namespace warpfold::inline v0::detail

#define INSTANTIATE(Key)                                                                           \
  namespace warpfold::inline v0::detail {                                                          \
  template void select_to<Key>(host const&, void const*, std::size_t, selection const&, void*,     \
                               bool);                                                              \
  }
