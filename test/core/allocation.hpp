#pragma once
// Calls of which every allocation fails in turn: those of operator new and, since the link wraps
// them, the library's own of malloc, the CUDA runtime, cuFFT and cuRAND.

#include <warpfold/memory.hpp>
#include <warpfold/pricing/simulation.hpp>
#include <warpfold/reduction/compensated.hpp>
#include <warpfold/reduction/exact.hpp>
#include <warpfold/reduction/extrema.hpp>

#include <concepts>
#include <functional>
#include <ranges>
#include <string>
#include <vector>

namespace test {

/// A call's results, as numbers that are compared by their bits.
using numbers = std::vector<double>;

inline void put(numbers& to, auto x) requires std::convertible_to<decltype(x), double> {
  to.push_back(static_cast<double>(x));
}
inline void put(numbers& to, warpfold::pricing::estimate const& x) {
  to.insert(to.end(), {x.value, x.standard_error, static_cast<double>(x.paying)});
}
template <class A, template <class> class Pair>
requires warpfold::detail::one_of<Pair<A>, warpfold::bounded<A>, warpfold::extremum<A>,
                                  warpfold::min_max<A>>
void put(numbers& to, Pair<A> const& x) {
  auto const& [first, second] = x;
  to.insert(to.end(), {static_cast<double>(first), static_cast<double>(second)});
}
template <class A>
void put(numbers& to, warpfold::description<A> const& x) {
  to.insert(to.end(), {static_cast<double>(x.argmin), static_cast<double>(x.argmax), x.mean, x.m4});
}
template <class A>
void put(numbers& to, warpfold::exact_accumulator<A> x) {
  x.merge(x);
  to.push_back(x.template finish<double>());
}
inline void put(numbers& to, std::ranges::sized_range auto const& all) {
  to.reserve(to.size() + std::ranges::size(all));
  for (auto const& x : all) put(to, x);
}
numbers together(auto const&... parts) {
  numbers all;
  all.reserve(100); // in one piece: what is tested are the library's allocations
  (put(all, parts), ...);
  return all;
}

struct scenario {
  std::string name;
  std::function<numbers()> call;
  bool is_twins = false; ///< of a competitor, whose bits are none of ours
};
struct scenarios : std::vector<scenario> {
  using std::vector<scenario>::vector;
  void add(std::string name, std::function<numbers()> call, bool is_twins = false) {
    push_back({std::move(name), std::move(call), is_twins});
  }
};

/// Allocation 1 of the call fails, then allocation 2, until it needs no more; first that one alone,
/// then all after it, too. The call has to throw std::bad_alloc or a warpfold::error, to leave
/// nothing behind, and to take no longer than ranks wait; the call after it has to give the bits of
/// all others. `on_gpu`: nor does it leave an error in the CUDA runtime.
void check_every_failure(scenarios const& all, bool on_gpu);

/// The pool, with a failure of its own before each of the runtime's.
class failing_resource final : public warpfold::memory_resource {
public:
  void* allocate(std::size_t bytes, cudaStream_t stream) override;
  void deallocate(void* memory, std::size_t bytes, cudaStream_t stream) noexcept override;
};

} // namespace test
