#pragma once
// One pass along an axis on a host: what its loops are told, and an axis' tables.

#include "host_transform.hpp"
#include "poisson/lambda.hpp"
#include "poisson/lines/lines_maps.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::poisson {

/// An axis' tables.
template <class T>
class host_axis {
public:
  struct places {
    std::int32_t first, second;
  };

  /// @throws argument_error for a line that int does not count
  explicit host_axis(plan const& of, std::size_t axis);
  host_axis(host_axis&&) noexcept = default;

  [[nodiscard]] line_maps<T> maps() const;
  [[nodiscard]] host_transform<T> const& transform() const { return transform_; }
  [[nodiscard]] places const* slots() const { return slots_.data(); }
  [[nodiscard]] int middle() const { return middle_; }
  [[nodiscard]] T const* wavenumbers() const { return tables_.wavenumbers.data(); }
  [[nodiscard]] double period() const { return tables_.period; }

private:
  map_tables<T> tables_;
  host_transform<T> transform_;
  std::vector<places> slots_;
  int middle_; ///< place of the frequency of half the length
};

template <class T>
struct host_pass {
  host_axis<T> const* axis;
  line_geometry shape;
  line_role role;
  bool derives; ///< of line_role::backward and solve: along the axis
  T const* in;
  T* out; ///< may be in

  // For line_role::solve.
  T const* slower; ///< eigenvalues along the other axes, of lines in row-major order; or null
  T const* faster;
  int fastest; ///< lines along the faster one
  entry_lambda<T> lambda;
  T scale;
  bool is_singular; ///< where lambda is 0
  T* removed_mean;  ///< by group; or null

  /// Pairs of lines, of a group; a line without another one is a pair, too.
  [[nodiscard]] std::size_t pairs() const { return (shape.lines + 1) / 2; }
};

/// Bytes that a thread needs for its lines.
template <class T>
std::size_t room_of(host_pass<T> const& pass);

// Compiled for several generations of processors: pairs first ... last - 1 of all groups.
void run_pairs(host_pass<float> const& pass, std::size_t first, std::size_t last, std::byte* room);
void run_pairs(host_pass<double> const& pass, std::size_t first, std::size_t last, std::byte* room);

} // namespace warpfold::inline v0::poisson
