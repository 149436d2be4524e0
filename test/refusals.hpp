#pragma once
// Tables of calls that must be refused: by the argument's name, and with all memory as it was.
// check_refusals.py holds the tables against the public headers: behind the name of a header stand
// the names of all of its functions that can refuse something.

#include "contents.hpp"
#include "function_ref.hpp"
#include "gpu.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// A size that no memory has; many bytes more overflow std::size_t, or nearly.
inline constexpr std::size_t impossible[] = {(std::size_t{1} << 56) + 1, std::size_t{1} << 61,
                                             ~std::size_t{0}};

template <class Place>
class refusals {
public:
  template <class T>
  using span = view_t<Place, T>;

  explicit refusals(Place& place) : place_{place} {}

  /// From here on rows are of functions of this header.
  void of(std::string header) { header_ = std::move(header); }

  /// Memory that no row may write to.
  template <class T>
  span<T> memory(std::vector<T> const& values) {
    auto const here = std::make_shared<memory_of<Place, T>>(place_, values);
    untouched_.push_back([here, values] { return same_elements(here->contents(), values); });
    return here->all();
  }
  template <class T>
  span<T> memory(std::size_t size) {
    if constexpr (std::same_as<T, bool>) {
      return {reinterpret_cast<bool*>(memory<unsigned char>(size).data()), size};
    } else {
      std::vector<T> pattern(size);
      std::memset(static_cast<void*>(pattern.data()), 0xa5, size * sizeof(T));
      return memory(pattern);
    }
  }
  template <class T>
  static span<T> null(std::size_t size) {
    return {static_cast<T*>(nullptr), size};
  }
  /// Spans at addresses where no array of T can be: null, or not aligned.
  template <class T>
  static std::vector<span<T>> nowhere(std::size_t size) {
    alignas(64) static std::byte around[64];
    std::vector<span<T>> all{null<T>(size)};
    for (std::size_t shift = 1; shift < alignof(T); shift *= 2)
      all.push_back({reinterpret_cast<T*>(around + shift), size});
    return all;
  }

  /// One row: `call`, of this function, refuses the argument.
  void row(char const* function, std::string const& argument, function_ref<void()> call) {
    INFO(header_ << ": " << std::string(function) << ", " << argument);
    try {
      call();
      FAIL_CHECK("nothing was refused");
    } catch (warpfold::argument_error const& error) {
      CHECK(error.argument() == argument);
      CHECK_MESSAGE(is_of(error.verb(), function), error.what());
    }
    check_memory();
  }
  /// Or throws an error of another type.
  template <class Error>
  void fails(char const* function, function_ref<void()> call) {
    INFO(header_ << ": " << std::string(function));
    CHECK_THROWS_AS(call(), Error);
    check_memory();
  }

  /// Rows of a verb that reads values: now(values) and later(values, result).
  template <class T, class Result, class Now, class Later>
  void reads(char const* blocking, Now now, char const* async, Later later) {
    span<T const> const values = memory<T>(20);
    span<Result> const result = memory<Result>(1);
    auto const both = [&](char const* argument, span<T const> from) {
      row(blocking, argument, [&] { now(from); });
      row(async, argument, [&] { later(from, result); });
    };
    for (auto const bad : nowhere<T const>(3)) both("values", bad);
    for (std::size_t const size : impossible) both("values", {values.data(), size});
    row(async, "result", [&] { later(values, null<Result>(0)); });
    for (auto const bad : nowhere<Result>(1)) row(async, "result", [&] { later(values, bad); });
    row(async, "result", [&] { later(values, result.subspan(0, 0)); });
  }

  Place& place() { return place_; }

private:
  /// True if a refusal's verb, "pricing::price", is that of a row, "price"; `_async` may lack.
  static bool is_of(std::string verb, std::string function) {
    auto const blocking = [](std::string& name) {
      if (name.ends_with("_async")) name.resize(name.size() - 6);
    };
    blocking(verb);
    blocking(function);
    auto const middle = function.find("::");
    if (middle != std::string::npos && function.substr(middle + 2) == function.substr(0, middle))
      function.resize(middle); // a constructor
    return verb == function || verb.ends_with("::" + function);
  }
  void check_memory() {
    for (auto const& is_untouched : untouched_) CHECK(is_untouched());
  }

  Place& place_;
  std::string header_;
  std::vector<std::function<bool()>> untouched_;
};

using spent_resource = counting_resource;

/// A row of a call that waits, which nobody can do for a stream that is being captured: it throws,
/// and the place works on once the capture has ended.
inline void cannot_be_captured(refusals<warpfold::gpu>& all, char const* function,
                               function_ref<void()> call) {
  bool returned = false;
  all.fails<warpfold::cuda_error>(function, [&] {
    captured(all.place(), [&] {
      call();
      returned = true;
    });
  });
  CHECK_FALSE(returned);
  all.place().synchronize();
}

} // namespace test
