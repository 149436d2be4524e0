#include "core/host_loops.hpp"
#include "host_transform.hpp"

#include <bit>

namespace warpfold::inline v0::poisson {
namespace {

template <class V>
void multiply_all(complex<V>* values, std::vector<complex<double>> const& factors) {
  for (auto const& factor : factors) {
    *values = *values * factor;
    ++values;
  }
}
WARPFOLD_CLONES void multiply(complex<double>* values,
                              std::vector<complex<double>> const& factors) {
  multiply_all(values, factors);
}
WARPFOLD_CLONES void multiply(complex<pack<double>>* values,
                              std::vector<complex<double>> const& factors) {
  multiply_all(values, factors);
}

} // namespace

chirp_convolution::chirp_convolution(std::size_t points)
    : smooth_{std::bit_ceil(2 * points - 1)}, tables_{make_chirp(points, smooth_.places())} {}

void chirp_convolution::run(complex<double>* values) const {
  smooth_.forward(values);
  multiply(values, tables_.spectrum);
  smooth_.backward(values);
}
void chirp_convolution::run(complex<pack<double>>* values) const {
  smooth_.forward(values);
  multiply(values, tables_.spectrum);
  smooth_.backward(values);
}

} // namespace warpfold::inline v0::poisson
