// Segments of one length and prefix sums; and CUB's sums by key, which have no counterpart here
// yet.

#include "rows.hpp"

#include <warpfold/scan.hpp>

#include <memory>

namespace warpfold::bench::rival {
namespace {

/// A way to write `count` sums of floats, which moves `others` bytes beside the values.
template <class Enqueue, class Complaint>
way<float> sums_way(std::string name, std::size_t count, std::size_t others, Enqueue enqueue,
                    Complaint complaint) {
  return results_way<float, float>(std::move(name), count, enqueue, complaint, form::replayed,
                                   others);
}

/// The host's sums of `length` elements each; the last of fewer.
auto right_sums(std::size_t size, std::size_t length) {
  return near_to(computed_once([=](arrays<float> const& all) {
    std::vector<float> sums((size + length - 1) / length);
    for (std::size_t i = 0; i < size; ++i) sums[i / length] += all.element(i);
    return sums;
  }));
}

void add_segments_of(session& run, std::size_t length) {
  constexpr std::size_t size = power(28);
  std::size_t const segments = size / length;
  auto const right = right_sums(size, length);
  auto const ours = [length](arrays<float> const& all, int i, device_span<float> sums) {
    segmented_reduce_async(all.place(), all[i], fixed_length{length}, 0.F, plus{}, sums);
  };
  auto const cub = [length](arrays<float> const& all, int i, device_span<float> sums) {
    segmented_sum_async(all.place(), all[i], static_cast<int>(length), sums);
  };
  add_ways<float>(run, "rival/segmented_sum_" + std::to_string(length) + "/float", size,
                  pattern::small_integers,
                  {sums_way("fold", segments, 4 * segments, ours, right),
                   sums_way("cub", segments, 4 * segments, cub, right)});
}

void add_prefix_sums_of(session& run, std::size_t size) {
  run.place->reserve_lookback(scan_lookback<float>(size));
  auto const right = near_to(computed_once([=](arrays<float> const& all) {
    std::vector<float> sums(size);
    float sum = 0; // of small integers: exact
    for (std::size_t i = 0; i < size; ++i) sums[i] = sum += all.element(i);
    return sums;
  }));
  auto const ours = [](arrays<float> const& all, int i, device_span<float> sums) {
    inclusive_scan_async(all.place(), all[i], plus{}, sums);
  };
  auto const cub = [&](std::string name, determinism level) {
    return sums_way(
        std::move(name), size, 4 * size,
        [level](arrays<float> const& all, int i, device_span<float> sums) {
          inclusive_sum_async(all.place(), all[i], sums, level);
        },
        right);
  };
  add_ways<float>(run, "rival/inclusive_sum/float", size, pattern::small_integers,
                  {sums_way("fold", size, 4 * size, ours, right),
                   cub("cub", determinism::not_guaranteed),
                   cub("cub_run_to_run", determinism::run_to_run)});
}

/// Keys in runs of `length` equal ones, and what reduce_by_key writes besides sums.
class keyed_runs {
public:
  keyed_runs(arrays<float> const& all, std::size_t length)
      : size_{all.size()}, runs_{(size_ + length - 1) / length} {
    std::vector<std::uint32_t> keys(size_);
    for (std::size_t i = 0; i < size_; ++i) keys[i] = key(i / length);
    // So many copies that they do not stay in L2 from one call to the next.
    std::size_t const enough = (512 * mebi - 1) / (4 * size_) + 1;
    copies_ = std::min(static_cast<std::size_t>(all.plan().calls), enough);
    keys_ = device_buffer<std::uint32_t>(all.place(), copies_ * size_);
    for (std::size_t c = 0; c < copies_; ++c)
      copy(all.place(), std::span<std::uint32_t const>(keys),
           keys_.span().subspan(c * size_, size_));
    found_ = device_buffer<std::uint32_t>(all.place(), runs_);
    count_ = device_buffer<std::int32_t>(all.place(), 1);
  }

  void reduce_by_key(arrays<float> const& all, int i, device_span<float> sums) {
    std::size_t const begin = static_cast<std::size_t>(i) % copies_ * size_;
    reduce_by_key_async(all.place(), keys_.span().subspan(begin, size_), all[i],
                        {found_.span(), sums, count_.span()});
  }

  std::string complaint(gpu& place) const {
    if (to_vector(place, count_.span())[0] != static_cast<std::int32_t>(runs_))
      return "the number of runs is wrong";
    auto const found = to_vector(place, found_.span());
    for (std::size_t run = 0; run < runs_; ++run)
      if (found[run] != key(run)) return "the key of run " + std::to_string(run) + " is wrong";
    return {};
  }

private:
  /// Neighbours differ.
  static std::uint32_t key(std::size_t run) { return static_cast<std::uint32_t>(run); }

  std::size_t size_, runs_, copies_ = 0;
  device_buffer<std::uint32_t> keys_, found_;
  device_buffer<std::int32_t> count_;
};

void add_sums_by_key_of(session& run, std::size_t size, std::size_t length) {
  std::size_t const runs = (size + length - 1) / length;
  auto const keyed = computed_once(
      [=](arrays<float> const& all) { return std::make_shared<keyed_runs>(all, length); });
  auto const cub = [=](arrays<float> const& all, int i, device_span<float> sums) {
    keyed(all)->reduce_by_key(all, i, sums);
  };
  auto const right = right_sums(size, length);
  auto const complaint = [=](arrays<float> const& all, auto sums) {
    std::string const wrong = right(all, sums);
    return wrong.empty() ? keyed(all)->complaint(all.place()) : wrong;
  };
  add_ways<float>(run, "rival/reduce_by_key_" + std::to_string(length) + "/float", size,
                  pattern::small_integers,
                  {sums_way("cub", runs, 4 * size + 8 * runs, cub, complaint)});
}

} // namespace

void add_segments(session& run) {
  for (int const e : {2, 3, 4, 6, 8, 10, 12, 16, 20}) add_segments_of(run, power(e));
}

void add_prefix_sums(session& run) {
  for (int e = 12; e <= 28; e += run.quick ? 4 : 2) add_prefix_sums_of(run, power(e));
}

void add_sums_by_key(session& run) {
  for (std::size_t const length : {1, 4, 32, 1000, 10'000, 1'000'000}) {
    if (run.quick && (length == 4 || length == 10'000)) continue;
    for (int const e : {20, 24, 28})
      if (!run.quick || e == 28) add_sums_by_key_of(run, power(e), length);
  }
}

} // namespace warpfold::bench::rival
