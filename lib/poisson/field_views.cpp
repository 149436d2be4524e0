#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/poisson/field_views.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace warpfold::inline v0::detail {
namespace {

/// "8 x 6"
std::string listed(std::span<std::size_t const> numbers) {
  std::string all;
  for (std::size_t const number : numbers) all += text(all.empty() ? "" : " x ", number);
  return all.empty() ? "one value" : all;
}

} // namespace

poisson::problem face_problem(poisson::problem const& problem, std::size_t axis) {
  if (axis >= problem.axes.size())
    refuse("axis", text(axis), text("less than ", problem.axes.size(), ", the problem's axes"));
  poisson::problem others = problem;
  others.axes.erase(others.axes.begin() + static_cast<std::ptrdiff_t>(axis));
  return others;
}

checked_view check_field_view(char const* argument, poisson::problem const& problem,
                              std::span<std::size_t const> extents,
                              std::span<std::size_t const> strides, bool allows_gaps) {
  std::vector<std::size_t> wanted;
  for (auto const& axis : problem.axes) wanted.push_back(axis.points);
  bool const has_batch = problem.batch > 1 || extents.size() == wanted.size() + 1;
  if (has_batch) wanted.insert(wanted.begin(), problem.batch);
  if (!std::equal(extents.begin(), extents.end(), wanted.begin(), wanted.end()))
    refuse(argument, text("extents of ", listed(extents)),
           text(listed(wanted), has_batch ? ", the batch and the points of the problem"
                                          : ", the points of the problem"));
  // Elements that the faster axes take, with gaps and without. An axis of one point has no stride.
  std::vector<std::size_t> least(extents.size()), row_major(extents.size());
  std::size_t last = 0, size = 1;
  bool is_dense = true, is_apart = true;
  constexpr std::size_t most = std::size_t{1} << 56; // as check_elements has it
  for (std::size_t d = extents.size(); d-- > 0; size *= extents[d]) {
    least[d] = last + 1;
    row_major[d] = size;
    if (extents[d] < 2) continue;
    is_dense = is_dense && strides[d] == size;
    bool const fits = strides[d] >= least[d] && strides[d] < most / extents[d] &&
                      (d + 1 < extents.size() || strides[d] == 1);
    is_apart = is_apart && fits;
    last += (extents[d] - 1) * (fits ? strides[d] : least[d]);
  }
  if (is_dense) return {size, {}};
  if (!allows_gaps)
    refuse(argument, text("strides of ", listed(strides)),
           text(listed(row_major), ": row-major and contiguous"));
  if (!is_apart)
    refuse(argument, text("strides of ", listed(strides)),
           text("at least ", listed(least), ", the last one 1"));
  checked_view checked{last + 1, {}};
  if (has_batch && extents[0] > 1) checked.layout.batch = strides[0];
  for (std::size_t d = 0; d < problem.axes.size(); ++d)
    if (extents[has_batch + d] > 1) checked.layout.strides[d] = strides[has_batch + d];
  return checked;
}

} // namespace warpfold::inline v0::detail
