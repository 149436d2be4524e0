// The ray caster on a GPU: rays per second without counters and with them, under every strategy,
// all beside each other. "leaves" counts each leaf when it is found, "closest" and "any" all that a
// ray met when it is done.

#include "raycast.hpp"
#include "rows_together.hpp"

#include <memory>

namespace warpfold::bench {
namespace {

constexpr raycast::camera view{1000, 1000};

struct laboratory : raycast::laboratory<gpu> {
  explicit laboratory(gpu& on)
      : raycast::laboratory<gpu>{on, view}, hits(on, view.rays()), sum(on, 1) {}

  device_buffer<raycast::hit> hits;
  device_buffer<raycast::totals> sum;
};

/// All strategies for one kind of ray and of question.
void measure(session& run, laboratory& lab, bool coherent, raycast::trace_options options,
             std::vector<rows_together::outcome>& outcomes) {
  gpu& place = *run.place;
  std::vector<contender> contenders;
  std::vector<raycast::hit> hits;
  std::optional<raycast::totals> counted;
  for (raycast::counting const strategy : raycast::strategies) {
    auto const trace = [&, options, strategy](int) {
      auto with_strategy = options;
      with_strategy.strategy = strategy;
      raycast::trace_async(place, lab.tree.view(), lab.rays(coherent), lab.hits, lab.sum,
                           with_strategy);
    };
    check(cudaMemsetAsync(lab.sum.data(), 0, lab.sum.size() * sizeof(raycast::totals),
                          place.stream()));
    trace(0);
    auto const found = to_vector(place, lab.hits);
    auto const sum = to_vector(place, lab.sum)[0];
    if (hits.empty()) hits = found;
    bool const counts = strategy != raycast::counting::none && strategy != raycast::counting::any;
    if (counts && !counted) counted = sum;
    std::string& complaint = outcomes[contenders.size()].complaint;
    if (!raycast::same_bits(found, hits)) complaint = "other hits than without counting";
    else if (counts && !(sum == *counted)) complaint = "other counts than another strategy";
    contenders.push_back({trace});
  }
  // Two calls a turn: as long as the benchmarks of memory take.
  auto const times =
      time_paired(place, *run.flush, contenders, {.calls = 2, .samples = run.quick ? 21 : 81});
  for (std::size_t w = 0; w < times.size(); ++w) outcomes[w].times = times[w];
}

} // namespace

void add_raycast(session& run) {
  if (!run.place) return;
  auto const lab = std::make_shared<std::optional<laboratory>>(); // made when the first row runs
  auto const add = [&](std::string const& name, raycast::trace_options options) {
    for (bool const coherent : {true, false}) {
      rows_together rows(run, [&run, lab, coherent, options](auto& outcomes) {
        if (!*lab) lab->emplace(*run.place);
        measure(run, **lab, coherent, options, outcomes);
      });
      for (raycast::counting const strategy : raycast::strategies)
        rows.add("raycast/" + name + (coherent ? "_coherent/" : "_incoherent/") +
                     raycast::to_string(strategy) + "/n:" + std::to_string(view.rays()),
                 0, static_cast<double>(view.rays()));
    }
  };
  add("leaves", {.moment = raycast::moment::each_leaf});
  add("closest", {});
  add("any", {.query = raycast::query::any});
}

} // namespace warpfold::bench
