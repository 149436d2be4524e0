#include "backend.hpp"
#include "poisson/backend.hpp"
#include "poisson/engine/engine.hpp"
#include "poisson/lines/lines_passes.hpp"
#include "unit_layout.hpp"

#include <warpfold/detail/core/verb.hpp>

#include <limits>

namespace warpfold::inline v0::transforms {

bool gpu_impl::has_units(gpu const& place, checked_problem const& of, std::size_t element) {
  if (!poisson::gpu_impl::has_all_units || !is_unit(of, element)) return false;
  std::size_t const shared =
      element == sizeof(float) ? unit_shared<float>(of) : unit_shared<double>(of);
  return shared <= poisson::gpu_impl::most_shared(place);
}

bool gpu_impl::can_transform(gpu const& place, checked_problem const& of, std::size_t element) {
  // Lines and blocks are counted by int.
  if (of.size() / of.points > std::numeric_limits<int>::max()) return false;
  if (has_units(place, of, element)) return true;
  if (of.points > poisson::most_line_shared) return false; // before tables are made
  if (poisson::staged_length(poisson::transform_length(of.axis()), element) == 0) return false;
  return poisson::gpu_impl::most_shared(place) >= poisson::most_line_shared;
}

template <class T>
bool can_transform(gpu const& place, problem const& problem) {
  detail::verb const scope("transforms::can_transform");
  return gpu_impl::can_transform(place, check_problem(problem, sizeof(T)), sizeof(T));
}

template bool can_transform<float>(gpu const&, problem const&);
template bool can_transform<double>(gpu const&, problem const&);

} // namespace warpfold::inline v0::transforms
