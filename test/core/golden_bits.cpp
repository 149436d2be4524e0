#include "golden_bits.hpp"

#include "support.hpp"

#include <warpfold/detail/comm/digest.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace test {
namespace {

std::uint64_t digest_of(numbers const& all) {
  warpfold::comm::digest found(all.size());
  for (double const x : all) found.add(x);
  return found.value();
}

} // namespace

golden_bits::golden_bits(std::string place) : place_{std::move(place)} {
  char const* const elsewhere = std::getenv("WARPFOLD_GOLDEN_BITS"); // a binary that has moved
  std::string const path = elsewhere ? elsewhere : WARPFOLD_GOLDEN_BITS;
  std::ifstream file(path);
  REQUIRE_MESSAGE(file, path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::uint64_t digest = 0;
    std::string place_of_line, name;
    words >> std::hex >> digest >> place_of_line >> std::ws;
    REQUIRE_MESSAGE(std::getline(words, name), line);
    if (place_of_line == "both" || place_of_line == place_)
      REQUIRE_MESSAGE(written_.emplace(name, digest).second, line);
  }
}

void golden_bits::compare(scenarios const& all) {
  for (scenario const& of : all) {
    if (of.is_twins) continue;
    int const number = ++calls_[of.name];
    std::string const name = number == 1 ? of.name : of.name + " (" + std::to_string(number) + ")";
    std::uint64_t const digest = digest_of(of.call());
    auto const found = written_.find(name);
    bool const is_equal = found != written_.end() && found->second == digest;
    if (found != written_.end()) written_.erase(found);
    if (is_equal) {
      ++equal_;
      continue;
    }
    std::printf("%016llx %s %s\n", static_cast<unsigned long long>(digest), place_.c_str(),
                name.c_str());
    others_.push_back(name);
  }
}

void golden_bits::conclude(std::string const& where) const {
  std::string line = "bits: " + std::to_string(equal_) + " of " +
                     std::to_string(equal_ + static_cast<int>(others_.size())) +
                     " results are those written down, on " + where;
  char const* before = "; not: ";
  for (std::string const& name : others_) line += std::exchange(before, "; ") + name;
  before = "; no call has: ";
  for (auto const& [name, digest] : written_) line += std::exchange(before, "; ") + name;
  std::printf("%s\n", line.c_str());
  CHECK(equal_ > 0);
  CHECK(others_.empty());
  CHECK(written_.empty());
}

} // namespace test
