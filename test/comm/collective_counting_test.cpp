// Counts over ranks against those of the whole array.

#include "communicator.hpp"

#include <atomic>
#include <limits>

namespace {

using test::group_sizes;
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
             [&](auto& over, auto part) { CHECK(wf::histogram(over, part, bins) == expected); });
    on_parts(group, std::vector<T>{}, random, [&](auto& over, auto part) {
      CHECK(wf::histogram(over, part, bins) == std::vector<std::uint64_t>(expected.size()));
    });
  }
}

template <class Place>
void check_all(wf::local_group<Place>& group, std::uint64_t seed) {
  CAPTURE(seed);
  CAPTURE(group.size());
  std::mt19937_64 random(seed);
  check_counts<Place, float>(group, random);
  check_counts<Place, double>(group, random);
  check_counts<Place, std::uint8_t>(group, random);
  check_counts<Place, std::int32_t>(group, random);

  // One element decides, whichever rank has it; none does.
  std::vector<std::int32_t> values(5000, 7);
  auto const check = [&](bool all, bool any) {
    on_parts(group, values, random, [&](auto& over, auto part) {
      CHECK(wf::all_of(over, part, wf::equal_to<std::int32_t>{7}) == all);
      CHECK(wf::any_of(over, part, wf::greater_than<std::int32_t>{7}) == any);
    });
  };
  check(true, false);
  values[random() % values.size()] = 8;
  check(false, true);
  values.clear();
  check(true, false);
}

TEST_CASE("what ranks on a host count is what is in the whole") {
  for (int const ranks : group_sizes) {
    wf::local_group<wf::host> group(ranks);
    check_all(group, test::new_seed());
  }
}

TEST_CASE("ranks that count in different bins notice") {
  std::vector<float> const values(100, 0.5F);
  for (wf::even_bins<float> const other :
       {wf::even_bins<float>{11, 0, 1}, {10, -1, 1}, {10, 0, 2}}) {
    wf::local_group<wf::host> group(3);
    wf::even_bins<float> const usual{10, 0, 1};
    CHECK(test::ranks_noticing(group, "other options", [&](auto& over) {
            static_cast<void>(wf::histogram(over, values, over.rank() == 1 ? other : usual));
          }) == 3);
  }
}

TEST_CASE("bad bins on one rank are an error on all") {
  wf::local_group<wf::host> group(3);
  std::vector<float> const values(100, 0.5F);
  std::atomic<int> refused = 0, left = 0;
  group.run([&](wf::communicator<wf::host>& over) {
    wf::even_bins<float> const bins{over.rank() == 2 ? 0 : 10, 0, 1};
    try {
      static_cast<void>(wf::histogram(over, values, bins));
    } catch (wf::argument_error const& error) {
      ++refused;
      CHECK(error.argument() == "bins");
    } catch (wf::communication_error const&) {
      ++left;
    }
  });
  CHECK(refused == 1);
  CHECK(left == 2);
}

TEST_SUITE("gpu") {
  TEST_CASE("GPUs that count in different bins, or in bad ones, notice") {
    for (int const wrong : {0, 11, 5000}) {
      wf::local_group<wf::gpu> group{std::span<int const>{}};
      std::atomic<int> noticed = 0, refused = 0;
      group.run([&](wf::communicator<wf::gpu>& over) {
        wf::device_buffer<float> const values(over.place(), std::vector<float>(100, 0.5F));
        wf::even_bins<float> const bins{over.rank() == 1 ? wrong : 10, 0, 1};
        try {
          static_cast<void>(wf::histogram(over, values, bins));
        } catch (wf::communication_error const&) {
          ++noticed;
        } catch (wf::argument_error const&) {
          ++refused;
        }
      });
      int const refusing = group.size() > 1 && wrong == 0 ? 1 : 0;
      CHECK(refused == refusing);
      CHECK(noticed == (group.size() > 1 ? group.size() - refusing : 0));
    }
  }

  TEST_CASE("what ranks on GPUs count is what is in the whole") {
    wf::local_group<wf::gpu> group{std::span<int const>{}};
    check_all(group, test::new_seed());
  }
}

} // namespace
