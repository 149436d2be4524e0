// Random work: option prices, Greeks and implied volatilities.

#include "pricing/pricing.hpp"
#include "random_work.hpp"

namespace random_work {
namespace {

namespace pricing = warpfold::pricing;
using test::pricing::columns_of;
using test::pricing::members;

/// Large books would take a small host long.
template <class Place>
std::size_t book_size(step<Place>& at) {
  return at.size(std::max<std::size_t>(at.largest / 8, 1));
}

template <class T>
std::vector<pricing::option<T>> any_options(dice& random, std::size_t size) {
  return random.one_in(2) ? test::pricing::random_options<T>(size, random.seed())
                          : test::pricing::odd_options<T>(size, random.seed());
}

/// The six quantities of a book; some are one value for all options.
template <class Place, class T>
class columns {
public:
  columns(step<Place>& at, std::array<std::vector<T>, 6> const& values, unsigned shared)
      : shared_{shared} {
    for (auto const& column : values) all_.push_back(std::make_unique<input<Place, T>>(at, column));
  }
  template <class On>
  auto column(On& place, std::size_t k) const {
    using view = decltype(all_[k]->on(place));
    auto const& values = all_[k]->here;
    if (shared_ >> k & 1) return pricing::input<view>(values.empty() ? T{1} : values.front());
    return pricing::input<view>(all_[k]->on(place));
  }
  template <class On>
  auto book(On& place) const {
    auto const in = [&](std::size_t k) { return column(place, k); };
    using view = decltype(all_[0]->on(place));
    return pricing::option_book<view>{in(0), in(1), in(2), in(3), in(4), in(5)};
  }

private:
  unsigned shared_;
  std::vector<std::unique_ptr<input<Place, T>>> all_;
};

/// The outputs that are wanted.
template <class Place, class T>
class results {
public:
  results(step<Place>& at, std::size_t size, unsigned wanted) : wanted_{wanted} {
    for (std::size_t k = 0; k < test::pricing::outputs; ++k)
      all_.push_back(std::make_unique<array<Place, T>>(at, wanted >> k & 1 ? size : 0));
  }
  auto spans() {
    pricing::price_outputs<view_t<Place, T>> to;
    auto const into = members(to);
    for (std::size_t k = 0; k < all_.size(); ++k)
      if (wanted_ >> k & 1) *into[k] = all_[k]->view();
    return to;
  }
  std::vector<std::vector<T>> read() {
    std::vector<std::vector<T>> made;
    for (auto& each : all_) made.push_back(each->read());
    return made;
  }

private:
  unsigned wanted_;
  std::vector<std::unique_ptr<array<Place, T>>> all_;
};

template <class Place>
void price(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const size = book_size(at);
    auto const options = any_options<T>(at.random, size);
    auto const values = columns_of(options);
    unsigned const shared = at.random.one_in(2) ? at.random.seed() : 0;
    unsigned const all = (1u << test::pricing::outputs) - 1;
    unsigned const wanted = at.random.of({1u, 2u, 3u, all, (at.random.seed() & all) | 4});
    at.what << std::hex << ", outputs " << wanted << ", shared " << (shared & 63) << std::dec;

    columns<Place, T> const book(at, values, shared);
    auto const written = [&]<class Where>(step<Where>& where, auto call) {
      results<Where, T> to(where, size, wanted);
      call(to.spans());
      wait(where.place);
      return to.read();
    };
    wf::host here{1};
    step<wf::host> host{here, dice(at.random.word()), 0};
    auto const right = written(host, [&](auto to) { pricing::price<T>(one, book.book(one), to); });
    auto const check = [&](auto const& got, char const* what) {
      at.require(agree(got, right), what);
    };
    check(written(at, [&](auto to) { pricing::price<T>(at.place, book.book(at.place), to); }),
          "not the host's prices");
    check(written(at, [&](auto to) { pricing::price_async<T>(at.place, book.book(at.place), to); }),
          "the _async form has other prices");
    if constexpr (step<Place>::on_gpu) {
      check(written(host, [&](auto to) { pricing::price<T>(at.place, book.book(one), to); }),
            "host memory gets other prices through a GPU");
      check(written(at,
                    [&](auto to) {
                      captured(at.place, [&] {
                        pricing::price_async<T>(at.place, book.book(at.place), to);
                      }).launch();
                    }),
            "a graph has other prices");
    }
  });
}

/// The vendor's formula and Hull's polynomial, which are near on ordinary options.
template <class Place>
void price_otherwise(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const size = book_size(at);
    auto const options = test::pricing::random_options<T>(size, at.random.seed());
    auto const by = at.random.of({wf::twins::formula::vendor, wf::twins::formula::polynomial});
    columns<Place, T> const book(at, columns_of(options), 0);
    results<Place, T> ours(at, size, 3), theirs(at, size, 3);
    pricing::price<T>(at.place, book.book(at.place), ours.spans());
    pricing::price<T>(at.place, book.book(at.place), theirs.spans(), by);
    bool const is_vendor = by == wf::twins::formula::vendor;
    double const near = !is_vendor ? 1e-5 : sizeof(T) == 4 ? 4e-6 : 1e-13;
    auto const a = ours.read(), b = theirs.read();
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < size; ++i) {
        // Discounting may make both amounts larger.
        double const scale = 5 * static_cast<double>(options[i].spot + options[i].strike);
        double const off = std::abs(static_cast<double>(a[k][i]) - static_cast<double>(b[k][i]));
        at.require(off <= near * scale, "far from the other formula");
      }
  });
}

/// Implied volatilities of computed prices, and of others that no option has.
template <class Place>
void implied_volatility(step<Place>& at) {
  with_one_of<float, double>(at.random, [&]<class T>() {
    std::size_t const size = book_size(at);
    auto const options = any_options<T>(at.random, size);
    auto values = columns_of(options);
    std::vector<T> calls(size), puts(size), prices(size);
    auto const of = [&](std::size_t k) { return std::span<T const>(values[k]); };
    pricing::host_book<T> const book{of(0), of(1), of(2), of(3), of(4), of(5)};
    pricing::price<T>(one, book, {.call = calls, .put = puts});
    std::vector<pricing::option_kind> kinds(size);
    for (std::size_t i = 0; i < size; ++i) {
      kinds[i] = at.random.of({pricing::option_kind::call, pricing::option_kind::put});
      prices[i] = kinds[i] == pricing::option_kind::call ? calls[i] : puts[i];
      if (at.random.one_in(50)) prices[i] *= static_cast<T>(at.random.between(0, 3));
    }
    values[3] = prices; // in place of the volatilities
    input<Place, pricing::option_kind> which(at, kinds);
    columns<Place, T> const there(at, values, 0);
    auto const quotes = [&](auto& place) {
      auto const in = [&](std::size_t k) { return there.column(place, k); };
      using view = decltype(input<Place, T>(at, values[0]).on(place));
      return pricing::quote_book<decltype(which.on(place)), view>{
          which.on(place), in(3), in(0), in(1), in(2), in(4), in(5)};
    };
    verify_output<T>(
        at, size,
        forms{[&](auto& place, auto output) {
                pricing::implied_volatility<T>(place, quotes(place), {.volatility = output});
              },
              [&](auto& place, auto output) {
                pricing::implied_volatility_async<T>(place, quotes(place), {.volatility = output});
              }});
    array<Place, T> volatility(at, size);
    std::vector<T> known(size);
    auto const fill = [&]<class On>(On& place, auto status) {
      if constexpr (std::same_as<On, wf::host const>)
        pricing::implied_volatility<T>(place, quotes(place), {known, status});
      else pricing::implied_volatility_async<T>(place, quotes(place), {volatility.view(), status});
    };
    auto const fill_and_wait = [&](auto& place, auto status) {
      fill(place, status);
      wait(place);
    };
    verify_output<pricing::implied_status>(at, size, forms{fill_and_wait, fill});
    at.require(agree(volatility.read(), known), "not the host's volatilities");
  });
}

registered const these([]<class Place>(works<Place>& all) {
  all.insert(all.end(), {{"price", price<Place>},
                         {"price, other formulas", price_otherwise<Place>},
                         {"implied_volatility", implied_volatility<Place>}});
});

} // namespace
} // namespace random_work
