// Instead of units, where they are not wanted.

#include "poisson/engine/engine.hpp"

namespace warpfold::inline v0::poisson::gpu_impl {

template <class T>
std::unique_ptr<backend<T>> make_units(gpu&, plan const&) {
  return nullptr;
}
template std::unique_ptr<backend<float>> make_units(gpu&, plan const&);
template std::unique_ptr<backend<double>> make_units(gpu&, plan const&);

bool has_units(gpu const&, plan const&, std::size_t) { return false; }
bool is_faster_in_units(plan const&, std::size_t) { return false; }

} // namespace warpfold::inline v0::poisson::gpu_impl
