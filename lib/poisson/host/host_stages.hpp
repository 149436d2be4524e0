#pragma once
// The loops of transforms on a host.

#include "core/host_loops.hpp"
#include "host_transform.hpp"
#include "poisson/instances.hpp"
#include "poisson/lines/lines_butterflies.hpp"
#include "poisson/lines/lines_maps.hpp"

#include <numeric>

namespace warpfold::inline v0::poisson {
namespace {

inline constexpr int host_radices[] = {16, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2};

template <int N, bool Inverse, bool Turns, class V>
WARPFOLD_ALWAYS_INLINE void run_butterfly(complex<V>* from, std::size_t stride,
                                          complex<lane_of<V>> const* twiddles) {
  complex<V> v[N];
  unrolled<N>([&](auto k) { v[k.value] = from[k.value * stride]; });
  if constexpr (!Inverse) short_transform<N, false>(v);
  if constexpr (Turns)
    unrolled<N - 1>(
        [&](auto k) { v[k.value + 1] = turned<Inverse>(v[k.value + 1], twiddles[k.value]); });
  if constexpr (Inverse) short_transform<N, true>(v);
  unrolled<N>([&](auto k) { from[k.value * stride] = v[k.value]; });
}

template <int N, bool Inverse, class V>
void run_radix(host_stage<lane_of<V>> const& stage, complex<V>* values, std::size_t groups) {
  std::size_t const stride = stage.stride;
  for (std::size_t group = 0; group < groups; ++group, values += N * stride) {
    if (stride == 1) {
      run_butterfly<N, Inverse, false>(values, 1, stage.twiddles);
      continue;
    }
    auto const* twiddles = stage.twiddles;
    for (std::size_t j = 0; j < stride; ++j, twiddles += N - 1)
      run_butterfly<N, Inverse, true>(values + j, stride, twiddles);
  }
}

template <bool Inverse, class V>
void run_any(host_stage<lane_of<V>> const& stage, complex<V>* values, std::size_t groups) {
  switch (stage.radix) {
  case 2: return run_radix<2, Inverse>(stage, values, groups);
  case 3: return run_radix<3, Inverse>(stage, values, groups);
  case 4: return run_radix<4, Inverse>(stage, values, groups);
  case 5: return run_radix<5, Inverse>(stage, values, groups);
  case 6: return run_radix<6, Inverse>(stage, values, groups);
  case 7: return run_radix<7, Inverse>(stage, values, groups);
  case 8: return run_radix<8, Inverse>(stage, values, groups);
  case 9: return run_radix<9, Inverse>(stage, values, groups);
  case 10: return run_radix<10, Inverse>(stage, values, groups);
  case 11: return run_radix<11, Inverse>(stage, values, groups);
  case 12: return run_radix<12, Inverse>(stage, values, groups);
  case 13: return run_radix<13, Inverse>(stage, values, groups);
  default: return run_radix<16, Inverse>(stage, values, groups);
  }
}

template <class V>
WARPFOLD_ALWAYS_INLINE complex<V> swapped_if(bool swaps, complex<V> const& v) {
  return swaps ? complex<V>{v.im, v.re} : v;
}

template <class V>
void widen_all(complex<V> const* values, std::size_t first, bool swaps_parts,
               std::vector<complex<double>> const& factors, complex<wide<V>>* to) {
  for (auto const& factor : factors) {
    wide<V> re{}, im{};
    for (std::size_t l = 0; l < lanes_of<wide<V>>; ++l) {
      set_lane(re, l, double{lane(values->re, first + l)});
      set_lane(im, l, double{lane(values->im, first + l)});
    }
    *to++ = swapped_if(swaps_parts, complex<wide<V>>{re, im}) * factor;
    ++values;
  }
}
template <class V>
void narrow_all(complex<wide<V>> const* from, std::vector<complex<double>> const& factors,
                bool swaps_parts, std::size_t first, complex<V>* values) {
  for (auto const& factor : factors) {
    auto const v = swapped_if(swaps_parts, *from++ * factor);
    for (std::size_t l = 0; l < lanes_of<wide<V>>; ++l) {
      set_lane(values->re, first + l, static_cast<lane_of<V>>(lane(v.re, l)));
      set_lane(values->im, first + l, static_cast<lane_of<V>>(lane(v.im, l)));
    }
    ++values;
  }
}

} // namespace

template <class T>
bool smooth_transform<T>::takes(std::size_t length) {
  return length == 1 || !radices_of(length, host_radices).empty();
}

template <class T>
smooth_transform<T>::smooth_transform(std::size_t length)
    : length_{length}, radices_{radices_of(length, host_radices)} {
  std::reverse(radices_.begin(), radices_.end());
  std::size_t stride = length;
  for (int const radix : radices_) {
    double const all = static_cast<double>(stride);
    stride /= static_cast<std::size_t>(radix);
    stages_.push_back({radix, stride, nullptr});
    for (std::size_t j = 0; j < stride; ++j)
      for (int k = 1; k < radix; ++k)
        twiddles_.push_back(root_of_unity<T>(static_cast<double>(j) * k, all));
  }
  complex<T> const* next = twiddles_.data();
  for (auto& stage : stages_) {
    stage.twiddles = next;
    next += stage.length() - stage.stride;
  }
}

template <class T>
std::vector<std::size_t> smooth_transform<T>::places() const {
  return frequency_places(length_, radices_);
}

template <class T>
host_transform<T>::host_transform(std::size_t length) : length_{length} {
  if (smooth_transform<T>::takes(length)) smooth_.emplace(length);
  else convolution_.emplace(length);
}

template <class T>
std::vector<std::size_t> host_transform<T>::places() const {
  if (smooth_) return smooth_->places();
  std::vector<std::size_t> same(length_);
  std::iota(same.begin(), same.end(), std::size_t{0});
  return same;
}

} // namespace warpfold::inline v0::poisson

// One line alone has no vectors: it is compiled once.
#define DEFINE_LOOPS(CLONES, V, T)                                                                 \
  CLONES void run_stage(host_stage<T> const& stage, complex<V>* values, std::size_t groups,        \
                        bool is_inverse) {                                                         \
    return is_inverse ? run_any<true>(stage, values, groups)                                       \
                      : run_any<false>(stage, values, groups);                                     \
  }                                                                                                \
  CLONES void widen(complex<V> const* values, std::size_t first, bool swaps_parts,                 \
                    std::vector<complex<double>> const& factors, complex<wide<V>>* to) {           \
    widen_all(values, first, swaps_parts, factors, to);                                            \
  }                                                                                                \
  CLONES void narrow(complex<wide<V>> const* from, std::vector<complex<double>> const& factors,    \
                     bool swaps_parts, std::size_t first, complex<V>* values) {                    \
    narrow_all(from, factors, swaps_parts, first, values);                                         \
  }
#define INSTANTIATE(T)                                                                             \
  namespace warpfold::inline v0::poisson {                                                         \
  DEFINE_LOOPS(, T, T)                                                                             \
  DEFINE_LOOPS(WARPFOLD_CLONES, pack<T>, T)                                                        \
  template class smooth_transform<T>;                                                              \
  template class host_transform<T>;                                                                \
  }
