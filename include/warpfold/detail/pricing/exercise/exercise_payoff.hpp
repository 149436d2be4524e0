#pragma once
// Options with early exercise on pricing paths, where all rules are known.

#include <warpfold/detail/pricing/exercise/exercise_body.hpp>

namespace warpfold::inline v0::detail {

/// Rights and their rules, when paths are priced.
template <class T, class Right>
struct exercise_rules {
  Right const* rights;
  typename Right::date const* dates;
  rule_table<exercise_rule<T, Right::basis> const> rules;
  int date_count;
};

/// True if an option is exercised at a date; `worth` is what that pays, discounted, or 0.
template <class T, class Right>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool
exercises(Right const& right, exercise_rule<T, Right::basis> const& rule,
          typename Right::date const& now, typename Right::kept const& kept, T& worth) {
  T x[Right::basis];
  right.regressors(kept, now, x);
  T const pays = right.exercise(kept) * now.discount;
  bool const does = rule.exercises(pays, x);
  worth = does ? pays * right.unit : T{0};
  return does;
}

/// The memory of a path in lone_payoff, with the right's own, which may be none.
template <class T, class Memory>
struct lone_memory {
  T worth;
  int date; ///< the next, or -1 after the exercise
  Memory of;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static lone_memory start(Memory const& memory) {
    return {T{0}, 0, memory};
  }
  template <class Right, class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto remember(Right const& right, State const& state,
                                                            Step const& step) {
    return detail::remember(right, of, state, step);
  }
};
template <class T>
struct lone_memory<T, no_memory> {
  T worth;
  int date;

  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static lone_memory start(no_memory) {
    return {T{0}, 0};
  }
  template <class Right, class State, class Step>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto remember(Right const& right, State const& state,
                                                            Step const& step) {
    no_memory none;
    return detail::remember(right, none, state, step);
  }
};

/// A payoff of one option that is exercised by its rules. Worth is discounted. It has room for as
/// many values as an exercised_payoff: sums over paths are then added up alike. Rules are of no
/// other option.
template <class T, class Right, int most>
struct lone_payoff {
  static constexpr int results = most;
  static constexpr bool is_alone = true; ///< there is one group: see exercised_problem
  /// Powers depend on right.how.
  static constexpr bool has_bits = sizeof(T) == 4 && requires(Right of) { of.how; };
  /// Blocks of a multiprocessor that there is room for, of rights whose kernels were measured on an
  /// NVIDIA H200.
  static constexpr int living_blocks = !has_bits           ? 0
                                       : Right::basis <= 4 ? 12
                                       : Right::basis <= 7 ? 9
                                                           : 0;
  using early_payoff = void;
  int count; ///< 1
  exercise_rules<T, Right> of;
  Right right = of.rights[0];

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto start(State const& state) const {
    auto const memory = detail::start_memory(right, state);
    return lone_memory<T, std::remove_cv_t<decltype(memory)>>::start(memory);
  }
  template <class Memory, class State, class Step, class Pay, class How = no_variant>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(Memory& seen, State const& state,
                                                           Step const& step, Pay, How = {}) const {
    if (seen.date < 0) return;
    Right own = right;
    if constexpr (requires { How::value; }) own.how = How::value; // compilers know it then
    auto const kept = seen.remember(own, state, step);
    auto const date = static_cast<std::uint32_t>(seen.date); // an unsigned product is shorter
    auto const now = of.dates[date];
    auto const rule = of.rules.of[date];
    seen.date = detail::exercises(own, rule, now, kept, seen.worth) ? -1 : seen.date + 1;
  }
  template <class Memory, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void finish(Memory const& seen, Pay pay) const {
    pay(0, seen.worth);
  }

  // See knows_end.

  template <class Memory>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE bool is_over(Memory const& seen) const {
    return seen.date < 0;
  }
  /// Calls use(how), by what powers are taken if that makes a difference.
  template <class Use>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void with_bits(Use use) const {
    if constexpr (has_bits) {
      using pricing::bits;
      if (right.how == bits::native) use(std::integral_constant<bits, bits::native>{});
      else use(std::integral_constant<bits, bits::portable>{});
    } else {
      use(no_variant{});
    }
  }
};

/// A payoff of up to `most` options that are exercised by their rules. Worth is discounted.
template <class T, class Right, int most>
struct exercised_payoff {
  static constexpr int results = most;
  using early_payoff = void;
  static_assert(most <= 64);
  using rule_type = exercise_rule<T, Right::basis>;
  static constexpr int together = exercise_together<T, Right>;
  /// An option's constants are few: a thread has registers for those of several.
  static constexpr bool is_small = sizeof(Right) + sizeof(rule_type) <= 64;
  /// Blocks of a multiprocessor at least: with room for more, threads have too few registers to
  /// load several options' constants at a time. Where options are tested one by one a bound of 1
  /// lets them take more.
  static constexpr int resident_blocks = together == 1 ? 1 : is_small ? 7 : 5;

  int count;
  exercise_rules<T, Right> of;

  static constexpr int masks = (most + 31) / 32;
  template <class Memory>
  struct living_memory {
    std::uint32_t alive[masks]; ///< a bit for each option that is
    int date;                   ///< the next
    Memory of;
  };

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto start(State const& state) const {
    auto const memory = detail::start_memory(of.rights[0], state);
    living_memory<std::remove_cv_t<decltype(memory)>> all{{}, 0, memory};
    WARPFOLD_UNROLL
    for (int m = 0; m < masks; ++m) {
      int const here = count - 32 * m;
      all.alive[m] = here >= 32 ? ~0U : here > 0 ? (1U << here) - 1 : 0;
    }
    return all;
  }
  template <class Memory, class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(Memory& seen, State const& state,
                                                           Step const& step, Pay pay) const {
    int const date = seen.date++;
    std::uint32_t any = 0;
    WARPFOLD_UNROLL
    for (std::uint32_t const alive : seen.alive) any |= alive;
    if (any == 0) return;
    // All options keep the same values.
    auto const kept = detail::remember(of.rights[0], seen.of, state, step);
    auto const now = of.dates[date];
    bool const last = date == of.date_count - 1;
#ifndef __CUDA_ARCH__ // a GPU has lone_payoff
    if (is_small && count == 1) {
      T worth;
      if (!detail::exercises(of.rights[0], *of.rules.at(date, 0), now, kept, worth) && !last)
        return;
      seen.alive[0] = 0;
      pay(0, worth);
      return;
    }
#endif
    WARPFOLD_UNROLL
    for (int m = 0; m < masks; ++m) {
      if (seen.alive[m] == 0) continue;
      std::uint32_t const all = exercised(32 * m, date, kept, now) & seen.alive[m];
      std::uint32_t ending = last ? seen.alive[m] : all;
      seen.alive[m] &= ~ending;
      while (ending != 0) {
        int const bit = lowest_bit(ending);
        ending &= ending - 1;
        Right const& right = of.rights[32 * m + bit];
        T const worth = right.exercise(kept) * now.discount * right.unit;
        pay(32 * m + bit, (all >> bit & 1) != 0 ? worth : T{0});
      }
    }
  }

private:
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE static int lowest_bit(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
    return __ffs(static_cast<int>(bits)) - 1;
#else
    return __builtin_ctz(bits);
#endif
  }
  /// Those of up to 32 options from number `first` on that are exercised, as bits.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t
  exercised(int first, int date, typename Right::kept const& kept,
            typename Right::date const& now) const {
    int const end = count - first < 32 ? count - first : 32;
    std::uint32_t all = 0;
    Right const* const rights = of.rights + first;
    rule_type const* const rules = of.rules.at(date, first);
    auto const stops = [&](Right const& right, rule_type const& rule) {
      T x[Right::basis];
      right.regressors(kept, now, x);
      return rule.exercises(right.exercise(kept) * now.discount, x) ? 1U : 0U;
    };
    auto const several = [&]<int options>(std::integral_constant<int, options>, int k) {
      std::uint32_t some = 0;
      if constexpr (is_small) {
        Right own[options];
        rule_type own_rules[options];
        WARPFOLD_UNROLL
        for (int u = 0; u < options; ++u) { // all loads first
          own[u] = rights[k + u];
          own_rules[u] = rules[k + u];
        }
        WARPFOLD_UNROLL
        for (int u = 0; u < options; ++u) some |= stops(own[u], own_rules[u]) << u;
      } else {
        WARPFOLD_UNROLL
        for (int u = 0; u < options; ++u) some |= stops(rights[k + u], rules[k + u]) << u;
      }
      return some << k;
    };
    int k = 0;
    WARPFOLD_UNROLL_BY(1)
    for (; k + together <= end; k += together)
      all |= several(std::integral_constant<int, together>{}, k);
    WARPFOLD_UNROLL_BY(1)
    for (; k < end; ++k) all |= several(std::integral_constant<int, 1>{}, k);
    return all;
  }
};

/// The pricing paths' address: those of regressions have the stream itself.
inline address pricing_numbers(address of) {
  of.stream += std::uint64_t{1} << 62;
  return of;
}

} // namespace warpfold::inline v0::detail
