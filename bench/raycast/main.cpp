// warpfold-raycast [--rays N] [--out picture.png]: counting in a ray caster, on the GPU where there
// is one, else on the host. Exits with 1 when something disagrees.

#include "table.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>

namespace {

int complain() {
  std::fputs("usage: warpfold-raycast [--rays N] [--out picture.png], N from 32 to 10000000\n",
             stderr);
  return 2;
}

} // namespace

int main(int argc, char** argv) try {
  using namespace warpfold;
  raycast::table_options options;
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc) return complain();
    char const* const value = argv[i + 1];
    if (std::strcmp(argv[i], "--out") == 0) {
      options.picture = value;
    } else if (std::strcmp(argv[i], "--rays") == 0) {
      char const* const end = value + std::strlen(value);
      auto const [last, status] = std::from_chars(value, end, options.rays);
      if (status != std::errc{} || last != end || options.rays < 32 || options.rays > 10'000'000)
        return complain();
    } else {
      return complain();
    }
  }
  any_place place = default_place();
  if (std::holds_alternative<host>(place)) std::puts("On the host, for want of a GPU.");
  return raycast::print_table(place, options) ? 0 : 1;
} catch (std::exception const& failure) {
  std::fflush(stdout);
  std::fprintf(stderr, "warpfold-raycast: %s\n", failure.what());
  return 1;
}
