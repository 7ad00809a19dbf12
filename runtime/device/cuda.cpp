// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/cuda.hpp"

#include "compose.hpp"
#include "device/checked_launches.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hpspmd::detail {
namespace {

constexpr std::size_t mostGroupsAside = 65535;  // in dimensions 1 and 2
constexpr std::size_t mostGroups = std::size_t(1) << 31;

CudaAddress addressOf(const std::byte* memory) {
    return static_cast<CudaAddress>(reinterpret_cast<std::uintptr_t>(memory));
}

CudaCopy::Side atHost(const std::byte* home) {
    CudaCopy::Side side;
    side.kind = cudaHostMemory;
    side.home = home;
    return side;
}
CudaCopy::Side onGpu(const std::byte* memory) {
    CudaCopy::Side side;
    side.kind = cudaDeviceMemory;
    side.device = addressOf(memory);
    return side;
}

CudaCopy boxes(CudaCopy::Side from, CudaCopy::Side to, const Box& box) {
    from.pitch = to.pitch = box.pitch;
    return {from, to, box.width, box.rows};
}

unsigned asUnsigned(std::size_t number) { return static_cast<unsigned>(number); }

}  // namespace

CudaHandle CudaDevice::contextOf(const devices::CudaDevice& device) const {
    CudaHandle context = nullptr;
    requireCuda(driver_.library, driver_.retainContext(&context, device.handle),
                "cuDevicePrimaryCtxRetain");
    requireCuda(driver_.library, driver_.useContext(context), "cuCtxSetCurrent");
    return context;
}

CudaHandle CudaDevice::newStream() const {
    CudaHandle stream = nullptr;
    requireCuda(driver_.library, driver_.createStream(&stream, cudaStreamNonBlocking),
                "cuStreamCreate");
    return stream;
}

CudaDevice::CudaDevice(const devices::Library& library, const devices::CudaDevice& device)
    : driver_(library),
      name_(compose("cuda:", device.number)),
      context_(contextOf(device)),
      stream_(newStream()),
      aside_(driver_, stream_),
      kernels_(driver_, device, name_),
      products_(stream_),
      sums_(driver_, stream_),
      device_(device),
      staging_(driver_),
      largeCopies_(driver_, context_) {
    const char* const waits = std::getenv("CUDA_LAUNCH_BLOCKING");  // the driver obeys it
    waitsForEach_ = waits != nullptr && std::strcmp(waits, "1") == 0;
}

DeviceSharing* CudaDevice::sharing() {
    const std::lock_guard lock(mutex_);
    if (!sharing_) {
        sharing_.emplace();
        try {
            *sharing_ = std::make_unique<CudaSharing>(driver_.library, context_, aside_, device_);
        } catch (const devices::Unusable&) {  // the host passes elements on
        }
    }
    return sharing_->get();
}

std::byte* CudaDevice::fromDriver(std::size_t bytes) {
    CudaAddress address = 0;
    if (driver_.allocate(&address, bytes) != 0) return nullptr;
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address));
}

/// The driver takes longer to give memory than a small nest takes.
std::byte* CudaDevice::allocate(std::size_t bytes, std::size_t) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0) return nullptr;
    const std::size_t size = std::max(bytes, sizeOfJoined);
    if (const auto found = spare_.find(size); found != spare_.end()) {
        std::byte* const memory = found->second;
        spare_.erase(found);
        return memory;
    }
    if (std::byte* const memory = fromDriver(size)) return memory;
    releaseSpare();
    return fromDriver(size);
}

void CudaDevice::releaseSpare() noexcept {
    for (const auto& [size, memory] : spare_) driver_.release(addressOf(memory));
    spare_.clear();
}

/// Kernels that still use it come first in the stream.
void CudaDevice::release(std::byte* memory, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    try {
        spare_.emplace(std::max(bytes, sizeOfJoined), memory);
    } catch (const std::bad_alloc&) {  // it is lost
    }
}

bool CudaDevice::clear(std::byte* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    return !hasFailed_ && driver_.useContext(context_) == 0 &&
           (bytes == 0 || driver_.fill(addressOf(memory), 0, bytes, stream_) == 0);
}

/// Null: the copy is made without, and waited for.
std::byte* CudaDevice::stagingFor(std::size_t bytes) {
    if (!staging_.takes(bytes)) return nullptr;
    std::byte* const place = staging_.placeFor(bytes);
    if (place != nullptr || staging_.isEmpty() || !wait()) return place;
    return staging_.placeFor(bytes);
}

bool CudaDevice::goesInPieces(const std::byte* home, std::size_t bytes) {
    return largeCopies_.takes(bytes) && !pinned_.contains(home) && wait();
}

bool CudaDevice::copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    if (bytes == 0) return true;
    if (goesInPieces(home, bytes) && largeCopies_.copyIn(addressOf(memory), home, bytes))
        return true;
    std::byte* const staged = stagingFor(bytes);
    if (staged == nullptr)
        return driver_.copyIn(addressOf(memory), home, bytes, stream_) == 0 && wait();
    std::memcpy(staged, home, bytes);
    return driver_.copyIn(addressOf(memory), staged, bytes, stream_) == 0;
}

bool CudaDevice::startCopyIn(std::byte* memory, const std::byte* home, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    return driver_.copyIn(addressOf(memory), home, bytes, stream_) == 0;
}

bool CudaDevice::bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return true;
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    if (goesInPieces(home, bytes) && largeCopies_.copyOut(home, addressOf(memory), bytes))
        return true;
    std::byte* const staged = stagingFor(bytes);
    std::byte* const place = staged != nullptr ? staged : home;
    const bool isCopied = driver_.copyOut(place, addressOf(memory), bytes, stream_) == 0;
    if (!wait() || !isCopied) return false;
    if (place != home) std::memcpy(home, place, bytes);
    return true;
}

bool CudaDevice::pinHome(std::byte* home, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0 ||
        driver_.pin(home, bytes, cudaHostForAllContexts) != 0)
        return false;
    pinned_.insert(home);
    return true;
}

/// All copies have been waited for.
void CudaDevice::unpinHome(std::byte* home) noexcept {
    const std::lock_guard lock(mutex_);
    pinned_.erase(home);
    if (driver_.useContext(context_) == 0) static_cast<void>(driver_.unpin(home));
}

bool CudaDevice::copy(const CudaCopy& copy) {
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    return driver_.copyRows(&copy, aside_.chosen()) == 0;
}

bool CudaDevice::copyIn(std::byte* memory, const std::byte* home, const Box& box) {
    const std::lock_guard lock(mutex_);
    return copy(boxes(atHost(home + box.first), onGpu(memory + box.first), box)) && waitForCopy();
}

bool CudaDevice::bringHome(std::byte* home, const std::byte* memory, const Box& box) {
    const std::lock_guard lock(mutex_);
    return copy(boxes(onGpu(memory + box.first), atHost(home + box.first), box)) && wait();
}

CudaPeers* CudaDevice::peers() {
    if (!peers_) {
        peers_.emplace();
        try {
            *peers_ = std::make_unique<CudaPeers>(driver_.library, context_);
        } catch (const devices::Unusable&) {  // the host passes elements on
        }
    }
    return peers_->get();
}

bool CudaDevice::copyFrom(Backend& other, std::byte* memory, const std::byte* there,
                          std::size_t bytes) {
    auto* const sender = dynamic_cast<CudaDevice*>(&other);
    if (sender == nullptr || sender == this || bytes == 0) return bytes == 0;
    const std::scoped_lock lock(mutex_, sender->mutex_);
    if (hasFailed_ || sender->hasFailed_ || peers() == nullptr) return false;
    const CudaPeers::Outcome outcome =
        peers_->get()->copy({context_, stream_, addressOf(memory)},
                            {sender->context_, sender->stream_, addressOf(there)}, bytes);
    if (outcome == CudaPeers::Outcome::NotCopied) return false;
    if (std::find(senders_.begin(), senders_.end(), sender) == senders_.end())
        senders_.push_back(sender);
    return outcome == CudaPeers::Outcome::Copied || (driver_.useContext(context_) == 0 && wait());
}

/// What has come from them is nonsense then. All that it was made from has ended.
bool CudaDevice::haveSendersFailed() {
    const bool haveFailed =
        std::any_of(senders_.begin(), senders_.end(), [&](const CudaDevice* each) {
            if (driver_.useContext(each->context_) != 0) return true;
            const int state = driver_.stateOf(each->stream_);
            return state != 0 && state != cudaNotReady;
        });
    if (!senders_.empty() && driver_.useContext(context_) != 0) return true;
    senders_.clear();
    return haveFailed;
}

/// For what has been started. False if a kernel has failed.
bool CudaDevice::wait() {
    if (mayHaveFound_ && !hasFailed_)
        hasFailed_ = driver_.copyOut(foundAtHome_, found_, sizeof *foundAtHome_, stream_) != 0;
    hasFailed_ = hasFailed_ || driver_.waitFor(stream_) != 0 || haveSendersFailed();
    if (hasFailed_) return false;
    mayHaveFound_ = false;
    underWay_.clear();
    staging_.allDone();
    return true;
}

void CudaDevice::finish() {
    const std::lock_guard lock(mutex_);
    if (!hasFailed_ && driver_.useContext(context_) == 0) wait();
}

bool CudaDevice::isBusy() const {
    const std::lock_guard lock(mutex_);
    return !hasFailed_ && driver_.useContext(context_) == 0 &&
           driver_.stateOf(stream_) == cudaNotReady;
}

void CudaDevice::noteLaunched(const KernelText& kernel) {
    last_ = &kernel;
    if (waitsForEach_) underWay_.clear();
    if (std::find(underWay_.begin(), underWay_.end(), &kernel) == underWay_.end())
        underWay_.push_back(&kernel);
}

/// "heat.hpcpp:22 or heat.hpcpp:30"
std::string CudaDevice::nestsUnderWay() const {
    std::string places;
    for (const KernelText* each : underWay_) {
        const std::string place = placeOf(*each);
        if (places.find(place) == std::string::npos)
            places += compose(places.empty() ? "" : " or ", place);
    }
    return places;
}

std::string CudaDevice::lastLaunched() const {
    const std::lock_guard lock(mutex_);
    if (hasFailed_) return nestsUnderWay();
    return last_ == nullptr ? "" : placeOf(*last_);
}

void CudaDevice::raiseFailed() const {
    const auto ofProgram =
        std::find_if_not(underWay_.begin(), underWay_.end(),
                         [](const KernelText* each) { return isOfLibrary(*each); });
    throw DeviceError(underWay_.size() == 1
                          ? compose("the nest has failed on ", name_)
                          : compose("the nest of ", nestsUnderWay(), " has failed on ", name_,
                                    "; CUDA_LAUNCH_BLOCKING=1 tells which"),
                      (ofProgram != underWay_.end() ? *ofProgram : underWay_.front())->where);
}

bool CudaDevice::makeRoomForPieces(std::size_t numbers) {
    while (pieces_.size() < numbers) {
        Pieces made{};
        if (driver_.allocateAtHome(&made.home, mostJoining * sizeOfJoined, cudaHostDeviceMap) != 0)
            return false;
        if (driver_.addressOnDevice(&made.onDevice, made.home, 0) != 0) return false;
        pieces_.push_back(made);
    }
    return true;
}

std::string CudaDevice::prepare(const KernelText& kernel, Strides strides) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_) return compose("the nest of ", nestsUnderWay(), " has failed on ", name_);
    if (driver_.useContext(context_) != 0) return "its context has been lost";
    const CudaKernel& made = kernels_.made(kernel, strides);
    if (!made.problem.empty()) return made.problem;
    if (made.shape.checks && !makeRoomForFound()) return "the device has no room";
    return makeRoomForPieces(made.shape.joined) ? "" : "the host has no room";
}

bool CudaDevice::startKernel(const KernelText& kernel, Strides strides, void** arguments,
                             const JoinPieces* joins) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    const CudaKernel* made = &kernels_.made(kernel, strides);
    Lanes3 groups =
        groupsFor(kernel, made->shape, arguments, made->shape.joins() ? mostJoining : mostGroups);
    if (std::max(groups[1], groups[2]) > mostGroupsAside) {
        if (made->shape.hasLaneForEach) {
            strides = Strides::Wide;
            made = &kernels_.made(kernel, strides);
            if (!made->problem.empty()) return false;
        }
        for (const std::size_t aside : {1, 2})
            groups[aside] = std::min(groups[aside], mostGroupsAside);
    }
    const Lanes3& group = made->shape.group;
    given_.assign(kernel, strides, arguments);
    values_.clear();
    int number = 0;  // of a lane that has not found anything
    Index subscript = 0;
    std::size_t joined = 0;
    for (std::size_t k = 0; k < kernel.parameterCount; ++k) {
        if (kernel.parameters[k].kind == KernelParameter::Kind::Checked) {
            auto* const checks = static_cast<kernels::Checks*>(arguments[k]);
            values_.insert(values_.end(), {&found_, &checks->launch, &number, &subscript});
            mayHaveFound_ = true;
            continue;
        }
        values_.push_back(given_.address(k));
        if (kernel.parameters[k].kind == KernelParameter::Kind::Joined)
            values_.push_back(&pieces_[joined++].onDevice);
    }
    if (driver_.launch(made->handle, asUnsigned(groups[0]), asUnsigned(groups[1]),
                       asUnsigned(groups[2]), asUnsigned(group[0]), asUnsigned(group[1]),
                       asUnsigned(group[2]), 0, aside_.chosen(), values_.data(), nullptr) != 0) {
        raiseIfFailed(kernel);
        return false;
    }
    noteLaunched(kernel);
    if (made->shape.joins()) join(kernel, countOf(groups), arguments, joins);
    return true;
}

bool CudaDevice::multiplies() {
    const std::lock_guard lock(mutex_);
    return !hasFailed_ && driver_.useContext(context_) == 0 && products_.areThere();
}

bool CudaDevice::multiply(const KernelText& kernel, const MatrixProduct& product) {
    const std::lock_guard lock(mutex_);
    if (hasFailed_ || driver_.useContext(context_) != 0) return false;
    const bool isStarted = products_.start(product);
    if (isStarted)
        noteLaunched(kernel);
    else
        raiseIfFailed(kernel);
    return isStarted;
}

/// Why a nest could not be started: because a kernel has failed.
void CudaDevice::raiseIfFailed(const KernelText& kernel) {
    const int state = driver_.stateOf(stream_);
    hasFailed_ = state != 0 && state != cudaNotReady;
    if (!hasFailed_) return;
    noteLaunched(kernel);
    raiseFailed();
}

void CudaDevice::join(const KernelText& kernel, std::size_t groups, void** arguments,
                      const JoinPieces* joins) {
    if (!wait()) raiseFailed();
    std::size_t joined = 0;
    for (std::size_t k = 0; k < kernel.parameterCount; ++k)
        if (kernel.parameters[k].kind == KernelParameter::Kind::Joined) {
            joins[joined](arguments[k], pieces_[joined].home, groups);
            ++joined;
        }
}

}  // namespace hpspmd::detail
