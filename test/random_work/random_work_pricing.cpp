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

/// The six quantities of a book in the memory of a place; some are one value for all options.
template <class Place, class T>
class columns {
public:
  columns(step<Place>& at, std::array<std::vector<T>, 6> const& values, unsigned shared)
      : shared_{shared} {
    for (std::size_t k = 0; k < 6; ++k) {
      all_.push_back(std::make_unique<array<Place, T>>(at, values[k]));
      front_[k] = values[k].empty() ? T{1} : values[k].front();
    }
  }
  template <class Input>
  Input input(std::size_t k) {
    if (shared_ >> k & 1) return Input(front_[k]);
    return Input(view_t<Place, T const>(all_[k]->view()));
  }
  auto book() {
    pricing::option_book<view_t<Place, T const>> made{T{}, T{}, T{}, T{}, T{}, T{}};
    auto const into = members(made);
    using input_t = std::remove_pointer_t<std::remove_cvref_t<decltype(into[0])>>;
    for (std::size_t k = 0; k < 6; ++k) *into[k] = input<input_t>(k);
    return made;
  }

private:
  unsigned shared_;
  std::array<T, 6> front_{};
  std::vector<std::unique_ptr<array<Place, T>>> all_;
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

    wf::host here{1};
    step<wf::host> known{here, dice(at.random.word()), 0};
    columns<wf::host, T> known_book(known, values, shared);
    results<wf::host, T> expected(known, size, wanted);
    pricing::price<T>(one, known_book.book(), expected.spans());
    auto const right = expected.read();

    columns<Place, T> book(at, values, shared);
    results<Place, T> to(at, size, wanted), later(at, size, wanted);
    pricing::price<T>(at.place, book.book(), to.spans());
    at.require(agree(to.read(), right), "not the host's prices");
    if constexpr (step<Place>::on_gpu) {
      pricing::price_async<T>(at.place, book.book(), later.spans());
      wait(at.place);
      at.require(agree(later.read(), right), "the _async form has other prices");
      results<wf::host, T> through(known, size, wanted);
      pricing::price<T>(at.place, known_book.book(), through.spans());
      at.require(agree(through.read(), right), "host memory gets other prices through a GPU");
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
    columns<Place, T> book(at, columns_of(options), 0);
    results<Place, T> ours(at, size, 3), theirs(at, size, 3);
    pricing::price<T>(at.place, book.book(), ours.spans());
    pricing::price<T>(at.place, book.book(), theirs.spans(), by);
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

/// Of prices that were computed, and of others that are no option's.
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
    std::vector<T> known(size);
    std::vector<pricing::implied_status> known_status(size);
    pricing::implied_volatility<T>(one, {kinds, prices, of(0), of(1), of(2), of(4), of(5)}, known,
                                   known_status);

    values[3] = prices; // in place of the volatilities
    array<Place, pricing::option_kind> kinds_there(at, kinds);
    columns<Place, T> there(at, values, 0);
    using input_t = pricing::input<view_t<Place, T const>>;
    auto const in = [&](std::size_t k) { return there.template input<input_t>(k); };
    pricing::quote_book<view_t<Place, pricing::option_kind const>, view_t<Place, T const>> const
        quotes{view_t<Place, pricing::option_kind const>(kinds_there.view()),
               in(3),
               in(0),
               in(1),
               in(2),
               in(4),
               in(5)};
    array<Place, T> volatility(at, size);
    array<Place, pricing::implied_status> status(at, size);
    pricing::implied_volatility<T>(at.place, quotes, volatility.view(), status.view());
    at.require(agree(volatility.read(), known), "not the host's volatilities");
    at.require(status.read() == known_status, "not the host's status");
    if constexpr (step<Place>::on_gpu) {
      array<Place, T> later(at, size);
      pricing::implied_volatility_async<T>(at.place, quotes, later.view());
      wait(at.place);
      at.require(agree(later.read(), known), "the _async form has other volatilities");
    }
  });
}

} // namespace

template <class Place>
void add_pricing(works<Place>& to) {
  to.insert(to.end(), {{"price", price<Place>},
                       {"price, other formulas", price_otherwise<Place>},
                       {"implied_volatility", implied_volatility<Place>}});
}
template void add_pricing(works<wf::gpu>&);
template void add_pricing(works<wf::host>&);

} // namespace random_work
