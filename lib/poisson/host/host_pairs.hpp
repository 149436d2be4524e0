#pragma once
// The loops of passes on a host.

#include "core/host_loops.hpp"
#include "packed_lines.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/refusal.hpp>

#include <algorithm>
#include <string>

namespace warpfold::inline v0::poisson {
namespace {

template <line_kind Kind, class V>
void run_kind(host_pass<lane_of<V>> const& pass, std::size_t first, std::size_t last,
              complex<V>* room) {
  constexpr bool is_third = Kind == line_kind::third;
  bool const solves = pass.role == line_role::solve;
  bool const reads_points = solves ? !is_third : is_third == (pass.role == line_role::backward);
  bool const writes_points = solves == reads_points;
  for_each_pack<packed_lines<V>>(
      pass, first, last, room, reads_points, writes_points,
      [&](auto& lines) { line_worker<packed_lines<V>, Kind>{lines}.run(pass.role); });
}

template <class V>
void run_lines(host_pass<lane_of<V>> const& pass, std::size_t first, std::size_t last,
               std::byte* memory) {
  auto* const room = reinterpret_cast<complex<V>*>(memory);
  with_kind(pass.axis->maps().kind, [&](auto kind) { run_kind<kind>(pass, first, last, room); });
}

} // namespace

template <class T>
host_axis<T>::host_axis(plan const& of, std::size_t axis)
    : tables_{make_maps<T>(of.axes[axis])}, transform_{transform_length(of.axes[axis])} {
  std::vector<std::size_t> const place = transform_.places();
  auto const placed = [&](std::size_t k) { return static_cast<std::int32_t>(place[k]); };
  for (int slot = 0; slot < tables_.maps.slots; ++slot) {
    auto const [k, other] = tables_.maps.frequencies(static_cast<std::size_t>(slot));
    slots_.push_back({placed(k), placed(other)});
  }
  middle_ = placed(place.size() / 2);
}

template <class T>
line_maps<T> host_axis<T>::maps() const {
  line_maps<T> made = tables_.maps;
  made.turns = tables_.turns.data();
  made.tilts = tables_.tilts.data();
  made.eigenvalues = tables_.eigenvalues.data();
  return made;
}

/// For one pair there is no pack.
template <class T>
bool has_packs(host_pass<T> const& pass) {
  return pass.shape.groups * pass.pairs() > 1;
}

template <class T>
std::size_t room_of(host_pass<T> const& pass) {
  auto const bytes = [&]<class V>(V) {
    return sizeof(complex<V>) *
           (pass.axis->transform().template room<V>() +
            tile<V>::most(pass) * static_cast<std::size_t>(pass.axis->maps().points));
  };
  return has_packs(pass) ? bytes(pack<T>{}) : bytes(T{});
}

} // namespace warpfold::inline v0::poisson

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  template class host_axis<T>;                                                                     \
  template std::size_t room_of(host_pass<T> const&);                                               \
  WARPFOLD_TWO_CLONES void run_packs(host_pass<T> const& pass, std::size_t first,                  \
                                     std::size_t last, std::byte* room) {                          \
    run_lines<pack<T>>(pass, first, last, room);                                                   \
  }                                                                                                \
  void run_pairs(host_pass<T> const& pass, std::size_t first, std::size_t last, std::byte* room) { \
    has_packs(pass) ? run_packs(pass, first, last, room) : run_lines<T>(pass, first, last, room);  \
  }                                                                                                \
  }
