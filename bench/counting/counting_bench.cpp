// Histograms and compaction on a GPU beside CUB's, in one paired measurement for each kind of data,
// type and size. Counts by a predicate are among the rows of norms_bench.cpp.

#include "bench.hpp"
#include "counting_kernels.hpp"
#include "reduction/reduction_rows.hpp"

#include <warpfold/twins/counting.hpp>

#include <exception>
#include <functional>
#include <memory>

namespace warpfold::bench {
namespace {

/// Rows name/type/way/n:size of ways to make something of `size` elements, all with one result.
template <class T>
class counting_group {
public:
  struct way {
    std::string name;
    std::function<void(device_span<T const>)> enqueue;
    /// A number that says whether the result is right.
    std::function<std::uint64_t()> result;
  };
  /// Makes the ways, with what they need, when the first row runs.
  using maker = std::function<std::vector<way>(gpu&)>;

  static void add(session& run, std::string const& name, std::size_t size, pattern what,
                  std::vector<std::string> const& ways, maker make) {
    if (size * sizeof(T) > run.pool->size()) return;
    auto const group = std::make_shared<counting_group>(run, size, what, std::move(make));
    for (std::size_t w = 0; w < ways.size(); ++w)
      add_row(name + "/" + ways[w] + "/n:" + std::to_string(size),
              [&run, group, w](benchmark::State& state) {
                timing const& measured = group->time_of(w);
                if (!group->complaint_.empty()) return complain(run, state, group->complaint_);
                auto const items = static_cast<double>(group->size_);
                report(state, measured, items * sizeof(T), items);
              });
  }

  counting_group(session& run, std::size_t size, pattern what, maker make)
      : run_{&run}, size_{size}, what_{what}, make_{std::move(make)} {}

private:
  timing const& time_of(std::size_t w) {
    if (times_.empty() && complaint_.empty()) {
      try {
        measure();
      } catch (std::exception const& failure) {
        complaint_ = failure.what();
      }
    }
    if (w >= times_.size()) times_.resize(w + 1);
    return times_[w];
  }

  void measure() {
    gpu& place = *run_->place;
    place.reserve(std::size_t{64} << 20);
    timing_plan const plan = plan_for(size_ * sizeof(T), run_->quick);
    int const arrays = run_->pool->prepare<T>(size_, plan.calls, what_);
    if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
    auto const array = [&](int i) { return run_->pool->array<T>(i % arrays, size_); };
    std::vector<way> const ways = make_(place);
    std::vector<contender> contenders;
    std::uint64_t expected = 0;
    for (way const& one : ways) {
      one.enqueue(array(plan.calls - 1));
      std::uint64_t const result = one.result();
      if (contenders.empty()) expected = result;
      if (result != expected) throw error(one.name + " differs from " + ways[0].name);
      contenders.push_back({[&](int i) { one.enqueue(array(i)); }});
    }
    times_ = time_paired(place, *run_->flush, contenders, plan);
  }

  session* run_;
  std::size_t size_;
  pattern what_;
  maker make_;
  std::vector<timing> times_;
  std::string complaint_;
};

/// Changes when any number or the order of two does.
template <class Count>
std::uint64_t digest(std::vector<Count> const& counts) {
  std::uint64_t all = 0;
  for (Count const c : counts) all = all * 0x9e3779b97f4a7c15u + c;
  return all;
}

template <class T>
void add_histogram(session& run, std::size_t size, detail::bins_of<T> const& bins, pattern what) {
  std::string const name = "histogram-" + std::to_string(bins.count) +
                           (what == pattern::equal ? "-equal/" : "-uniform/") + type_name<T>();
  // CUB with counts of 64 bits, as the verb has them, takes up to ten times as long: not of many.
  bool const with_cub64 = size <= std::size_t{1} << 24;
  std::vector<std::string> names{"fold", "cub32"};
  if (with_cub64) names.emplace_back("cub");
  counting_group<T>::add(run, name, size, what, names, [bins, with_cub64](gpu& place) {
    auto const room = static_cast<std::size_t>(bins.count);
    auto const counts = std::make_shared<device_buffer<std::uint64_t>>(place, room);
    auto const narrow = std::make_shared<device_buffer<std::uint32_t>>(place, room);
    using way = typename counting_group<T>::way;
    auto const verb = [&](std::string const& as, twins::vendor how) {
      return way{as,
                 [&place, bins, counts, how](device_span<T const> values) {
                   histogram_async(place, values, bins, counts->span(), how);
                 },
                 [&place, counts] { return digest(to_vector(place, counts->span())); }};
    };
    std::vector<way> ways{
        verb("fold", twins::fold),
        way{"cub32",
            [&place, bins, narrow](device_span<T const> values) {
              cub_histogram32<T>(place, values, bins, narrow->data());
            },
            [&place, narrow] { return digest(to_vector(place, narrow->span())); }}};
    if (with_cub64) ways.push_back(verb("cub", twins::cub));
    return ways;
  });
}

/// Of uniform numbers in [0, 1).
template <class T>
void add_compaction(session& run, std::size_t size, int percent) {
  std::string const name = "compact_if-" + std::to_string(percent) + "/" + type_name<T>();
  counting_group<T>::add(
      run, name, size, pattern::uniform, {"fold", "cub"}, [size, percent](gpu& place) {
        auto const output = std::make_shared<device_buffer<T>>(place, size);
        auto const count = std::make_shared<device_buffer<std::uint64_t>>(place, 1);
        less_than<T> const below{static_cast<T>(percent) / 100};
        std::vector<typename counting_group<T>::way> ways;
        for (twins::vendor const how : {twins::fold, twins::cub})
          ways.push_back(
              {to_string(how),
               [&place, output, count, below, how](device_span<T const> values) {
                 compact_if_async(place, values, below, output->span(), count->span(), how);
               },
               [&place, output, count] {
                 std::uint64_t const kept = to_vector(place, count->span())[0];
                 auto const* const bits = reinterpret_cast<std::uint32_t const*>(output->data());
                 device_span<std::uint32_t const> const words(bits, kept * (sizeof(T) / 4));
                 auto const where = argmax(place, words); // and so, a little, the order
                 return digest(std::vector<std::uint64_t>{kept, sum<std::uint64_t>(place, words),
                                                          where.index});
               }});
        return ways;
      });
}

} // namespace

void add_counting(session& run) {
  if (!run.place) return;
  std::vector<int> exponents{20, 24, 28};
  if (!run.quick) exponents = {20, 22, 24, 26, 28, 30};
  for (int const e : exponents) {
    std::size_t const size = std::size_t{1} << e;
    for (pattern const what : {pattern::uniform, pattern::equal})
      for (int const bins : {16, 256}) {
        add_histogram<float>(run, size, {bins, 0, 1}, what);
        add_histogram<std::int32_t>(run, size, {bins, 0, (std::int64_t{1} << 31) - 1}, what);
        add_histogram<std::uint8_t>(run, size, {bins, 0, 256}, what);
      }
    for (int const percent : {1, 50, 99}) {
      add_compaction<float>(run, size, percent);
      add_compaction<double>(run, size, percent);
    }
  }
}

} // namespace warpfold::bench
