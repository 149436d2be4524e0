#pragma once
// The bits that results had when they were written down, on a host and on a GPU.

#include "allocation.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// golden_bits.txt: a line for each call, which has a digest of its results, the place ("both",
/// "host" or "gpu"), and its name.
class golden_bits {
public:
  explicit golden_bits(std::string place);

  /// Makes the calls that are ours, and prints the lines of those whose results have other bits.
  void compare(scenarios const& all);
  /// Prints one line that begins with "bits: ", and checks that all calls had these bits.
  void conclude(std::string const& where) const;

private:
  std::string place_;
  std::map<std::string, std::uint64_t> written_; ///< of this place, by the name; of calls to come
  std::map<std::string, int> calls_;             ///< of a name: several have a number
  std::vector<std::string> others_;              ///< calls whose results have other bits
  int equal_ = 0;
};

} // namespace test
