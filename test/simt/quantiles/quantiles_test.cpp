// The bodies of selections by rank in the emulator, against std::sort.

#include "quantiles/element_order.hpp"
#include "quantiles/sampling.hpp"
#include "simt/simt.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace {

namespace detail = warpfold::detail;
using test::is_before;

template <class T>
using key_of = detail::selection_key<T>;
template <class T>
constexpr detail::element_kind kind = std::is_floating_point_v<T> ? detail::element_kind::floating
                                      : std::is_signed_v<T>       ? detail::element_kind::integer
                                                                  : detail::element_kind::natural;

detail::selection asked_for(std::vector<std::uint64_t> const& ranks, detail::element_kind of) {
  detail::selection asked{};
  asked.count = static_cast<int>(ranks.size());
  asked.kind = of;
  for (std::size_t p = 0; p < ranks.size(); ++p)
    asked.rank[2 * p] = asked.rank[2 * p + 1] = ranks[p];
  return asked;
}

/// A gpu's memory for a selection, and what kernels do with it.
template <class T>
class selector {
public:
  using Key = key_of<T>;

  /// A sample of so many keys, or none; `capacity` keys can be kept. The array starts `start`
  /// elements from an aligned address.
  selector(std::vector<T> const& values, std::size_t start, detail::selection const& asked,
           std::size_t sample, std::size_t capacity, int grid,
           std::uint64_t left_behind = 0x5a5a5a5a5a5a5a5a)
      : elements_(values.size() + start), control_(sizeof(control_type) / 8), sample_(sample),
        kept_(capacity + 1, untouched),
        results_(asked.count), grid_{grid}, work_{elements_.data() + start, values.size(), asked,
                                                  control_.data(),
                                                  detail::selection_layout(0, sizeof(T))} {
    std::ranges::copy(values, elements_.begin() + static_cast<std::ptrdiff_t>(start));
    if (sample > 0) work_.take(sample);
    work_.sample = sample_.data();
    work_.kept = kept_.data();
    work_.capacity = capacity;
    std::ranges::fill(control_, left_behind); // by other verbs
  }

  std::vector<T> alone(simt::options const& how) {
    std::vector<T> results(results_.size());
    simt::launch({1, detail::selection_threads, bytes()}, how, [&](auto const& block, void* at) {
      detail::select_alone(block, work_, results.data(), *parts(at), bins(at));
    });
    return is_clean() ? results : std::vector<T>{};
  }
  /// By a sample, if there is one.
  std::vector<T> together(simt::options const& how) {
    using shared_type = detail::keep_shared<Key>;
    launch(16, how, [&](auto const& block, void*) { detail::prepare(block, work_); });
    if (work_.sampled > 0) {
      passes(detail::pass_over::sample, how);
      check_brackets();
      launch(sizeof(shared_type), how, [&](auto const& block, void* at) {
        detail::keep(block, work_, *static_cast<shared_type*>(at));
      });
      passes(detail::pass_over::kept, how);
    }
    passes(detail::pass_over::all, how);
    std::vector<T> results(results_.size());
    simt::launch({1, 32, 16}, how, [&](auto const& block, void*) {
      detail::write_results(block, work_, results.data());
    });
    return is_clean() ? results : std::vector<T>{};
  }

  /// Ends of brackets that lie further out than the keys of the sample with their ranks.
  int outer_ends() const { return outer_ends_; }
  bool has_failed() const { return work_.control->counts.failed != 0; }
  std::uint64_t kept() const { return work_.control->counts.kept; }

private:
  using control_type = detail::selection_control<Key>;
  static constexpr Key untouched = static_cast<Key>(0xabcdef);

  // Parts of the block's shared memory.
  std::size_t bytes() const { return part_bytes() + work_.shape.shared(); }
  static std::size_t part_bytes() { return (sizeof(detail::narrow_shared<Key>) + 15) / 16 * 16; }
  static auto* parts(void* at) { return static_cast<detail::narrow_shared<Key>*>(at); }
  static unsigned* bins(void* at) {
    return reinterpret_cast<unsigned*>(static_cast<unsigned char*>(at) + part_bytes());
  }

  /// Blocks run at the same time.
  template <class Body>
  void launch(std::size_t shared, simt::options const& how, Body const& body) {
    simt::launch({grid_, detail::selection_threads, shared, grid_}, how, body);
  }
  void passes(detail::pass_over which, simt::options const& how) {
    for (int pass = 0; pass < work_.shape.passes(sizeof(Key)); ++pass)
      launch(bytes(), how, [&](auto const& block, void* at) {
        detail::narrow(block, work_, which, *parts(at), bins(at));
      });
  }
  /// They are no further in than those keys.
  void check_brackets() {
    auto sorted = sample_;
    std::ranges::sort(sorted);
    outer_ends_ = 0;
    for (int p = 0; p < work_.asked.count; ++p) {
      auto const& ends = work_.ends[p];
      auto const* const range = work_.control->of_sample.range + 2 * p;
      if (ends.low != detail::no_rank) {
        CHECK(range[0].low <= sorted[ends.low]);
        outer_ends_ += range[0].low < sorted[ends.low] ? 1 : 0;
      }
      if (ends.high != detail::no_rank) {
        CHECK(range[1].low >= sorted[ends.high]);
        outer_ends_ += range[1].low > sorted[ends.high] ? 1 : 0;
      }
    }
  }
  /// As the next kernel must find it; and nothing is written behind the room.
  bool is_clean() const {
    auto const& counts = work_.control->counts;
    auto const used = static_cast<std::size_t>(work_.shape.targets) << work_.shape.bits;
    return std::all_of(counts.bins, counts.bins + used, [](auto count) { return count == 0; }) &&
           counts.arrived == 0 && kept_.back() == untouched;
  }

  std::vector<T> elements_;
  std::vector<std::uint64_t> control_;
  std::vector<Key> sample_, kept_;
  std::vector<T> results_;
  int outer_ends_ = 0;
  int grid_;
  detail::selection_work<Key> work_;
};

template <class T>
std::vector<T> sorted_at(std::vector<T> values, std::vector<std::uint64_t> const& ranks) {
  std::ranges::sort(values, is_before<T>);
  std::vector<T> found;
  for (std::uint64_t const rank : ranks)
    found.push_back(is_before(values.back(), values.back()) || values.back() == values.back()
                        ? values[rank]
                        : values.back());
  return found;
}
template <class T>
bool same_values(std::vector<T> const& a, std::vector<T> const& b) {
  return std::ranges::equal(a, b, [](T x, T y) { return simt::same(x, y); });
}

template <class T>
using generator = std::function<T(std::mt19937_64&)>;
template <class T>
std::vector<T> made(std::size_t size, std::mt19937_64& random, generator<T> const& make) {
  std::vector<T> values(size);
  for (T& x : values) x = make(random);
  return values;
}
/// Bits of any number, without NaN.
template <class T>
T any_number(std::mt19937_64& random) {
  for (;;) {
    auto const x = detail::cast_bits<T>(static_cast<key_of<T>>(random()));
    if (x == x) return x;
  }
}
template <class T>
std::vector<std::pair<char const*, generator<T>>> kinds_of_values() {
  return {{"any bits", any_number<T>},
          {"all equal", [](auto&) { return T(3); }},
          {"two values", [](auto& random) { return random() % 2 ? T(2) : T(5); }},
          {"few values", [](auto& random) { return T(random() % 11); }},
          {"narrow", [](auto& random) { return T(1000 + random() % 5000); }}};
}
std::vector<std::uint64_t> ranks_for(std::size_t size, std::size_t count, std::mt19937_64& random) {
  std::vector<std::uint64_t> ranks{size / 2, 0, size - 1};
  ranks.push_back(size / 2);
  while (ranks.size() < count) ranks.push_back(random() % size);
  ranks.resize(count);
  return ranks;
}

TEST_CASE("keys have the order of the elements") {
  float const inf = std::numeric_limits<float>::infinity();
  std::vector<float> const rising{-inf, -3e38F, -1.F, -1e-45F, -0.F, 0.F, 1e-45F, 1.F, 3e38F, inf};
  auto const map = detail::key_map<std::uint32_t>::of(detail::element_kind::floating);
  for (std::size_t i = 0; i < rising.size(); ++i) {
    auto const bits = detail::cast_bits<std::uint32_t>(rising[i]);
    CHECK(map.bits(map.key(bits)) == bits);
    CHECK(map.key(bits) <= map.last_number);
    if (i > 0) CHECK(map.key(detail::cast_bits<std::uint32_t>(rising[i - 1])) < map.key(bits));
  }
  for (std::uint32_t const nan : {0x7f800001u, 0x7fffffffu, 0xff800001u, 0xffffffffu})
    CHECK(map.key(nan) > map.last_number);
  auto const wide = detail::key_map<std::uint64_t>::of(detail::element_kind::floating);
  CHECK(wide.key(detail::cast_bits<std::uint64_t>(-double(inf))) == 0);
  CHECK(wide.key(detail::cast_bits<std::uint64_t>(double(inf))) == wide.last_number);
  CHECK(wide.key(0x7ff0000000000001u) > wide.last_number);
  CHECK(wide.key(0xfff0000000000001u) > wide.last_number);
  auto const integers = detail::key_map<std::uint32_t>::of(detail::element_kind::integer);
  CHECK(integers.key(0x80000000u) == 0);
  CHECK(integers.bits(integers.key(0xfffffff7u)) == 0xfffffff7u);
}

TEST_CASE_TEMPLATE("passes over all elements find every rank", T, float, double, std::int32_t,
                   std::uint64_t) {
  std::mt19937_64 random{simt::seed()};
  for (auto const& named : kinds_of_values<T>())
    for (std::size_t const size : {1u, 31u, 33u, 2047u, 8191u, 8193u}) {
      CAPTURE(named.first);
      CAPTURE(size);
      auto const values = made<T>(size, random, named.second);
      for (std::size_t const count : {1u, 5u, 16u}) {
        if (count == 16 && size != 2047) continue;
        auto const ranks = ranks_for(size, count, random);
        auto const expected = sorted_at(values, ranks);
        selector<T> here(values, random() % 4, asked_for(ranks, kind<T>), 0, 1, 3);
        simt::options const how{.lanes = simt::order::random,
                                .blocks = simt::order::random,
                                .seed = static_cast<unsigned>(random())};
        CHECK(same_values(here.together(how), expected));
        CHECK(same_values(here.alone(how), expected));
      }
    }
}
TEST_CASE_TEMPLATE("a sample saves passes", T, float, double, std::int32_t) {
  std::mt19937_64 random{simt::seed()};
  for (auto const& named : kinds_of_values<T>()) {
    CAPTURE(named.first);
    std::size_t const size = 60'011;
    auto const values = made<T>(size, random, named.second);
    for (std::size_t const count : {1u, 4u, 7u, 16u}) {
      auto const ranks = ranks_for(size, count, random);
      selector<T> here(values, random() % 4, asked_for(ranks, kind<T>), 4096, size, 3);
      simt::options const how{.lanes = simt::order::random,
                              .blocks = simt::order::random,
                              .seed = static_cast<unsigned>(random())};
      CHECK(same_values(here.together(how), sorted_at(values, ranks)));
      CHECK_FALSE(here.has_failed());
      if (count == 1) CHECK(here.kept() < size / 5);
      if (count == 1 && std::string_view(named.first) == "any bits") CHECK(here.outer_ends() == 2);
      if (count == 1 && std::string_view(named.first) == "all equal") CHECK(here.kept() == 0);
    }
  }
}
TEST_CASE("samples find ranks in every order of lanes and blocks") {
  std::mt19937_64 random{simt::seed()};
  auto const values = made<float>(20'003, random, any_number<float>);
  std::vector<std::uint64_t> const ranks{10'000, 5, 19'998};
  auto const expected = sorted_at(values, ranks);
  simt::in_every_order([&](simt::options const& how) {
    selector<float> here(values, 1, asked_for(ranks, kind<float>), 2048, 20'003, 2);
    CHECK(same_values(here.together(how), expected));
    CHECK_FALSE(here.has_failed());
    selector<float> other(values, 3, asked_for(ranks, kind<float>), 0, 1, 2);
    CHECK(same_values(other.together(how), expected));
    CHECK(same_values(other.alone(how), expected));
  });
}
TEST_CASE_TEMPLATE("data that mislead the sample", T, float, double) {
  std::mt19937_64 random{simt::seed()};
  std::size_t const size = 40'000, sample = 2048;
  auto values = made<T>(size, random, [](auto& r) { return T(1 + r() % 1000); });
  for (T const sampled : {T(-1000), T(2000)}) // before and behind all others
    for (bool const are_equal : {false, true}) {
      for (std::size_t i = 0; i < sample; ++i)
        values[detail::sampled_at(i, sample, size)] =
            are_equal ? sampled : sampled + T(random() % 1000);
      for (std::uint64_t const rank : {size / 2, size / 4}) {
        CAPTURE(sampled);
        CAPTURE(rank);
        std::vector<std::uint64_t> const ranks{rank};
        selector<T> here(values, 2, asked_for(ranks, kind<T>), sample, size, 3);
        CHECK(same_values(here.together({}), sorted_at(values, ranks)));
        CHECK(here.has_failed());
      }
    }
}
TEST_CASE("more keys than there is room for") {
  std::mt19937_64 random{simt::seed()};
  auto const values = made<std::int32_t>(30'000, random, any_number<std::int32_t>);
  std::vector<std::uint64_t> const ranks{15'000, 20};
  selector<std::int32_t> here(values, 0, asked_for(ranks, kind<std::int32_t>), 2048, 500, 3);
  CHECK(same_values(here.together({}), sorted_at(values, ranks)));
  CHECK(here.has_failed());
  CHECK(here.kept() > 500);
}
TEST_CASE_TEMPLATE("one NaN is every result", T, float, double) {
  std::mt19937_64 random{simt::seed()};
  auto values = made<T>(20'000, random, any_number<T>);
  values[random() % values.size()] = -std::numeric_limits<T>::quiet_NaN();
  std::vector<std::uint64_t> const ranks{0, 10'000, 19'999};
  selector<T> here(values, 1, asked_for(ranks, kind<T>), 2048, 20'000, 3);
  auto const is_nan = [](T x) { return x != x; };
  CHECK(std::ranges::all_of(here.together({}), is_nan));
  selector<T> other(values, 1, asked_for(ranks, kind<T>), 0, 1, 3);
  CHECK(std::ranges::all_of(other.together({}), is_nan));
  CHECK(std::ranges::all_of(other.alone({}), is_nan));
}
TEST_CASE("ends of samples") {
  auto const all = detail::sample_ends::of(0, 99, 100, 64);
  CHECK(all.low == detail::no_rank);
  CHECK(all.high == detail::no_rank);
  CHECK(all.between == 64);
  auto const middle = detail::sample_ends::of(1'000'000, 1'000'001, 2'000'000, 10'000);
  CHECK(middle.low == 4767); // 5000 - 4.5 * 50 - 8
  CHECK(middle.high == 5234);
  CHECK(middle.between == 467);
}
TEST_CASE("selections need every barrier") {
  std::mt19937_64 random{simt::seed()};
  auto const values = made<float>(9000, random, any_number<float>);
  std::vector<std::uint64_t> const ranks{4500, 70};
  auto const expected = sorted_at(values, ranks);
  CHECK(simt::unneeded_barriers([&](simt::options const& how) {
          selector<float> here(values, 1, asked_for(ranks, kind<float>), 0, 1, 2, 0);
          if (!same_values(here.together(how), expected)) return false;
          selector<float> other(values, 1, asked_for(ranks, kind<float>), 1024, 9000, 2, 0);
          return same_values(other.together(how), expected) && !other.has_failed();
        }) == "");
}

} // namespace
