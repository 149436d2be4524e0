// Passes over two axes whose lengths have factors other than 2, in the emulator, against a host's
// solutions.

#include "simt/poisson/unit_checks.hpp"

#include "poisson/engine/mixed/mixed.hpp"

namespace {

template <class T, po::unit_kind Kind, int Units, int... Radices>
using mixed =
    po::mixed_core<po::mixed_shape<T, Kind, po::mixed_stages<Radices...>, Units, Units, 1>>;

template <class T, class Columns, int Beside, class Rows>
void check_with() {
  for (std::size_t y = 0; y < ends_of<Columns>().size(); ++y)
    for (std::size_t x = 0; x < ends_of<Rows>().size(); ++x)
      check_passes<unit_passes<T, Rows, Columns, Beside>>(
          {.axes = {axis_for<Columns>(y), axis_for<Rows>(x)}});
}

} // namespace

TEST_CASE("mixed: every kind beside every other one") {
  check_with<float, mixed<float, fourier, 2, 5, 10>, 2, mixed<float, fourier, 2, 3, 6>>();
  check_with<float, mixed<float, second, 2, 3, 2, 6>, 2, mixed<float, fourier, 2, 5, 2, 10>>();
  check_with<float, mixed<float, fourier, 2, 3, 3, 18>, 2, mixed<float, second, 2, 5, 20>>();
  check_with<float, mixed<float, fourth, 2, 7, 14>, 2, mixed<float, second, 2, 5, 5, 10>>();
  check_with<float, mixed<float, second, 1, 10, 10, 30>, 2, mixed<float, fourth, 2, 4, 3, 12>>();
  check_with<double, mixed<double, fourier, 2, 10, 10, 30>, 2, mixed<double, fourier, 1, 15, 30>>();
  check_with<float, mixed<float, fourier, 2, 12, 24>, 2, paired<float, second, 64, 4, 2, 2>>();
  check_with<float, pruned<float, 64, 4, 2, 2>, 2, mixed<float, fourth, 2, 8, 24>>();
}

TEST_CASE("mixed: plain frequencies") {
  using rows = mixed<float, fourier, 2, 3, 6>;
  using columns = mixed<float, fourier, 2, 8, 48>;
  check_with<float, columns, 2, rows>();
}
