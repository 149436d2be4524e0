#pragma once
// Bins of even width as a function of an element, the same on a host and a gpu.

#include <warpfold/detail/core/macros.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace warpfold::inline v0 {

/// `count` bins of even width from `lower` on to `upper`, which is outside. Level is the type of
/// floating-point elements, and std::int64_t for integers, so that all of them can be inside.
template <class Level>
struct even_bins {
  int count;   ///< 1 ... max_bins
  Level lower; ///< where the first bin begins
  Level upper; ///< where the last bin ends
};

/// The most bins that a histogram has: its counts fit into a block's shared memory.
inline constexpr int max_bins = 8192;

namespace detail {

template <class T>
concept binned_element = std::same_as<T, std::uint8_t> || std::same_as<T, std::int32_t> ||
    std::same_as<T, std::uint32_t> || std::same_as<T, float> || std::same_as<T, double>;
template <binned_element T>
using bins_of = even_bins<std::conditional_t<std::floating_point<T>, T, std::int64_t>>;

/// Which bin an element is in; negative if in none.
template <binned_element T>
class bin_function;

template <binned_element T>
requires std::floating_point<T>
class bin_function<T> {
public:
  explicit bin_function(bins_of<T> const& bins)
      : lower_{bins.lower}, upper_{bins.upper}, last_{bins.count - 1},
        scale_{static_cast<T>(bins.count) / (bins.upper - bins.lower)} {}

  [[nodiscard]] T scale() const { return scale_; }

  WARPFOLD_HOST_DEVICE int operator()(T x) const {
    if (!(x >= lower_ && x < upper_)) return -1;
    int const bin = unbounded(x);
    return bin < last_ ? bin : last_;
  }
  /// Rounding may take an element just below `upper` one too far.
  WARPFOLD_HOST_DEVICE int unbounded(T x) const { return static_cast<int>((x - lower_) * scale_); }

private:
  T lower_, upper_;
  int last_;
  T scale_;
};

/// floor(d count / range), exactly, as floor(d factor / 2^(32 + shift)) with the factor rounded up:
/// that is less than d / 2^(32 + shift) <= 1 / range too much.
template <binned_element T>
requires std::integral<T>
class bin_function<T> {
public:
  explicit bin_function(bins_of<T> const& bins)
      : lower_{static_cast<std::uint32_t>(bins.lower)}, last_{static_cast<std::uint32_t>(
                                                            bins.upper - bins.lower - 1)} {
    auto const range = static_cast<std::uint64_t>(bins.upper - bins.lower);
    auto const count = static_cast<std::uint64_t>(bins.count);
    std::uint64_t factor = 0;
    if (count < range) { // at most 2^32
      shift_ = 32;
      std::uint64_t const high = (count << 32) / range, rest = (count << 32) % range;
      factor = (high << 32) + (rest << 32) / range + ((rest << 32) % range != 0 ? 1 : 0);
    } else { // at most 2^13
      shift_ = 16;
      factor = ((count << 48) + range - 1) / range;
    }
    low_ = static_cast<std::uint32_t>(factor);
    high_ = static_cast<std::uint32_t>(factor >> 32);
  }

  WARPFOLD_HOST_DEVICE int operator()(T x) const {
    std::uint32_t const d = static_cast<std::uint32_t>(x) - lower_; // large if x is below
    if (d > last_) return -1;
    std::uint64_t const product = std::uint64_t{d} * high_ + (std::uint64_t{d} * low_ >> 32);
    return static_cast<int>(product >> shift_);
  }

private:
  std::uint32_t lower_, last_, low_, high_;
  int shift_;
};

} // namespace detail
} // namespace warpfold::inline v0
