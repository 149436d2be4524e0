// Autocallable notes on one price, and a plain kernel and a payoff written by hand beside them. An
// item is a path's date.

#include "path_rows.hpp"
#include "problems.hpp"
#include "schedule_kernels.hpp"

namespace warpfold::bench {
namespace {

template <class T>
void add(session& run, std::size_t notes, std::uint64_t paths, bool with_plain) {
  rows_together rows(run, [=, &run](auto& outcomes) {
    gpu& place = *run.place;
    timing_plan const plan{2, run.quick ? 9 : 41};
    sixteen_notes const all;
    std::span const book(all.book.data(), notes);
    pricing::simulation_options const how{.paths = paths, .times = all.times};
    std::vector<pricing::estimate> found(notes);
    pricing::simulate<T>(place, all.model(), book, found, how); // the blocking form makes room
    device_buffer<pricing::estimate> results(place, notes), by_payoff(place, sixteen_notes::count);
    device_buffer<payoff_totals> totals(place, sixteen_notes::count);
    std::vector<contender> contenders{
        {[&](int) { pricing::simulate_async<T>(place, all.model(), book, results.span(), how); }}};
    contenders[0].call(0);
    std::string complaint;
    auto const plain = all.plain();
    if (with_plain) {
      contenders.push_back(
          {[&](int) { plain_notes_async(place, plain, all.terms(), paths, totals.span()); }});
      contenders.push_back({[&](int) {
        notes_by_payoff_async(place, plain, all.terms(), paths, by_payoff.span());
      }});
      contenders[1].call(0);
      contenders[2].call(0);
      std::vector<double> const discounts(notes, 1);
      complaint = complaint_of(discounts, found, to_vector(place, totals.span()),
                               static_cast<double>(paths));
      auto const by_hand = to_vector(place, by_payoff.span());
      for (std::size_t i = 0; i < notes; ++i)
        if (std::abs(by_hand[i].value - found[i].value) >
            6 * (by_hand[i].standard_error + found[i].standard_error))
          complaint = "note " + std::to_string(i) + " is worth " +
                      std::to_string(by_hand[i].value) + " by hand";
    }
    auto const times = time_paired(place, *run.flush, contenders, plan);
    for (std::size_t w = 0; w < times.size(); ++w) outcomes[w] = {times[w], complaint};
  });
  double const items = static_cast<double>(paths) * sixteen_notes::dates;
  auto const row = [&](char const* way) {
    rows.add(path_row<T>("autocallable", notes, sixteen_notes::dates, way, paths), 0, items);
  };
  row("warpfold");
  if (!with_plain) return;
  row("plain");
  row("payoff");
}

} // namespace

void add_schedules(session& run) {
  if (!run.place) return;
  constexpr std::uint64_t million = 1 << 20;
  add<float>(run, sixteen_notes::count, million, true);
  add<float>(run, 1, million, false);
  if (!run.quick) add<double>(run, sixteen_notes::count, million / 8, false);
}

} // namespace warpfold::bench
