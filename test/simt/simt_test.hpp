#pragma once
// What the tests of kernel bodies share.

#include "block.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace simt {

/// Of everything random in this run. Tests print it when they fail; SIMT_SEED=... brings it back.
inline unsigned seed() {
  static unsigned const of_run = [] {
    char const* const given = std::getenv("SIMT_SEED");
    return given ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
  }();
  return of_run;
}

/// Calls use(options) for every order of lanes, and of blocks.
template <class Use>
void in_every_order(Use use) {
  for (order const o : {order::forward, order::reverse, order::random}) {
    INFO("order ",
         o == order::forward   ? "forward"
         : o == order::reverse ? "reverse"
                               : "random",
         ", seed ", seed());
    use(options{.lanes = o, .blocks = o, .seed = seed()});
  }
}

/// The barriers that can be left out, one at a time, without any effect in any order.
/// right(options, dropped) says whether a kernel on blocks `skipping` gave the right result.
template <class Right>
std::vector<dropped_barrier> unneeded_barriers(Right right) {
  dropped_barrier none;
  REQUIRE(right(options{}, none));
  std::vector<dropped_barrier> unneeded;
  for (int index = 0; index < none.met; ++index) {
    dropped_barrier dropped{.index = index};
    bool noticed = false;
    // Bytes of 0 and 1 are values of bool too; all others would be undefined behaviour, which is
    // for the sanitizer to notice and not for this.
    for (unsigned char const poison : {0, 1})
      in_every_order([&](options how) {
        how.poison = poison;
        try {
          noticed = noticed || !right(how, dropped);
        } catch (divergent_barrier const&) {
          noticed = true;
        }
      });
    if (!noticed) unneeded.push_back(dropped);
  }
  return unneeded;
}

inline std::string to_string(std::vector<dropped_barrier> const& barriers) {
  std::string text;
  for (auto const& barrier : barriers)
    text += "barrier " + std::to_string(barrier.index) + " at " + barrier.site.file_name() + ":" +
            std::to_string(barrier.site.line()) + "\n";
  return text;
}

/// Equal to the bit; a NaN equals every other NaN, as their bits are unspecified.
template <class A>
bool same(A const& a, A const& b) {
  if constexpr (std::is_floating_point_v<A>)
    if (a != a && b != b) return true;
  return std::memcmp(&a, &b, sizeof(A)) == 0;
}

/// An array of its exact size on the heap, filled with poison.
template <class A>
class poisoned {
public:
  explicit poisoned(std::size_t size) : bytes_(size * sizeof(A), 0xff) {}
  A* data() { return reinterpret_cast<A*>(bytes_.data()); }
  A& operator[](std::size_t i) { return data()[i]; }

private:
  std::vector<unsigned char> bytes_;
};

} // namespace simt
