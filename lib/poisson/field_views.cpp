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

std::size_t check_field_view(char const* argument, poisson::problem const& problem,
                             std::span<std::size_t const> extents,
                             std::span<std::size_t const> strides) {
  std::vector<std::size_t> wanted;
  for (auto const& axis : problem.axes) wanted.push_back(axis.points);
  bool const has_batch = problem.batch > 1 || extents.size() == wanted.size() + 1;
  if (has_batch) wanted.insert(wanted.begin(), problem.batch);
  if (!std::equal(extents.begin(), extents.end(), wanted.begin(), wanted.end()))
    refuse(argument, text("extents of ", listed(extents)),
           text(listed(wanted), has_batch ? ", the batch and the points of the problem"
                                          : ", the points of the problem"));
  std::vector<std::size_t> row_major(extents.size());
  std::size_t size = 1;
  for (std::size_t d = extents.size(); d-- > 0; size *= extents[d]) row_major[d] = size;
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (extents[d] > 1 && strides[d] != row_major[d])
      refuse(argument, text("strides of ", listed(strides)),
             text(listed(row_major), ": row-major and contiguous"));
  return size;
}

} // namespace warpfold::inline v0::detail
