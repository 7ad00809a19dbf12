// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compose.hpp"
#include "device/backend.hpp"
#include "device/mirror.hpp"
#include "device/parts.hpp"
#include "device/report.hpp"
#include "device/room.hpp"
#include "device/settled.hpp"
#include "node.hpp"
#include "target/back_end.hpp"
#include "target/rules.hpp"
#include "transport/transport.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/device/launch.hpp>
#include <hpspmd/device/stages.hpp>
#include <hpspmd/divide.hpp>
#include <hpspmd/target.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace hpspmd::detail {
namespace {

std::atomic<const char*> unawareFile{nullptr};  // one whose nests do not ask

/// HPSPMD_TARGET names one of these kinds, or there are rules, which may name one.
bool isNamed(std::initializer_list<TargetKind> kinds) {
    if (const char* const rules = std::getenv("HPSPMD_RULES"); rules && *rules != 0) return true;
    const char* const words = std::getenv("HPSPMD_TARGET");
    if (words == nullptr) return false;
    const std::optional<Target> target = targetNamed(words).target;
    return target && std::find(kinds.begin(), kinds.end(), target->kind()) != kinds.end();
}

bool mayMeet = false;
std::atomic<bool> isNamedByOn{false};

}  // namespace

bool devicesAreNamedHere() { return devicesAreWanted() || isDevice(activeTarget); }

Mirror* mirrorOf(Storage* storage, Where nest) {
    static std::mutex& oneAfterTheOther = *new std::mutex;  // for nests of several threads
    if (storage == nullptr) return nullptr;
    const std::atomic_ref<Mirror*> known(storage->mirror);
    if (Mirror* const mirror = known.load(std::memory_order_acquire)) return mirror;
    const std::lock_guard lock(oneAfterTheOther);
    const bool isOurs = storage->allocation != nullptr && storage->whole == storage;
    if (storage->mirror == nullptr && isOurs && !storage->staysHome)
        known.store(new Mirror(*storage, nest, State::Home), std::memory_order_release);
    return storage->mirror;
}

StorageHandle lentToDevices(const void* address, Index slots, std::size_t elementSize, Lent how,
                            Where where) {
    StorageHandle storage = borrowed(const_cast<void*>(address), slots, elementSize);
    storage->mirror =
        new Mirror(*storage.get(), where, how == Lent::Read ? State::Home : State::Fresh);
    return storage;
}

namespace {

std::string whyNoCheckDevice(int) { return whyNoMirrors(); }

const bool isRegistered [[maybe_unused]] =
    registerBackEnd({TargetKind::Check, whyNoCheckDevice, nullptr});

/// That of the nest that runs in this thread.
thread_local Backend* taking = nullptr;
thread_local Strides chosenStrides = Strides::Wide;

Strides stridesFor(const Taken* begin, const Taken* end) {
    const bool areNarrow = std::all_of(begin, end, [](const Taken& each) {
        return each.storage == nullptr || each.storage->slots <= std::numeric_limits<int>::max();
    });
    return areNarrow ? Strides::Narrow : Strides::Wide;
}

/// Why the arrays of a nest have no memory on the device; empty if they have.
std::string whyNoMemory(Backend& device, const KernelText* kernel, const Taken* begin,
                        const Taken* end, Where nest) {
    std::vector<Mirror*> mirrors;
    for (const Taken* each = begin; each != end; ++each) {
        Mirror* const mirror = mirrorOf(each->storage, nest);
        if (mirror == nullptr || each->storage->staysHome) return "one of its arrays stays at home";
        if (mirror->isSplit() && !mirror->isOn(device)) mirror->leaveDevice(nest);
        if (mirror->device() != nullptr && mirror->device() != &device)
            return "one of its arrays is on another device";
        mirrors.push_back(mirror);
    }
    return makeRoom(device, NestArrays(kernel, mirrors), nest);
}

/// Why the arrays of a nest cannot be had on a device; empty if they are there.
std::string take(Backend& device, const KernelText* kernel, const Taken* begin, const Taken* end,
                 Where nest) {
    const bool areThere = std::all_of(begin, end, [&](const Taken& each) {
        const Mirror* const mirror = mirrorOf(each.storage, nest);
        return mirror != nullptr && mirror->isOn(device) && !each.storage->staysHome;
    });
    if (!areThere)
        if (std::string problem = whyNoMemory(device, kernel, begin, end, nest); !problem.empty())
            return problem;
    const bool areTaken = std::all_of(begin, end, [&](const Taken& each) {
        const Taker taker{kernel, static_cast<std::size_t>(&each - begin), nest};
        return each.storage->mirror->takenTo(device, each.use, taker) != nullptr;
    });
    return areTaken ? "" : "one of its arrays could not be copied to the device";
}

}  // namespace

Backend* backendOf(const Target& target, int time) {
    if (target.kind() == TargetKind::Check) return &checkDevice(time);
    if (target.kind() == TargetKind::Cuda) return &cudaDevice(target.number());
    return target.kind() == TargetKind::OpenCl ? &openClDevice(target.number(), time) : nullptr;
}

std::string whyNoMirrors() {
    if (!devicesAreWanted() && !isNamedByOn)
        return "neither HPSPMD_TARGET nor a rule nor `on` has named it";
    const char* const file = unawareFile.load(std::memory_order_relaxed);
    return file == nullptr ? "" : compose(file, " was not translated by hpcc --device");
}

bool devicesAreWanted() {
    static const bool result = isNamed({TargetKind::Gpu, TargetKind::Cuda, TargetKind::OpenCl,
                                        TargetKind::Check, TargetKind::Devices});
    return result;
}

void agreeOnDevices() {
    if (jobTransport().nodeSize() > 1)
        mayMeet =
            everywhereOnNode(!neighbours().empty() &&
                             isNamed({TargetKind::Gpu, TargetKind::Cuda, TargetKind::Devices}));
}

bool devicesMayMeet() { return mayMeet; }

void noteDeviceOfOn() noexcept { isNamedByOn = true; }

bool noteUnawareOfDevices(const char* file) noexcept {
    unawareFile.store(file, std::memory_order_relaxed);
    Mirror::noteMove();
    return true;
}

bool isForDevice(const Site& site) {
    return devicesAreNamedHere() && backendOf(deviceAt(site)) != nullptr;
}

Division takeToDevice(const KernelText& kernel, const Site& site, bool isFit, const Taken* begin,
                      const Taken* end, const OutermostLoop* outermost) {
    const bool areNamed = devicesAreNamedHere();
    if (const SettledNest* const known =
            areNamed && isFit ? settledNest(kernel, site, begin, end) : nullptr) {
        taking = known->device;
        chosenStrides = known->strides;
        return {1, true, {}};
    }
    taking = areNamed ? backendOf(deviceAt(site)) : nullptr;
    if (taking == nullptr) return {};
    chosenStrides = stridesFor(begin, end);
    std::string reason =
        isFit ? taking->prepare(kernel, chosenStrides) : "the entry test of its kernel has failed";
    const bool mayBeDivided = reason.empty() && outermost != nullptr;
    const DividedNest nest{kernel, site, chosenStrides, begin, end, outermost};
    if (mayBeDivided)
        if (const auto division = shareAmongDevices(nest)) return *division;
    const std::uint64_t moves = Mirror::moves();
    if (reason.empty()) reason = take(*taking, &kernel, begin, end, site.where);
    if (reason.empty()) {
        if (shareAt(site) < 0) noteSettled(kernel, site, *taking, chosenStrides, moves, begin, end);
        return {1, true, {}};
    }
    if (mayBeDivided)
        if (const Division division = takeInTurn(*taking, nest, reason); division.parts > 0)
            return division;
    fallBack(site, reason.c_str());
    return {};
}

void chooseDevice(Backend& device) { taking = &device; }

bool takeFactors(const Site& site, const Taken* begin, const Taken* end) {
    taking = devicesAreNamedHere() ? backendOf(deviceAt(site)) : nullptr;
    return taking != nullptr && taking->multiplies() &&
           take(*taking, nullptr, begin, end, site.where).empty();
}

std::byte* onDevice(const Storage& storage) { return storage.mirror->placeOn(*taking); }

bool launch(const KernelText& kernel, const Site& site, void** arguments, const JoinPieces* joins) {
    if (!taking->launch(kernel, chosenStrides, arguments, joins)) {
        Mirror::noteMove();  // so that the next one asks the device
        fallBack(site, "its kernel could not be launched");
        return false;
    }
    noteLaunch(kernel.where, taking->name(), kernel.name);
    return true;
}

const double* multiplyHome(const Site& site, const MatrixProduct& product) {
    const double* const sums = taking->multiplyHome(product, site.where);
    if (sums != nullptr) noteLaunch(site.where, taking->name(), taking->library());
    return sums;
}

bool multiply(const KernelText& kernel, const MatrixProduct& product) {
    if (!taking->multiply(kernel, product)) return false;
    noteLaunch(kernel.where, taking->name(), taking->library());
    return true;
}

}  // namespace hpspmd::detail

namespace hpspmd::kernels {

const Order& Order::wanted() {
    static const Order order = [] {
        const char* const named = std::getenv("HPSPMD_CHECK_ORDER");
        const std::string word = named != nullptr ? named : "";
        Order result;
        if (word == "backwards") result.kind = Kind::Backwards;
        if (word.rfind("shuffled", 0) == 0) {
            result.kind = Kind::Shuffled;
            const std::size_t colon = word.find(':');
            if (colon != std::string::npos)
                result.seed =
                    static_cast<unsigned>(std::strtoul(word.c_str() + colon + 1, nullptr, 10));
        }
        return result;
    }();
    return order;
}

void Lanes::shuffle(unsigned seed) {
    start_ = static_cast<Index>(seed) % count_;
    jump_ = static_cast<Index>(seed) % (count_ - 1) + count_ / 2;
    while (jump_ < 2 || std::gcd(jump_, count_) != 1) ++jump_;
}

}  // namespace hpspmd::kernels
