// Segments of one length; and CUB's prefix sums and sums by key, which have no counterpart here
// yet.

#include "rival.hpp"
#include "ways.hpp"

#include <initializer_list>
#include <memory>

namespace warpfold::bench::rival {
namespace {

void add_segments_of(session& run, std::size_t length) {
  constexpr std::size_t size = power(28);
  std::size_t const segments = size / length;
  auto const right = [=](arrays<float> const& all) {
    std::vector<float> sums(segments);
    for (std::size_t s = 0; s < segments; ++s)
      for (std::size_t i = 0; i < length; ++i) sums[s] += all.element(s * length + i);
    return sums;
  };
  auto const ours = [length](arrays<float> const& all, int i, device_span<float> sums) {
    segmented_reduce_async(all.place(), all[i], fixed_length{length}, 0.F, plus{}, sums);
  };
  auto const cub = [length](arrays<float> const& all, int i, device_span<float> sums) {
    segmented_sum_async(all.place(), all[i], static_cast<int>(length), sums);
  };
  add_rows<float, float>(run,
                         {"segmented_sum_" + std::to_string(length) + "/float", size,
                          pattern::small_integers, segments, 4 * (size + segments), right},
                         {{"fold", ours}, {"cub", cub}});
}

void add_prefix_sums_of(session& run, std::size_t size) {
  auto const right = [=](arrays<float> const& all) {
    std::vector<float> sums(size);
    float sum = 0; // of small integers: exact
    for (std::size_t i = 0; i < size; ++i) sums[i] = sum += all.element(i);
    return sums;
  };
  auto const scan = [](determinism level) {
    return [level](arrays<float> const& all, int i, device_span<float> sums) {
      inclusive_sum_async(all.place(), all[i], sums, level);
    };
  };
  add_rows<float, float>(
      run, {"inclusive_sum/float", size, pattern::small_integers, size, 8 * size, right},
      {{"cub", scan(determinism::not_guaranteed)},
       {"cub_run_to_run", scan(determinism::run_to_run)}});
}

/// Keys in runs of equal ones, and what reduce_by_key writes besides sums. Made when a row is
/// measured, and then again for the next one: they are large.
class keyed_runs {
public:
  void make(arrays<float> const& all, std::size_t length) {
    size_ = all.size();
    length_ = length;
    std::vector<std::uint32_t> keys(size_);
    for (std::size_t i = 0; i < size_; ++i) keys[i] = key(i / length);
    // So many copies that they do not stay in L2 from one call to the next.
    std::size_t const enough = (512 * mebi - 1) / (4 * size_) + 1;
    copies_ = std::min(static_cast<std::size_t>(all.plan().calls), enough);
    keys_ = device_buffer<std::uint32_t>(all.place(), copies_ * size_);
    for (std::size_t c = 0; c < copies_; ++c)
      copy(all.place(), std::span<std::uint32_t const>(keys),
           keys_.span().subspan(c * size_, size_));
    found_ = device_buffer<std::uint32_t>(all.place(), runs_of(size_, length));
    count_ = device_buffer<std::int32_t>(all.place(), 1);
  }

  static std::size_t runs_of(std::size_t size, std::size_t length) {
    return (size + length - 1) / length;
  }
  /// Neighbours differ.
  static std::uint32_t key(std::size_t run) { return static_cast<std::uint32_t>(run); }

  void reduce_by_key(arrays<float> const& all, int i, device_span<float> sums) {
    std::size_t const begin = static_cast<std::size_t>(i) % copies_ * size_;
    reduce_by_key_async(all.place(), keys_.span().subspan(begin, size_), all[i],
                        {found_.span(), sums, count_.span()});
  }

  std::string complaint(gpu& place) const {
    std::size_t const runs = runs_of(size_, length_);
    if (to_vector(place, count_.span())[0] != static_cast<std::int32_t>(runs))
      return "the number of runs is wrong";
    auto const found = to_vector(place, found_.span());
    for (std::size_t run = 0; run < runs; ++run)
      if (found[run] != key(run)) return "the key of run " + std::to_string(run) + " is wrong";
    return {};
  }

private:
  std::size_t size_ = 0, length_ = 0, copies_ = 0;
  device_buffer<std::uint32_t> keys_, found_;
  device_buffer<std::int32_t> count_;
};

void add_sums_by_key_of(session& run, std::shared_ptr<keyed_runs> const& work, std::size_t size,
                        std::size_t length) {
  std::size_t const runs = keyed_runs::runs_of(size, length);
  auto const right = [=](arrays<float> const& all) {
    work->make(all, length);
    std::vector<float> sums(runs);
    for (std::size_t s = 0; s < runs; ++s)
      for (std::size_t i = s * length; i < std::min(size, (s + 1) * length); ++i)
        sums[s] += all.element(i);
    return sums;
  };
  way<float, float> cub{"cub", [work](arrays<float> const& all, int i, device_span<float> sums) {
                          work->reduce_by_key(all, i, sums);
                        }};
  cub.complaint = [work](arrays<float> const& all) { return work->complaint(all.place()); };
  add_rows<float, float>(run,
                         {"reduce_by_key_" + std::to_string(length) + "/float", size,
                          pattern::small_integers, runs, 8 * (size + runs), right},
                         {cub});
}

} // namespace

void add_segments(session& run) {
  for (int const e : {2, 3, 4, 6, 8, 10, 12, 16, 20}) add_segments_of(run, power(e));
}

void add_prefix_sums(session& run) {
  for (int e = 12; e <= 28; e += run.quick ? 4 : 2) add_prefix_sums_of(run, power(e));
}

void add_sums_by_key(session& run) {
  auto const work = std::make_shared<keyed_runs>();
  for (std::size_t const length : {1, 4, 32, 1000, 10'000, 1'000'000}) {
    if (run.quick && (length == 4 || length == 10'000)) continue;
    for (int const e : {20, 24, 28})
      if (!run.quick || e == 28) add_sums_by_key_of(run, work, power(e), length);
  }
}

} // namespace warpfold::bench::rival
