#pragma once
// Transforms on a host, by the loops of Poisson's solver.

#include "backend.hpp"
#include "core/host_loops.hpp"
#include "line_transform.hpp"
#include "poisson/host/host_threads.hpp"
#include "poisson/host/packed_lines.hpp"
#include "poisson/instances.hpp"

#include <warpfold/detail/core/parallel.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfold::inline v0::transforms {
namespace {

template <class T>
struct host_transform_pass {
  poisson::host_pass<T> lines;
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
      : base{pass.lines, first, last, values, staged}, places_{pass.places} {}

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
  auto* const room = reinterpret_cast<poisson::complex<V>*>(memory);
  auto const points = static_cast<std::size_t>(pass.maps.points);
  auto* const staged = room + pass.lines.axis->transform().template room<V>();
  while (first < last) {
    poisson::tile<V> const together(pass.lines, first, last, staged);
    together.gather();
    std::size_t const packs = std::max<std::size_t>(together.packs(), 1);
    for (std::size_t p = 0; p < packs; ++p, first += real_lines<V>::lanes) {
      real_lines<V> lines(pass, first, last, room, staged + p * points);
      bool const is_alone = together.packs() == 0;
      if (is_alone && !(lines.reads_rows() && !pass.maps.is_inverse)) lines.gather();
      line_transform<real_lines<V>>{lines, pass.maps}.run();
      if (is_alone && !(lines.writes_rows() && pass.maps.is_inverse)) lines.scatter();
    }
    together.scatter();
  }
}

template <class T>
class host_backend final : public backend<T> {
public:
  host_backend(host const& place, checked_problem const& of)
      : size_{static_cast<std::size_t>(poisson::threads_for(place, of.size()))},
        axis_{of.folded(), of.folded_axis()}, tables_{make_tables<T>(of)} {
    auto const where = axis_.transform().places();
    auto const placed = [&](std::size_t k) { return static_cast<std::int32_t>(where[k]); };
    for (auto const& [k, other] : tables_.frequencies)
      places_.push_back({placed(k), placed(other)});
    pass_.lines.axis = &axis_;
    pass_.lines.shape = poisson::geometry_of(of.folded(), of.folded_axis());
    pass_.lines.role = poisson::line_role::forward;
    pass_.maps = tables_.maps;
    pass_.maps.modes = tables_.modes.data();
    pass_.maps.tilts = axis_.maps().tilts;
    pass_.places = places_.data();
    sectors_ = (poisson::room_of(pass_.lines) + sizeof(sector) - 1) / sizeof(sector);
    room_.resize(sectors_ * size_);
  }
  host_backend(host_backend const&) = delete;
  host_backend& operator=(host_backend const&) = delete;

  void run(T const* input, T* output) override {
    host_transform_pass<T> pass = pass_;
    pass.lines.in = input;
    pass.lines.out = output;
    std::size_t const all = pass.lines.shape.groups * pass.lines.pairs();
    // Whole packs, whose lines share sectors.
    std::size_t const unit = all > 64 * size_ ? 16 : 1;
    auto const begin = [&](std::size_t rank) {
      return rank == size_ ? all : all / unit * rank / size_ * unit;
    };
    detail::parallel_for(
        static_cast<int>(size_), static_cast<std::int64_t>(size_), [&](std::int64_t number) {
          auto const rank = static_cast<std::size_t>(number);
          auto* const room = reinterpret_cast<std::byte*>(room_.data() + rank * sectors_);
          std::size_t const first = begin(rank), last = begin(rank + 1);
          // As room_of has it: of one pair there is no pack.
          if (all > 1) run_packs(pass, first, last, room);
          else run_lines<T>(pass, first, last, room);
        });
  }

private:
  struct alignas(64) sector {
    std::byte bytes[64];
  };
  std::size_t size_, sectors_ = 0; ///< threads; of a thread
  poisson::host_axis<T> axis_;
  real_tables<T> tables_;
  std::vector<typename poisson::host_axis<T>::places> places_;
  host_transform_pass<T> pass_{};
  std::vector<sector> room_;
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
