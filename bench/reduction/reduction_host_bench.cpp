// Reductions on the host: warpfold's fold beside Thrust on OpenMP, one call after the other on
// arrays that together are larger than the caches.

#include "bench.hpp"
#include "reduction_rows.hpp"

#include <algorithm>
#include <memory>

namespace warpfold::bench {
namespace {

struct host_way {
  host place;
  twins::vendor twin;
};

template <class T>
using host_sum = reduction_kind<T, typename detail::default_accumulator<T>::type, plus, identity>;

/// On two threads, and on as many as there are.
template <class T>
std::vector<host_way> host_ways(session const& run) {
  std::vector<host_way> all;
  for (host const& place : {host(2), run.processor})
    if (all.empty() || place.threads() != all.front().place.threads())
      for (twins::vendor const twin : {twins::fold, twins::thrust})
        if (host_sum<T>::has(twin)) all.push_back({place, twin});
  return all;
}

template <class T>
class paired_host_sum {
public:
  paired_host_sum(session& run, std::size_t size, std::vector<host_way> all)
      : run_{&run}, size_{size}, ways_{std::move(all)}, complaints_(ways_.size()) {}

  timing const& operator[](std::size_t i) {
    if (times_.empty()) measure();
    return times_[i];
  }
  std::string const& complaint_of(std::size_t i) const { return complaints_[i]; }

private:
  using kind = host_sum<T>;

  void measure() {
    std::size_t const bytes = size_ * sizeof(T);
    std::size_t const arrays = std::max(512 * mebi / bytes, std::size_t{1});
    std::vector<T> values(arrays * size_);
    fill_random(values, pattern::small_integers);
    std::span<T const> const all(values);
    std::size_t turn = 0;
    auto const call = [&](host_way const& one) {
      return sum(one.place, all.subspan(turn++ % arrays * size_, size_), one.twin);
    };
    double const exact = kind::expected(all.first(size_), 0, size_);
    int const samples = run_->quick ? 7 : 21;
    int const calls = static_cast<int>(std::clamp<std::size_t>(16 * mebi / bytes, 1, 64));
    // One number of threads after the other: OpenMP makes its threads anew when that changes.
    for (std::size_t first = 0, end = 0; first < ways_.size(); first = end) {
      while (end < ways_.size() && ways_[end].place.threads() == ways_[first].place.threads())
        ++end;
      for (std::size_t w = first; w < end; ++w) {
        turn = 0;
        complaints_[w] = kind::complaint(call(ways_[w]), exact);
      }
      std::vector<std::vector<double>> seconds(ways_.size());
      for (int sample = 0; sample < samples; ++sample)
        for (std::size_t w = first; w < end; ++w)
          seconds[w].push_back(wall_seconds([&] {
                                 for (int i = 0; i < calls; ++i)
                                   benchmark::DoNotOptimize(call(ways_[w]));
                               }) /
                               calls);
      for (std::size_t w = first; w < end; ++w) times_.push_back(summarize(std::move(seconds[w])));
    }
  }

  session* run_;
  std::size_t size_;
  std::vector<host_way> ways_;
  std::vector<timing> times_;
  std::vector<std::string> complaints_;
};

template <class T>
void add(session& run, std::size_t size) {
  std::vector<host_way> const all = host_ways<T>(run);
  auto const group = std::make_shared<paired_host_sum<T>>(run, size, all);
  for (std::size_t w = 0; w < all.size(); ++w)
    add_row("host/sum/" + type_name<T>() + "/" + to_string(all[w].twin) +
                "/threads:" + std::to_string(all[w].place.threads()) + "/n:" + std::to_string(size),
            [&run, group, w, size](benchmark::State& state) {
              timing const& measured = (*group)[w];
              std::string const& wrong = group->complaint_of(w);
              if (!wrong.empty()) return complain(run, state, wrong);
              auto const items = static_cast<double>(size);
              report(state, measured, items * sizeof(T), items);
              state.counters["blocking"] = 1;
            });
}

} // namespace

void add_host_reductions(session& run) {
  for (std::size_t const size : {std::size_t{1} << 10, std::size_t{1} << 14, std::size_t{1} << 18,
                                 std::size_t{1} << 22, std::size_t{100'000'000}})
    add<float>(run, size);
  for (std::size_t const size : {std::size_t{1} << 22, std::size_t{100'000'000}}) {
    add<double>(run, size);
    add<std::int32_t>(run, size);
    if (!run.quick) {
      add<std::int64_t>(run, size);
      add<__half>(run, size);
      add<__nv_bfloat16>(run, size);
    }
  }
}

} // namespace warpfold::bench
