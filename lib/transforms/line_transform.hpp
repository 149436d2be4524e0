#pragma once
// One real transform of lines: what comes before and after the complex one.

#include "poisson/lines/lines_body.hpp"
#include "tables.hpp"

namespace warpfold::inline v0::transforms {

/// Works on lines two by two, the second as the imaginary part. `Lines` are as line_worker wants
/// them: those of a thread in a block, or packs of lines on a host. Its slots are the maps' pairs.
template <class Lines>
class line_transform {
public:
  using number = typename Lines::number;
  using value = poisson::complex<number>;
  using real = poisson::lane_of<number>;
  using two = poisson::slot_values<number>;

  WARPFOLD_HOST_DEVICE line_transform(Lines& lines, real_maps<real> const& maps)
      : lines_{lines}, maps_{maps} {}

  WARPFOLD_HOST_DEVICE void run() const {
    maps_.is_inverse ? take_modes() : take_points();
    lines_.sync();
    lines_.transform(maps_.is_inverse);
    maps_.is_inverse ? give_points() : give_modes();
  }

private:
  /// Where a point stands before the transform.
  WARPFOLD_HOST_DEVICE int element_of(int point) const {
    if (!maps_.folds) return point + maps_.is_odd;
    return point % 2 == 0 ? point / 2 : maps_.points - (point + 1) / 2;
  }
  WARPFOLD_HOST_DEVICE static value negated(value const& v) { return {-v.re, -v.im}; }

  WARPFOLD_HOST_DEVICE void put_point(int point, value v) const {
    int const i = element_of(point);
    if (maps_.alternates && point % 2 != 0) v = negated(v);
    if (maps_.tilts_points) v = v * maps_.tilts[i];
    if (maps_.mirrors) {
      if (i == 0 || 2 * i == maps_.length) v = maps_.ends * v;
      else lines_.element(maps_.length - i) = maps_.is_odd ? negated(v) : v;
    }
    lines_.element(i) = v;
  }
  WARPFOLD_HOST_DEVICE value get_point(int point) const {
    value const v = lines_.element(element_of(point));
    return maps_.alternates && point % 2 != 0 ? negated(v) : v;
  }
  WARPFOLD_HOST_DEVICE void take_points() const {
    if (maps_.is_odd && lines_.leads())
      lines_.element(0) = lines_.element(maps_.length / 2) = value{};
    lines_.read_points([&](int point, value v) { put_point(point, v); });
  }
  WARPFOLD_HOST_DEVICE void give_points() const {
    lines_.write_points([&](int point) { return get_point(point); });
  }

  WARPFOLD_HOST_DEVICE void give_modes() const {
    lines_.template for_elements<2>(
        maps_.pairs,
        [&](int at) {
          auto const places = lines_.slot(at);
          return two{places.first, places.second};
        },
        [&](int at, two const& v) {
          mode_pair<real> const modes = maps_.modes[at];
          value const a = v.first * modes.factor, b = v.second * conj(modes.factor);
          lines_.write(modes.first, a + b);
          if (modes.second != modes.first)
            lines_.write(modes.second, poisson::quarter_turned<true>(a - b));
        });
  }
  WARPFOLD_HOST_DEVICE void take_modes() const {
    lines_.template for_elements<4>(
        maps_.pairs,
        [&](int at) -> two {
          mode_pair<real> const modes = maps_.modes[at];
          return {lines_.read(modes.first),
                  modes.second != modes.first ? lines_.read(modes.second) : value{}};
        },
        [&](int at, two const& v) {
          poisson::complex<real> const factor = maps_.modes[at].factor;
          auto const places = lines_.slot(at);
          value const turned = poisson::quarter_turned<true>(v.second);
          places.second = (v.first + turned) * factor;
          places.first = (v.first - turned) * conj(factor); // last, where they are the same
        });
  }

  Lines& lines_;
  real_maps<real> const& maps_;
};

} // namespace warpfold::inline v0::transforms
