// Marked runs on a host, as offsets and lengths.

#include <warpfold/detail/segments/marks_host.hpp>

namespace warpfold::inline v0::detail {

void write_runs_to(host const& place, marked_segments const& runs, std::int64_t* begins,
                   std::uint64_t* lengths) {
  run_marks<std::uint64_t const> const marks(runs.marks, runs.keys);
  if (begins) begins[0] = 0;
  for_each_marks_share(place.threads(), marks, [&](std::int64_t first, std::int64_t last) {
    for_each_run(marks, first, last, runs.capacity,
                 [&](std::uint64_t run, std::int64_t begin, std::int64_t end) {
                   if (begins) begins[run + 1] = end;
                   if (lengths) lengths[run] = static_cast<std::uint64_t>(end - begin);
                 });
  });
}

} // namespace warpfold::inline v0::detail
