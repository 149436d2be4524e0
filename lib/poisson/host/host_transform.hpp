#pragma once
// Complex Fourier transforms of packs of lines on a host: of any length, by Bluestein's algorithm
// where a prime factor is large.

#include "packs.hpp"
#include "poisson/lines/lines_chirp.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <vector>

namespace warpfold::inline v0::poisson {

template <class T>
struct host_stage {
  int radix;
  std::size_t stride;         ///< between the inputs of a butterfly
  complex<T> const* twiddles; ///< radix - 1 for each of `stride` butterflies

  [[nodiscard]] std::size_t length() const { return stride * static_cast<std::size_t>(radix); }
};

/// In which Bluestein's algorithm computes: as many parts of a float's lanes.
template <class V>
struct wide_of {
  using type = std::conditional_t<sizeof(V) == sizeof(lane_of<V>), double, pack<double>>;
};
template <class V>
using wide = typename wide_of<V>::type;

// Compiled for several generations of processors: a stage of `groups` transforms that follow each
// other; and products of the values' lanes from `lane` on, as wide numbers.
#define DECLARE(V, T)                                                                              \
  void run_stage(host_stage<T> const& stage, complex<V>* values, std::size_t groups,               \
                 bool is_inverse);                                                                 \
  void widen(complex<V> const* values, std::size_t lane, bool swaps_parts,                         \
             std::vector<complex<double>> const& factors, complex<wide<V>>* to);                   \
  void narrow(complex<wide<V>> const* from, std::vector<complex<double>> const& factors,           \
              bool swaps_parts, std::size_t lane, complex<V>* values);
DECLARE(float, float)
DECLARE(pack<float>, float)
DECLARE(double, double)
DECLARE(pack<double>, double)
#undef DECLARE

/// Leaves frequencies with their digits reversed, and its inverse takes them so.
template <class T>
class smooth_transform {
public:
  /// For prime factors up to 13.
  explicit smooth_transform(std::size_t length);
  smooth_transform(smooth_transform&&) noexcept = default;

  static bool takes(std::size_t length);
  /// Where each frequency stands.
  [[nodiscard]] std::vector<std::size_t> places() const;
  [[nodiscard]] std::size_t length() const { return length_; }

  template <class V>
  void forward(complex<V>* values) const {
    forward(values, 0, length_);
  }
  /// Takes it back, but for the factor length().
  template <class V>
  void backward(complex<V>* values) const {
    backward(values, 0, length_);
  }

private:
  /// Transforms that fit in an L1 go through all of their stages at once.
  template <class V>
  static bool fits_cache(std::size_t length) {
    return length * sizeof(complex<V>) <= 24 * 1024;
  }
  template <class V>
  void forward(complex<V>* values, std::size_t from, std::size_t length) const {
    bool const fits = fits_cache<V>(length);
    for (std::size_t s = from; s < stages_.size(); ++s) {
      std::size_t const stride = stages_[s].stride;
      run_stage(stages_[s], values, length / stages_[s].length(), false);
      if (fits || s + 1 == stages_.size()) continue;
      for (std::size_t at = 0; at < length; at += stride) forward(values + at, s + 1, stride);
      return;
    }
  }
  template <class V>
  void backward(complex<V>* values, std::size_t from, std::size_t length) const {
    if (from == stages_.size()) return;
    auto const stride = stages_[from].stride;
    if (!fits_cache<V>(length)) {
      for (std::size_t at = 0; at < length; at += stride) backward(values + at, from + 1, stride);
      return run_stage(stages_[from], values, 1, true);
    }
    for (std::size_t s = stages_.size(); s-- > from;)
      run_stage(stages_[s], values, length / stages_[s].length(), true);
  }

  std::size_t length_;
  std::vector<int> radices_;
  std::vector<complex<T>> twiddles_;
  std::vector<host_stage<T>> stages_;
};

/// What a transform of any number of points is between two products with its chirp.
class chirp_convolution {
public:
  explicit chirp_convolution(std::size_t points);

  [[nodiscard]] std::size_t length() const { return smooth_.length(); }
  /// exp(-i pi j^2 / points).
  [[nodiscard]] std::vector<complex<double>> const& chirp() const { return tables_.chirp; }
  void run(complex<double>* values) const;
  void run(complex<pack<double>>* values) const;

private:
  smooth_transform<double> smooth_;
  chirp_tables tables_;
};

/// For any length. What is not smooth goes through double, also of float.
template <class T>
class host_transform {
public:
  explicit host_transform(std::size_t length);
  host_transform(host_transform&&) noexcept = default;

  /// Elements that a line takes, of which the first ones are the transform's.
  template <class V>
  [[nodiscard]] std::size_t room() const {
    if (smooth_) return length_;
    return begin_of_wide() + convolution_->length() * sizeof(wide<V>) / sizeof(V);
  }
  [[nodiscard]] std::vector<std::size_t> places() const;

  template <class V>
  void run(complex<V>* values, bool is_inverse) const {
    if (smooth_) return is_inverse ? smooth_->backward(values) : smooth_->forward(values);
    auto* const convolved = reinterpret_cast<complex<wide<V>>*>(values + begin_of_wide());
    auto const& chirp = convolution_->chirp();
    for (std::size_t lane = 0; lane < lanes_of<V>; lane += lanes_of<wide<V>>) {
      // An inverse transform is one of numbers whose parts have changed places.
      widen(values, lane, is_inverse, chirp, convolved);
      std::fill(convolved + length_, convolved + convolution_->length(), complex<wide<V>>{});
      convolution_->run(convolved);
      narrow(convolved, chirp, is_inverse, lane, values);
    }
  }

private:
  /// A multiple of elements that are aligned as wide ones.
  [[nodiscard]] std::size_t begin_of_wide() const { return (length_ + 1) / 2 * 2; }

  std::size_t length_;
  std::optional<smooth_transform<T>> smooth_;
  std::optional<chirp_convolution> convolution_;
};

} // namespace warpfold::inline v0::poisson
