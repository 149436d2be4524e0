// Books of options in host memory: priced by the host, beside the usual loop, and through a GPU,
// beside the copies alone.

#include "pricing_rows.hpp"

#include <warpfold/twins/pricing.hpp>

namespace warpfold::bench {
namespace {

using twins::formula;

template <class T, class Memory>
struct priced_book {
  priced_book(course_options<T> const& options, std::size_t size)
      : spot(size), strike(size), expiry(size), call(size), put(size) {
    for (auto [to, from] : {std::pair{&spot, &options.spot}, std::pair{&strike, &options.strike},
                            std::pair{&expiry, &options.expiry}})
      for (std::size_t i = 0; i < size; ++i) (*to)[i] = (*from)[i % from->size()];
  }

  template <class Place>
  void price(Place& place, formula twin = formula::mills) {
    pricing::host_book<T> const book{spot, strike, expiry, course_options<T>::volatility,
                                     course_options<T>::rate};
    pricing::price(place, book, {.call = call, .put = put}, twin);
  }
  /// Checks the prices, and makes them wrong for the next check.
  std::string complaint(course_options<T> const& options, double bound) {
    std::size_t const some = std::min(call.size(), std::size_t{10'000});
    auto const last = call.size() - 1;
    bool const reached_end = call[last] >= 0 && call[last] == call[last % options.spot.size()];
    auto const found = price_complaint<T>(options, std::span<T const>(call).first(some),
                                          std::span<T const>(put).first(some), bound);
    std::fill(call.begin(), call.end(), T(-1));
    std::fill(put.begin(), put.end(), T(-1));
    return !found.empty() || reached_end ? found : "the last price is wrong";
  }

  Memory spot, strike, expiry, call, put;
};

template <class T>
void add_host(session& run, std::size_t size) {
  struct way {
    host place;
    formula twin;
  };
  std::vector<way> ways{{host(1), formula::vendor}, {host(2), formula::mills}};
  if (run.processor.threads() > 2) ways.push_back({run.processor, formula::mills});
  rows_together rows(run, [&run, size, ways](auto& outcomes) {
    course_options<T> const options(size);
    priced_book<T, std::vector<T>> book(options, size);
    for (std::size_t w = 0; w < ways.size(); ++w) {
      book.price(ways[w].place, ways[w].twin);
      outcomes[w].complaint = book.complaint(options, sizeof(T) == 4 ? 1e-6 : 4e-15);
    }
    auto const times = time_in_turns(ways.size(), run.quick ? 5 : 15, [&](std::size_t w) {
      return wall_seconds([&] { book.price(ways[w].place, ways[w].twin); });
    });
    for (std::size_t w = 0; w < ways.size(); ++w) outcomes[w].times = times[w];
  });
  auto const items = static_cast<double>(size);
  for (way const& one : ways)
    rows.add("host/black_scholes/" + type_name<T>() + "/" + to_string(one.twin) +
                 "/threads:" + std::to_string(one.place.threads()) + "/n:" + std::to_string(size),
             items * 5 * sizeof(T), items, true);
}

/// The whole way through a GPU, and the copies of the same page-locked memory one way at a time.
void add_piped(session& run, std::size_t size) {
  rows_together rows(run, [&run, size](auto& outcomes) {
    gpu& place = *run.place;
    course_options<float> const options(std::min(size, std::size_t{1} << 22));
    priced_book<float, std::vector<float>> pageable(options, size);
    priced_book<float, pinned_buffer<float>> pinned(options, size);
    device_buffer<float> memory(place, size);
    auto const copy_in = [&] {
      for (auto const* from : {&pinned.spot, &pinned.strike, &pinned.expiry})
        copy_async(place, *from, memory.span());
      place.synchronize();
    };
    auto const copy_out = [&] {
      for (auto* to : {&pinned.call, &pinned.put}) copy_async(place, memory.span(), *to);
      place.synchronize();
    };
    std::function<void()> const ways[] = {[&] { pageable.price(place); },
                                          [&] { pinned.price(place); }, copy_in, copy_out};
    for (auto const& one : ways) one();
    pinned.price(place);
    outcomes[0].complaint = pageable.complaint(options, 3e-7);
    outcomes[1].complaint = pinned.complaint(options, 3e-7);
    auto const times = time_in_turns(std::size(ways), run.quick ? 5 : 11,
                                     [&](std::size_t w) { return wall_seconds(ways[w]); });
    for (std::size_t w = 0; w < std::size(ways); ++w) outcomes[w].times = times[w];
  });
  auto const items = static_cast<double>(size);
  std::string const name = "piped/black_scholes/float/", n = "/n:" + std::to_string(size);
  rows.add(name + "pageable" + n, 20 * items, items, true);
  rows.add(name + "pinned" + n, 20 * items, items, true);
  rows.add(name + "copy_in" + n, 12 * items, items, true);
  rows.add(name + "copy_out" + n, 8 * items, items, true);
}

} // namespace

void add_host_pricing(session& run) {
  add_host<float>(run, std::size_t{1} << 20);
  add_host<double>(run, std::size_t{1} << 20);
  if (!run.place) return;
  if (!run.quick) add_piped(run, 1'000'000);
  add_piped(run, std::size_t{1} << 26);
}

} // namespace warpfold::bench
