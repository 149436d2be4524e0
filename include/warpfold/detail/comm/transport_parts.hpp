#pragma once
// Helpers of all transports.

#include <warpfold/comm/communicator.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace warpfold::inline v0::detail {

/// The time limit. @throws argument_error if it is not above 0
[[nodiscard]] std::chrono::milliseconds checked_limit(communicator_options const& options);

/// Memory as transport::allocate returns it on hosts: aligned to 256 bytes.
[[nodiscard]] std::shared_ptr<std::byte> host_memory(std::size_t bytes);

} // namespace warpfold::inline v0::detail
