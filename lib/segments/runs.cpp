// Marked runs on a host, as offsets and lengths, and marks of segments.

#include <warpfold/detail/segments/marks_host.hpp>

namespace warpfold::inline v0::detail {

void mark_begins_to(host const&, segment_list const& segments, std::size_t size,
                    std::uint32_t* begins) {
  if (size > 0) begins[0] = 1;
  for (std::int64_t i = 0; i <= segments.count(); ++i)
    if (auto const begin = static_cast<std::uint64_t>(segments.begin(i)); begin < size)
      begins[begin / 32] |= 1u << begin % 32;
}

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
