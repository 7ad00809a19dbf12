// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/backend.hpp"
#include "device/checked_launches.hpp"
#include "devices/fault.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace hpspmd::detail {
namespace {

/// A signalling NaN where elements have 4 or 8 bytes, else 0xA5.
template <class Word>
void fill(std::byte* memory, std::size_t bytes, Word word) {
    std::size_t at = 0;
    for (; at + sizeof word <= bytes; at += sizeof word)
        std::memcpy(memory + at, &word, sizeof word);
    std::memset(memory + at, 0xA5, bytes - at);
}

class CheckDevice : public Backend {
public:
    explicit CheckDevice(int number)
        : name_(number == 0 ? std::string("check") : "check:" + std::to_string(number)) {}
    const char* name() const override { return name_.c_str(); }
    bool isHostMemory() const override { return true; }
    bool hidesHome() const override { return true; }
    std::byte* allocate(std::size_t bytes, std::size_t) override {
        constexpr std::size_t line = 64;
        if (devices::isFault("allocate")) return nullptr;
        return static_cast<std::byte*>(
            std::aligned_alloc(line, (bytes + line) / line * line));  // not empty
    }
    void release(std::byte* memory, std::size_t) noexcept override { std::free(memory); }
    bool clear(std::byte* memory, std::size_t bytes) override {
        if (devices::isFault("clear")) return false;
        std::memset(memory, 0, bytes);
        return true;
    }
    bool copyIn(std::byte* memory, const std::byte* home, std::size_t bytes) override {
        if (devices::isFault("copyIn")) return false;
        std::memcpy(memory, home, bytes);
        return true;
    }
    bool copyIn(std::byte* memory, const std::byte* home, const Box& box) override {
        if (devices::isFault("copyIn")) return false;
        copy(memory, home, box);
        return true;
    }
    bool copyFrom(Backend& other, std::byte* memory, const std::byte* there,
                  std::size_t bytes) override {
        if (!other.isHostMemory() || devices::isFault("copyFrom")) return false;
        std::memcpy(memory, there, bytes);
        return true;
    }
    std::string prepare(const KernelText&, Strides) override {
        return devices::isFault("prepare") ? "its kernel cannot be made" : "";
    }
    std::vector<std::uint32_t> takeFound() override {
        return found_.front() == 0 ? std::vector<std::uint32_t>()
                                   : std::exchange(found_, noneFound());
    }
    void invalidated(std::byte* memory, std::size_t bytes, std::size_t elementSize) override {
        constexpr std::uint32_t narrow = 0x7FA5A5A5;
        constexpr std::uint64_t wide = 0x7FF4A5A5A5A5A5A5;
        if (elementSize == sizeof narrow)
            fill(memory, bytes, narrow);
        else if (elementSize == sizeof wide)
            fill(memory, bytes, wide);
        else
            std::memset(memory, 0xA5, bytes);
    }

protected:
    bool startKernel(const KernelText& kernel, Strides, void** arguments,
                     const JoinPieces*) override {
        if (devices::isFault("launch")) return false;
        if (kernels::Checks* const checks = checksOf(kernel, arguments))
            checks->found = found_.data();
        kernel.onHost(arguments);
        return true;
    }
    bool bringHome(std::byte* home, const std::byte* memory, std::size_t bytes) override {
        if (devices::isFault("copyOut")) return false;
        std::memcpy(home, memory, bytes);
        return true;
    }
    bool bringHome(std::byte* home, const std::byte* memory, const Box& box) override {
        if (devices::isFault("copyOut")) return false;
        copy(home, memory, box);
        return true;
    }

private:
    static std::vector<std::uint32_t> noneFound() { return std::vector<std::uint32_t>(foundWords); }
    const std::string name_;
    std::vector<std::uint32_t> found_ = noneFound();

    static void copy(std::byte* to, const std::byte* from, const Box& box) {
        for (std::size_t row = 0; row < box.rows; ++row)
            std::memcpy(to + box.first + row * box.pitch, from + box.first + row * box.pitch,
                        box.width);
    }
};

}  // namespace

Backend& checkDevice(int number) {
    static std::mutex& mutex = *new std::mutex;
    static auto& all = *new std::map<int, CheckDevice>;
    const std::lock_guard lock(mutex);
    return all.try_emplace(number, number).first->second;
}

}  // namespace hpspmd::detail
