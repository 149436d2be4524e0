#pragma once
// Asian and barrier options as payoffs of a simulation: groups of options in registers, which look
// at one Brownian motion together.

#include <warpfold/detail/pricing/path_step.hpp>
#include <warpfold/detail/pricing/power_of_two.hpp>

#include <cmath>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// Brownian motion from 0, on the scale on which all options expire at 1.
template <class T>
struct brownian_motion {
  using value_type = T;
  struct state {
    T now;
  };

  WARPFOLD_HOST_DEVICE state start() const { return {T{0}}; }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void step(state& path, T z,
                                                        path_step<T> const& step) const {
    path.now += step.root * z;
  }
};

/// A payoff whose powers are portable or native: see in_variant.
struct with_bits {
  using has_variants = void;
  template <bits which>
  using variant = std::integral_constant<bits, which>;

  bits how; ///< of powers

  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void choose(Use use) const {
#ifdef __CUDA_ARCH__
    if (how == bits::native) return use(variant<bits::native>{});
#endif
    use(variant<bits::portable>{});
  }
  template <bits which, class T>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static T power_of_two(T x) {
    if constexpr (which == bits::native) return detail::power_of_two(x);
    else return detail::portable_power_of_two(x);
  }
};

/// Asian options: in registers what a step needs, in memory the rest. The price is
/// spot 2^(deviation w + drift t), w being the Brownian motion.
template <class T, int size, class Rest>
struct asian_payoff : with_bits {
  static constexpr int results = size;
  using path_state = typename brownian_motion<T>::state;

  T deviation[size], drift[size];
  Rest const* rest;

  struct memory {
    T sums[size]; ///< of the prices over the spot
    T motion;     ///< sum of w
  };

  WARPFOLD_HOST_DEVICE memory start(path_state const&) const { return {}; }

  template <bits which>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  observe(memory& seen, path_state const& path, path_step<T> const& step, variant<which>) const {
    seen.motion += path.now;
    WARPFOLD_UNROLL
    for (int k = 0; k < size; ++k)
      seen.sums[k] +=
          with_bits::power_of_two<which>(std::fma(deviation[k], path.now, drift[k] * step.time));
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_value<T> value(memory const& seen,
                                                                  path_state const&, int k) const {
    T const spot = rest->spot[k], strike = rest->strike[k], sign = rest->sign[k];
    T const arithmetic = spot * (seen.sums[k] * rest->per_fixing);
    T const exponent =
        std::fma(deviation[k], seen.motion * rest->per_fixing, drift[k] * rest->mean_time);
    T const control = positive(sign * (spot * detail::power_of_two(exponent, how) - strike));
    T const payoff = positive(sign * (arithmetic - strike));
    return {rest->geometric[k] > 0 ? control : payoff, control};
  }

private:
  WARPFOLD_HOST_DEVICE static T positive(T x) { return x > 0 ? x : T{0}; }
};

/// Asian options as they lie in memory.
template <class T, int size>
struct asian_group {
  using element = T;
  static constexpr int results = size;

  T deviation[size], drift[size];
  T spot[size], strike[size];
  T sign[size];      ///< 1 for calls, -1 for puts
  T geometric[size]; ///< 1 for geometric averages, 0 for arithmetic ones
  T per_fixing;      ///< 1 / their number
  T mean_time;       ///< of the fixings
  bits how;          ///< of powers

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE asian_payoff<T, size, asian_group> payoff() const {
    asian_payoff<T, size, asian_group> hot;
    WARPFOLD_UNROLL
    for (int k = 0; k < size; ++k) {
      hot.deviation[k] = deviation[k];
      hot.drift[k] = drift[k];
    }
    hot.rest = this;
    hot.how = how;
    return hot;
  }
};

/// Barrier options likewise. Distances from the barrier are logarithms, positive on the side on
/// which the spot is, in units of their own: between two of them, d and e, a bridge of a step of
/// length h meets the barrier with probability 2^(-d e / h).
template <class T, int size, bool rebates, class Rest>
struct barrier_payoff : with_bits {
  static constexpr int results = size;
  using path_state = typename brownian_motion<T>::state;

  T deviation[size], drift[size];
  T growth[rebates ? size : 1]; ///< of money: by 2^growth until expiry
  T middle[rebates ? size : 1]; ///< what part of a step is left at its hit
  Rest const* rest;

  struct memory {
    T distance[size], survival[size];
    T rebate[rebates ? size : 1];
  };

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE memory start(path_state const&) const {
    memory seen{};
    WARPFOLD_UNROLL
    for (int k = 0; k < size; ++k) {
      seen.distance[k] = rest->distance[k];
      seen.survival[k] = T{1};
    }
    return seen;
  }

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE path_value<T> value(memory const& seen,
                                                                  path_state const&, int k) const {
    T const exponent = rest->unit[k] * (seen.distance[k] - rest->distance[k]);
    T const price = rest->spot[k] * detail::power_of_two(exponent, how);
    T const exercised = rest->sign[k] * (price - rest->strike[k]);
    T const vanilla = exercised > 0 ? exercised : T{0};
    // Share of the paths that are paid: those that survive, or the others.
    T const share = rest->knocks_out[k] > 0 ? seen.survival[k] : T{1} - seen.survival[k];
    T payoff = std::fma(share, vanilla, (T{1} - share) * rest->at_expiry[k]);
    if constexpr (rebates) payoff = std::fma(rest->at_hit[k], seen.rebate[k], payoff);
    return {payoff, vanilla};
  }

  template <bits which>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
  observe(memory& seen, path_state const& path, path_step<T> const& step, variant<which>) const {
    WARPFOLD_UNROLL
    for (int k = 0; k < size; ++k) {
      T const before = seen.distance[k];
      // From the start: a sum over the steps would round the drift's part away in each of them.
      T const distance =
          std::fma(deviation[k], path.now, std::fma(drift[k], step.time, rest->distance[k]));
      T const exponent = -before * step.inverse * distance;
      T const met = with_bits::power_of_two<which>(exponent < 0 ? exponent : T{0});
      T const survival = std::fma(-met, seen.survival[k], seen.survival[k]);
      if constexpr (rebates) {
        T const left = std::fma(middle[k], step.length, T{1} - step.time);
        seen.rebate[k] = std::fma(seen.survival[k] - survival,
                                  with_bits::power_of_two<which>(growth[k] * left), seen.rebate[k]);
      }
      seen.distance[k] = distance;
      seen.survival[k] = survival;
    }
  }
};

template <class T, int size, bool rebates>
struct barrier_group {
  using element = T;
  static constexpr int results = size;

  T deviation[size], drift[size], growth[size], middle[size];
  T distance[size]; ///< at the start
  T unit[size];     ///< as a binary logarithm of the price; negative below a barrier
  T spot[size], strike[size];
  T sign[size];                    ///< 1 for calls, -1 for puts
  T knocks_out[size];              ///< 1, or 0 for in-options
  T at_expiry[size], at_hit[size]; ///< rebates
  bits how;                        ///< of powers

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE barrier_payoff<T, size, rebates, barrier_group>
  payoff() const {
    barrier_payoff<T, size, rebates, barrier_group> hot;
    WARPFOLD_UNROLL
    for (int k = 0; k < size; ++k) {
      hot.deviation[k] = deviation[k];
      hot.drift[k] = drift[k];
      if constexpr (rebates) {
        hot.growth[k] = growth[k];
        hot.middle[k] = middle[k];
      }
    }
    hot.rest = this;
    hot.how = how;
    return hot;
  }
};

} // namespace warpfold::inline v0::pricing
