// Marked runs on a host, as offsets and lengths.

#include <warpfold/detail/segments/marks_host.hpp>

namespace warpfold::inline v0::detail {

void write_runs_to(host const& place, marked_segments const& runs, std::int64_t* begins,
                   std::uint64_t* lengths) {
  run_marks<std::uint64_t const> const marks(runs.marks, runs.keys);
  if (begins) write_begins(place.threads(), marks, runs.capacity, begins);
  if (!lengths) return;
  std::vector<std::int64_t> ends(runs.most() + 1);
  write_begins(place.threads(), marks, runs.capacity, ends.data());
  std::uint64_t const count = std::min(*marks.count(), runs.capacity);
  for (std::uint64_t i = 0; i < count; ++i)
    lengths[i] = static_cast<std::uint64_t>(ends[i + 1] - ends[i]);
}

} // namespace warpfold::inline v0::detail
