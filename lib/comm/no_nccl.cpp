// In place of nccl.cpp, where NCCL is not there.

#include "transports.hpp"

namespace warpfold::inline v0 {
namespace {

[[noreturn]] void refuse() {
  throw argument_error("place", "GPUs find each other through NCCL, without which this library was "
                                "built (WARPFOLD_NCCL)");
}

} // namespace

namespace comm {
std::unique_ptr<transport> make_nccl_transport(gpu const&, group_id const&, int, int,
                                               communicator_options const&, shared_fuse) {
  refuse();
}
} // namespace comm

bool has_nccl() noexcept { return false; }
group_id make_group_id() { refuse(); }
communicator<gpu> adopt_group(gpu&, ::ncclComm*, communicator_options const&) { refuse(); }

} // namespace warpfold::inline v0
