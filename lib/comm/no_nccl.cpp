// In place of nccl.cpp, where NCCL is not there.

#include "transports.hpp"

#include <warpfold/detail/core/refusal.hpp>
#include <warpfold/detail/core/verb.hpp>

namespace warpfold::inline v0 {
namespace {

[[noreturn]] void refuse_gpus(char const* verb) {
  detail::verb const scope(verb);
  detail::refuse("place", "a gpu",
                 "builds with NCCL (WARPFOLD_NCCL); hosts have local_group<host> and comm/mpi.hpp");
}

} // namespace

namespace comm {
// The fuse by value, as the one that keeps it has it.
std::unique_ptr<transport> make_nccl_transport(gpu const&, group_id const&, int, int,
                                               communicator_options const&, shared_fuse) { // NOLINT
  refuse_gpus("join_group");
}
} // namespace comm

bool has_nccl() noexcept { return false; }
group_id make_group_id() { refuse_gpus("make_group_id"); }
communicator<gpu> adopt_group(gpu&, ::ncclComm*, communicator_options const&) {
  refuse_gpus("adopt_group");
}

} // namespace warpfold::inline v0
