#pragma once
// Transforms on a host, by the loops of Poisson's solver.

#include "backend.hpp"
#include "core/host_loops.hpp"
#include "line_transform.hpp"
#include "poisson/host/host_threads.hpp"
#include "poisson/host/packed_lines.hpp"
#include "poisson/instances.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::transforms {
namespace {

template <class T>
struct host_transform_pass : poisson::host_pass<T> {
  real_maps<T> maps;
  typename poisson::host_axis<T>::places const* places; ///< of the frequencies of each pair
};

/// Packs of pairs, whose slots are those of the maps.
template <class V>
class real_lines : public poisson::packed_lines<V> {
public:
  using base = poisson::packed_lines<V>;

  real_lines(host_transform_pass<poisson::lane_of<V>> const& pass, std::size_t first,
             std::size_t last, poisson::complex<V>* values, poisson::complex<V>* staged)
      : base{pass, first, last, values, staged}, places_{pass.places} {}

  poisson::slot_places_of<V> slot(int at) const {
    auto const [first, second] = places_[at];
    return {base::element(first), base::element(second)};
  }

private:
  typename poisson::host_axis<poisson::lane_of<V>>::places const* places_;
};

/// Pairs first ... last - 1 of all groups.
template <class V>
void run_lines(host_transform_pass<poisson::lane_of<V>> const& pass, std::size_t first,
               std::size_t last, std::byte* memory) {
  poisson::for_each_pack<real_lines<V>>(
      pass, first, last, reinterpret_cast<poisson::complex<V>*>(memory), !pass.maps.is_inverse,
      pass.maps.is_inverse, [&](auto& lines) {
        line_transform<real_lines<V>>{lines, pass.maps}.run();
      });
}

template <class T>
class host_backend final : public backend<T> {
public:
  host_backend(host const& place, checked_problem const& of)
      : threads_{place, of.size()}, axis_{of.folded(), of.folded_axis()}, tables_{
                                                                              make_tables<T>(of)} {
    auto const where = axis_.transform().places();
    auto const placed = [&](std::size_t k) { return static_cast<std::int32_t>(where[k]); };
    for (auto const& [k, other] : tables_.frequencies)
      places_.push_back({placed(k), placed(other)});
    pass_.axis = &axis_;
    pass_.shape = poisson::geometry_of(of.folded(), of.folded_axis());
    pass_.role = poisson::line_role::forward;
    pass_.maps = tables_.maps;
    pass_.maps.modes = tables_.modes.data();
    pass_.maps.tilts = axis_.maps().tilts;
    pass_.places = places_.data();
    threads_.make_room(room_of(static_cast<poisson::host_pass<T> const&>(pass_)));
  }
  host_backend(host_backend const&) = delete;
  host_backend& operator=(host_backend const&) = delete;

  void run(T const* input, T* output) override {
    pass_.in = input;
    pass_.out = output;
    std::size_t const all = pass_.shape.groups * pass_.pairs();
    threads_.share(all, [&](std::size_t first, std::size_t last, std::byte* room) {
      // As room_of has it: of one pair there is no pack.
      if (all > 1) run_packs(pass_, first, last, room);
      else run_lines<T>(pass_, first, last, room);
    });
  }

private:
  poisson::thread_team threads_;
  poisson::host_axis<T> axis_;
  real_tables<T> tables_;
  std::vector<typename poisson::host_axis<T>::places> places_;
  host_transform_pass<T> pass_{};
};

} // namespace

template <class T>
std::unique_ptr<backend<T>> host_impl::make_backend(host const& place, checked_problem const& of) {
  return std::make_unique<host_backend<T>>(place, of);
}

} // namespace warpfold::inline v0::transforms

#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::transforms {                                                      \
  namespace {                                                                                      \
  WARPFOLD_CLONES void run_packs(host_transform_pass<T> const& pass, std::size_t first,            \
                                 std::size_t last, std::byte* room) {                              \
    run_lines<poisson::pack<T>>(pass, first, last, room);                                          \
  }                                                                                                \
  }                                                                                                \
  template std::unique_ptr<backend<T>> host_impl::make_backend(host const&,                        \
                                                               checked_problem const&);            \
  }
