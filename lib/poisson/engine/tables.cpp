#include "tables.hpp"

namespace warpfold::inline v0::poisson {

double unit_eigenvalue(axis_plan const& of, int k) {
  int const n = static_cast<int>(unit_length(of));
  int mode = k;
  if (is_first_type(of)) {
    mode = std::min(k, 2 * n - k);
    if (is_sine(of)) mode = std::clamp(mode - 1, 0, n - 2); // 0 and n are no modes
  } else if (is_third_type(of)) {
    mode = 2 * k < n ? 2 * k : 2 * (n - 1 - k) + 1;
  } else if (is_sine(of)) {
    mode = n - 1 - k;
  }
  return of.eigenvalues[static_cast<std::size_t>(mode)];
}

template <class T>
void append_root(std::vector<complex<T>>& table, double k, double n) {
  table.push_back(root_of_unity<T>(k, n));
}

template <class T>
void append_roots(std::vector<complex<T>>& table, int count, int power, double n) {
  for (int k = 0; k < count; ++k) append_root(table, power * k, n);
}

template <class T>
void append_eigenvalues(std::vector<complex<T>>& table, axis_plan const& of, int first, int second,
                        double divisor) {
  table.push_back({static_cast<T>(unit_eigenvalue(of, first) / divisor),
                   static_cast<T>(unit_eigenvalue(of, second) / divisor)});
}

#define INSTANTIATE(T)                                                                             \
  template void append_root<T>(std::vector<complex<T>>&, double, double);                          \
  template void append_roots<T>(std::vector<complex<T>>&, int, int, double);                       \
  template void append_eigenvalues<T>(std::vector<complex<T>>&, axis_plan const&, int, int, double);
INSTANTIATE(float)
INSTANTIATE(double)

} // namespace warpfold::inline v0::poisson
