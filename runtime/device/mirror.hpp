// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Mirror, what is known of a storage and its copy on the device.

#include "device/row_copies.hpp"
#include "device/states.hpp"

#include <hpspmd/device/home.hpp>
#include <hpspmd/storage.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace hpspmd::detail {

class Backend;
struct KernelText;

/// True if the environment has named a device. Then each storage has a mirror from the start,
/// others once a nest takes them.
bool devicesAreWanted();

/// The same by the environment or by an `on` round this place.
bool devicesAreNamedHere();

/// `on` names a device.
void noteDeviceOfOn() noexcept;

/// The processes of the node agree whether elements may go from device to device. Collective over
/// the node.
void agreeOnDevices();
/// What they have agreed on.
bool devicesMayMeet();

/// Why no array has one, as a clause; empty if they have.
std::string whyNoMirrors();

/// CopyCount of one storage, and why the last one came home.
struct CopyCount {
    Index toDevice = 0, toHome = 0;  // how many
    std::size_t boxBytes = 0;        // of boxes, in both directions
    std::size_t messageBytes = 0;    // of messages, in both directions
    RowCount rows;                   // of rows, where several devices have some
    bool isPinned = false;           // at home, for the last of them
    Where lastHome = {};             // who asked
};

/// Who takes an array: the nest of a kernel, by its number among the nest's, or a collective there.
struct Taker {
    const KernelText* kernel = nullptr;
    std::size_t number = 0;
    Where where = {};
};

/// The device's copy has the layout of the storage, so that strides and offsets are the same.
class Mirror {
public:
    /// Elements that are all zero need not be copied to be so on the device.
    Mirror(Storage& storage, Where where, State state = State::Fresh);
    ~Mirror();
    Mirror(const Mirror&) = delete;
    Mirror& operator=(const Mirror&) = delete;

    /// True if a nest can take it. False if it stays at home, or the device has no room for it.
    bool isReadyFor(Backend& device);
    /// What slot 0 is on the device, with valid elements; those that are written are valid there
    /// only. Null, and nothing has changed, if they could not be copied.
    std::byte* takenTo(Backend& device, Use use, const Taker& taker);
    /// Changes as soon as any array has another state or place, or is gone.
    static std::uint64_t moves() noexcept;
    static void noteMove() noexcept;
    /// takenTo() of arrays that the nest has taken before, unless any has moved since then: false.
    static bool takenAgain(std::uint64_t moves, const std::vector<Mirror*>& all,
                           const KernelText& kernel, Where nest);
    /// The same for who writes all slots there: nothing is copied.
    std::byte* overwrittenOn(Backend& device, const Taker& taker);
    /// DeviceError if the elements are lost.
    void bringHome(Use use, Where where);
    /// As the functions of hpspmd/device/home.hpp.
    bool boxesHome(const std::vector<Box>& read, Where where);
    void boxesToDevice(const std::vector<Box>& written, Where where);
    void boxesLeaveHome(const std::vector<Box>& boxes);

    /// Waits until the device that has it has done all that it was asked for.
    void settle();

    /// From here on it is known for each row where it is valid, until leaveDevice().
    RowCopies& split();
    bool isSplit() const { return split_ != nullptr; }
    /// Copies rows of a split one to the device, or home for null. DeviceError if they are lost;
    /// false if the device does not take them.
    bool rowsTo(const Backend* device, const RowStretch& rows, Where where);
    void rowsWritten(const Backend* device, const RowStretch& rows);
    /// Once nothing reads any more what was valid before but, at home, these rows.
    void rowsAreLeft(const RowStretch& readAtHome);

    /// The devices' memory is given back, and its elements are at home. DeviceError if they are
    /// lost.
    void leaveDevice(Where where);
    /// Those with memory on a device.
    static std::vector<Mirror*> allOnDevices();
    std::size_t bytes() const;
    std::size_t elementSize() const { return storage_.elementSize; }
    bool isOn(const Backend& device) const;
    std::size_t bytesOn(const Backend& device) const;
    /// Of slot 0.
    std::byte* placeOn(const Backend& device) const;
    /// True if a nest of this thread took it last; and how many were taken before, by any thread.
    bool isOfThisThread() const { return user_ == std::this_thread::get_id(); }
    std::uint64_t lastUse() const { return lastUse_; }

    /// Both as long as it is split.
    State state() const { return state_; }
    /// True if all elements at home are still zero, since nobody could write any.
    bool isUntouched() const { return state_ == State::Fresh && !storage_.staysHome; }
    const CopyCount& copies() const { return copies_; }
    /// Bytes of messages that were packed, or unpacked, there.
    void noteMessages(std::size_t bytes) { copies_.messageBytes += bytes; }
    std::byte* memory() const { return memory_; }  ///< null if there is none, or it is split
    Backend* device() const { return device_; }    ///< where that is

private:
    void note(const Taker& taker);
    void finishUnderWay(Side side, Use use);
    bool staysAsItIs(Side side, Use use) const;
    bool enter(const Step& step, Where where);
    bool copy(Copying what);
    bool staysInPlace() const;
    void pinIfCopiedOften();
    bool copyToDevice();
    void waitUntilCopied();
    void hideHome();
    void showHome() noexcept;
    std::string hiddenArray() const;
    void homeOfSplit(Use use, Where where);
    [[noreturn]] void raiseLost(Where where) const;
    void giveBack() noexcept;

    Storage& storage_;
    Where where_;  // of its creation
    State state_ = State::Fresh;
    Backend* device_ = nullptr;
    std::byte* memory_ = nullptr;
    Backend* pinnedBy_ = nullptr;  // the memory at home
    bool wasPinTried_ = false;
    bool isBeingCopied_ = false;  // from home, which must not change before that is done
    std::unique_ptr<RowCopies> split_;
    CopyCount copies_;
    Taker taker_;
    bool isHidden_ = false;  // at home
    std::thread::id user_;
    std::uint64_t lastUse_ = 0;
};

}  // namespace hpspmd::detail
