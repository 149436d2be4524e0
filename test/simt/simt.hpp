#pragma once
// Common to the tests of kernel bodies.

#include "simt/block.hpp"
#include "support.hpp"

#include <cstdio>
#include <cstdlib>

namespace simt {

/// The seed of everything random in this run, or SIMT_SEED=... to bring back another run. Printed
/// at once: a sanitizer that ends the run lets no test print it.
inline unsigned seed() {
  static unsigned const chosen = [] {
    char const* const given = std::getenv("SIMT_SEED");
    unsigned const made = given ? static_cast<unsigned>(std::stoul(given)) : std::random_device{}();
    std::fprintf(stderr, "SIMT_SEED=%u\n", made);
    return made;
  }();
  return chosen;
}

/// Calls use(options) for every order of lanes, and of blocks.
template <class Use>
void in_every_order(Use use) {
  for (order const o : {order::forward, order::reverse, order::random}) {
    INFO("order ", o == order::forward ? "forward" : o == order::reverse ? "reverse" : "random");
    use(options{.lanes = o, .blocks = o, .seed = seed()});
  }
}

/// The bare name in a signature such as "A warpfold::fold_warp(const Block&, A) [with A = float]".
inline std::string function_of(std::source_location where) {
  std::string const signature = where.function_name();
  std::string const name = signature.substr(0, signature.find_first_of("(<"));
  return name.substr(name.find_last_of(": ") + 1);
}

/// The barriers that can be left out, one at a time, without any effect in any order: which of a
/// thread's barriers in a launch it is, from 0 on, and in which function.
/// right(options) says whether launches with these options gave the right result.
template <class Right>
std::string unneeded_barriers(Right right) {
  dropped_barrier none;
  REQUIRE(right(options{.dropped = &none}));
  std::string unneeded;
  for (int index = 0; index < none.met; ++index) {
    dropped_barrier dropped{.index = index};
    bool noticed = false;
    auto const try_with = [&](options how, unsigned char poison) {
      how.poison = poison;
      how.dropped = &dropped;
      how.most_steps = 1'000'000; // without its barrier a thread may wait for what never comes
      try {
        noticed = noticed || !right(how);
      } catch (divergent_barrier const&) {
        noticed = true;
      }
    };
    // Bytes of 0 and 1 are values of bool too; all others would be undefined behaviour, which is
    // for the sanitizer to notice and not for this.
    for (unsigned char const poison : {0, 1}) {
      in_every_order([&](options const& how) { try_with(how, poison); });
      for (unsigned k = 1; k < 8 && !noticed; ++k) // one random order may by chance do no harm
        try_with({.lanes = order::random, .blocks = order::random, .seed = seed() + k}, poison);
    }
    if (!noticed) unneeded += std::to_string(index) + " " + function_of(dropped.site) + ", ";
  }
  return unneeded;
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
