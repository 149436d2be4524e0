#pragma once
// Several ways to compute something from one array, measured beside each other, and checked before
// and after.

#include "rows_together.hpp"

namespace warpfold::bench {

/// Rows name/way/n:size of ways to write a Result from `size` elements of T.
template <class T, class Result>
class paired_group {
public:
  using call = std::function<void(gpu&, device_span<T const>, device_span<Result>)>;
  /// "", or what is wrong with a result of these elements.
  using check = std::function<std::string(session&, device_span<T const>, Result const&)>;

  paired_group(session& run, std::string name, std::size_t size, pattern what)
      : all_{std::make_shared<measured>(measured{&run, size, what, {}})}, name_{std::move(name)},
        rows_{run, [all = all_](std::vector<outcome>& outcomes) { all->measure(outcomes); }} {}

  void add(std::string const& named, call enqueue, check complaint = {}) {
    all_->ways.push_back({std::move(enqueue), std::move(complaint)});
    auto const items = static_cast<double>(all_->size);
    rows_.add(name_ + "/" + named + "/n:" + std::to_string(all_->size), items * sizeof(T), items);
  }

private:
  using outcome = rows_together::outcome;
  struct way {
    call enqueue;
    check complaint;
  };
  struct measured {
    session* run;
    std::size_t size;
    pattern what;
    std::vector<way> ways;

    void measure(std::vector<outcome>& outcomes) {
      gpu& place = *run->place;
      place.reserve(std::size_t{64} << 20);
      timing_plan const plan = plan_for(size * sizeof(T), run->quick);
      int const arrays = run->pool->prepare<T>(size, plan.calls, what);
      if (arrays == 0) throw error("the arrays do not fit into this GPU's memory");
      auto const array = [&](int i) { return run->pool->array<T>(i % arrays, size); };
      device_buffer<Result> results(place, ways.size());
      auto const forget = [&] {
        warpfold::check(
            cudaMemsetAsync(results.data(), 0xff, results.size() * sizeof(Result), place.stream()));
      };
      auto const look = [&] {
        auto const got = to_vector(place, results.span());
        for (std::size_t w = 0; w < ways.size(); ++w)
          if (ways[w].complaint && outcomes[w].complaint.empty())
            outcomes[w].complaint = ways[w].complaint(*run, array(plan.calls - 1), got[w]);
      };
      std::vector<contender> contenders;
      forget();
      for (std::size_t w = 0; w < ways.size(); ++w) {
        auto const slot = results.span().subspan(w, 1);
        ways[w].enqueue(place, array(plan.calls - 1), slot);
        contenders.push_back(
            {[this, &place, array, w, slot](int i) { ways[w].enqueue(place, array(i), slot); }});
      }
      look();
      forget();
      auto const times = time_paired(place, *run->flush, contenders, plan);
      for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
      look();
    }
  };

  std::shared_ptr<measured> all_;
  std::string name_;
  rows_together rows_;
};

} // namespace warpfold::bench
