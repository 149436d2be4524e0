#pragma once
// Regression paths of early exercise: they are walked forward, and what a right (exercise_body.hpp)
// looks at is kept.

#include <warpfold/detail/core/macros.hpp>
#include <warpfold/detail/pricing/path_walk.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace warpfold::inline v0::detail {

/// The values that are kept of all paths at all dates, a word after the other.
template <class Kept>
struct kept_paths {
  static constexpr int words = (sizeof(Kept) + 3) / 4;

  std::uint32_t* of;
  std::int64_t apart; ///< from a word of a path to the next one

  static std::size_t bytes(std::int64_t apart, std::size_t dates) {
    return static_cast<std::size_t>(apart) * dates * words * sizeof(std::uint32_t);
  }
  /// Writes the value of the path `i` places after the one whose words begin at `date`. Then moves
  /// that to the next date.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void put(std::uint32_t*& date, int i,
                                                       Kept const& value) const {
    std::uint32_t all[words]{};
    std::memcpy(all, &value, sizeof value);
    WARPFOLD_UNROLL
    for (int w = 0; w < words; ++w) date[w * apart + i] = all[w];
    date += words * apart;
  }
  /// get(at(date, first), i) is the value of path first + i.
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE std::uint32_t const* at(int date,
                                                                      std::int64_t first) const {
    return of + std::int64_t{date} * words * apart + first;
  }
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE Kept get(std::uint32_t const* at, int i) const {
    std::uint32_t all[words];
    WARPFOLD_UNROLL
    for (int w = 0; w < words; ++w) all[w] = at[w * apart + i];
    Kept value;
    std::memcpy(&value, all, sizeof value);
    return value;
  }
};

struct no_memory {};
template <class Right, class State>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto start_memory(Right const& right,
                                                              State const& path) {
  if constexpr (requires { right.start(path); }) return right.start(path);
  else return no_memory{};
}
/// The values to keep of a path, which moves its memory.
template <class Right, class Memory, class State, class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto remember(Right const& right, Memory& memory,
                                                          State const& path, Step const& now) {
  if constexpr (std::is_same_v<Memory, no_memory>) {
    return right.keep(path, now);
  } else {
    right.observe(memory, path, now);
    return right.keep(memory, path, now);
  }
}

/// A payoff that keeps the values that a right looks at, and pays nothing.
template <class Right>
struct keeping_payoff {
  static constexpr int results = 1, count = 0;
  using early_payoff = void;
  template <class Memory>
  struct dated_memory {
    std::uint32_t* date; ///< where the words of the path at place 0 begin, of the next date
    Memory of;
  };

  Right const& right;
  kept_paths<typename Right::kept> to;
  std::int64_t first; ///< the path of place 0

  template <class State>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE auto start(State const& state) const {
    auto const memory = detail::start_memory(right, state);
    return dated_memory<std::remove_cv_t<decltype(memory)>>{to.of + first, memory};
  }
  template <class Memory, class State, class Step, class Pay>
  WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void observe(Memory& seen, State const& state,
                                                           Step const& now, Pay pay) const {
    to.put(seen.date, pay.place, detail::remember(right, seen.of, state, now));
  }
};

template <class T>
struct no_round {
  WARPFOLD_HOST_DEVICE void put(int, int, pricing::path_value<T>, int) const {}
  WARPFOLD_HOST_DEVICE void clear(int, int) const {}
  WARPFOLD_HOST_DEVICE void add_half(int, int, T, int) const {}
};

template <class Model, class Right, class Step>
WARPFOLD_HOST_DEVICE WARPFOLD_ALWAYS_INLINE void
keep_path(Model const& model, Right const& right, prepared_address const& numbers,
          Step const* steps, int count, kept_paths<typename Right::kept> to, std::int64_t path) {
  keeping_payoff<Right> const payoff{right, to, path};
  random_source<false> const source;
  no_round<value_of_model<Model>> none;
  detail::walk_path<false>(
      model, payoff, source.template path<Model>(numbers, path, std::int64_t{0}, steps, count),
      steps, count, none, 0);
}

} // namespace warpfold::inline v0::detail
