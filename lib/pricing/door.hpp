#pragma once
// Checks of books, outputs and options that the verbs of option pricing share.

#include "backend.hpp"

#include <warpfold/detail/core/arguments.hpp>
#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/pricing/simulation.hpp>

#include <array>
#include <type_traits>

namespace warpfold::inline v0::pricing {

/// Calls use(argument, quantity) for the quantities of a book, in the order of option<T>.
template <class Book, class Use>
void for_each_quantity(Book const& book, Use use) {
  use("book.spot", book.spot);
  use("book.strike", book.strike);
  use("book.expiry", book.expiry);
  use("book.volatility", book.volatility);
  use("book.rate", book.rate);
  use("book.dividend_yield", book.dividend_yield);
}

/// The arrays of a call: all of one size, and no output on anything else.
class checked_arrays {
public:
  template <class Span>
  column<typename input<Span>::value_type> add(char const* argument, input<Span> const& from) {
    if (from.is_array()) add(described(argument, from.array()));
    return {from.array().data(), from.value()};
  }
  template <class Span>
  auto* add_output(char const* argument, Span to) {
    add_apart(described(argument, to));
    return to.data();
  }
  /// For an output that may be left out: null if it is.
  template <class Span>
  auto* add_if_wanted(char const* argument, Span to) {
    return to.empty() ? nullptr : add_output(argument, to);
  }
  /// The size that they have in common.
  std::size_t size() const { return count_ == 0 ? 0 : all_[0].size; }

private:
  struct array {
    char const* argument;
    void const* data;
    std::size_t size, bytes, alignment;
  };
  template <class Span>
  static array described(char const* argument, Span of) {
    return {argument, of.data(), of.size(), of.size() * sizeof *of.data(),
            alignof(std::remove_pointer_t<decltype(of.data())>)};
  }
  // Not templates and never inlined: some twenty calls for each element type and kind of memory.
  [[gnu::noinline]] void add(array const& one) {
    if (count_ > 0 && one.size != size())
      detail::refuse(one.argument, detail::text(one.size, " elements"),
                     detail::text(size(), ", as ", all_[0].argument, " has"));
    detail::check_elements(one.argument, one.data, one.size, one.alignment);
    all_[count_++] = one;
  }
  [[gnu::noinline]] void add_apart(array const& one) {
    for (std::size_t i = 0; i < count_; ++i)
      if (detail::share_memory(one.data, one.bytes, all_[i].data, all_[i].bytes))
        detail::refuse(one.argument, detail::text("overlaps ", all_[i].argument),
                       "memory of its own");
    add(one);
  }

  std::array<array, book_columns + price_columns> all_{};
  std::size_t count_ = 0;
};

/// @throws argument_error
inline void check_bits(char const* argument, bits of) {
  if (of != bits::portable && of != bits::native)
    detail::refuse(argument, static_cast<int>(of), "portable or native");
}

/// Checks the options that all simulations share. @throws argument_error
template <class Options>
void check_shared_options(Options const& options, std::uint64_t most_paths) {
  using detail::refuse, detail::text;
  bool const is_sobol = options.sampling == sampling::sobol;
  if (!is_sobol && options.sampling != sampling::philox)
    refuse("options.sampling", static_cast<int>(options.sampling), "philox or sobol");
  if (options.paths == 0 || options.paths > most_paths)
    refuse("options.paths", options.paths, text("1 to ", most_paths));
  if (!(options.confidence > 0 && options.confidence < 1))
    refuse("options.confidence", options.confidence, "levels between 0 and 1");
  if (options.antithetic && is_sobol)
    refuse("options.antithetic", "true", "false with Sobol's sequence");
  if (options.antithetic && options.paths % 2 != 0)
    refuse("options.paths", options.paths, "even numbers where paths are antithetic");
  if constexpr (requires { options.bits.has_value(); }) {
    if (options.bits) check_bits("options.bits", *options.bits);
  } else {
    check_bits("options.bits", options.bits);
  }
}

} // namespace warpfold::inline v0::pricing
