// Counts over ranks against those of the whole array.

#include "communicator.hpp"

#include <limits>

namespace collective_counting_test {

using test::on_parts;
namespace wf = warpfold;

template <class T>
std::vector<wf::detail::bins_of<T>> some_bins() {
  if constexpr (std::floating_point<T>)
    return {{1, T(-1), T(1)}, {10, T(-0.7), T(2.3)}, {8192, T(-3), T(3)}};
  else return {{1, 3, 200}, {506, 0, 256}, {507, 17, 251}}; // counts that fit in a record, or not
}

template <class Place, class T>
void check_counts(wf::local_group<Place>& group, std::mt19937_64& random) {
  wf::host const whole(1); // ThreadSanitizer does not know how OpenMP waits
  std::vector<T> values(20'011);
  std::normal_distribution<double> normal;
  for (T& x : values)
    x = std::floating_point<T> ? static_cast<T>(normal(random)) : static_cast<T>(random() % 256);
  if constexpr (std::floating_point<T>) values[77] = std::numeric_limits<T>::quiet_NaN();
  for (auto const& bins : some_bins<T>()) {
    CAPTURE(bins.count);
    auto const expected = wf::histogram(whole, values, bins);
    on_parts(group, values, random,
             [&](auto& comm, auto part) { CHECK(wf::histogram(comm, part, bins) == expected); });
    on_parts(group, std::vector<T>{}, random, [&](auto& comm, auto part) {
      CHECK(wf::histogram(comm, part, bins) == std::vector<std::uint64_t>(expected.size()));
    });
  }
}

EVERY_GROUP("what ranks count is what is in the whole") {
  CAPTURE(test::new_seed());
  std::mt19937_64 random(test::current_seed);
  check_counts<Place, float>(group, random);
  check_counts<Place, double>(group, random);
  check_counts<Place, std::uint8_t>(group, random);
  check_counts<Place, std::int32_t>(group, random);

  // One element decides, whichever rank has it; none does.
  std::vector<std::int32_t> values(5000, 7);
  auto const check = [&](bool all, bool any) {
    on_parts(group, values, random, [&](auto& comm, auto part) {
      CHECK(wf::all_of(comm, part, wf::equal_to<std::int32_t>{7}) == all);
      CHECK(wf::any_of(comm, part, wf::greater_than<std::int32_t>{7}) == any);
    });
  };
  check(true, false);
  values[random() % values.size()] = 8;
  check(false, true);
  values.clear();
  check(true, false);
}

/// The failures of a group whose rank 1 has other bins.
template <class Place>
test::failures failing(wf::local_group<Place>& group, std::string_view what,
                       wf::even_bins<float> const& other) {
  return test::failing(
      group, what,
      [&](auto& comm) {
        test::memory_of<Place, float> values(comm.place(), std::vector<float>(100, 0.5F));
        auto const bins = comm.rank() == 1 ? other : wf::even_bins<float>{10, 0, 1};
        static_cast<void>(wf::histogram(comm, values.all(), bins));
      },
      "bins");
}

TEST_CASE("ranks that count in different bins notice") {
  for (wf::even_bins<float> const other :
       {wf::even_bins<float>{11, 0, 1}, {10, -1, 1}, {10, 0, 2}}) {
    wf::local_group<wf::host> group(3);
    CHECK(failing(group, "other arguments", other) == test::failures{0, 3});
  }
}

TEST_CASE("ranks that count other types in bins of the same bits notice") {
  std::vector<std::int32_t> const values{1, 2};
  std::vector<std::uint32_t> const others{1, 2};
  for (int const bins : {4, 4000}) { // counts in the record, and behind it
    wf::local_group<wf::host> group(3);
    CHECK(test::ranks_noticing(group, "for another type", [&](auto& comm) {
            if (comm.rank() == 1) static_cast<void>(wf::histogram(comm, others, {bins, 0, 4000}));
            else static_cast<void>(wf::histogram(comm, values, {bins, 0, 4000}));
          }) == 3);
  }
}

TEST_CASE("bad bins on one rank are an error on all") {
  wf::local_group<wf::host> group(3);
  CHECK(failing(group, "", {0, 0, 1}) == test::failures{1, 2});
}

TEST_SUITE("gpu") {
  TEST_CASE("GPUs that count in different bins, or in bad ones, notice") {
    for (int const wrong : {0, 11, 5000}) {
      wf::local_group<wf::gpu> group{std::span<int const>{}};
      int const ranks = group.size(), refusing = ranks > 1 && wrong == 0 ? 1 : 0;
      CHECK(failing(group, "", {wrong, 0, 1}) ==
            test::failures{refusing, ranks > 1 ? ranks - refusing : 0});
    }
  }
}

} // namespace collective_counting_test
