// The ray caster on a GPU: rays per second without counters and with them, under every strategy,
// all beside each other. "leaves" counts each leaf when it is found, "closest" and "any" all that a
// ray met when it is done.

#include "bench.hpp"
#include "places.hpp"

#include <memory>

namespace warpfold::bench {
namespace {

constexpr raycast::camera view{1000, 1000};

/// The scene, made when the first row runs.
struct laboratory {
  explicit laboratory(gpu& place)
      : triangles{raycast::filled<raycast::triangle>(place, raycast::landscape{},
                                                     raycast::landscape{}.triangles())},
        tree{raycast::build(place, triangles)}, coherent{raycast::filled<raycast::ray>(
                                                    place, view, view.rays())},
        incoherent{raycast::filled<raycast::ray>(place, raycast::random_ray{2}, view.rays())},
        hits(place, view.rays()), sum(place, 1) {}

  device_buffer<raycast::triangle> triangles;
  raycast::hierarchy<gpu> tree;
  device_buffer<raycast::ray> coherent, incoherent;
  device_buffer<raycast::hit> hits;
  device_buffer<raycast::totals> sum;
};

/// All strategies for one kind of ray and of question.
struct group {
  session* run;
  std::shared_ptr<std::optional<laboratory>> shared;
  bool coherent;
  raycast::query what;
  raycast::moment when;
  std::vector<timing> times;
  std::vector<std::string> complaints;

  void enqueue(laboratory& lab, raycast::counting how) const {
    raycast::trace_async(*run->place, lab.tree.on_place(), coherent ? lab.coherent : lab.incoherent,
                         lab.hits, lab.sum, {.what = what, .how = how, .when = when});
  }

  void measure() {
    if (!times.empty()) return;
    if (!*shared) shared->emplace(*run->place);
    laboratory& lab = **shared;
    gpu& place = *run->place;
    std::vector<contender> contenders;
    std::vector<raycast::hit> hits;
    std::optional<raycast::totals> counted;
    for (raycast::counting const how : raycast::strategies) {
      check(cudaMemsetAsync(lab.sum.data(), 0, lab.sum.size() * sizeof(raycast::totals),
                            place.stream()));
      enqueue(lab, how);
      auto const found = to_vector(place, lab.hits.span());
      auto const sum = to_vector(place, lab.sum.span())[0];
      if (hits.empty()) hits = found;
      bool const counts = how != raycast::counting::none && how != raycast::counting::any;
      if (counts && !counted) counted = sum;
      complaints.emplace_back(!raycast::same_bits(found, hits) ? "other hits than without counting"
                              : counts && !(sum == *counted) ? "other counts than another strategy"
                                                             : "");
      contenders.push_back({[this, &lab, how](int) { enqueue(lab, how); }});
    }
    // Two calls a turn: as long as the benchmarks of memory take.
    times =
        time_paired(place, *run->flush, contenders, {.calls = 2, .samples = run->quick ? 21 : 81});
  }
};

} // namespace

void add_raycast(session& run) {
  if (!run.place) return;
  auto const shared = std::make_shared<std::optional<laboratory>>();
  auto const add = [&](std::string const& name, raycast::query what, raycast::moment when) {
    for (bool const coherent : {true, false}) {
      auto const all = std::make_shared<group>(group{&run, shared, coherent, what, when, {}, {}});
      for (std::size_t s = 0; s < std::size(raycast::strategies); ++s)
        add_row("raycast/" + name + (coherent ? "_coherent/" : "_incoherent/") +
                    to_string(raycast::strategies[s]) + "/n:" + std::to_string(view.rays()),
                [all, s](benchmark::State& state) {
                  all->measure();
                  if (!all->complaints[s].empty())
                    return complain(*all->run, state, all->complaints[s]);
                  report(state, all->times[s], 0, static_cast<double>(view.rays()));
                });
    }
  };
  add("leaves", raycast::query::closest, raycast::moment::each_leaf);
  add("closest", raycast::query::closest, raycast::moment::at_end);
  add("any", raycast::query::any, raycast::moment::at_end);
}

} // namespace warpfold::bench
