#pragma once
// Fibers on which the emulator's threads run. They are kept for the next block: to make one costs
// more than to run a small kernel. They are never destroyed, which would unwind them.

#include "function_ref.hpp"

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

// AddressSanitizer must be told of every change of stack, or it takes a fiber's frames for garbage
// when an exception passes. Boost.Context does so itself only if its library was built for
// ucontext with BOOST_USE_ASAN, which distributions do not ship; so it is done by hand here, which
// works with the usual fcontext library (g++ 12, -fsanitize=address,undefined).
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

namespace simt::detail {

/// Fibers with numbers from 0 on. One runs at a time.
class fibers {
public:
  /// A number's work. One function object serves all fibers of a block: one for each would be most
  /// of what is allocated.
  using work = test::function_ref<void(int)>;

  /// Fiber t will run of(t); `of` outlives the call. The fiber has finished its earlier work.
  static void set_work(int t, work const& of) { fiber_of(t).runs = &of; }

  /// Runs fiber t until it suspends itself or its work returns. Not called on a fiber.
  static void resume(int t) {
    fiber& one = fiber_of(t);
    void* fake = nullptr;
    leave_stack(&fake, one.bottom, stack_bytes);
    one.suspended = std::move(one.suspended).resume();
    enter_stack(fake, nullptr, nullptr);
  }

  /// Goes back to the caller of resume, until the fiber that calls this is resumed.
  static void suspend() {
    void* fake = nullptr;
    leave_stack(&fake, caller_bottom, caller_bytes);
    caller = std::move(caller).resume();
    enter_stack(fake, &caller_bottom, &caller_bytes);
  }

private:
  struct fiber {
    boost::context::fiber suspended;
    char* bottom = nullptr;
    work const* runs = nullptr;
  };
  struct kept_stack {
    void deallocate(boost::context::stack_context&) {}
  };

  static fiber& fiber_of(int t) {
    namespace context = boost::context;
    static auto& all = *new std::vector<fiber*>;
    while (all.size() <= static_cast<std::size_t>(t)) {
      auto const number = static_cast<int>(all.size());
      fiber& one = *all.emplace_back(new fiber);
      context::stack_context const stack =
          context::protected_fixedsize_stack(stack_bytes).allocate();
      one.bottom = static_cast<char*>(stack.sp) - stack_bytes;
      one.suspended =
          context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack_bytes, stack),
                         kept_stack{}, [&one, number](context::fiber&& first) -> context::fiber {
                           enter_stack(nullptr, &caller_bottom, &caller_bytes);
                           caller = std::move(first);
                           for (;; suspend()) (*one.runs)(number);
                         });
    }
    return *all[static_cast<std::size_t>(t)];
  }

  static void leave_stack([[maybe_unused]] void** fake, [[maybe_unused]] void const* to_bottom,
                          [[maybe_unused]] std::size_t to_bytes) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(fake, to_bottom, to_bytes);
#endif
  }
  static void enter_stack([[maybe_unused]] void* fake, [[maybe_unused]] void const** from_bottom,
                          [[maybe_unused]] std::size_t* from_bytes) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(fake, from_bottom, from_bytes);
#endif
  }

  static constexpr std::size_t stack_bytes = 128 << 10;

  /// What resumed the fiber that runs.
  static inline boost::context::fiber caller;
  static inline void const* caller_bottom = nullptr;
  static inline std::size_t caller_bytes = 0;
};

} // namespace simt::detail
