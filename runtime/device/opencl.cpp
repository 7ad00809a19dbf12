// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/opencl.hpp"

#include "compose.hpp"
#include "device/checked_launches.hpp"
#include "device/report.hpp"

#include <algorithm>

namespace hpspmd::detail {
namespace {

constexpr std::size_t mostGroups = 4096;   // of a kernel
constexpr std::size_t mostUnderWay = 256;  // launches that the host does not wait for
constexpr std::uintptr_t page = 4096;
constexpr unsigned andWait = 1;

[[noreturn]] void raiseFailed(const KernelText& kernel, const std::string& device) {
    throw DeviceError(compose("the nest has failed on ", device), kernel.where);
}

}  // namespace

ClHandle OpenClDevice::contextOf(const devices::ClDevice& device) const {
    const std::intptr_t properties[] = {clContextPlatform,
                                        reinterpret_cast<std::intptr_t>(device.platform), 0};
    int error = 0;
    ClHandle context = driver_.createContext(properties, 1, &device.id, nullptr, nullptr, &error);
    if (context == nullptr || error != 0)
        throw devices::Unusable(compose("clCreateContext: error ", error, " of OpenCL"));
    return context;
}

OpenClDevice::OpenClDevice(const devices::Library& library, const devices::ClDevice& device,
                           int time, bool isCrowded)
    : driver_(library),
      name_(compose("opencl:", device.platformNumber, ".", device.number, time == 0 ? "" : " ",
                    time == 0 ? std::string() : std::to_string(time + 1))),
      isCrowded_(isCrowded),
      context_(contextOf(device)),
      kernels_(driver_, context_, device, name_),
      nextAddress_(std::uintptr_t(1) << 60) {  // no address of the host
    int error = 0;
    queue_ = driver_.createQueue(context_, device.id, 0, &error);
    if (queue_ == nullptr || error != 0)
        throw devices::Unusable(compose("clCreateCommandQueue: error ", error, " of OpenCL"));
}

std::byte* OpenClDevice::allocate(std::size_t bytes, std::size_t around) {
    const std::lock_guard lock(mutex_);
    int error = 0;
    const std::size_t size = std::max(bytes, sizeOfJoined);
    ClHandle handle = driver_.createBuffer(context_, clReadWrite, size, nullptr, &error);
    if (handle == nullptr || error != 0) return nullptr;
    // Element 0 of an array without elements may lie outside of its storage.
    const std::uintptr_t span = (std::max(size, around) / page + 1) * page;
    const std::uintptr_t first = nextAddress_;
    nextAddress_ += 4 * span;
    auto* const begin = reinterpret_cast<std::byte*>(first + 2 * span);
    buffers_[first] = {handle, begin};
    return begin;
}

const OpenClDevice::Buffer& OpenClDevice::bufferAt(const void* address) const {
    return std::prev(buffers_.upper_bound(reinterpret_cast<std::uintptr_t>(address)))->second;
}

/// In its buffer.
std::size_t OpenClDevice::beginOf(const std::byte* memory) const {
    return static_cast<std::size_t>(memory - bufferAt(memory).begin);
}

void OpenClDevice::release(std::byte* memory, std::size_t) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = std::prev(buffers_.upper_bound(reinterpret_cast<std::uintptr_t>(memory)));
    driver_.releaseBuffer(found->second.handle);  // once the queue does not need it any more
    buffers_.erase(found);
}

bool OpenClDevice::clear(std::byte* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    constexpr unsigned char zero = 0;
    return failed_ == nullptr &&
           (bytes == 0 || driver_.fill(queue_, bufferAt(memory).handle, &zero, 1, beginOf(memory),
                                       bytes, 0, nullptr, nullptr) == 0);
}

bool OpenClDevice::copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    return failed_ == nullptr &&
           (bytes == 0 || driver_.write(queue_, bufferAt(memory).handle, andWait, beginOf(memory),
                                        bytes, home, 0, nullptr, nullptr) == 0);
}

bool OpenClDevice::bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (bytes == 0) return true;
    const bool isRead = driver_.read(queue_, bufferAt(memory).handle, andWait, beginOf(memory),
                                     bytes, home, 0, nullptr, nullptr) == 0;
    return hasEndedWell() && isRead;
}

bool OpenClDevice::copy(const devices::Function<OpenClDriver::CopyRectangle>& copies,
                        std::byte* home, const std::byte* memory, const Box& box) const {
    const std::size_t origin[] = {box.first, 0, 0}, region[] = {box.width, box.rows, 1};
    return copies(queue_, bufferAt(memory).handle, andWait, origin, origin, region, box.pitch, 0,
                  box.pitch, 0, home, 0, nullptr, nullptr) == 0;
}

bool OpenClDevice::copyIn(std::byte* memory, const std::byte* home, const Box& box) {
    const std::lock_guard lock(mutex_);
    return failed_ == nullptr &&
           copy(driver_.writeRectangle, const_cast<std::byte*>(home), memory, box);
}

bool OpenClDevice::bringHome(std::byte* home, const std::byte* memory, const Box& box) {
    const std::lock_guard lock(mutex_);
    const bool isCopied = copy(driver_.readRectangle, home, memory, box);
    return hasEndedWell() && isCopied;
}

void OpenClDevice::finish() {
    const std::lock_guard lock(mutex_);
    if (failed_ == nullptr) driver_.finish(queue_);
}

void OpenClDevice::flush() {
    const std::lock_guard lock(mutex_);
    if (failed_ == nullptr) driver_.flush(queue_);
}

bool OpenClDevice::isBusy() const {
    const std::lock_guard lock(mutex_);
    if (failed_ != nullptr || launched_.empty() || driver_.flush(queue_) != 0) return false;
    int status = 0;
    return driver_.eventInfo(launched_.back().event, clEventStatus, sizeof status, &status,
                             nullptr) == 0 &&
           status > 0;
}

std::string OpenClDevice::lastLaunched() const {
    const std::lock_guard lock(mutex_);
    const KernelText* const kernel = failed_ != nullptr ? failed_ : last_;
    return kernel == nullptr ? "" : placeOf(*kernel);
}

bool OpenClDevice::makeRoomForPieces(std::size_t numbers) {
    while (pieces_.size() < numbers) {
        int error = 0;
        ClHandle handle = driver_.createBuffer(context_, clReadWrite, mostJoining * sizeOfJoined,
                                               nullptr, &error);
        if (handle == nullptr || error != 0) return false;
        pieces_.push_back(handle);
    }
    return true;
}

std::string OpenClDevice::prepare(const KernelText& kernel, Strides strides) {
    const std::lock_guard lock(mutex_);
    if (failed_ != nullptr)
        return compose("the nest of ", placeOf(*failed_), " has failed on ", name_);
    const ClKernel& made = kernels_.made(kernel, strides);
    if (!made.problem.empty()) return made.problem;
    const bool hasRoom =
        makeRoomForPieces(made.shape.joined) && (!made.shape.checks || makeRoomForFound());
    return hasRoom ? "" : "the device has no room";
}

bool OpenClDevice::makeRoomForFound() {
    if (found_ != nullptr) return true;
    int error = 0;
    found_ = driver_.createBuffer(context_, clReadWrite, foundBytes, nullptr, &error);
    return found_ != nullptr && error == 0 && clearFound();
}

bool OpenClDevice::clearFound() {
    constexpr std::uint32_t none = 0;
    return driver_.fill(queue_, found_, &none, sizeof none, 0, foundBytes, 0, nullptr, nullptr) ==
           0;
}

std::vector<std::uint32_t> OpenClDevice::takeFound() {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint32_t> found(foundWords);
    const auto read = [&](std::size_t bytes) {
        const bool isRead =
            driver_.read(queue_, found_, andWait, 0, bytes, found.data(), 0, nullptr, nullptr) == 0;
        return hasEndedWell() && isRead;
    };
    if (failed_ != nullptr || !mayHaveFound_ || !read(sizeof found.front())) return {};
    mayHaveFound_ = false;
    if (found.front() == 0 || !read(foundBytes) || !clearFound()) return {};
    return found;
}

bool OpenClDevice::setArguments(const KernelText& kernel, ClHandle handle,
                                const DeviceArguments& arguments) const {
    unsigned number = 0, joined = 0;
    const auto set = [&](std::size_t size, const void* value) {
        return driver_.setArgument(handle, number++, size, value) == 0;
    };
    for (std::size_t k = 0; k < kernel.parameterCount; ++k) {
        const KernelParameter& parameter = kernel.parameters[k];
        if (parameter.kind == KernelParameter::Kind::Array) {
            const std::byte* const element = *static_cast<std::byte**>(arguments.address(k));
            const Buffer& buffer = bufferAt(element);
            const Index place = (element - buffer.begin) / static_cast<Index>(parameter.size);
            if (!set(sizeof buffer.handle, &buffer.handle) || !set(sizeof place, &place))
                return false;
            continue;
        }
        if (parameter.kind == KernelParameter::Kind::Checked) {
            const auto& checks = *static_cast<const kernels::Checks*>(arguments.address(k));
            constexpr int number = 0;  // of a lane that has not found anything
            constexpr Index subscript = 0;
            if (!set(sizeof found_, &found_) || !set(sizeof checks.launch, &checks.launch) ||
                !set(sizeof number, &number) || !set(sizeof subscript, &subscript))
                return false;
            continue;
        }
        if (!set(arguments.size(k), arguments.address(k))) return false;
        if (parameter.kind == KernelParameter::Kind::Joined &&
            !set(sizeof(ClHandle), &pieces_[joined++]))
            return false;
    }
    return true;
}

bool OpenClDevice::startKernel(const KernelText& kernel, Strides strides, void** arguments,
                               const JoinPieces* joins) {
    const std::lock_guard lock(mutex_);
    const ClKernel& made = kernels_.made(kernel, strides);
    if (failed_ != nullptr ||
        !setArguments(kernel, made.handle, DeviceArguments(kernel, strides, arguments)))
        return false;
    const Lanes3 groups =
        groupsFor(kernel, made.shape, arguments, made.shape.joins() ? mostJoining : mostGroups);
    Lanes3 lanes{};
    for (std::size_t d = 0; d < lanes.size(); ++d) lanes[d] = groups[d] * made.shape.group[d];
    ClHandle event = nullptr;
    if (driver_.launch(queue_, made.handle, static_cast<unsigned>(lanes.size()), nullptr,
                       lanes.data(), made.shape.group.data(), 0, nullptr, &event) != 0)
        return false;
    last_ = &kernel;
    launched_.push_back({event, &kernel});
    mayHaveFound_ = mayHaveFound_ || made.shape.checks;
    if (made.shape.joins()) join(kernel, countOf(groups), arguments, joins);
    if (launched_.size() > mostUnderWay) {
        const bool hasFinished = driver_.finish(queue_) == 0;
        if (!hasEndedWell() || !hasFinished) raiseFailed(kernel, name_);
    }
    return true;
}

void OpenClDevice::join(const KernelText& kernel, std::size_t groups, void** arguments,
                        const JoinPieces* joins) {
    std::size_t joined = 0;
    std::vector<std::byte> pieces;
    for (std::size_t k = 0; k < kernel.parameterCount; ++k) {
        const KernelParameter& parameter = kernel.parameters[k];
        if (parameter.kind != KernelParameter::Kind::Joined) continue;
        pieces.resize(groups * parameter.size);
        const bool isRead = driver_.read(queue_, pieces_[joined], andWait, 0, pieces.size(),
                                         pieces.data(), 0, nullptr, nullptr) == 0;
        if (!hasEndedWell() || !isRead)
            raiseFailed(failed_ && !isOfLibrary(*failed_) ? *failed_ : kernel, name_);
        joins[joined++](arguments[k], pieces.data(), groups);
    }
}

/// Of the kernels before what the host has just waited for.
bool OpenClDevice::hasEndedWell() {
    for (const Launched& each : launched_) {
        int status = 0;
        const int error =
            driver_.eventInfo(each.event, clEventStatus, sizeof status, &status, nullptr);
        if (failed_ == nullptr && (error != 0 || status < 0)) failed_ = each.kernel;
        driver_.releaseEvent(each.event);
    }
    launched_.clear();
    return failed_ == nullptr;
}

}  // namespace hpspmd::detail
