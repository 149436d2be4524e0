// Calls on five correlated assets, and a plain kernel beside them. An item is a path's step.

#include "path_rows.hpp"
#include "plain_kernels.hpp"
#include "problems.hpp"

namespace warpfold::bench {
namespace {

/// Rows in T, and of the plain kernel.
template <class T>
void add(session& run, bool average, int steps, std::uint64_t paths, bool with_plain) {
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 9 : 41};
    five_assets const five;
    pricing::basket_contract const book[] = {five.call(average)};
    pricing::simulation_options const how{.paths = paths, .steps = steps};
    std::vector<pricing::estimate> found(1);
    pricing::simulate<T>(place, five.model(), book, found, how); // the blocking form makes room
    device_buffer<pricing::estimate> results(place, 1);
    device_buffer<payoff_totals> total(place, 1);
    std::vector<contender> contenders{
        {[&](int) { pricing::simulate_async<T>(place, five.model(), book, results.span(), how); }}};
    contenders[0].call(0);
    std::string complaint;
    if (with_plain) {
      contenders.push_back({[&, of = five.plain(steps, average)](int) {
        plain_basket_async(place, of, paths, total.span());
      }});
      contenders[1].call(0);
      complaint = complaint_of({std::exp(-five.rate * five.expiry)}, found,
                               to_vector(place, total.span()), static_cast<double>(paths));
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < times.size(); ++w) outcomes[w] = {times[w], complaint};
  });
  std::string const what = average ? "five-assets_average" : "five-assets";
  double const items = static_cast<double>(paths) * steps;
  rows.add(path_row<T>(what, 1, steps, "warpfold", paths), 0, items);
  if (with_plain) rows.add(path_row<T>(what, 1, steps, "plain", paths), 0, items);
}

} // namespace

void add_baskets(session& run) {
  if (!run.place) return;
  constexpr std::uint64_t million = 1 << 20;
  add<float>(run, false, 12, million, true);
  add<float>(run, true, 12, million, true);
  if (run.quick) return;
  add<float>(run, true, 252, million, true);
  add<double>(run, false, 12, million / 8, false);
}

} // namespace warpfold::bench
