// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda_peers.hpp"

#include <algorithm>

namespace hpspmd::detail {

CudaPeers::CudaPeers(const devices::Library& library, CudaHandle context)
    : use_(library, "cuCtxSetCurrent"),
      createEvent_(library, "cuEventCreate"),
      record_(library, "cuEventRecord"),
      wait_(library, "cuStreamWaitEvent"),
      copy_(library, "cuMemcpyPeerAsync"),
      reach_(library, "cuCtxEnablePeerAccess"),
      arrived_(nullptr) {
    devices::requireCuda(library, use_(context), "cuCtxSetCurrent");
    arrived_ = newEvent();
    if (arrived_ == nullptr) throw devices::Unusable("cuEventCreate has failed");
}

CudaHandle CudaPeers::newEvent() {
    Handle event = nullptr;
    return createEvent_(&event, withoutTimes) == 0 ? event : nullptr;
}

/// The sender's; null if the driver gives none. At the first time the receiver, whose context is in
/// use, tries to reach the sender's memory: without, the driver passes elements on by the host.
CudaHandle CudaPeers::eventOf(CudaHandle context) {
    const auto found = std::find_if(senders_.begin(), senders_.end(),
                                    [&](const Sender& each) { return each.context == context; });
    if (found != senders_.end()) return found->event;
    static_cast<void>(reach_(context, 0));
    Handle event = use_(context) == 0 ? newEvent() : nullptr;
    if (event != nullptr) senders_.push_back({context, event});
    return event;
}

CudaPeers::Outcome CudaPeers::copy(const CudaPlace& to, const CudaPlace& from, std::size_t bytes) {
    if (use_(to.context) != 0) return Outcome::NotCopied;
    Handle const sent = eventOf(from.context);
    if (sent == nullptr || use_(from.context) != 0 || record_(sent, from.stream) != 0 ||
        use_(to.context) != 0 || wait_(to.stream, sent, 0) != 0 ||
        copy_(to.address, to.context, from.address, from.context, bytes, to.stream) != 0)
        return Outcome::NotCopied;
    const bool isOrdered = record_(arrived_, to.stream) == 0 && use_(from.context) == 0 &&
                           wait_(from.stream, arrived_, 0) == 0;
    return isOrdered ? Outcome::Copied : Outcome::CopiedUnordered;
}

}  // namespace hpspmd::detail
